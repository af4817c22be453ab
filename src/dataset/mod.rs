//! Datasets, neighboring relations, and pairs of neighbors.

pub mod pattern;
mod relation;
mod table;

pub use relation::{NotNeighbors, Relation};
pub use table::{Cell, Table};

use serde::{Deserialize, Serialize};

/// A dataset that a spec can name: numbers, or rows of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dataset {
    /// Exact answers to queries, counts of a histogram, or single values: each relation says how
    /// far they may move.
    Numbers(#[serde(with = "crate::number::list")] Vec<f64>),
    /// Rows of people.
    Table(Table),
}

impl Dataset {
    /// The numbers, if it is made of numbers.
    pub fn numbers(&self) -> Option<&[f64]> {
        match self {
            Self::Numbers(values) => Some(values),
            Self::Table(_) => None,
        }
    }

    /// The table, if it is one.
    pub fn table(&self) -> Option<&Table> {
        match self {
            Self::Table(table) => Some(table),
            Self::Numbers(_) => None,
        }
    }
}

/// Two neighboring datasets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair<D> {
    /// How the pair is called in reports ("all up", "without row 17").
    pub name: String,
    /// D.
    pub d: D,
    /// D'.
    pub d_prime: D,
}
