//! Labelled outcomes by their coordinates, as ranks: scale and tails do not matter.

use super::gain::Labels;
use crate::mechanism::OutcomeRef;
use crate::witness::statistic::Statistic;
use rayon::prelude::*;

/// The rank of a coordinate that an outcome does not have.
pub const MISSING: u32 = u32::MAX;

/// A coordinate of all outcomes.
pub struct Column {
    pub of: Statistic,
    /// The rank of its number for each outcome, equal ones alike.
    pub ranks: Vec<u32>,
    /// The number of each rank.
    pub levels: Vec<f64>,
}

/// Labelled outcomes.
pub struct Table {
    pub columns: Vec<Column>,
    /// Whether it came from D.
    pub labels: Vec<bool>,
}

impl Table {
    /// Of these outcomes the coordinates that are not the same for all.
    pub fn new(outcomes: &[(OutcomeRef<'_>, bool)], coordinates: Vec<Statistic>) -> Self {
        let column = |of: Statistic| {
            let read = |(outcome, _): &(OutcomeRef<'_>, bool)| {
                of.read(outcome.clone()).unwrap_or(f64::NAN)
            };
            let numbers: Vec<f64> = outcomes.iter().map(read).collect();
            let (ranks, levels) = ranked(&numbers);
            let varies = levels.len() > 1 || levels.len() == 1 && ranks.contains(&MISSING);
            varies.then_some(Column { of, ranks, levels })
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

/// Ranks of numbers, equal ones alike, and the number of each rank. −0 is 0.
fn ranked(numbers: &[f64]) -> (Vec<u32>, Vec<f64>) {
    let mut sorted: Vec<u32> = (0..numbers.len() as u32).collect();
    sorted.retain(|at| !numbers[*at as usize].is_nan());
    sorted.sort_unstable_by(|a, b| numbers[*a as usize].total_cmp(&numbers[*b as usize]));
    let mut ranks = vec![MISSING; numbers.len()];
    let mut levels: Vec<f64> = Vec::new();
    for at in sorted {
        let number = numbers[at as usize];
        if levels.last().is_none_or(|last| *last != number) {
            levels.push(number);
        }
        ranks[at as usize] = levels.len() as u32 - 1;
    }
    (ranks, levels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_have_one_rank() {
        let numbers = [3.0, f64::NAN, -0.0, 0.0, f64::INFINITY, 3.0];
        let (ranks, levels) = ranked(&numbers);
        assert_eq!(ranks, [1, MISSING, 0, 0, 2, 1]);
        assert_eq!(levels.len(), 3);
    }
}
