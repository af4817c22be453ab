//! The few telling entries of long lists, among those that are not always examined one by one.

use crate::mechanism::{OutcomeRef, Outcomes};
use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::vectors::LEAST;
use rayon::prelude::*;
use std::ops::Range;

/// Entries examined besides the first ones: six more lines of bins to 24 and more. Not tuned.
const MOST_TELLING: usize = 6;
/// Entries among which they are searched: with [`MOST_LISTS`] at most 2^23 numbers are sorted, one
/// entry at a time.
const MOST_SOUGHT: usize = 1 << 11;
/// Outcomes per side that choose them, see [`MOST_SOUGHT`].
const MOST_LISTS: usize = 1 << 11;
/// Intervals into which the values of an entry are counted: 256 values each, see [`MOST_LISTS`]. Not tuned.
const INTERVALS: usize = 16;
/// Standard deviations beyond chance from which an entry is informative: a chi-square of 15 degrees of
/// freedom has them by chance with .04, some 80 of 2 048 entries, of which the best six are judged
/// on other outcomes.
const TELLS: f64 = 2.0;

/// The entries that differ most between the datasets in the even places of the sample, best first:
/// only the odd places may judge them.
pub fn telling_entries(sample: &Sample<'_>, among: Range<usize>) -> Vec<usize> {
    let sought = among.start..among.end.min(among.start + MOST_SOUGHT);
    if sought.is_empty() {
        return vec![];
    }
    let (d, d_prime) = (even(&sample.d), even(&sample.d_prime));
    let telling = |at: usize| Some((at, differs(&d, &d_prime, at)?));
    let mut found: Vec<(usize, f64)> =
        sought.into_par_iter().filter_map(telling).filter(|(_, by)| *by > TELLS).collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.into_iter().take(MOST_TELLING).map(|(at, _)| at).collect()
}

/// Lists in the even places of batches, some of them.
fn even<'a>(batches: &[&'a Outcomes]) -> Vec<&'a [f64]> {
    let even = batches.iter().flat_map(|batch| batch.iter().step_by(2));
    let lists = even.filter_map(|outcome| match outcome {
        OutcomeRef::Vector(list) => Some(list),
        _ => None,
    });
    lists.take(MOST_LISTS).collect()
}

/// Standard deviations by which the counts of an entry's intervals differ beyond chance: Pearson's
/// chi-squared of two samples. `None`: there are too few.
fn differs(d: &[&[f64]], d_prime: &[&[f64]], at: usize) -> Option<f64> {
    let read = |lists: &[&[f64]]| -> Vec<f64> {
        lists.iter().filter_map(|list| list.get(at).copied()).filter(|x| !x.is_nan()).collect()
    };
    let (d, d_prime) = (read(d), read(d_prime));
    if d.len() < LEAST / 2 || d_prime.len() < LEAST / 2 {
        return None;
    }
    let mut pooled = [&d[..], &d_prime[..]].concat();
    pooled.sort_unstable_by(f64::total_cmp);
    let mut edges: Vec<f64> =
        (1..INTERVALS).map(|i| pooled[i * (pooled.len() - 1) / INTERVALS]).collect();
    edges.dedup();
    let count = |values: &[f64]| {
        let mut counts = [0.0; INTERVALS];
        values.iter().for_each(|x| counts[edges.partition_point(|edge| edge <= x)] += 1.0);
        counts
    };
    let (own, other) = (count(&d), count(&d_prime));
    let (n, m) = (d.len() as f64, d_prime.len() as f64);
    let terms = own.iter().zip(&other).filter(|(a, b)| *a + *b > 0.0);
    let terms: Vec<f64> =
        terms.map(|(a, b)| (a * (m / n).sqrt() - b * (n / m).sqrt()).powi(2) / (a + b)).collect();
    let freedom = terms.len() as f64 - 1.0;
    (freedom > 0.0).then(|| (terms.iter().sum::<f64>() - freedom) / (2.0 * freedom).sqrt())
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/propose/entries.rs"]
mod tests;
