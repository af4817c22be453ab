//! Tables as numbers, column by column: what conditions and distances are computed on.

use super::limits::columns_are_different;
use super::people::{PeopleTable, names};
use plaudit_core::visible::excerpt;
use std::collections::HashMap;
use std::path::Path;

/// Code of a word that the release does not have: equal to none of its words.
const UNKNOWN: f64 = -1.0;

/// Kind of a column's values, by the release alone.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Numbers,
    /// Words, with a code each; the words in the order of their codes.
    Words(HashMap<Box<str>, u32>, Vec<Box<str>>),
}

/// Names of some columns, and what each holds: numbers, if the release has a finite number in each of its rows that is not
/// empty, else words.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    names: Vec<String>,
    kinds: Vec<Kind>,
}

/// Rows of a table, under a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct CodedTable {
    /// For each column one value a row: a number, or the code of a word; NaN where the cell is empty.
    columns: Vec<Vec<f64>>,
}

impl CodedTable {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    pub(super) fn column(&self, place: usize) -> &[f64] {
        &self.columns[place]
    }

    /// `true` if all its cells of a column are empty.
    pub(super) fn is_empty(&self, place: usize) -> bool {
        self.columns[place].iter().all(|value| value.is_nan())
    }

    pub(super) fn width(&self) -> usize {
        self.columns.len()
    }
}

impl Schema {
    /// Learns it from the release: its columns by name, each with a cell for every row; an empty cell is a missing value.
    ///
    /// # Errors
    /// If columns are of different lengths, or a table has none.
    pub fn of(columns: Vec<(String, Vec<String>)>) -> Result<(Self, CodedTable), String> {
        let rows = columns.first().map_or(0, |(_, cells)| cells.len());
        if rows == 0 || columns.iter().any(|(_, cells)| cells.len() != rows) {
            return Err("a table needs a column, and columns of one length above 0".to_owned());
        }
        let mut schema = Self { names: Vec::new(), kinds: Vec::new() };
        let mut coded = Vec::new();
        for (name, cells) in columns {
            let filled = || cells.iter().filter(|cell| !cell.is_empty());
            let is_numbers =
                filled().next().is_some() && filled().all(|cell| number(cell).is_some());
            let kind = if is_numbers {
                Kind::Numbers
            } else {
                let (mut codes, mut words) = (HashMap::new(), Vec::<Box<str>>::new());
                for cell in filled() {
                    if !codes.contains_key(cell.as_str()) {
                        codes.insert(cell.as_str().into(), words.len() as u32);
                        words.push(cell.as_str().into());
                    }
                }
                Kind::Words(codes, words)
            };
            let code = |cell: &String| kind.code(cell).unwrap_or(UNKNOWN);
            coded.push(cells.iter().map(code).collect());
            schema.names.push(name);
            schema.kinds.push(kind);
        }
        Ok((schema, CodedTable { columns: coded }))
    }

    /// Another table: rows of cells, in the order of the columns.
    ///
    /// # Errors
    /// If a row has another number of cells, or a word where the release has numbers.
    pub fn table<R: AsRef<[C]>, C: AsRef<str>>(
        &self,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<CodedTable, String> {
        let mut table = self.empty();
        for row in rows {
            let row = row.as_ref();
            if row.len() != self.names.len() {
                let (cells, columns) = (row.len(), self.names.len());
                return Err(format!("a row has {cells} cells, but the release has {columns}"));
            }
            self.add(row.iter().map(AsRef::as_ref), &mut table)?;
        }
        Ok(table)
    }

    fn empty(&self) -> CodedTable {
        CodedTable { columns: vec![Vec::new(); self.names.len()] }
    }

    fn add<'a>(
        &self,
        row: impl Iterator<Item = &'a str>,
        table: &mut CodedTable,
    ) -> Result<(), String> {
        for (place, cell) in row.enumerate() {
            let code = self.kinds[place].code(cell).ok_or_else(|| {
                format!(
                    "`{}` is `{}`, but all its values in the release are numbers: leave it empty, or leave the column out",
                    excerpt(self.names[place].as_bytes()),
                    excerpt(cell.as_bytes())
                )
            })?;
            table.columns[place].push(code);
        }
        Ok(())
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn is_numbers(&self, place: usize) -> bool {
        self.kinds[place] == Kind::Numbers
    }

    /// Number of different words of a column; 0 for numbers.
    pub(super) fn words(&self, place: usize) -> usize {
        match &self.kinds[place] {
            Kind::Numbers => 0,
            Kind::Words(_, words) => words.len(),
        }
    }

    /// Characters of a word by its code.
    pub(super) fn length(&self, place: usize, code: f64) -> usize {
        match &self.kinds[place] {
            Kind::Numbers => 0,
            Kind::Words(_, words) => {
                words.get(code as usize).map_or(0, |word| word.chars().count())
            }
        }
    }

    /// A value of the release, as the file has it or nearly so.
    pub(super) fn shown(&self, place: usize, value: f64) -> String {
        match &self.kinds[place] {
            Kind::Numbers => value.to_string(),
            Kind::Words(_, words) => {
                words.get(value as usize).map_or("?".into(), |word| excerpt(word.as_bytes()))
            }
        }
    }

    /// Reads the release.
    pub(super) fn read(path: &Path, columns: &[String]) -> Result<(Self, CodedTable), String> {
        Self::of(columns.iter().cloned().zip(cells(path, columns)?).collect())
    }

    /// Reads another table.
    pub(super) fn read_table(&self, path: &Path) -> Result<CodedTable, String> {
        let mut table = self.empty();
        PeopleTable::open(path, &self.names, None)?.rows(|values, _| {
            // It was checked that these are UTF-8.
            let values = values.map(|value| std::str::from_utf8(value).unwrap_or_default());
            self.add(values, &mut table)
        })?;
        Ok(table)
    }
}

impl Kind {
    fn code(&self, cell: &str) -> Option<f64> {
        if cell.is_empty() {
            return Some(f64::NAN);
        }
        match self {
            Self::Numbers => number(cell),
            Self::Words(codes, _) => Some(codes.get(cell).map_or(UNKNOWN, |code| f64::from(*code))),
        }
    }
}

fn number(cell: &str) -> Option<f64> {
    // The sum makes −0 equal to 0 bit for bit.
    cell.parse().ok().filter(|number: &f64| number.is_finite()).map(|number| number + 0.0)
}

/// Reads columns of a CSV file as text.
pub(super) fn cells(path: &Path, columns: &[String]) -> Result<Vec<Vec<String>>, String> {
    let mut cells = vec![Vec::new(); columns.len()];
    PeopleTable::open(path, columns, None)?.rows(|values, _| {
        let values = values.map(|value| String::from_utf8_lossy(value).into_owned());
        cells.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        Ok(())
    })?;
    Ok(cells)
}

/// The columns that were asked for, each once, or all that the release has.
pub(super) fn columns_of(path: &Path, asked: &[String]) -> Result<Vec<String>, String> {
    columns_are_different(asked)?;
    let columns = if asked.is_empty() { names(path)? } else { asked.to_vec() };
    PeopleTable::open(path, &columns, None)?;
    Ok(columns)
}

/// The least and the greatest value; [0, 0] without any.
pub(super) fn range(values: &[f64]) -> [f64; 2] {
    let filled = || values.iter().copied().filter(|value| !value.is_nan());
    let least = filled().reduce(f64::min).unwrap_or(0.0);
    [least, filled().reduce(f64::max).unwrap_or(least)]
}
