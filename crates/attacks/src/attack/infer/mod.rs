//! Inference: a secret column of a person whose other columns are known, guessed from a release.
//!
//! ```text
//! release ──> nearest rows on the known columns ──> guess of the secret ──┬──> right about the original ──┐
//!                                                                        └──> right about a control ─────┴──> the excess
//! ```
//!
//! A guess that is as often right about people whom the release was made without shows what the release teaches about
//! everyone: only the difference is about the people in it.

mod files;
mod nearest;

pub use files::{InferQuestion, NEIGHBORS, TOLERANCE};
pub use nearest::{Nearest, nearest};

use super::coded::{CodedTable, Schema};
use super::excess::{Excess, Guessed};
use nearest::constant;
use serde::Serialize;

/// How often the secret is guessed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inference {
    pub released: u64,
    /// About the people of the original whose secret is not empty.
    pub original: Guessed,
    /// About the people of the original, if each has the most frequent secret of the release.
    pub constant: Guessed,
    /// About the control, if there is one.
    pub control: Option<Guessed>,
    pub excess: Option<Excess>,
    /// Rows of the original and the control whose secret is empty: not guessed.
    pub left_out: u64,
    /// For each row of the original, and of the control: the distance to the nearest released row, and whether the guess is
    /// right. Ascending distances.
    #[serde(skip)]
    pub each: [Vec<(f64, bool)>; 2],
}

/// How a secret is guessed, and what counts as right.
#[derive(Clone, Debug, PartialEq)]
pub struct Guessing {
    /// Places of the known columns.
    pub known: Vec<usize>,
    /// Place of the secret column.
    pub secret: usize,
    /// Nearest released rows, at least 1.
    pub neighbors: usize,
    /// A number is right within this share of the truth, at least 0; a word if it is the same.
    pub tolerance: f64,
}

/// Guesses the secret of each row of the original and of the control from the release. `None` if one of the tables has no
/// secret. The excess is wrong with probability at most `alpha`, in (0, 1), if both are samples of one population.
pub fn infer(
    schema: &Schema,
    [released, original]: [&CodedTable; 2],
    control: Option<&CodedTable>,
    how: &Guessing,
    alpha: f64,
) -> Option<Inference> {
    let is_right = |guess: f64, truth: f64| match schema.is_numbers(how.secret) {
        true => (guess - truth).abs() <= how.tolerance * truth.abs(),
        false => guess == truth,
    };
    let count = |right: &mut dyn Iterator<Item = bool>| {
        let (right, of) = right.fold((0, 0), |(right, of), is| (right + u64::from(is), of + 1));
        (of > 0).then(|| Guessed::of(right, of, alpha))
    };
    let guess = |table: &CodedTable| {
        let guesses = nearest(schema, [released, table], (&how.known, how.secret), how.neighbors)?;
        let pairs =
            guesses.iter().zip(table.column(how.secret)).filter(|(_, truth)| !truth.is_nan());
        let mut each: Vec<(f64, bool)> =
            pairs.map(|(near, truth)| (near.distance, is_right(near.guess, *truth))).collect();
        each.sort_by(|one, other| one.0.total_cmp(&other.0));
        let guessed = count(&mut each.iter().map(|(_, right)| *right))?;
        Some((guessed, each))
    };
    let (people, each) = guess(original)?;
    let others = control.map(guess).map_or(Some(None), |others| others.map(Some))?;
    let most = constant(released.column(how.secret));
    let secrets = original.column(how.secret).iter().filter(|truth| !truth.is_nan());
    let rows = original.rows() + control.map_or(0, CodedTable::rows);
    let (others, other_each) = others.unzip();
    let guessed = people.of + others.map_or(0, |others| others.of);
    Some(Inference {
        released: released.rows() as u64,
        original: people,
        constant: count(&mut secrets.map(|truth| is_right(most, *truth)))?,
        control: others,
        excess: others.map(|others| Excess::of(&people, &others)),
        left_out: rows as u64 - guessed,
        each: [each, other_each.unwrap_or_default()],
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/attack/infer.rs"]
mod tests;
