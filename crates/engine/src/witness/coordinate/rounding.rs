//! The grid that separates the values of outcomes from their floating-point representation.
//!
//! A double that a mechanism releases has two contents: a value, and, in its lowest bits, the way
//! it was computed (Mironov 2012). A witness that sees numbers rounded to a grid far above the
//! spacing of the doubles and far below the scale of the noise knows only the first.

use crate::mechanism::{Entry, OutcomeRef, Outcomes, View};
use crate::witness::coordinate::sample::Sample;
use crate::witness::lattice::lowest_bit;
use std::collections::BTreeMap;

/// Number of powers of two between the narrowest interval that holds this share of the different
/// numbers and the grid: of 4 000 to 2^15 with Laplace or Gaussian noise of scale 1 it is 2⁻¹⁷ or
/// 2⁻¹⁶ (drawn). Not tuned: the coarser, the more bits it hides, and the more of the values.
const BELOW: i32 = 12;
/// See [`BELOW`].
const SHARE: usize = 64;
/// Fewest different numbers that are taken for numbers from a continuum: four in the narrowest
/// interval, see [`SHARE`].
const MANY: usize = 256;
/// Least ratio of the grid to the spacing of the released doubles: sums of several doubles leak
/// through more than their last bit. Not tuned: eight bits, as of sums of up to 2^8 doubles.
const ABOVE_SPACING: f64 = 256.0;
/// Most numbers examined: 2 MiB of them.
const MOST: usize = 1 << 18;
/// Most separate entries of lists and maps: each then has 2^12 numbers, of [`MOST`].
const MOST_PLACES: usize = 64;

/// Information that witnesses may use in the numbers of outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Sight {
    /// Values and bits; where bits tell, values are also examined alone. A pair that leaks through
    /// values precedes one that leaks only through bits.
    #[default]
    Both,
    /// As [`Sight::Both`], but no pair is chosen by its bits.
    BothByValues,
    Whole,
    /// Values alone: numbers are rounded to multiples of this.
    Values(f64),
}

/// Place of a number in an outcome.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Alone,
    Entry(usize),
    Key(String),
}

/// The grid, a power of two, if the outcomes have numbers with bits below one: not if all are
/// whole, or multiples of another coarse step, or few different ones.
pub fn grid(sample: &Sample<'_>) -> Option<f64> {
    let seen = sample.seen(View::Apart);
    let by_place = numbers(seen.as_ref().unwrap_or(sample));
    // The lowest bit of all, and their values: rounding that changes nothing separates nothing.
    let finite = || by_place.values().flatten();
    let lowest = finite().filter_map(|&x| lowest_bit(x)).min()?;
    let mut sizes: Vec<f64> = finite().map(|x| x.abs()).collect();
    let typical = sizes.len() - 1 - sizes.len() / 100;
    let (_, size, _) = sizes.select_nth_unstable_by(typical, f64::total_cmp);
    let floor = power_of_two_above(ABOVE_SPACING * (size.next_up() - *size));
    let grid = by_place.values().filter_map(|numbers| finest(numbers)).min_by(f64::total_cmp)?;
    let whole = by_place.values().any(|numbers| numbers.iter().all(|x| x.fract() == 0.0));
    let grid = if whole { grid.min(1.0) } else { grid }.max(floor);
    // For a number that is hardly larger than its spacing the bits are the value.
    let is_below =
        |numbers: &Vec<f64>| finest(numbers).is_some_and(|finest| grid < 1024.0 * finest);
    let bits_below = 2f64.powi(lowest) < grid;
    (bits_below && by_place.values().any(is_below)).then_some(grid)
}

/// The grid for the numbers of one place.
fn finest(numbers: &[f64]) -> Option<f64> {
    let mut distinct = numbers.to_vec();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    if distinct.len() < MANY {
        return None;
    }
    let many = distinct.len() / SHARE;
    let widths = distinct.windows(many + 1).map(|window| window[many] - window[0]);
    let width = widths.min_by(f64::total_cmp).filter(|width| width.is_normal())?;
    let grid = power_of_two_above(width) * 2f64.powi(-BELOW);
    grid.is_normal().then_some(grid)
}

fn power_of_two_above(x: f64) -> f64 {
    2f64.powi(x.log2().ceil() as i32)
}

/// The finite numbers of a sample by their place.
fn numbers(sample: &Sample<'_>) -> BTreeMap<Place, Vec<f64>> {
    let mut all: BTreeMap<Place, Vec<f64>> = BTreeMap::new();
    let mut left = MOST;
    let mut add = |place: Place, x: f64| {
        if x.is_finite() {
            all.entry(place).or_default().push(x);
        }
        left = left.saturating_sub(1);
        left > 0
    };
    for batch in sample.batches() {
        if !batch.iter().all(|outcome| add_outcome(&outcome, &mut add)) {
            break;
        }
    }
    all
}

fn add_outcome(outcome: &OutcomeRef<'_>, add: &mut impl FnMut(Place, f64) -> bool) -> bool {
    match outcome {
        OutcomeRef::Number(x) => add(Place::Alone, *x),
        OutcomeRef::Vector(values) => {
            let mut first = values.iter().enumerate().take(MOST_PLACES);
            first.all(|(at, &x)| add(Place::Entry(at), x))
        }
        OutcomeRef::Keyed(map) => {
            map.entries().iter().take(MOST_PLACES).all(|(key, entry)| match entry {
                Entry::Number(x) => add(Place::Key(key.clone()), *x),
                _ => true,
            })
        }
        _ => true,
    }
}

/// A sample with its numbers rounded.
pub struct RoundedSample {
    d: Vec<Outcomes>,
    d_prime: Vec<Outcomes>,
}

impl RoundedSample {
    /// Rounds a sample to a grid.
    pub fn of(sample: &Sample<'_>, grid: f64) -> Self {
        let side =
            |batches: &[&Outcomes]| batches.iter().map(|batch| batch.rounded(grid)).collect();
        Self { d: side(&sample.d), d_prime: side(&sample.d_prime) }
    }

    pub fn as_sample(&self) -> Sample<'_> {
        Sample { d: self.d.iter().collect(), d_prime: self.d_prime.iter().collect() }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/coordinate/rounding.rs"]
mod tests;
