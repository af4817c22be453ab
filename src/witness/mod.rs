//! Witnesses: what is looked for in outcomes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the guesser says on a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Guess {
    /// "It was D": the bin belongs to the event.
    #[serde(rename = "D")]
    D,
    /// "It was D'".
    #[serde(rename = "D'")]
    DPrime,
    /// Nothing.
    #[serde(rename = "abstain")]
    Abstain,
}
