//! Proposals of scorers from the sampled outcomes.
//!
//! Bins are made from the pooled sample, blind to the dataset of an outcome. The one exception, the
//! weights of [`Statistic::Linear`], is fitted on one half of the sample, and judged on the other.

mod atoms;
mod boosted;
mod classify;
mod coarse;
mod entries;
mod keys;
pub mod logistic;
pub mod proposal;
mod remainder;

use crate::mechanism::{OutcomeRef, Outcomes, View};
use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::shape::Shape;
use crate::witness::coordinate::spelled;
use crate::witness::coordinate::statistic::{Linear, Statistic};
use crate::witness::coordinate::weighted::{rounded, rounded_center};
use crate::witness::grammar::{self, Found};
use crate::witness::lattice;
use crate::witness::partition;
use crate::witness::propose::atoms::{atoms, few_integers, few_outcomes};
use crate::witness::propose::keys::propose_keys;
use crate::witness::propose::proposal::{Proposal, thresholds};
use crate::witness::propose::remainder::telling_remainders;
use crate::witness::scorer::Scorer;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Default)]
pub struct Depth {
    /// `true` to omit sums of clipped entries.
    pub quick: bool,
    pub boxes: bool,
}

/// Most shapes with a bin of their own: the most frequent of those that recur. Not tuned.
const MOST_SHAPES: usize = 64;
/// Most entries of a vector that are examined one by one: 24 entries, 24 differences and 24 lengths
/// are as many scorers of some 90 bins each. Not tuned: more take longer, and compete by luck.
const MOST_ENTRIES: usize = 24;

/// All scorers worth trying, simple ones first; classifiers are trained on outcomes outside the
/// sample, if there are any. At least one.
pub fn propose(sample: &Sample<'_>, training: Option<&Sample<'_>>, depth: Depth) -> Vec<Proposal> {
    let mut proposals = of_one_length(propose_one_way(sample, training, depth, true), sample);
    let mut views = vec![View::Apart];
    let of_bits = spelled::of_bits(sample);
    if of_bits || spelled::of_texts(sample) {
        views.push(View::Spelled);
    }
    for view in views {
        let Some(seen) = sample.seen(view) else { continue };
        let more = training.map(|training| training.seen(view).unwrap_or_else(|| training.clone()));
        let inner = of_one_length(propose_one_way(&seen, more.as_ref(), depth, false), &seen);
        // Shapes and exact outcomes are examined unchanged.
        let inner = inner
            .into_iter()
            .filter(|p| !matches!(p.scorer, Scorer::Shape { .. } | Scorer::Atoms { .. }));
        proposals.extend(inner.map(|Proposal { scorer, fitted }| Proposal {
            scorer: scorer.seen_through(view),
            // Bits are examined because the even fold finds them telling.
            fitted: fitted || of_bits,
        }));
    }
    proposals
}

/// Proposals for a sample; if all its outcomes are vectors of one length, with their entries
/// counted from the front.
fn of_one_length(mut proposals: Vec<Proposal>, sample: &Sample<'_>) -> Vec<Proposal> {
    let length = |outcome: OutcomeRef<'_>| match outcome {
        OutcomeRef::Vector(vector) => Some(vector.len()),
        _ => None,
    };
    let mut lengths = sample.pooled().map(length);
    if let Some(Some(first)) = lengths.next()
        && lengths.all(|length| length == Some(first))
    {
        for proposal in &mut proposals {
            if let Scorer::Thresholds { statistic, .. } = &mut proposal.scorer {
                *statistic = std::mem::replace(statistic, Statistic::Value).of_length(first);
            }
        }
    }
    proposals
}

