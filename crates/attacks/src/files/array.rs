//! Arrays of `numpy.save` and `numpy.savez`, of one dimension.
//!
//! An archive of `numpy.savez` is a ZIP file with an array `NAME.npy` for each name; `numpy.savez_compressed` deflates
//! them.

use super::{BadLine, Columns, NumberKind, Wanted, cell, found};
use plaudit_engine::mechanism::Outcomes;
use plaudit_engine::mechanism::wire::npy::Header;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use zip::ZipArchive;

/// Numbers that are read at once.
const PART: u64 = 8192;
const REMEDY: &str =
    "save numpy.asarray(scores, dtype=float), or integers or bools, of one dimension";

/// A column as it grows.
pub enum Column {
    Numbers(Vec<f64>),
    Labels(Vec<bool>),
    /// Labels as they are written.
    Words(Vec<String>),
}

impl Column {
    pub fn numbers() -> Self {
        Self::Numbers(Vec::new())
    }

    fn labels(kind: NumberKind) -> Self {
        match kind {
            NumberKind::VERSIONS => Self::Words(Vec::new()),
            _ => Self::Labels(Vec::new()),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Labels(labels) => labels.len(),
            Self::Words(words) => words.len(),
        }
    }

    /// Adds a batch.
    pub fn extend(&mut self, batch: &Outcomes, kind: NumberKind) -> Result<(), BadLine> {
        for value in batch.iter() {
            let row = self.len() as u64 + 1;
            let bad = |why| BadLine::line(row, why);
            match self {
                Self::Numbers(numbers) => {
                    numbers.push(cell::number_of(value, kind).map_err(bad)?);
                }
                Self::Labels(labels) => labels.push(cell::label_of(value, kind).map_err(bad)?),
                Self::Words(words) => words.push(cell::word_of(value)),
            }
        }
        Ok(())
    }

    fn into_numbers(self) -> Vec<f64> {
        match self {
            Self::Numbers(numbers) => numbers,
            _ => Vec::new(),
        }
    }
}

impl Columns {
    /// Reads columns one after another by their names: those of numbers, and the one of labels.
    pub fn by_name(
        (numbers, label): (Vec<&str>, Option<&str>),
        kind: NumberKind,
        mut read: impl FnMut(&str, Column) -> Result<Column, BadLine>,
    ) -> Result<Self, BadLine> {
        let mut columns = Self::default();
        for name in numbers {
            columns.numbers.push(read(name, Column::numbers())?.into_numbers());
        }
        if let Some(name) = label {
            let labels = read(name, Column::labels(kind))?;
            columns.lines = (1..=labels.len() as u64).collect();
            match labels {
                Column::Labels(labels) => columns.labels = labels,
                Column::Words(words) => columns.words = words,
                Column::Numbers(_) => {}
            }
        }
        Ok(columns)
    }
}

/// The only array of a file, which has no names.
pub fn read(file: impl Read, wanted: &Wanted<'_>) -> Result<Columns, BadLine> {
    if !wanted.is_plain() {
        return Err(BadLine::of_file(
            "an array has no named columns: save several with numpy.savez(name, scores=..., labels=...), or leave the \
             names out",
        ));
    }
    let column = one(BufReader::with_capacity(1 << 18, file), Column::numbers(), wanted.kind)?;
    Ok(Columns { numbers: vec![column.into_numbers()], ..Columns::default() })
}

/// Arrays of an archive, by their names.
pub fn read_several(path: &Path, wanted: &Wanted<'_>) -> Result<Columns, BadLine> {
    let mut archive = open(path)?;
    let names = listed(&archive)?;
    let wanted_columns = found(wanted, &names)?;
    let column = |name: &str, column: Column| {
        let in_array =
            |bad: BadLine| BadLine { why: format!("the array `{name}`: {}", bad.why), ..bad };
        let entry = archive.by_name(&format!("{name}.npy"));
        let entry = entry.map_err(|error| in_array(BadLine::of_file(error)))?;
        one(BufReader::with_capacity(1 << 18, entry), column, wanted.kind).map_err(in_array)
    };
    let columns = Columns::by_name(wanted_columns, wanted.kind, column)?;
    let rows = columns.numbers.first().map_or(0, Vec::len);
    let is_even = columns.numbers.iter().all(|numbers| numbers.len() == rows);
    if !is_even || wanted.label.is_some() && columns.lines.len() != rows {
        return Err(BadLine::of_file(
            "its arrays have different lengths: save one score and one label for each row",
        ));
    }
    Ok(columns)
}

/// Names of the arrays of an archive.
///
/// # Errors
/// If it is not one.
pub(crate) fn names(path: &Path) -> Result<Vec<String>, String> {
    open(path).and_then(|archive| listed(&archive)).map_err(|bad| bad.why)
}

fn open(path: &Path) -> Result<ZipArchive<File>, BadLine> {
    let file = File::open(path).map_err(BadLine::of_file)?;
    ZipArchive::new(file).map_err(|error| {
        BadLine::of_file(format!(
            "{error}: write it with numpy.savez(name, scores=..., labels=...)"
        ))
    })
}

fn listed(archive: &ZipArchive<File>) -> Result<Vec<String>, BadLine> {
    let bare = |name: &str| name.strip_suffix(".npy").unwrap_or(name).to_owned();
    archive
        .file_names()
        .map(|name| name.map(|name| bare(&name)).map_err(BadLine::of_file))
        .collect()
}

/// Reads an array to the end of its file.
fn one(mut reader: impl Read, mut column: Column, kind: NumberKind) -> Result<Column, BadLine> {
    let bad = |error: &dyn std::fmt::Display| BadLine::of_file(format!("{error}: {REMEDY}"));
    let header = Header::read(&mut reader).map_err(|error| bad(&error))?;
    if let Some(width) = header.width.filter(|width| *width != 1) {
        let Header { runs, .. } = header;
        return Err(bad(&format!("it has the shape ({runs}, {width})")));
    }
    // A column of a matrix is read as one dimension.
    let header = Header { width: None, ..header };
    let (mut left, mut batch) = (header.runs, Outcomes::new());
    while left > 0 {
        batch.clear();
        let runs = left.min(PART);
        header
            .read_runs(&mut reader, runs as usize, &mut batch)
            .map_err(|error| BadLine::of_file(format!("{error}: save it again")))?;
        column.extend(&batch, kind)?;
        left -= runs;
    }
    match reader.read(&mut [0]) {
        Ok(0) => Ok(column),
        Ok(_) => Err(BadLine::of_file("bytes follow the array: save one array per file")),
        Err(error) => Err(BadLine::of_file(error)),
    }
}
