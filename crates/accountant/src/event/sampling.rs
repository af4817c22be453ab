//! Samples of rows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The sample of the rows that a use sees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sampling {
    /// Each row is in with this probability, in (0, 1], independently. Neighbors: add/remove.
    Poisson(f64),
    /// Each row is in with this probability, in (0, 1], independently. Neighbors: substitution, of rows that each move
    /// the answer by at most the sensitivity where they are added. For `laplace` and `gaussian`.
    PoissonSubstitution(f64),
    /// This share of the rows, in (0, 1], every set of that size alike. Neighbors: substitution.
    WithoutReplacement(f64),
}

impl Sampling {
    /// The probability of a row to be in the sample.
    pub fn rate(self) -> f64 {
        match self {
            Self::Poisson(rate)
            | Self::PoissonSubstitution(rate)
            | Self::WithoutReplacement(rate) => rate,
        }
    }

    /// `true` if its neighbors substitute a row; else they add or remove one.
    pub fn is_of_substitution(self) -> bool {
        !matches!(self, Self::Poisson(_))
    }
}
