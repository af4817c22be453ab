//! Singling out: conditions, guessed from a release, that one row of the original table satisfies.
//!
//! ```text
//! release ──> guesses, each of one released row ──> frozen ──┬──> counted in the original ──┐
//!                                                            └──> counted in a control ─────┴──> Compared: the excess
//! ```
//!
//! A condition that holds for about one row in n isolates a row of n by chance in up to 37 % of tables (Cohen, Nissim
//! 2020), so a right guess alone shows nothing: the same guesses are counted in a control.

mod files;
mod guess;
mod pairs;

pub use files::{CONDITIONS, GUESSES, SingleQuestion};
pub use guess::{Condition, Guess, blind, guesses};
pub use pairs::{Compared, compare};

use super::coded::{CodedTable, Schema};
use super::excess::Guessed;
use plaudit_core::random::{Phase, Streams};
use rayon::prelude::*;
use serde::Serialize;

/// Right guesses that are shown.
const SHOWN: usize = 3;

/// Rows of the original that a release singles out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SingleOut {
    pub released: u64,
    pub original: u64,
    pub control: Option<u64>,
    /// Conditions of each guess.
    pub conditions: u64,
    /// Guesses from the release that exactly one row of the original satisfies. Guesses about the same people depend on one
    /// another: the interval is an estimate.
    pub guessed: Guessed,
    /// The same for conditions from the range of each column alone.
    pub blind: Guessed,
    /// Greatest probability with which a guess that knows nothing isolates a row of the original: (1 − 1/n)^(n−1), at a
    /// weight of 1/n (Cohen, Nissim 2020).
    pub chance: f64,
    /// Comparison with the control, if there is one.
    pub compared: Option<Compared>,
    /// The first right guesses, in words.
    pub examples: Vec<String>,
}

/// Guesses from the release (the first table), up to `wanted` of `conditions` conditions, and counts them in the original
/// (the second) and the control. `None` if no conditions hold for one released row alone. The excess is wrong with
/// probability at most `alpha`, in (0, 1).
pub fn single_out(
    schema: &Schema,
    [released, original]: [&CodedTable; 2],
    control: Option<&CodedTable>,
    (wanted, conditions): (usize, usize),
    alpha: f64,
    seed: u64,
) -> Option<SingleOut> {
    let random = Streams::new(seed, "attack single-out").block(0, Phase::Guess);
    let frozen = guesses(schema, released, (wanted, conditions), &mut random(0));
    if frozen.is_empty() {
        return None;
    }
    let is_right = |guess: &Guess| guess.is_of_one(original);
    let right: Vec<bool> = frozen.par_iter().map(is_right).collect();
    let count = |right: usize| Guessed::of(right as u64, frozen.len() as u64, alpha);
    let others = blind(schema, released, (frozen.len(), conditions), &mut random(1));
    let told = frozen.iter().zip(&right).filter(|(_, right)| **right);
    let n = original.rows() as f64;
    Some(SingleOut {
        released: released.rows() as u64,
        original: original.rows() as u64,
        control: control.map(|control| control.rows() as u64),
        conditions: conditions as u64,
        guessed: count(right.iter().filter(|right| **right).count()),
        blind: count(others.par_iter().filter(|guess| is_right(guess)).count()),
        chance: if n > 1.0 { ((n - 1.0) * (-1.0 / n).ln_1p()).exp() } else { 1.0 },
        compared: control
            .map(|control| compare(&frozen, [original, control], alpha, &mut random(2))),
        examples: told.map(|(guess, _)| guess.words(schema)).take(SHOWN).collect(),
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/attack/single.rs"]
mod tests;
