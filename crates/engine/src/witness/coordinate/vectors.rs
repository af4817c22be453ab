//! Vectors of a sample, and features of vectors of any length.

use crate::mechanism::{OutcomeRef, Outcomes};
use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::statistic::Statistic;

/// Outcomes per side that determine clips: of both, the quartiles are known to √(.25 · .75 / 4 096)
/// = .007 of the numbers.
const MOST_FOR_CLIPS: usize = 2048;
/// Statistics of vectors of any length for classifiers: with their squares 30 columns.
pub(crate) const SUMMARIES: [Statistic; 15] = [
    Statistic::Length,
    Statistic::Missing,
    Statistic::Last,
    Statistic::FirstPresent,
    Statistic::Zeros,
    Statistic::Sum,
    Statistic::NormL2,
    Statistic::Max,
    Statistic::Min,
    Statistic::ArgMax,
    Statistic::LongestRun,
    Statistic::Repeats,
    Statistic::FromEnd(1),
    Statistic::FromEnd(2),
    Statistic::FromEnd(3),
];
/// Fewest outcomes per side that mean anything: a share is known to .06, √(¼ / 64). Not tuned.
pub(crate) const LEAST: usize = 64;

pub(crate) fn vectors<'a>(batches: &[&'a Outcomes]) -> impl Iterator<Item = &'a [f64]> {
    batches.iter().flat_map(|batch| batch.iter()).filter_map(|outcome| match outcome {
        OutcomeRef::Vector(vector) => Some(vector),
        _ => None,
    })
}

/// `true` if some of the values of a number differ.
pub(crate) fn varies(sample: &Sample<'_>, statistic: &Statistic) -> bool {
    let mut values = values(sample, |vector| statistic.read_vector(vector));
    values.next().is_some_and(|first| values.any(|value| value != first))
}

/// Some of the values of a number.
pub(crate) fn values<'a>(
    sample: &'a Sample<'_>,
    read: impl Fn(&[f64]) -> Option<f64> + 'a,
) -> impl Iterator<Item = f64> + 'a {
    let some = |batches: &'a [&Outcomes]| vectors(batches).take(MOST_FOR_CLIPS);
    let all = some(&sample.d).chain(some(&sample.d_prime));
    all.filter_map(read).filter(|x| x.is_finite())
}
