//! Datasets, neighboring relations, and pairs of neighbors.
//!
//! Entries and rows are counted from 0 everywhere: in specs, in reports and in errors.

mod cell;
mod difference;
mod file;
pub mod pairs;
pub mod pattern;
mod people;
mod relation;
mod rows;
mod sensitivity;
mod table;
mod wire;

pub use cell::Cell;
pub use difference::{json_words, shortened};
pub use file::{FileDataset, sha256_of};
pub use people::People;
pub use relation::{Neighboring, NotNeighbors, Relation, Stated, UNCHECKED};
pub use rows::{PairRow, json_rows, pair_rows};
pub use sensitivity::{Norm, Sensitivity};
pub use table::{Table, TableError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::borrow::Cow;

/// Number of entries or rows of a longer dataset that are shown.
const SHOWN: usize = 5;

/// A dataset that a spec can name: numbers, or rows of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dataset {
    /// Exact answers to queries, counts of a histogram, or single values: each relation limits how far they may
    /// move.
    Numbers(#[serde(with = "plaudit_accountant::number::list")] Vec<f64>),
    /// Rows of people.
    Table(Table),
    /// Any value, for programs, as it was written: 0 and 0.0 are two. A number that is not finite is the object
    /// `{"$number": "nan"}`, or "inf" or "-inf".
    Json(Value),
}

impl Dataset {
    /// A dataset of at most this many numbers is shown whole in reports.
    pub(crate) const SHOWN_WHOLE: usize = 40;

    pub fn numbers(&self) -> Option<&[f64]> {
        match self {
            Self::Numbers(values) => Some(values),
            Self::Table(_) | Self::Json(_) => None,
        }
    }

    /// The numbers, if it is a list of numbers of any kind.
    pub fn as_numbers(&self) -> Option<Cow<'_, [f64]>> {
        match self {
            Self::Numbers(values) => Some(values.into()),
            Self::Json(Value::Array(list)) => list.iter().map(Value::as_f64).collect(),
            Self::Table(_) | Self::Json(_) => None,
        }
    }

    /// Number of numbers, cells or values it holds; 0 if it has no entries.
    pub fn entries(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Table(table) => table.rows.len() * table.columns.len(),
            Self::Json(Value::Array(list)) => list.len(),
            Self::Json(_) => 0,
        }
    }

    pub fn table(&self) -> Option<&Table> {
        match self {
            Self::Table(table) => Some(table),
            Self::Numbers(_) | Self::Json(_) => None,
        }
    }

    /// The dataset as programs get it: JSON, in which numbers that are not finite are the bare
    /// words NaN, Infinity and -Infinity.
    pub fn to_wire(&self) -> String {
        wire::write(self)
    }

    /// Change that turns this dataset into the other one: `entry 0: 1 → 2`, `row 17 removed: income 3, vote 1`.
    pub fn difference_words(&self, other: &Self) -> String {
        difference::words(self, other)
    }

    /// The dataset as a reader of a report needs it: whole if it has at most 40 numbers, else how
    /// large it is and what its first entries or rows are.
    pub fn abridged(&self) -> Value {
        match self {
            Self::Numbers(values) if values.len() <= Self::SHOWN_WHOLE => written(values),
            Self::Numbers(values) => json!({
                "entries": values.len(),
                "first_entries": written(&values[..SHOWN]),
                "smallest": written(&[values.iter().copied().fold(f64::INFINITY, f64::min)])[0],
                "largest": written(&[values.iter().copied().fold(f64::NEG_INFINITY, f64::max)])[0],
            }),
            Self::Json(value) => wire::abridged(value),
            Self::Table(Table { columns, rows })
                if columns.len() * rows.len() <= Self::SHOWN_WHOLE =>
            {
                json!({ "columns": columns, "rows": rows })
            }
            Self::Table(Table { columns, rows }) => json!({
                "columns": columns,
                "row_count": rows.len(),
                "first_rows": &rows[..SHOWN.min(rows.len())],
            }),
        }
    }
}

/// Numbers as JSON, with words for what is not finite.
fn written(values: &[f64]) -> Value {
    plaudit_accountant::number::list::serialize(values, serde_json::value::Serializer)
        .expect("numbers and words are JSON")
}

/// Two neighboring datasets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair<D> {
    /// Name of the pair in reports ("all up", "without row 17").
    pub name: String,
    pub d: D,
    pub d_prime: D,
}
