//! Labelled outcomes by their coordinates, as ranks: scale and tails do not matter.

use crate::mechanism::OutcomeRef;
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::partition::gain::Labels;
use rayon::prelude::*;

/// The rank of a missing coordinate: a table has at most 2^22 outcomes, and no more ranks.
pub const MISSING: u32 = u32::MAX;

/// A coordinate of all outcomes.
pub struct Column {
    pub of: Statistic,
    /// Number of coordinates among which it was chosen, or more: its price.
    pub tried: usize,
    /// The rank of each outcome's number, the same for equal ones.
    pub ranks: Vec<u32>,
    /// The number of each rank.
    pub levels: Vec<f64>,
    /// The outcomes that have it, by rank.
    order: Vec<u32>,
}

impl Column {
    /// With the outcomes' numbers.
    pub fn new(of: Statistic, tried: usize, numbers: &[f64]) -> Self {
        // As integers, which are compared without branches: the number, in the order of doubles, then the outcome.
        let key = |(at, number): (usize, &f64)| {
            let bits = number.to_bits();
            let ordered = if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
            u128::from(ordered) << 32 | at as u128
        };
        let some = numbers.iter().enumerate().filter(|(_, number)| !number.is_nan());
        let mut keys: Vec<u128> = some.map(key).collect();
        keys.sort_unstable();
        // The lower half.
        let order: Vec<u32> = keys.into_iter().map(|key| key as u32).collect();
        let mut ranks = vec![MISSING; numbers.len()];
        let mut levels: Vec<f64> = Vec::new();
        for at in &order {
            let number = numbers[*at as usize];
            if levels.last().is_none_or(|last| *last != number) {
                levels.push(number);
            }
            ranks[*at as usize] = levels.len() as u32 - 1;
        }
        Self { of, tried, ranks, levels, order }
    }

    /// The given outcomes that have the number, by rank.
    pub fn sorted(&self, rows: &[u32]) -> Vec<u32> {
        let mut sorted = Vec::with_capacity(rows.len());
        if rows.len() * MANY < self.order.len() {
            sorted.extend(rows.iter().filter(|row| self.ranks[**row as usize] != MISSING));
            sorted.sort_unstable_by_key(|row| self.ranks[*row as usize]);
            return sorted;
        }
        let mut is_one = vec![false; self.ranks.len()];
        rows.iter().for_each(|row| is_one[*row as usize] = true);
        sorted.extend(self.order.iter().filter(|row| is_one[**row as usize]));
        sorted
    }
}

/// Divisor that gives the part of all outcomes from which a pass over all is faster than sorting.
/// Not tuned: sorting 2^13 outcomes takes some 13 comparisons of each, and a pass over eight times
/// as many one step for each.
const MANY: usize = 8;

/// Evenly spaced ones of these outcomes, about `most` of them at least.
pub fn thinned(rows: &[u32], most: usize) -> Vec<u32> {
    rows.iter().copied().step_by((rows.len() / most.max(1)).max(1)).collect()
}

/// Labelled outcomes.
pub struct Table {
    pub columns: Vec<Column>,
    /// `true` for outcomes from D.
    pub labels: Vec<bool>,
}

impl Table {
    /// The table of the coordinates, each with its price, that vary among these outcomes.
    pub fn new(outcomes: &[(OutcomeRef<'_>, bool)], coordinates: Vec<(Statistic, usize)>) -> Self {
        let column = |(of, tried): (Statistic, usize)| {
            let read = |(outcome, _): &(OutcomeRef<'_>, bool)| {
                of.read(outcome.clone()).unwrap_or(f64::NAN)
            };
            let numbers: Vec<f64> = outcomes.iter().map(read).collect();
            let column = Column::new(of, tried, &numbers);
            let missing = column.order.len() < numbers.len();
            (column.levels.len() > 1 || column.levels.len() == 1 && missing).then_some(column)
        };
        let all: Vec<Column> = coordinates.into_par_iter().filter_map(column).collect();
        let mut columns: Vec<Column> = Vec::new();
        for column in all {
            // The last entry of lists of one length is an entry.
            if columns.iter().all(|known| known.ranks != column.ranks) {
                columns.push(column);
            }
        }
        Self { columns, labels: outcomes.iter().map(|(_, is_d)| *is_d).collect() }
    }

    pub fn labels_of(&self, rows: &[u32]) -> Labels {
        let d = rows.iter().filter(|row| self.labels[**row as usize]).count() as f64;
        Labels { d, d_prime: rows.len() as f64 - d }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/partition/table.rs"]
mod tests;