/// Scorers of unchanged outcomes, or of a view: then exact outcomes are skipped.
fn propose_one_way(
    sample: &Sample<'_>,
    training: Option<&Sample<'_>>,
    Depth { quick, boxes }: Depth,
    as_they_came: bool,
) -> Vec<Proposal> {
    let atoms = || as_they_came.then(|| atoms(sample)).flatten();
    let (shapes, others) = common_shapes(sample);
    if shapes.iter().any(|s| matches!(s, Shape::Vector { .. }))
        && let Some(atoms) = few_outcomes(sample)
    {
        // Every event is a union of them: statistics would only compete by luck.
        return vec![atoms.into()];
    }
    // First, because the first of two equally good ones wins, and a key is more specific than a
    // number of keys.
    let mut proposals = propose_keys(sample, &shapes);
    // Where all are plain numbers, there are no shapes to distinguish.
    if others || !matches!(shapes[..], [Shape::Number | Shape::Integer]) {
        proposals.push(Scorer::Shape { shapes: shapes.clone() }.into());
    }
    let not_numbers: Vec<Shape> =
        shapes.iter().filter(|s| !matches!(s, Shape::Number | Shape::Integer)).cloned().collect();
    if shapes == [Shape::Integer]
        && let Some(atoms) = few_integers(sample)
    {
        return vec![atoms.into()];
    }
    let mut statistics = statistics(&shapes);
    if as_they_came && !statistics.contains(&Statistic::Length) && spelled::are_many(sample) {
        statistics.push(Statistic::Length);
    }
    // The lowest bits of integers are part of the value, which others examine.
    let is_real = |statistic: &&Statistic| match statistic {
        Statistic::Value => shapes.contains(&Shape::Number),
        Statistic::Entry(_) => true,
        _ => false,
    };
    let (by_thresholds, by_lattice): (Vec<Proposal>, Vec<Proposal>) = rayon::join(
        || {
            let each = statistics.par_iter();
            each.flat_map_iter(|s| thresholds(sample, s.clone(), &not_numbers, false)).collect()
        },
        || {
            let reals = statistics.par_iter().filter(is_real);
            reals.flat_map_iter(|statistic| lattice::propose(sample, statistic)).collect()
        },
    );
    proposals.extend(by_thresholds);
    proposals.extend(by_lattice);
    let numbers = statistics
        .par_iter()
        .filter(|statistic| matches!(statistic, Statistic::Value | Statistic::Entry(_)));
    let remainders = numbers.flat_map_iter(|statistic| telling_remainders(sample, statistic));
    let remainders = remainders.filter_map(|s| thresholds(sample, s, &not_numbers, true));
    proposals.extend(remainders.collect::<Vec<_>>());
    if boxes {
        proposals.extend(boxes_of(sample, training, &shapes));
    }
    if proposals.is_empty() {
        proposals.push(Scorer::Shape { shapes: shapes.clone() }.into());
    }
    if shapes.iter().any(|s| !matches!(s, Shape::Number | Shape::Integer | Shape::NaN))
        || sample.batches().any(|batch| {
            batch.as_numbers().is_none() && batch.iter().any(|outcome| is_no_double(&outcome))
        })
    {
        proposals.extend(atoms().map(Into::into));
    }
    if shapes.iter().any(|s| matches!(s, Shape::Vector { .. })) {
        proposals.extend(coarse::propose(sample));
        let behind = MOST_ENTRIES..lengths(&shapes).last().copied().unwrap_or_default();
        let telling = entries::telling_entries(sample, behind).into_iter().map(Statistic::Entry);
        proposals.extend(telling.filter_map(|s| thresholds(sample, s, &not_numbers, true)));
        if !quick {
            proposals.extend(classify::blind(sample, &not_numbers));
        }
        if let Some(training) = training {
            proposals.extend(classify::trained(training, sample, &not_numbers));
            return proposals;
        }
        for differences in [false, true] {
            if let Some(linear) = fit_linear(sample, differences) {
                let statistic = Statistic::Linear(linear);
                proposals.extend(thresholds(sample, statistic, &not_numbers, true));
            }
        }
    }
    proposals
}

