//! What a frozen witness did, in counts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a witness did on the confirm trials: all that a bound rests on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Runs on D on which it said "D", and on which it said "D'".
    pub on_d: [u64; 2],
    /// Runs on D' on which it said "D", and on which it said "D'".
    pub on_d_prime: [u64; 2],
    /// Runs on D, and on D'.
    pub runs: [u64; 2],
    /// The same in a sentence; empty if nothing was played.
    pub words: String,
}
