//! Domains: the datasets that a search may make.

use plaudit_accountant::number::words;
use plaudit_core::dataset::{Cell, Dataset, Table};
use serde_json::Value;
use std::ops::RangeInclusive;

/// Allowed entries of a dataset.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers between two finite bounds, inclusive.
    Numbers {
        lower: f64,
        upper: f64,
        /// `true` if NaN and both infinities are also values. Not in tables.
        not_finite: bool,
    },
    /// Whole numbers between two bounds, of at most 2⁵³.
    Integers { lower: f64, upper: f64 },
    /// These values, each once: numbers, or cells in tables.
    Among(Vec<Cell>),
}

/// Most rows of a dataset.
pub const MOST_ROWS: usize = 10_000_000;
/// Most cells of a dataset, rows times columns.
pub const MOST_CELLS: usize = 100_000_000;
/// Largest whole number of a domain: beyond it the spacing of doubles is above 1.
const MOST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Datasets described by their allowed entries and sizes: lists of numbers, or tables. Entries are
/// handled as numbers; an entry of [`Values::Among`] is its place there.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchDomain {
    names: Option<Vec<String>>,
    /// One item for each column; a single one for lists.
    values: Vec<Values>,
    /// `true` if lists are [`Dataset::Json`], so that a program gets each entry as it is written.
    as_written: bool,
    least: usize,
    most: usize,
}

/// Reason why a domain is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchDomainError {
    /// Bounds without a number between them.
    #[error("lower = {lower} and upper = {upper} have no number between them")]
    Bounds { lower: String, upper: String },
    /// Bound of whole numbers that is not whole, or too large.
    #[error("{0} is not a bound for whole numbers: it must be whole, and at most 2^53 in size")]
    NotWhole(String),
    #[error("there are no values to build datasets from")]
    NoValues,
    #[error("the value {0} is listed twice")]
    Twice(String),
    /// A list of numbers cannot hold a text.
    #[error("the value {0} is not a number: rows of other values need columns")]
    NotANumber(String),
    /// A table's numbers are finite.
    #[error("a column has finite numbers only: not_finite is for lists of numbers")]
    NotFiniteInTable,
    /// A table without columns, or with a duplicate one.
    #[error("{0}")]
    Columns(String),
    /// Sizes that no dataset has.
    #[error(
        "there are no datasets of {least} to {most} rows: at most {MOST_ROWS} rows and {MOST_CELLS} cells"
    )]
    Size { least: usize, most: usize },
}

impl SearchDomain {
    /// Lists of numbers (rows, counts, or exact answers of queries, depending on the relation).
    ///
    /// # Errors
    /// If the values or sizes are impossible.
    pub fn numbers(values: Values, size: RangeInclusive<usize>) -> Result<Self, SearchDomainError> {
        if let Values::Among(cells) = &values
            && let Some(text) = cells.iter().find(|cell| cell.number().is_none())
        {
            return Err(SearchDomainError::NotANumber(text.to_string()));
        }
        Self::list(values, size, false)
    }

    /// Lists for programs, whose entries reach them as written: whole numbers stay whole numbers,
    /// texts and booleans are also values. Numbers between bounds are doubles, as in
    /// [`SearchDomain::numbers`].
    ///
    /// # Errors
    /// If the values or sizes are impossible.
    pub fn written(values: Values, size: RangeInclusive<usize>) -> Result<Self, SearchDomainError> {
        let as_written = !matches!(values, Values::Numbers { .. });
        Self::list(values, size, as_written)
    }

    fn list(
        values: Values,
        size: RangeInclusive<usize>,
        as_written: bool,
    ) -> Result<Self, SearchDomainError> {
        let (least, most) = (*size.start(), *size.end());
        Self { names: None, values: vec![values], as_written, least, most }.checked()
    }

