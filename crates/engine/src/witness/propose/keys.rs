//! Proposing scorers for sets and maps.
//!
//! Of any number of keys, a bounded number is examined: the most frequent ones, and those that the
//! even fold finds telling, which only the odd fold judges. The census holds at most 2¹⁸ keys (some
//! 25 MB), the columns of numbers at most 2²² (32 MB); a scorer holds at most 1024 keys (4096 known
//! ones) of 1 MiB together.

use crate::mechanism::{Keyed, OutcomeRef, Outcomes};
use crate::witness::Scorer;
use crate::witness::coordinate::facet::{Facet, held, numbers};
use crate::witness::coordinate::keys::{KeyBins, Look, largest};
use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::shape::Shape;
use crate::witness::coordinate::statistic::{KeyTerm, Statistic};
use crate::witness::coordinate::weighted::{rounded, rounded_center};
use crate::witness::lattice;
use crate::witness::propose::proposal::{Proposal, thresholds};
use crate::witness::propose::remainder::telling_remainders;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Most facets in a census: 2^19 slots of 48 bytes, 25 MB.
const MOST_COUNTED: usize = 1 << 18;
/// Most facets with a bin of their own: limits a certificate, with [`MOST_KEY_BYTES`].
const MOST_FACETS: usize = 1024;
/// Most facets that are examined by themselves: as many scorers of two bins. Not tuned.
const MOST_SINGLE: usize = 16;
/// Number of telling facets that are few, so that their absence may reveal as much. Not tuned:
/// between one and [`MOST_FACETS`], one more scorer.
const FEW_FACETS: usize = 8;
/// Most known keys, so that others are new: limits a certificate, with [`MOST_KEY_BYTES`].
const MOST_KNOWN: usize = 4096;
/// Bytes of all keys of a scorer, 1 MiB: they are part of certificates.
const MOST_KEY_BYTES: usize = 1 << 20;
/// Most keys whose numbers are compared: with [`MOST_NUMBERS`] of two sides 2^22 doubles, 32 MiB.
const MOST_COLUMNS: usize = 512;
/// Most numbers of a key, per side. See [`MOST_COLUMNS`].
const MOST_NUMBERS: usize = 4096;
/// Most keys whose number is examined by itself: the most frequent, and as many telling ones, 24 as
/// of a vector's entries.
const MOST_VALUES: usize = 12;
/// Fewest numbers per side that mean anything: their mean is known to a quarter of a standard
/// deviation. Not tuned.
const LEAST_NUMBERS: usize = 16;
/// Standard errors from which a difference gets a weight: by chance one of 22 does, and other outcomes judge the sum.
const TELLING: f64 = 2.0;
/// Share of the largest weight below which terms are omitted: a thousandth of its variance.
const NEGLIGIBLE: f64 = 0.03;

/// Scorers worth trying where outcomes have keys; empty if there are no keys. The `shapes` without
/// keys get bins of their own.
pub(crate) fn propose_keys(sample: &Sample<'_>, shapes: &[Shape]) -> Vec<Proposal> {
    let has_keys = |batch: &Outcomes| {
        batch.as_numbers().is_none()
            && batch.iter().any(|outcome| matches!(outcome, OutcomeRef::Keyed(_)))
    };
    if !sample.batches().any(has_keys) {
        return vec![];
    }
    let without = shapes.iter().filter(|shape| !matches!(shape, Shape::Keyed(_)));
    let apart = &without.cloned().collect::<Vec<_>>()[..];
    let census = Census::of(sample);
    let columns = Columns::of(sample, &census);
    let mut proposals = presence(&census, apart);
    let blind = |statistic: Statistic| thresholds(sample, statistic, apart, false);
    let fitted = |statistic: Statistic| thresholds(sample, statistic, apart, true);
    proposals.extend(blind(Statistic::Keys));
    proposals.extend(new_keys(sample, &census).and_then(fitted));
    proposals.extend(blind(Statistic::Missing));
    if !columns.0.is_empty() {
        if columns.0.len() > 1 {
            let whole = [Statistic::Sum, Statistic::NormL1, Statistic::Max, Statistic::Min];
            proposals.extend(whole.into_iter().filter_map(blind));
        }
        proposals.extend(winners(sample, apart));
        let key = |column: &Column<'_>| Statistic::Key(column.key.to_owned());
        proposals.extend(columns.0.iter().take(MOST_VALUES).map(key).filter_map(blind));
        let looked_at = columns.0.iter().take(MOST_VALUES).map(key).collect::<Vec<_>>();
        let remainders = looked_at.par_iter();
        let remainders = remainders.flat_map_iter(|key| telling_remainders(sample, key));
        proposals.extend(remainders.filter_map(fitted).collect::<Vec<_>>());
        let lattices = looked_at.par_iter().flat_map_iter(|key| lattice::propose(sample, key));
        proposals.extend(lattices.collect::<Vec<_>>());
        let telling = columns.telling();
        proposals.extend(telling.into_iter().take(MOST_VALUES).map(key).filter_map(fitted));
    }
    proposals.extend(key_terms(&census, &columns).map(Statistic::KeyTerms).and_then(fitted));
    proposals
}

