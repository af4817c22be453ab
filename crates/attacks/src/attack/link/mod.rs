//! Linkage: the natural join of a released table and a known one on quasi-identifiers.
//!
//! ```text
//! released rows ──> ReleasedRows ──> classes of equal values ──> Join <── known rows
//!                                                                 ├──> Linkage: what the table gives away
//!                                                                 └──> Published: what noisy counts of its classes do
//! ```
//!
//! Rows are handed in one at a time and not kept: what is kept is one entry for each class of the released table, with
//! its values byte for byte, so that no collision of hashes changes a result.

mod class;
mod files;
mod join;
mod published;

pub use files::LinkQuestion;
pub use join::{Join, ReleasedRows};
pub use published::{PublishError, Published};

use super::roc::Interval;
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClassSize {
    pub size: u64,
    pub classes: u64,
}

impl ClassSize {
    /// The rows of all of them.
    pub fn rows(self) -> u64 {
        self.size * self.classes
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RightLinks {
    /// Linked rows with the identifier of the known row.
    pub right: u64,
    /// Their share of the linked rows; `None` if no row is linked.
    pub share: Option<Interval>,
    /// Mean share of right links if each linked row is given a known row at random, where each identifier is of one
    /// known row.
    pub chance: f64,
}

/// Disclosure by a released table to the holder of a known one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Linkage {
    pub released: u64,
    pub known: u64,
    /// Classes of released rows with equal values.
    pub classes: u64,
    /// Rows of the smallest class: the k of k-anonymity.
    pub smallest: u64,
    /// Number of classes of each size, ascending.
    pub sizes: Vec<ClassSize>,
    /// Released rows that are alone in their class.
    pub unique: u64,
    /// Unique rows whose values exactly one known row has: they are linked to it.
    pub linked: u64,
    /// Other released rows whose values some known row has.
    pub several: u64,
    /// Released rows whose values no known row has.
    pub none: u64,
    /// Number of right links, if rows have identifiers.
    pub truth: Option<RightLinks>,
}

#[cfg(test)]
#[path = "../../../tests/unit/attack/link.rs"]
mod tests;