    /// Tables of these columns.
    ///
    /// # Errors
    /// If columns, values or sizes are impossible.
    pub fn table(
        columns: impl IntoIterator<Item = (String, Values)>,
        size: RangeInclusive<usize>,
    ) -> Result<Self, SearchDomainError> {
        let (names, values): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        if values.iter().any(|values| matches!(values, Values::Numbers { not_finite: true, .. })) {
            return Err(SearchDomainError::NotFiniteInTable);
        }
        Table::new(names.clone(), Vec::new())
            .map_err(|error| SearchDomainError::Columns(error.to_string()))?;
        let (least, most) = (*size.start(), *size.end());
        Self { names: Some(names), values, as_written: false, least, most }.checked()
    }

    fn checked(self) -> Result<Self, SearchDomainError> {
        self.values.iter().try_for_each(Values::check)?;
        let (least, most) = (self.least, self.most);
        let cells = most.checked_mul(self.values.len());
        let fits = most <= MOST_ROWS && cells.is_some_and(|cells| cells <= MOST_CELLS);
        if least <= most && most > 0 && fits {
            Ok(self)
        } else {
            Err(SearchDomainError::Size { least, most })
        }
    }

    /// Fewest and most rows.
    pub fn size(&self) -> RangeInclusive<usize> {
        self.least..=self.most
    }

    /// Allowed entries of each column; one column for lists of numbers.
    pub fn columns(&self) -> &[Values] {
        &self.values
    }

    /// Names of the columns, if they are tables.
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// Position of a column of tables.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.names.as_ref()?.iter().position(|column| column == name)
    }

    /// The dataset of these entries, row after row.
    pub(super) fn dataset(&self, entries: Vec<f64>) -> Dataset {
        let Some(names) = &self.names else {
            if self.as_written {
                let entries = entries.iter().map(|&x| self.values[0].cell(x).to_json());
                return Dataset::Json(entries.collect());
            }
            return Dataset::Numbers(match &self.values[0] {
                Values::Among(_) => entries.iter().map(|&x| self.values[0].number(x)).collect(),
                Values::Numbers { .. } | Values::Integers { .. } => entries,
            });
        };
        let row = |cells: &[f64]| {
            cells.iter().zip(&self.values).map(|(&x, values)| values.cell(x)).collect()
        };
        let rows = entries.chunks_exact(self.values.len()).map(row).collect();
        Dataset::Table(Table { columns: names.clone(), rows })
    }

    /// `true` if a dataset belongs to the domain, with numbers in any spelling.
    pub fn contains(&self, dataset: &Dataset) -> bool {
        match (dataset, &self.names) {
            (Dataset::Numbers(numbers), None) => {
                self.size().contains(&numbers.len())
                    && numbers.iter().all(|&x| self.values[0].contains(&Cell::Number(x)))
            }
            (Dataset::Json(Value::Array(list)), None) => {
                let contains = |value| self.values[0].contains(&value);
                self.size().contains(&list.len())
                    && list.iter().all(|value| Cell::of_json(value).is_some_and(contains))
            }
            (Dataset::Table(table), Some(names)) => {
                let row = |row: &Vec<Cell>| {
                    row.iter().zip(&self.values).all(|(cell, values)| values.contains(cell))
                };
                table.columns == *names
                    && self.size().contains(&table.rows.len())
                    && table.rows.iter().all(row)
            }
            _ => false,
        }
    }

    /// A dataset of the domain, with every number written as the domain writes it; `None` if it
    /// does not belong to the domain.
    pub fn own(&self, dataset: Dataset) -> Option<Dataset> {
        if !self.contains(&dataset) {
            return None;
        }
        let own = |cell: &Cell| self.values[0].own(cell);
        match dataset {
            Dataset::Numbers(numbers) if self.as_written => {
                let cells = numbers.into_iter().map(|x| own(&Cell::Number(x)).to_json());
                Some(Dataset::Json(cells.collect()))
            }
            Dataset::Numbers(numbers) => Some(Dataset::Numbers(numbers)),
            Dataset::Json(Value::Array(list)) => {
                let cells = list.iter().map(|value| Cell::of_json(value).as_ref().map(own));
                if self.as_written {
                    let list: Option<_> = cells.map(|cell| Some(cell?.to_json())).collect();
                    list.map(Dataset::Json)
                } else {
                    cells.map(|cell| cell?.number()).collect::<Option<_>>().map(Dataset::Numbers)
                }
            }
            Dataset::Json(_) => None,
            Dataset::Table(mut table) => {
                for row in &mut table.rows {
                    for (cell, values) in row.iter_mut().zip(&self.values) {
                        *cell = values.own(cell);
                    }
                }
                Some(Dataset::Table(table))
            }
        }
    }
}

