//! Counting outcomes into the bins of a frozen scorer: the hot path.

use crate::mechanism::{Outcomes, View};
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::count::grid::{Grid, MOST_INTERVALS};
use crate::witness::lattice::Table;
use crate::witness::scorer::Scorer;

/// A scorer prepared for counting millions of outcomes.
pub struct Counter<'a> {
    scorer: &'a Scorer,
    grid: Option<Grid<'a>>,
    table: Option<Table<'a>>,
    /// For a partition of single numbers, the intervals of its leaves, and the leaf of each.
    leaves: Option<(Grid<'a>, Vec<usize>)>,
    /// The view that it uses, and the counter of viewed outcomes.
    through: Option<(View, Box<Self>)>,
    /// The grid that numbers are rounded to, and the counter of rounded ones.
    rounds: Option<(f64, Box<Self>)>,
}

impl<'a> Counter<'a> {
    pub fn new(scorer: &'a Scorer) -> Self {
        let grid = match scorer {
            Scorer::Thresholds { edges, .. } => Grid::new(&edges[..]),
            _ => None,
        };
        let table = match scorer {
            Scorer::Lattice(lattice) => Some(Table::new(lattice)),
            _ => None,
        };
        let leaves = match scorer {
            Scorer::Partition(partition) => partition.line(),
            _ => None,
        };
        let leaves = leaves
            .filter(|(of, ..)| **of == Statistic::Value)
            .and_then(|(_, edges, leaves)| Some((Grid::new(edges)?, leaves)));
        let through = scorer.through().map(|(view, of)| (view, Box::new(Self::new(of))));
        let rounds = match scorer {
            Scorer::Rounded { grid, of } => Some((*grid, Box::new(Self::new(of)))),
            _ => None,
        };
        Self { scorer, grid, table, leaves, through, rounds }
    }

    /// The view that it uses, if any.
    pub(crate) fn view(&self) -> Option<View> {
        self.through.as_ref().map(|(view, _)| *view)
    }

    pub fn scorer(&self) -> &Scorer {
        self.scorer
    }

    /// Adds each outcome of a batch to the counts of its part, if it has one.
    pub(crate) fn count_parts(
        &self,
        outcomes: &Outcomes,
        part: impl Fn(usize) -> Option<usize>,
        counts: &mut [&mut [u64]],
    ) {
        if let Scorer::Clock(clock) = self.scorer {
            return clock.count_parts(outcomes, part, counts);
        }
        if let Some((view, looking)) = &self.through {
            let seen = outcomes.seen(*view).unwrap_or(outcomes);
            return looking.count_parts(seen, part, counts);
        }
        if let Some((grid, rounding)) = &self.rounds {
            return rounding.count_parts(&outcomes.rounded(*grid), part, counts);
        }
        let value = matches!(self.scorer, Scorer::Thresholds { statistic: Statistic::Value, .. });
        match (&self.grid, outcomes.as_numbers()) {
            (Some(grid), Some(numbers)) if value => {
                for (place, &x) in numbers.iter().enumerate() {
                    let Some(part) = part(place) else { continue };
                    let bin = if x.is_nan() { self.scorer.bin(x.into()) } else { grid.bin(x) };
                    counts[part][bin] += 1;
                }
            }
            _ => {
                for (place, outcome) in outcomes.iter().enumerate() {
                    let Some(part) = part(place) else { continue };
                    counts[part][self.scorer.bin(outcome)] += 1;
                }
            }
        }
    }

    /// Adds a batch of outcomes to the counts by bin.
    pub fn count(&self, outcomes: &Outcomes, counts: &mut [u64]) {
        if let Some((view, looking)) = &self.through {
            return outcomes.for_each_seen(*view, |seen| looking.count(seen, counts));
        }
        if let Some((grid, rounding)) = &self.rounds {
            return outcomes.for_each_rounded(*grid, |rounded| rounding.count(rounded, counts));
        }
        if let (Some(grid), Scorer::Thresholds { statistic, .. }) = (&self.grid, self.scorer) {
            match (statistic, outcomes.as_numbers(), outcomes.as_vectors()) {
                (Statistic::Value, Some(numbers), _) => {
                    let not_numbers = grid.count(numbers, counts);
                    if not_numbers > 0 {
                        counts[self.scorer.bin(f64::NAN.into())] += not_numbers;
                    }
                    return;
                }
                (_, _, Some((values, ends))) => {
                    let mut start = 0;
                    for &end in ends {
                        let vector = &values[start..end];
                        start = end;
                        let bin = match statistic.read_vector(vector) {
                            Some(x) if !x.is_nan() => grid.bin(x),
                            _ => self.scorer.bin(vector.into()),
                        };
                        counts[bin] += 1;
                    }
                    return;
                }
                _ => {}
            }
        }
        if let (Some((grid, leaves)), Some(numbers)) = (&self.leaves, outcomes.as_numbers()) {
            let mut by_interval = [0; MOST_INTERVALS];
            let not_numbers = grid.count(numbers, &mut by_interval[..leaves.len()]);
            leaves.iter().zip(by_interval).for_each(|(leaf, count)| counts[*leaf] += count);
            if not_numbers > 0 {
                counts[self.scorer.bin(f64::NAN.into())] += not_numbers;
            }
            return;
        }
        if let Some(table) = &self.table {
            match (table.statistic(), outcomes.as_numbers(), outcomes.as_vectors()) {
                (Statistic::Value, Some(numbers), _) => {
                    return table.count(numbers, counts);
                }
                (statistic, _, Some((values, ends))) => {
                    let mut start = 0;
                    for &end in ends {
                        let number = statistic.read_vector(&values[start..end]);
                        counts[table.bin(number.unwrap_or(f64::NAN))] += 1;
                        start = end;
                    }
                    return;
                }
                _ => {}
            }
        }
        if let Scorer::Clock(clock) = self.scorer {
            return clock.count_parts(outcomes, |_| Some(0), &mut [counts]);
        }
        if let (Scorer::Shape { .. }, Some(numbers)) = (self.scorer, outcomes.as_numbers()) {
            let normal = numbers.iter().filter(|x| x.is_normal()).count();
            counts[self.scorer.bin(1.0.into())] += normal as u64;
            for &x in numbers.iter().filter(|x| !x.is_normal()) {
                counts[self.scorer.bin(x.into())] += 1;
            }
            return;
        }
        for outcome in outcomes.iter() {
            counts[self.scorer.bin(outcome)] += 1;
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/count/counter.rs"]
mod tests;
