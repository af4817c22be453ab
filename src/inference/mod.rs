//! Inference: integer counts and a claim in, bounds and p-values out. Pure functions.

pub mod binomial;
mod event;
mod guess;
pub mod power;
pub mod proportion;
mod staircase;
mod supremum;

pub use event::{Corner, EventCounts, EventTest};
pub use guess::Guesses;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which test was frozen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Test {
    /// The guess test: both directions in one.
    #[serde(rename = "guess")]
    Guess,
    /// The event test, for an event likelier under D than under D'.
    #[serde(rename = "event D over D'")]
    EventD,
    /// The event test, for an event likelier under D' than under D.
    #[serde(rename = "event D' over D")]
    EventDPrime,
    /// No test was made.
    #[serde(rename = "none")]
    None,
}
