//! Outcomes with their numbers rounded to a grid: values, without the bits below.

use super::{Entry, Keyed, Outcome, OutcomeRef};

/// The multiple of `grid` that is nearest to a number, half-way ones to even; −0 is 0. A number
/// that is not finite, or so large that the quotient is not, stays as it is.
#[inline]
pub(super) fn to_grid(x: f64, grid: f64) -> f64 {
    let rounded = (x / grid).round_ties_even() * grid;
    if rounded.is_finite() { rounded + 0.0 } else { x }
}

/// An outcome with its numbers rounded, if it has any; integers and texts have no bits below.
pub(crate) fn rounded(outcome: &OutcomeRef<'_>, grid: f64) -> Option<Outcome> {
    match *outcome {
        OutcomeRef::Number(x) => Some(Outcome::Number(to_grid(x, grid))),
        OutcomeRef::Vector(values) => {
            Some(Outcome::Vector(values.iter().map(|&x| to_grid(x, grid)).collect()))
        }
        OutcomeRef::Keyed(map) => {
            let entries = map.entries().iter().map(|(key, entry)| {
                let entry = match entry {
                    Entry::Number(x) => Entry::Number(to_grid(*x, grid)),
                    other => other.clone(),
                };
                (key.clone(), entry)
            });
            Some(Outcome::Keyed(Keyed::new(entries)))
        }
        OutcomeRef::Integer(_)
        | OutcomeRef::Text(_)
        | OutcomeRef::Structure(_)
        | OutcomeRef::Failure(_) => None,
    }
}

#[cfg(test)]
#[path = "../../tests/unit/mechanism/rounding.rs"]
mod tests;