/// "lists of 1 to 10 numbers from 0 to 1", "tables of 0 to 3 rows: age from 0 to 100".
impl std::fmt::Display for SearchDomain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = match (self.least, self.most) {
            (least, most) if least == most => format!("{most}"),
            (least, most) => format!("{least} to {most}"),
        };
        match &self.names {
            None => write!(f, "lists of {size} {}", self.values[0]),
            Some(names) => {
                let columns = names.iter().zip(&self.values);
                let columns: Vec<_> =
                    columns.map(|(name, values)| format!("{name}: {values}")).collect();
                write!(f, "tables of {size} rows, {}", columns.join("; "))
            }
        }
    }
}

impl std::fmt::Display for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Numbers { lower, upper, not_finite } => {
                let more = if *not_finite { ", NaN and infinities" } else { "" };
                write!(f, "numbers from {} to {}{more}", words(*lower), words(*upper))
            }
            Self::Integers { lower, upper } => {
                write!(f, "whole numbers from {} to {}", words(*lower), words(*upper))
            }
            Self::Among(cells) => {
                const SHOWN: usize = 6;
                let mut list: Vec<_> = cells.iter().take(SHOWN).map(Cell::to_string).collect();
                if cells.len() > SHOWN {
                    list.push(format!("{} more", cells.len() - SHOWN));
                }
                write!(f, "values from {{{}}}", list.join(", "))
            }
        }
    }
}

impl Values {
    fn check(&self) -> Result<(), SearchDomainError> {
        match self {
            &Self::Numbers { lower, upper, .. } | &Self::Integers { lower, upper } => {
                if !(lower <= upper && lower.is_finite() && upper.is_finite()) {
                    let [lower, upper] = [lower, upper].map(|x| words(x).into_owned());
                    return Err(SearchDomainError::Bounds { lower, upper });
                }
                let whole = |x: f64| x.fract() == 0.0 && x.abs() <= MOST_WHOLE;
                match (self, [lower, upper].into_iter().find(|&x| !whole(x))) {
                    (Self::Integers { .. }, Some(x)) => {
                        Err(SearchDomainError::NotWhole(words(x).into_owned()))
                    }
                    _ => Ok(()),
                }
            }
            Self::Among(cells) => {
                if cells.is_empty() {
                    return Err(SearchDomainError::NoValues);
                }
                let twice = cells.iter().enumerate().find(|(at, cell)| cells[..*at].contains(cell));
                twice.map_or(Ok(()), |(_, cell)| Err(SearchDomainError::Twice(cell.to_string())))
            }
        }
    }

    fn contains(&self, cell: &Cell) -> bool {
        match (self, cell.number()) {
            (Self::Among(cells), _) => cells.contains(cell),
            (Self::Numbers { lower, upper, not_finite }, Some(x)) => {
                (*lower..=*upper).contains(&x) || *not_finite && !x.is_finite()
            }
            (Self::Integers { lower, upper }, Some(x)) => {
                (*lower..=*upper).contains(&x) && x.fract() == 0.0
            }
            (_, None) => false,
        }
    }

    /// One of these values, in the domain's spelling.
    fn own(&self, cell: &Cell) -> Cell {
        match (self, cell.number()) {
            (Self::Among(cells), _) => {
                cells.iter().find(|own| *own == cell).unwrap_or(cell).clone()
            }
            (Self::Numbers { .. }, Some(x)) => Cell::Number(x),
            (Self::Integers { .. }, Some(x)) => Cell::Whole(x as i64),
            (_, None) => cell.clone(),
        }
    }

