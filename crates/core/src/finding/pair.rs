//! The pairs of datasets that a finding is about.

use super::answer::WrittenAnswer;
use crate::dataset::PairRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A pair of neighboring datasets, as a reader needs it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PairSummary {
    /// Name of the pair.
    pub name: String,
    /// D, in full if it is short, else abridged (the certificate has it whole).
    pub d: Value,
    /// D', likewise.
    pub d_prime: Value,
    /// Their difference, in words.
    pub difference: String,
    /// The rows of both side by side, with those in view that differ; left out if the datasets are not
    /// lists, tables or arrays, or do not differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<PairRow>,
    /// Answers of the mechanism's query on D and on D' without noise, where that is known; left out where it
    /// is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<[WrittenAnswer; 2]>,
    /// Pairs that the audit was given, or that its search made.
    pub given: usize,
    /// Pairs that were looked at before this one was chosen.
    pub surveyed: usize,
}

/// A pair that was shrunk from the one that was confirmed, and confirmed on trials of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Smallest {
    /// The pair.
    pub pair: PairSummary,
    /// Its witness in words.
    pub witness: String,
    /// p-value of the claim on its trials.
    pub p_value: f64,
    /// The level at which they refute it: the audit's over the simpler pairs that may be tried.
    pub alpha: f64,
    /// Certified lower bound on ε at the claim's δ, at confidence 1 − `alpha`.
    pub epsilon_lower: f64,
    /// Runs that were counted on it.
    pub confirm: u64,
    /// Simpler pairs that were tried.
    pub attempts: u64,
    /// Simpler pairs that were taken, one after another.
    pub steps: u64,
}
