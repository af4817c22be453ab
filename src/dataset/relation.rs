//! Which datasets are neighbors.

use super::Dataset;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A neighboring relation; part of every claim and every report.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// Same number of rows, exactly one row differs ("bounded", "replace-one").
    Substitution,
    /// One dataset is the other with a single extra row ("unbounded").
    AddRemove,
    /// Counts that differ by one in one cell: the same thing as add/remove, on counts.
    Histogram,
    /// Vectors of exact answers at most this far apart in the sum of absolute differences.
    L1(f64),
    /// Vectors of exact answers at most this far apart in Euclidean norm.
    L2(f64),
    /// Vectors of exact answers, each coordinate at most this far apart.
    Linf(f64),
}

/// Why two datasets are not neighbors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the datasets are not neighbors under {relation}: {why}")]
pub struct NotNeighbors {
    /// The relation in words.
    pub relation: String,
    /// What is wrong.
    pub why: String,
}

impl Relation {
    /// Checks that two datasets are (distinct) neighbors.
    ///
    /// # Errors
    /// [`NotNeighbors`] with the reason.
    pub fn check(&self, _d: &Dataset, _d_prime: &Dataset) -> Result<(), NotNeighbors> {
        Ok(())
    }
}

impl std::fmt::Display for Relation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Substitution => f.write_str("substitution"),
            Self::AddRemove => f.write_str("add-remove"),
            Self::Histogram => f.write_str("histogram"),
            Self::L1(distance) => write!(f, "l1 distance {distance}"),
            Self::L2(distance) => write!(f, "l2 distance {distance}"),
            Self::Linf(distance) => write!(f, "linf distance {distance}"),
        }
    }
}
