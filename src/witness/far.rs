//! Entries of long lists: of those that are not looked at one by one anyway, the few that tell.

use super::classify::LEAST;
use super::sample::Sample;
use crate::mechanism::{OutcomeRef, Outcomes};
use rayon::prelude::*;
use std::ops::Range;

/// Entries that are looked at beside the first ones.
const MOST_TELLING: usize = 6;
/// Entries among which they are sought.
const MOST_SOUGHT: usize = 1 << 11;
/// Outcomes a side by which they are chosen.
const MOST_LISTS: usize = 1 << 11;
/// Intervals into which the values of an entry are counted.
const INTERVALS: usize = 16;
/// Standard deviations beyond what chance gives from which on an entry tells.
const TELLS: f64 = 2.0;

/// Of these entries those that differ most between the datasets in the even places of the sample, best
/// first: only the odd places may judge them.
pub(super) fn telling_entries(sample: &Sample<'_>, among: Range<usize>) -> Vec<usize> {
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

/// By how many standard deviations the counts of an entry's intervals differ more than by chance:
/// Pearson's chi-squared of two samples. `None`: there are too few of it.
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
mod tests {
    use super::*;
    use crate::laplace;
    use crate::mechanism::Stream;
    use rand::SeedableRng;

    fn lists(seed: u64, count: usize, scale: impl Fn(usize) -> (f64, f64)) -> Outcomes {
        let mut random = Stream::seed_from_u64(seed);
        let mut outcomes = Outcomes::new();
        for _ in 0..count {
            let list = (0..80).map(|at| {
                let (center, scale) = scale(at);
                center + laplace(&mut random, scale)
            });
            outcomes.push_vector(&list.collect::<Vec<f64>>());
        }
        outcomes
    }

    #[test]
    fn entries_that_move_or_spread_are_found_and_others_are_not() {
        let plain = lists(1, 2000, |_| (0.0, 1.0));
        let changed = lists(2, 2000, |at| match at {
            57 => (1.0, 1.0),
            63 => (0.0, 2.0),
            _ => (0.0, 1.0),
        });
        let sample = Sample { d: vec![&plain], d_prime: vec![&changed] };
        let found = telling_entries(&sample, 24..80);
        assert_eq!(found[0], 57);
        assert!(found[..2].contains(&63), "{found:?}");
        assert!(telling_entries(&sample, 24..24).is_empty());
        let again = lists(3, 2000, |_| (0.0, 1.0));
        let same = Sample { d: vec![&plain], d_prime: vec![&again] };
        assert!(telling_entries(&same, 24..80).len() < MOST_TELLING);
    }
}