/// Integers so large that thresholds, which are doubles, may confuse two of them.
fn is_no_double(outcome: &OutcomeRef<'_>) -> bool {
    matches!(outcome, OutcomeRef::Integer(i) if i.unsigned_abs() > 1 << f64::MANTISSA_DIGITS)
}

/// The shapes that occurred more than once, ascending, and `true` if there were any others.
fn common_shapes(sample: &Sample<'_>) -> (Vec<Shape>, bool) {
    let mut counts: BTreeMap<Shape, u64> = BTreeMap::new();
    for batch in sample.batches() {
        match batch.as_numbers() {
            // The common case, without examining each outcome twice.
            Some(numbers) if numbers.iter().all(|x| x.is_normal()) => {
                *counts.entry(Shape::Number).or_default() += numbers.len() as u64;
            }
            _ => batch.iter().for_each(|o| *counts.entry(Shape::of(&o)).or_default() += 1),
        }
    }
    // A single occurrence (a failure whose words hold an address or a time, a random length) will
    // not recur: all of that together is the last bin.
    let all = counts.len();
    let mut counts: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 1).collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut shapes: Vec<Shape> = counts.into_iter().take(MOST_SHAPES).map(|(s, _)| s).collect();
    shapes.sort();
    let others = shapes.len() < all;
    (shapes, others)
}

fn lengths(shapes: &[Shape]) -> BTreeSet<usize> {
    let lengths = shapes.iter().filter_map(|shape| match shape {
        Shape::Vector { length, .. } => Some(*length),
        _ => None,
    });
    lengths.collect()
}

/// The entries of lists that are examined one by one.
fn entries(shapes: &[Shape]) -> impl Iterator<Item = Statistic> {
    (0..lengths(shapes).last().copied().unwrap_or_default().min(MOST_ENTRIES)).map(Statistic::Entry)
}

/// The statistics that outcomes of these shapes have.
fn statistics(shapes: &[Shape]) -> Vec<Statistic> {
    let mut all = Vec::new();
    if shapes.iter().any(|s| matches!(s, Shape::Number | Shape::Integer)) {
        all.push(Statistic::Value);
    }
    let Some(longest) = lengths(shapes).last().copied() else { return all };
    all.extend([Statistic::Length, Statistic::Missing, Statistic::Last, Statistic::Sum]);
    // A list that stops late has gone through more, and from each length on all are alike.
    let lengths = lengths(shapes);
    let later = lengths.iter().skip(1).take(lengths.len().saturating_sub(2)).take(MOST_ENTRIES);
    all.extend(later.map(|length| Statistic::LastOf(*length)));
    all.extend([Statistic::FirstPresent, Statistic::Zeros]);
    if longest > 1 {
        all.extend([Statistic::Max, Statistic::Min, Statistic::ArgMax]);
        all.extend([Statistic::NormL1, Statistic::NormL2, Statistic::LargestStep]);
        all.extend([Statistic::LongestRun, Statistic::Repeats]);
        all.extend(entries(shapes));
        all.extend((0..(longest - 1).min(MOST_ENTRIES)).map(Statistic::Difference));
    }
    all
}

/// The partition by all numbers that are examined one by one, which `training` suggests; without
/// it, the even outcomes of the sample do, and the odd ones judge it.
fn boxes_of(
    sample: &Sample<'_>,
    training: Option<&Sample<'_>>,
    shapes: &[Shape],
) -> Option<Proposal> {
    let (of, step) = training.map_or((sample, 2), |training| (training, 1));
    let statistics = statistics(shapes);
    let tried = statistics.len();
    let coordinates = statistics.into_iter().map(|of| (of, tried)).collect();
    let partition = partition::suggested(of, (step, false), coordinates)?;
    Some(Proposal { scorer: Scorer::Partition(partition), fitted: training.is_none() })
}

