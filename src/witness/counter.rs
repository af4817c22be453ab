//! Counting outcomes into the bins of a frozen scorer: the hot path.

use super::grid::Grid;
use super::lattice::Table;
use super::scorer::Scorer;
use super::statistic::Statistic;
use crate::mechanism::Outcomes;

/// A scorer made ready for counting millions of outcomes.
pub struct Counter<'a> {
    scorer: &'a Scorer,
    grid: Option<Grid<'a>>,
    table: Option<Table<'a>>,
    /// For outcomes that were taken apart.
    apart: Option<Box<Self>>,
}

impl<'a> Counter<'a> {
    /// Prepares a scorer.
    pub fn new(scorer: &'a Scorer) -> Self {
        let grid = match scorer {
            Scorer::Thresholds { edges, .. } => Grid::new(edges),
            _ => None,
        };
        let table = match scorer {
            Scorer::Lattice(lattice) => Some(Table::new(lattice)),
            _ => None,
        };
        let apart = match scorer {
            Scorer::Unfolded { of } => Some(Box::new(Self::new(of))),
            _ => None,
        };
        Self { scorer, grid, table, apart }
    }

    /// The scorer.
    pub fn scorer(&self) -> &Scorer {
        self.scorer
    }

    /// Adds each outcome of a batch to the counts of the part that its place belongs to, if any.
    pub(super) fn count_parts(
        &self,
        outcomes: &Outcomes,
        part: impl Fn(usize) -> Option<usize>,
        counts: &mut [&mut [u64]],
    ) {
        if let Scorer::Clock(clock) = self.scorer {
            return clock.count_parts(outcomes, part, counts);
        }
        if let (Some(apart), Some(unfolded)) = (&self.apart, outcomes.unfolded()) {
            return apart.count_parts(unfolded, part, counts);
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
        if let (Some(apart), Some(unfolded)) = (&self.apart, outcomes.unfolded()) {
            return apart.count(unfolded, counts);
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
mod tests {
    use super::*;
    use crate::witness::Shape;
    use crate::witness::grid::tests::edges;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_batch_of_numbers_is_counted_as_one_by_one(
            edges in edges(),
            mut numbers in prop::collection::vec(any::<f64>(), 0..100),
        ) {
            numbers.extend([f64::NAN, -0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY, 5e-324, 1.0]);
            numbers.extend(&edges);
            let shapes = vec![Shape::Number, Shape::NaN, Shape::NegativeZero];
            let mut batch = Outcomes::new();
            numbers.iter().for_each(|x| batch.push_number(*x));
            for scorer in [
                Scorer::Thresholds { statistic: Statistic::Value, edges, shapes: shapes.clone() },
                Scorer::Shape { shapes },
                Scorer::Shape { shapes: vec![Shape::Infinity] },
            ] {
                let [mut together, mut single] = [(); 2].map(|()| vec![0u64; scorer.bins()]);
                Counter::new(&scorer).count(&batch, &mut together);
                batch.iter().for_each(|outcome| single[scorer.bin(outcome)] += 1);
                prop_assert_eq!(together, single);
            }
        }
    }
}