/// The sets and maps among outcomes, with their places.
fn keyed(batch: &Outcomes) -> impl Iterator<Item = (usize, &Keyed)> {
    batch.iter().enumerate().filter_map(|(place, outcome)| match outcome {
        OutcomeRef::Keyed(keyed) => Some((place, keyed)),
        _ => None,
    })
}

/// Batches of both sides in turn, each with its side: 0 for D.
fn in_turn<'a>(sample: &Sample<'a>) -> Vec<(usize, &'a Outcomes)> {
    let mut batches = Vec::new();
    for at in 0..sample.d.len().max(sample.d_prime.len()) {
        batches.extend(sample.d.get(at).map(|batch| (0, *batch)));
        batches.extend(sample.d_prime.get(at).map(|batch| (1, *batch)));
    }
    batches
}

/// Number of outcomes with a facet.
#[derive(Clone, Copy, Default)]
struct Present {
    all: u32,
    /// Number in the even fold, by side.
    even: [u32; 2],
}

/// Frequency of each facet; those that occur only once are left out.
struct Census<'a> {
    facets: Vec<((&'a str, Option<&'a str>), Present)>,
    all: u32,
    /// Outcomes of the even fold, by side.
    even: [u32; 2],
}

impl<'a> Census<'a> {
    fn of(sample: &Sample<'a>) -> Self {
        let mut counts: HashMap<(&str, Option<&str>), Present> = HashMap::new();
        let (mut all, mut even) = (0, [0; 2]);
        for (side, batch) in in_turn(sample) {
            all += batch.len() as u32;
            even[side] += batch.len().div_ceil(2) as u32;
            for (place, keyed) in keyed(batch) {
                if counts.len() > MOST_COUNTED {
                    // As in lossy counting (Manku, Motwani 2002): the rare ones restart.
                    let mut least = 1;
                    while counts.len() > MOST_COUNTED / 2 {
                        counts.retain(|_, present| present.all > least);
                        least *= 2;
                    }
                }
                let mut add = |facet| {
                    let present = counts.entry(facet).or_default();
                    present.all += 1;
                    present.even[side] += u32::from(place % 2 == 0);
                };
                for (key, entry) in keyed.entries() {
                    add((key.as_str(), None));
                    if let Some(words) = held(entry) {
                        add((key.as_str(), Some(words)));
                    }
                }
            }
        }
        let mut facets: Vec<_> =
            counts.into_iter().filter(|(_, present)| present.all > 1).collect();
        facets.sort_unstable_by_key(|(facet, present)| (Reverse(present.all), *facet));
        Self { facets, all, even }
    }

    /// Indices of the facets, first those that are as often present as absent: they can tell most.
    fn undecided(&self) -> Vec<usize> {
        let rarer = |at: &usize| self.facets[*at].1.all.min(self.all - self.facets[*at].1.all);
        let mut places: Vec<usize> = (0..self.facets.len()).filter(|at| rarer(at) > 0).collect();
        places.sort_by_key(|at| Reverse(rarer(at)));
        places
    }

    /// Indices of the facets that the even fold finds telling, the most telling first.
    fn telling(&self) -> Vec<usize> {
        let mut telling: Vec<(usize, f64)> = (0..self.facets.len())
            .map(|at| (at, self.deviance(self.facets[at].1)))
            .filter(|(_, deviance)| *deviance > 0.0)
            .collect();
        telling.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
        telling.into_iter().map(|(at, _)| at).collect()
    }

    /// Twice the log-likelihood ratio of two rates of presence against one, on the even fold.
    fn deviance(&self, present: Present) -> f64 {
        let fit = |hits: f64, n: f64| {
            let term = |x: f64| if x > 0.0 { x * (x / n).ln() } else { 0.0 };
            term(hits) + term(n - hits)
        };
        let [n, m] = self.even.map(f64::from);
        let [x, y] = present.even.map(f64::from);
        2.0 * (fit(x, n) + fit(y, m) - fit(x + y, n + m))
    }
}

