//! Edges: starts of the intervals of a number, by its values in the sample, blind to their dataset.

use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::count::dyadic_grid::on_marks;

/// Readings from which the cost of counting matters: explore takes a tenth to four tenths, so that
/// 20 000 trials or more are counted. Not tuned: beyond it edges move by up to an eighth of an
/// interval, and counting takes half the time.
const LARGE: usize = 1 << 13;

/// Readings of an interval in a small sample, where most values do not recur. Not tuned.
const EACH: usize = 4;

/// The values of a statistic over the pooled sample, ascending.
pub(crate) fn readings(sample: &Sample<'_>, statistic: &Statistic) -> Vec<f64> {
    let mut all = Vec::new();
    for batch in sample.batches() {
        match (statistic, batch.as_numbers()) {
            (Statistic::Value, Some(numbers)) => {
                all.extend(numbers.iter().filter(|x| !x.is_nan()));
            }
            _ => all.extend(batch.iter().filter_map(|outcome| statistic.read(outcome))),
        }
    }
    sort(&mut all);
    all
}

/// Sorts in the total order of doubles, as integers with that order: these are compared without
/// branches, in a third of the time.
pub(crate) fn sort(numbers: &mut [f64]) {
    let flipped = |bits: i64| bits ^ (((bits >> 63) as u64) >> 1) as i64;
    let bits: &mut [i64] = bytemuck::cast_slice_mut(numbers);
    bits.iter_mut().for_each(|x| *x = flipped(*x));
    bits.sort_unstable();
    bits.iter_mut().for_each(|x| *x = flipped(*x));
}

/// Edges for sorted readings: one for each value if there are few; else quantiles, `middle` intervals with equal numbers
/// of readings (fewer where most values differ, for [`EACH`] readings in each), ever finer towards both ends (the best threshold for a
/// large budget is a rare event), and a few beyond the ends. Values that repeat often are kept
/// separate, as [v, next double).
pub(crate) fn edges(sorted: Vec<f64>, middle: usize) -> Vec<f64> {
    let mut values = sorted.clone();
    values.dedup();
    let middle = match 2 * values.len() > sorted.len() {
        true => middle.min(sorted.len() / EACH).max(2),
        false => middle,
    };
    if values.len() <= 2 * middle {
        values.iter_mut().for_each(|value| *value += 0.0);
        return if values.len() < 2 { lone_value(&values) } else { values };
    }
    let n = sorted.len();
    let mut ranks: Vec<usize> = (1..middle).map(|i| i * n / middle).collect();
    let mut rank = n as f64 / middle as f64;
    while rank >= 4.0 {
        rank /= std::f64::consts::SQRT_2;
        ranks.extend([rank as usize, n - 1 - rank as usize]);
    }
    let mut edges: Vec<f64> = ranks.into_iter().map(|rank| sorted[rank]).collect();
    let often = (n / (2 * middle)).max(2);
    for run in sorted.chunk_by(|a, b| a == b) {
        if run.len() >= often {
            edges.extend([run[0], run[0].next_up()]);
        }
    }
    if n >= 256 {
        let step_down = (sorted[n / 8].min(sorted[63]) - sorted[7]) / 6.0;
        let step_up = (sorted[n - 8] - sorted[n - 64]) / 6.0;
        for i in 1..=6 {
            edges.push(sorted[3] - f64::from(i) * step_down);
            edges.push(sorted[n - 4] + f64::from(i) * step_up);
        }
    }
    edges.iter_mut().for_each(|edge| *edge += 0.0);
    edges.retain(|edge| !edge.is_nan());
    edges.sort_unstable_by(f64::total_cmp);
    edges.dedup();
    if n >= LARGE { on_marks(edges, &sorted) } else { edges }
}

/// Edges around the single value of a statistic, which may take others later.
fn lone_value(values: &[f64]) -> Vec<f64> {
    let mut edges: Vec<f64> =
        values.iter().flat_map(|v| [*v + 0.0, v.next_up()]).filter(|v| !v.is_nan()).collect();
    edges.dedup();
    edges
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/count/edges.rs"]
mod tests;