/// The partitions that these outcomes suggest, which others judge, and those of views of them: by
/// the coordinates that a search finds, which pay for all that were tried, and by the most telling
/// of the numbers that the outcomes hold, which pay for these (`cargo bench --bench random`, even
/// seeds: with the first alone smooth losses in two dimensions give .85, with both .92).
pub fn propose_boxes(outcomes: &Sample<'_>) -> Vec<Proposal> {
    let of = |sample: &Sample<'_>| {
        let Found { coordinates, themselves, tried } = grammar::search(sample);
        let held = themselves.len();
        let made = coordinates.into_iter().filter(|of| !themselves.contains(of));
        let made: Vec<_> = made.map(|of| (of, tried)).collect();
        let all = themselves.iter().map(|of| (of.clone(), held)).chain(made).collect();
        partition::suggested(sample, (1, true), all).map(Scorer::Partition)
    };
    let mut views = vec![View::Apart];
    if spelled::of_texts(outcomes) {
        views.push(View::Spelled);
    }
    let seen = views.into_iter().filter_map(|view| Some((view, outcomes.seen(view)?)));
    let seen = seen.filter_map(|(view, seen)| Some(of(&seen)?.seen_through(view)));
    of(outcomes).into_iter().chain(seen).map(Proposal::from).collect()
}

/// Weights for the mean difference of clipped entries over their variance: linear discriminant
/// analysis with a diagonal covariance, on the even fold.
fn fit_linear(sample: &Sample<'_>, differences: bool) -> Option<Linear> {
    let even = |batches: &[&Outcomes]| -> Vec<Vec<f64>> {
        let all = batches.iter().flat_map(|batch| batch.iter().step_by(2));
        all.filter_map(|outcome| match outcome {
            OutcomeRef::Vector(v) if v.iter().all(|x| x.is_finite()) => Some(v.to_vec()),
            _ => None,
        })
        .collect()
    };
    let (mut d, mut d_prime) = (even(&sample.d), even(&sample.d_prime));
    let length = d.first()?.len();
    d.retain(|v| v.len() == length);
    d_prime.retain(|v| v.len() == length);
    if length < 2 || d.len() < 16 || d_prime.len() < 16 {
        return None;
    }
    let zeros = vec![0.0; length];
    let mut linear =
        Linear { differences, weights: zeros.clone(), centers: zeros.clone(), scales: zeros };
    let mut column = Vec::with_capacity(d.len() + d_prime.len());
    for i in 0..length {
        column.clear();
        column.extend(d.iter().chain(&d_prime).map(|v| linear.term(v, i)));
        let n = column.len();
        let mut quantile = |rank: usize| *column.select_nth_unstable_by(rank, f64::total_cmp).1;
        let (low, high) = (quantile(n / 4), quantile(3 * n / 4));
        linear.scales[i] = rounded(if high > low { 0.5 * (high - low) } else { 1.0 });
        linear.centers[i] = rounded_center(0.5 * (low + high), linear.scales[i]);
        let moments = |side: &[Vec<f64>]| {
            let clipped = |v: &Vec<f64>| {
                ((linear.term(v, i) - linear.centers[i]) / linear.scales[i]).clamp(-1.0, 1.0)
            };
            let n = side.len() as f64;
            let mean = side.iter().map(clipped).sum::<f64>() / n;
            let square = side.iter().map(|v| (clipped(v) - mean).powi(2)).sum::<f64>() / n;
            (mean, square, square / n)
        };
        let ((mean, var, error), (mean_prime, var_prime, error_prime)) =
            (moments(&d), moments(&d_prime));
        let distance = mean - mean_prime;
        if distance.abs() > 2.0 * (error + error_prime).sqrt() {
            linear.weights[i] = distance / (0.5 * (var + var_prime) + 1e-3);
        }
    }
    let largest = linear.weights.iter().fold(0.0f64, |a, w| a.max(w.abs()));
    linear.weights.iter_mut().for_each(|w| *w = rounded(*w / largest));
    (largest > 0.0).then_some(linear)
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/propose/mod.rs"]
mod tests;