/// Presence: of single facets; of the most frequent facets the rarest first, for an outcome's
/// rarest key describes it best; and of the facets that the even fold finds telling the most
/// telling first, one, some and many.
fn presence(census: &Census<'_>, apart: &[Shape]) -> Vec<Proposal> {
    let scorer = |places: &[usize]| {
        let mut bytes = 0;
        let mut facets: Vec<(Facet, usize)> = Vec::new();
        for &at in places {
            let (key, holds) = census.facets[at].0;
            let size = key.len() + holds.map_or(0, str::len);
            if bytes + size <= MOST_KEY_BYTES {
                bytes += size;
                let facet = Facet { key: key.to_owned(), holds: holds.map(str::to_owned) };
                facets.push((facet, facets.len()));
            }
        }
        facets.sort_unstable();
        let (facets, places) = facets.into_iter().unzip();
        Scorer::Keys(KeyBins { look: Look::Presence, facets, places, shapes: apart.to_vec() })
    };
    let often: Vec<usize> = (0..census.facets.len().min(MOST_FACETS)).rev().collect();
    let undecided = census.undecided();
    let single = undecided.iter().take(MOST_SINGLE).map(|at| scorer(&[*at]).into());
    let mut proposals: Vec<Proposal> = single.collect();
    proposals.push(scorer(&often).into());
    let telling = census.telling();
    let mut before = 0;
    for most in [1, FEW_FACETS, MOST_FACETS].map(|most| most.min(telling.len())) {
        if most > before {
            proposals.push(Proposal { scorer: scorer(&telling[..most]), fitted: true });
        }
        before = most;
    }
    proposals
}

/// Keys that are absent from the even fold, if the odd one has any.
fn new_keys(sample: &Sample<'_>, census: &Census<'_>) -> Option<Statistic> {
    let mut bytes = 0;
    let seen = census
        .facets
        .iter()
        .filter(|((_, holds), present)| holds.is_none() && present.even.iter().sum::<u32>() > 0);
    let mut known: Vec<String> = seen
        .take(MOST_KNOWN)
        .map(|((key, _), _)| *key)
        .take_while(|key| {
            bytes += key.len();
            bytes <= MOST_KEY_BYTES
        })
        .map(str::to_owned)
        .collect();
    known.sort_unstable();
    let is_new = |(key, _): &(String, _)| known.binary_search(key).is_err();
    let odd = |batch: &Outcomes| {
        keyed(batch).any(|(place, keyed)| place % 2 == 1 && keyed.entries().iter().any(is_new))
    };
    let any = !known.is_empty() && sample.batches().any(odd);
    any.then_some(Statistic::NewKeys(known))
}

/// The key with the largest number.
fn winners(sample: &Sample<'_>, apart: &[Shape]) -> Option<Proposal> {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for (_, keyed) in sample.batches().flat_map(keyed) {
        if let Some(key) = largest(keyed) {
            *counts.entry(key).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 1).collect();
    counts.sort_unstable_by_key(|(key, count)| (Reverse(*count), *key));
    counts.truncate(MOST_FACETS);
    let mut bytes = 0;
    counts.retain(|(key, _)| {
        bytes += key.len();
        bytes <= MOST_KEY_BYTES
    });
    let facet = |key: &str| Facet { key: key.to_owned(), holds: None };
    let mut facets: Vec<Facet> = counts.iter().map(|(key, _)| facet(key)).collect();
    facets.sort_unstable();
    let places = (0..facets.len()).collect();
    let shapes = apart.to_vec();
    let scorer = Scorer::Keys(KeyBins { look: Look::Largest, facets, places, shapes });
    (counts.len() > 1).then(|| scorer.into())
}

/// The numbers of the even fold under a key.
struct Column<'a> {
    key: &'a str,
    numbers: [Vec<f64>; 2],
}

/// The numbers under the most frequent keys that have any, the most frequent first.
struct Columns<'a>(Vec<Column<'a>>);

/// Difference of a column's numbers between the sides.
struct Difference {
    /// Mean difference of the clipped numbers over their variance.
    weight: f64,
    center: f64,
    scale: f64,
    /// The mean difference in standard errors.
    errors: f64,
}

impl<'a> Columns<'a> {
    fn of(sample: &Sample<'a>, census: &Census<'a>) -> Self {
        let keys = census
            .facets
            .iter()
            .filter(|((key, holds), _)| holds.is_none() && key.len() <= MOST_KEY_BYTES);
        let mut columns: Vec<Column<'a>> = keys
            .take(MOST_COLUMNS)
            .map(|((key, _), _)| Column { key, numbers: [Vec::new(), Vec::new()] })
            .collect();
        let place: HashMap<&str, usize> =
            columns.iter().enumerate().map(|(at, column)| (column.key, at)).collect();
        for (side, batch) in in_turn(sample) {
            for (_, keyed) in keyed(batch).filter(|(place, _)| place % 2 == 0) {
                for (key, x) in numbers(keyed) {
                    if let Some(&at) = place.get(key)
                        && columns[at].numbers[side].len() < MOST_NUMBERS
                    {
                        columns[at].numbers[side].push(x);
                    }
                }
            }
        }
        columns.retain(|column| column.numbers.iter().any(|side| !side.is_empty()));
        Self(columns)
    }

