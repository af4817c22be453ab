//! The table of all whose answers differ least, in the sum of squares: the likeliest one where noise is normal.
//!
//! Σ_S (c(S) − a(S))² is c'Gc − 2 b'c, up to a constant, where G_ij is the number of answers that include i and j, and b_i is the sum
//! of the answers about i. Sums over the supersets of each set, in place, give both; and from one table to the next in the order
//! of Gray only one bit changes.

use super::exhaustive::in_pairs;
use rayon::prelude::*;

/// Bits that one thread enumerates in Gray code order.
const TOGETHER: usize = 12;

/// Queries: how often each subset was asked, and the sum of the answers.
#[derive(Clone, Debug)]
pub(super) struct SquaredMisfits {
    entries: usize,
    counts: Vec<f64>,
    totals: Vec<f64>,
}

impl SquaredMisfits {
    /// Empty state for `entries` people.
    pub(super) fn nothing(entries: usize) -> Self {
        Self { entries, counts: vec![0.0; 1 << entries], totals: vec![0.0; 1 << entries] }
    }

    pub(super) fn insert(&mut self, subset: usize, answer: f64) {
        self.counts[subset] += 1.0;
        self.totals[subset] += answer;
    }

    /// The table with the least sum of squares, as a number.
    pub(super) fn likeliest(mut self) -> u64 {
        let supersets = |(x, y): (f64, f64)| (x + y, y);
        rayon::join(
            || in_pairs(&mut self.counts, supersets),
            || in_pairs(&mut self.totals, supersets),
        );
        let entries = self.entries;
        let normal: Vec<Vec<f64>> = (0..entries)
            .map(|i| (0..entries).map(|j| self.counts[1 << i | 1 << j]).collect())
            .collect();
        let sums: Vec<f64> = (0..entries).map(|i| self.totals[1 << i]).collect();
        let together = entries.min(TOGETHER);
        let best = |above: u64| least(above << together, together, &normal, &sums);
        let all = (0..1_u64 << (entries - together)).into_par_iter().map(best);
        let first = |a, b| if b < a { b } else { a };
        all.reduce_with(first).expect("there is a table of no people").1
    }
}

/// The least sum of squares, up to a constant, and its table, among those that differ from `start` in the lowest bits only.
fn least(start: u64, lowest: usize, normal: &[Vec<f64>], sums: &[f64]) -> (f64, u64) {
    let mut table = 0_u64;
    let mut value = 0.0;
    let mut slopes: Vec<f64> = sums.iter().map(|sum| -2.0 * sum).collect();
    let mut flip = |place: usize| {
        let sign = if table >> place & 1 == 0 { 1.0 } else { -1.0 };
        value += sign * slopes[place] + normal[place][place];
        slopes.iter_mut().zip(&normal[place]).for_each(|(slope, g)| *slope += 2.0 * sign * g);
        table ^= 1 << place;
        (value, table)
    };
    let mut best = (0.0, 0);
    for place in (lowest..normal.len()).filter(|place| start >> place & 1 == 1) {
        best = flip(place);
    }
    for step in 1_u64..1 << lowest {
        let next = flip(step.trailing_zeros() as usize);
        if next < best {
            best = next;
        }
    }
    best
}

#[cfg(test)]
#[path = "../../../tests/unit/attack/reconstruct/likeliest.rs"]
mod tests;
