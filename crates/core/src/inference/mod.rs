//! Inference: integer counts and a claim in, bounds and p-values out. Pure functions.
//!
//! [`Guesses`] is the guess test, [`EventTest`] the event test, [`BettingTest`] the test for runs that
//! depend on one another; all give a p-value of a claim and, by inverting it, certified lower
//! bounds. They rest on [`binomial`] tails and the bounds of one
//! [`proportion`]. [`power`] computes what a test would have refuted; no bound rests on it. [`AlphabetBounds`] bounds
//! from
//! above what a known, finite alphabet of outcomes can show. [`holm()`] tests many claims together, and
//! [`NightlyEvidence`] many runs of one.

mod alike;
mod alphabet;
mod betting;
pub mod binomial;
mod corner;
mod event;
mod guess;
mod holm;
mod nights;
pub mod power;
pub mod proportion;
mod staircase;
mod supremum;

pub use alike::p_value_alike;
pub use alphabet::AlphabetBounds;
pub use betting::{BettingTest, Guessed, Stakes, Wagers};
pub use corner::Corner;
pub use event::{EventCounts, EventTest};
pub use guess::Guesses;
pub use holm::holm;
pub use nights::NightlyEvidence;
pub use power::DetectableEvent;

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
    /// The betting test: both directions in one, for runs that may depend on one another.
    #[serde(rename = "betting")]
    Betting,
    /// The betting test over batches of trials, each with a witness frozen before it, that may end after any of them.
    #[serde(rename = "betting by batches")]
    Batches,
    /// No test was made.
    #[serde(rename = "none")]
    None,
}

impl Test {
    /// `true` if its runs may depend on one another, and a curve is compared at one point.
    pub fn is_betting(self) -> bool {
        matches!(self, Self::Betting | Self::Batches)
    }
}