    /// The columns beyond the most frequent ones that differ most.
    fn telling(&self) -> Vec<&Column<'a>> {
        let rest = self.0.iter().skip(MOST_VALUES);
        let mut differ: Vec<_> =
            rest.filter_map(|c| c.difference().map(|d| (c, d.errors.abs()))).collect();
        differ.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        differ.into_iter().map(|(column, _)| column).collect()
    }
}

impl Column<'_> {
    fn difference(&self) -> Option<Difference> {
        if self.numbers.iter().any(|side| side.len() < LEAST_NUMBERS) {
            return None;
        }
        let mut pooled = self.numbers.concat();
        let n = pooled.len();
        let mut quantile = |rank: usize| *pooled.select_nth_unstable_by(rank, f64::total_cmp).1;
        let (low, high) = (quantile(n / 4), quantile(3 * n / 4));
        let center = 0.5 * low + 0.5 * high;
        let scale = if high > low { 0.5 * high - 0.5 * low } else { 1.0 };
        if !(center.is_finite() && scale.is_finite() && scale > 0.0) {
            return None;
        }
        let moments = |side: &Vec<f64>| {
            let clipped = |x: &f64| ((x - center) / scale).clamp(-1.0, 1.0);
            let n = side.len() as f64;
            let mean = side.iter().map(clipped).sum::<f64>() / n;
            (mean, side.iter().map(|x| (clipped(x) - mean).powi(2)).sum::<f64>() / n, n)
        };
        let [(mean, variance, n), (mean_prime, variance_prime, m)] =
            [&self.numbers[0], &self.numbers[1]].map(moments);
        let difference = mean - mean_prime;
        let weight = difference / (0.5 * (variance + variance_prime) + 1e-3);
        let error = (variance / n + variance_prime / m).sqrt();
        Some(Difference { weight, center, scale, errors: difference / error.max(1e-9) })
    }
}

/// Weights for presence and numbers: linear discriminant analysis with a diagonal covariance, on
/// the even fold. A single signal is examined by itself.
fn key_terms(census: &Census<'_>, columns: &Columns<'_>) -> Option<Vec<KeyTerm>> {
    let [n, m] = census.even.map(f64::from);
    let mut terms: HashMap<&str, KeyTerm> = HashMap::new();
    let new = |key: &str| KeyTerm {
        key: key.to_owned(),
        present: 0.0,
        weight: 0.0,
        center: 0.0,
        scale: 1.0,
    };
    let keys = census.facets.iter().filter(|((_, holds), _)| holds.is_none());
    for ((key, _), present) in keys.take(MOST_FACETS) {
        let (p, q) = (f64::from(present.even[0]) / n, f64::from(present.even[1]) / m);
        let (var_p, var_q) = (p * (1.0 - p), q * (1.0 - q));
        if (p - q).abs() > TELLING * (var_p / n + var_q / m).sqrt() {
            let term = terms.entry(*key).or_insert_with(|| new(key));
            term.present = (p - q) / (0.5 * (var_p + var_q) + 1e-3);
        }
    }
    for column in &columns.0 {
        if let Some(difference) = column.difference()
            && difference.errors.abs() > TELLING
        {
            let term = terms.entry(column.key).or_insert_with(|| new(column.key));
            let Difference { weight, center, scale, .. } = difference;
            (term.weight, term.center, term.scale) = (weight, center, scale);
        }
    }
    let mut terms: Vec<KeyTerm> = terms.into_values().collect();
    terms.sort_unstable_by(|a, b| a.key.cmp(&b.key));
    let mut bytes = 0;
    terms.retain(|term| {
        bytes += term.key.len();
        bytes <= MOST_KEY_BYTES
    });
    let size = |term: &KeyTerm| term.present.abs().max(term.weight.abs());
    let largest = terms.iter().map(size).fold(0.0, f64::max);
    terms.retain(|term| size(term) >= NEGLIGIBLE * largest);
    for term in &mut terms {
        term.present = rounded(term.present / largest);
        term.weight = rounded(term.weight / largest);
        term.scale = rounded(term.scale);
        term.center = rounded_center(term.center, term.scale);
    }
    (terms.len() > 1 && largest.is_finite()).then_some(terms)
}
