//! Inference: integer counts and a claim in, bounds and p-values out. Pure functions.
//!
//! [`Guesses`] is the guess test, [`EventTest`] the event test; both give a p-value of a claim and,
//! by inverting it, certified lower bounds. They rest on [`binomial`] tails and the bounds of one
//! [`proportion`]. [`power`] says what a test would have refuted; no bound rests on it.

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
