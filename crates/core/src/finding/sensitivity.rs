//! Result of the check of a declared sensitivity, as reports show it.

use super::answer::WrittenAnswer;
use super::pair::PairSummary;
use crate::dataset::Norm;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The query without noise on pairs of neighbors, before any trial. No chance is involved: answers are
/// doubles, and compared exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SensitivitySummary {
    /// Unit of distances.
    pub norm: Norm,
    /// How far apart the answers on neighbors are declared to be at most.
    pub declared: f64,
    /// Pairs of neighbors whose answers were compared; other pairs are not covered.
    pub pairs: usize,
    /// The largest distance that is known of any of them, rounded to the nearest double; `null`: one of
    /// the answers is not a number, a failure, or of another length.
    pub distance: Option<f64>,
    /// The smallest pair that was found to exceed what is declared; left out if none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<ExceedingPair>,
}

/// A pair of neighbors whose exact answers are further apart than what is declared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExceedingPair {
    /// The pair.
    pub pair: PairSummary,
    /// The exact answer on D; if it is long, abridged (the certificate has it whole).
    pub answer_d: WrittenAnswer,
    /// The exact answer on D', likewise.
    pub answer_d_prime: WrittenAnswer,
}
