//! Outcomes with their numbers rounded to a grid: what can be told of them is what their values say, and
//! nothing of the bits below.

use super::{Entry, Keyed, Outcome, OutcomeRef};

/// The multiple of `grid` that is nearest to a number, half-way ones to even; −0 is 0. What is no finite
/// number, or so large that the quotient is none, stays as it is.
#[inline]
pub(super) fn to_grid(x: f64, grid: f64) -> f64 {
    let rounded = (x / grid).round_ties_even() * grid;
    if rounded.is_finite() { rounded + 0.0 } else { x }
}

/// An outcome with its numbers rounded, if it has any: integers, and numbers within texts, have no bits
/// below.
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_that_are_no_numbers_stay() {
        assert!(to_grid(f64::NAN, 0.5).is_nan());
        assert_eq!(to_grid(f64::INFINITY, 0.5), f64::INFINITY);
        assert_eq!(to_grid(f64::MAX, 1e-300), f64::MAX);
        assert!(to_grid(-0.0, 0.5).is_sign_positive());
        assert!(to_grid(-0.1, 0.5).is_sign_positive());
    }

    proptest! {
        #[test]
        fn rounding_is_to_the_nearest_multiple_and_twice_is_once(
            x in -1e9..1e9f64,
            exponent in -30..10i32,
        ) {
            let grid = 2f64.powi(exponent);
            let rounded = to_grid(x, grid);
            prop_assert!((rounded - x).abs() <= grid / 2.0);
            prop_assert_eq!((rounded / grid).fract(), 0.0);
            prop_assert_eq!(to_grid(rounded, grid), rounded);
        }
    }
}
