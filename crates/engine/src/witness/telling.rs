//! The scorers whose bins tell most, at a glance: cutting takes a hundred times as long.

use crate::witness::Scorer;
use crate::witness::grammar::of_cells;
use crate::witness::partition::gain::Labels;
use crate::witness::rule::folds::Counts;
use plaudit_core::tally::Tally;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;

/// Scorers of each kind that are cut in any case. Not tuned.
const OF_A_KIND: usize = 2;

/// Keeps `most` scorers, those whose bins tell most, and the best of each kind.
pub fn keep_telling(counted: &mut Vec<(Scorer, Counts)>, most: usize) {
    if counted.len() <= most {
        return;
    }
    let told = |(scorer, counts): &(Scorer, Counts)| {
        let tally = counts.all().pooled();
        let labels =
            |bin: usize| Labels { d: tally.d[bin] as f64, d_prime: tally.d_prime[bin] as f64 };
        let lines = scorer.lines();
        let of_line = |line: &Range<usize>| {
            let rest = (0..tally.bins()).filter(|bin| !line.contains(bin));
            of_cells(line.clone().chain(rest).map(labels))
        };
        let gain = lines.iter().map(of_line).fold(0.0, f64::max);
        if lines.is_empty() { gain_of_bins(&tally) } else { gain }
    };
    let told: Vec<f64> = counted.par_iter().map(told).collect();
    let mut order: Vec<usize> = (0..counted.len()).collect();
    order.sort_by(|a, b| told[*b].total_cmp(&told[*a]));
    let mut kinds = BTreeMap::new();
    let mut is_kept = vec![false; counted.len()];
    for (place, at) in order.into_iter().enumerate() {
        let of_kind = kinds.entry(counted[at].0.kind()).or_insert(0);
        *of_kind += 1;
        is_kept[at] = place < most || *of_kind <= OF_A_KIND || counted[at].0.weighs().is_some();
    }
    let mut is_kept = is_kept.into_iter();
    counted.retain(|_| is_kept.next().unwrap_or(true));
}

/// The gain of separating all bins, less what it is by luck.
fn gain_of_bins(tally: &Tally) -> f64 {
    let labels = |bin: usize| Labels { d: tally.d[bin] as f64, d_prime: tally.d_prime[bin] as f64 };
    let all = Labels { d: tally.trials_d() as f64, d_prime: tally.trials_d_prime() as f64 };
    let bins = (0..tally.bins()).map(labels).filter(|bin| bin.all() > 0.0);
    bins.map(|bin| bin.likelihood() - bin.likelihood_by(all) - 0.5).sum()
}

#[cfg(test)]
#[path = "../../tests/unit/witness/telling.rs"]
mod tests;