    /// Least and largest, as numbers or as places of a list.
    pub(super) fn bounds(&self) -> (f64, f64) {
        match self {
            &Self::Numbers { lower, upper, .. } | &Self::Integers { lower, upper } => {
                (lower, upper)
            }
            Self::Among(cells) => (0.0, (cells.len() - 1) as f64),
        }
    }

    /// Least and largest number, for any order of a list; 0 twice if there is no number.
    pub(super) fn ends(&self) -> [f64; 2] {
        match self {
            &Self::Numbers { lower, upper, .. } | &Self::Integers { lower, upper } => {
                [lower, upper]
            }
            Self::Among(cells) => {
                let least = cells.iter().filter_map(Cell::number).reduce(f64::min);
                let largest = cells.iter().filter_map(Cell::number).reduce(f64::max);
                [least.unwrap_or(0.0), largest.unwrap_or(0.0)]
            }
        }
    }

    /// The value nearest to a number: within the bounds, whole where required.
    pub(super) fn nearest(&self, x: f64) -> f64 {
        let (lower, upper) = self.bounds();
        match self {
            Self::Numbers { not_finite: true, .. } if !x.is_finite() => x,
            _ if x.is_nan() => lower,
            Self::Numbers { .. } => x.clamp(lower, upper),
            Self::Integers { .. } | Self::Among(_) => x.clamp(lower, upper).round(),
        }
    }

    /// The value at a share from 0 to 1 of the way between the bounds; for wide bounds, every
    /// second share is on a logarithmic scale.
    pub(super) fn at_share(&self, share: f64) -> f64 {
        let (lower, upper) = self.bounds();
        // Half of each, so that the widest bounds do not overflow.
        let plain = (lower * (1.0 - share) + upper * share).clamp(lower, upper);
        let largest = lower.abs().max(upper.abs());
        let fine = share * 1024.0;
        if matches!(self, Self::Among(_)) || largest <= WIDE || (fine as u64).is_multiple_of(2) {
            return self.nearest(plain);
        }
        // The rest of the share is a number of its own.
        let size = (fine.fract() * (1.0 + largest).ln()).exp() - 1.0;
        self.nearest(if plain < 0.0 { -size } else { size })
    }

    /// Values worth trying, the likeliest to tell first.
    pub(super) fn levels(&self) -> Vec<f64> {
        let (lower, upper) = self.bounds();
        let middle = 0.5 * lower + 0.5 * upper;
        let mut levels = match self {
            Self::Among(cells) => (0..cells.len().min(MOST_LEVELS)).map(|at| at as f64).collect(),
            Self::Integers { .. } => {
                vec![1.0, 0.0, lower, upper, -1.0, 2.0, middle.round(), lower + 1.0, upper - 1.0]
            }
            Self::Numbers { .. } => vec![
                1.0,
                0.0,
                lower,
                upper,
                middle,
                -1.0,
                2.0,
                lower.next_up(),
                upper.next_down(),
                0.1,
                // The least number, the first that halves, the last whole one.
                f64::from_bits(1),
                4_503_599_627_370_496.0,
                MOST_WHOLE,
                -0.0,
            ],
        };
        if let Self::Numbers { not_finite: true, .. } = self {
            levels.splice(2..2, [f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
        }
        levels.retain(|&x| (lower..=upper).contains(&x) || !x.is_finite());
        let mut seen = std::collections::HashSet::new();
        levels.retain(|x| seen.insert(x.to_bits()));
        levels
    }

    fn number(&self, x: f64) -> f64 {
        self.cell(x).number().unwrap_or(f64::NAN)
    }

    fn cell(&self, x: f64) -> Cell {
        match self {
            Self::Among(cells) => cells[x as usize].clone(),
            Self::Numbers { .. } => Cell::Number(x),
            // Whole, and at most 2^53.
            Self::Integers { .. } => Cell::Whole(x as i64),
        }
    }
}

/// Bounds further from 0 than this are also examined on a logarithmic scale.
const WIDE: f64 = 1000.0;
/// Most places of a list that are levels.
const MOST_LEVELS: usize = 8;
