//! Weights that are fitted to the labels.

use crate::witness::coordinate::statistic::{Linear, Statistic};
use crate::witness::coordinate::weighted::{rounded, rounded_center};
use crate::witness::propose::logistic::Design;

/// Lengths of lists whose entries are weighted: the weights of longer ones take long, and are poorly known.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=32;
/// Fewest lists that determine weights.
const LEAST: usize = 256;
/// Lists that determine weights. Not tuned.
const MOST: usize = 1 << 12;
/// Standard errors from which a weight is kept: one of 22 by chance.
const KEPT: f64 = 2.0;
/// Quantiles at which entries are clipped.
const CLIP: (f64, f64) = (0.02, 0.98);

/// The weighted sum of clipped entries that separates the labels best, by logistic regression on some of these lists, if
/// all have one length and some weight is more than chance.
pub fn weighted_sum<'a>(lists: impl Iterator<Item = (&'a [f64], bool)>) -> Option<Statistic> {
    let all: Vec<(&[f64], bool)> = lists.collect();
    let length = all.first()?.0.len();
    let is_fit =
        |(list, _): &(&[f64], bool)| list.len() == length && list.iter().all(|x| x.is_finite());
    if !LENGTHS.contains(&length) || all.len() < LEAST || !all.iter().all(is_fit) {
        return None;
    }
    let all: Vec<_> = all.iter().step_by(all.len().div_ceil(MOST)).collect();
    let (mut centers, mut scales) = (Vec::new(), Vec::new());
    for at in 0..length {
        let mut column: Vec<f64> = all.iter().map(|(list, _)| list[at]).collect();
        column.sort_unstable_by(f64::total_cmp);
        let quantile = |level: f64| column[(level * (column.len() - 1) as f64) as usize];
        let (low, high) = (quantile(CLIP.0), quantile(CLIP.1));
        let scale = rounded(if high > low { 0.5 * high - 0.5 * low } else { 1.0 });
        centers.push(rounded_center(0.5 * low + 0.5 * high, scale));
        scales.push(scale);
    }
    let mut linear = Linear { differences: false, weights: vec![0.0; length], centers, scales };
    let mut design = Design::new(length);
    all.iter().for_each(|(list, is_d)| design.push(*is_d, |at| linear.unweighted(list, at)));
    let weights = design.fit()?.sure_of(KEPT);
    let largest = weights.iter().fold(0.0f64, |most, w| most.max(w.weight.abs()));
    weights.iter().for_each(|w| linear.weights[w.column] = rounded(w.weight / largest));
    (largest > 0.0 && largest.is_finite()).then_some(Statistic::Linear(linear))
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/grammar/learn.rs"]
mod tests;
