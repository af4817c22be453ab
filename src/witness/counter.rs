//! Counting outcomes into the bins of a frozen scorer: the hot path.

use super::grid::Grid;
use super::lattice::Table;
use super::scorer::Scorer;
use super::statistic::Statistic;
use crate::mechanism::{Outcomes, View};

/// A scorer made ready for counting millions of outcomes.
pub struct Counter<'a> {
    scorer: &'a Scorer,
    grid: Option<Grid<'a>>,
    table: Option<Table<'a>>,
    /// The view that it looks through, and what counts what that shows.
    through: Option<(View, Box<Self>)>,
    /// The grid that numbers are rounded to, and what counts them then.
    rounds: Option<(f64, Box<Self>)>,
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
        let through = scorer.through().map(|(view, of)| (view, Box::new(Self::new(of))));
        let rounds = match scorer {
            Scorer::Rounded { grid, of } => Some((*grid, Box::new(Self::new(of)))),
            _ => None,
        };
        Self { scorer, grid, table, through, rounds }
    }

    /// The view that it looks through, if any.
    pub(crate) fn view(&self) -> Option<View> {
        self.through.as_ref().map(|(view, _)| *view)
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
    use crate::mechanism::Outcome;
    use crate::witness::Shape;
    use crate::witness::grid::tests::edges;
    use proptest::prelude::*;

    #[test]
    fn a_batch_seen_through_a_view_is_counted_as_one_by_one() {
        let texts = (0..2000).map(|i| match i % 4 {
            0 => Outcome::Text(format!("n={}", i % 17)),
            1 => Outcome::Structure(format!("[[{i},1],[null,{}]]", i % 5)),
            2 => Outcome::Text("north".into()),
            _ => Outcome::Number(f64::from(i)),
        });
        let mut batch = Outcomes::new();
        texts.for_each(|outcome| batch.push(outcome));
        let edges = vec![1.0, 4.0, 9.0, 50.0];
        let shapes = vec![Shape::Number, Shape::Text];
        for (statistic, view) in
            [Statistic::Key("text number 0".into()), Statistic::Entry(3), Statistic::Value]
                .into_iter()
                .flat_map(|statistic| {
                    [(statistic.clone(), View::Apart), (statistic, View::Spelled)]
                })
        {
            let of = Scorer::Thresholds { statistic, edges: edges.clone(), shapes: shapes.clone() };
            let scorer = of.seen_through(view);
            let [mut together, mut kept, mut single] = [(); 3].map(|()| vec![0u64; scorer.bins()]);
            let counter = Counter::new(&scorer);
            counter.count(&batch, &mut together);
            let mut parts = vec![0u64; scorer.bins()];
            counter.count_parts(&batch, |_| Some(0), &mut [&mut parts[..]]);
            counter.count(&batch, &mut kept);
            batch.iter().for_each(|outcome| single[scorer.bin(outcome)] += 1);
            assert_eq!(together, single);
            assert_eq!(kept, single);
            assert_eq!(parts, single);
            batch.push_text("n=3");
        }
    }

    #[test]
    fn a_batch_seen_rounded_is_counted_as_one_by_one() {
        let kinds: [fn(i64) -> Outcome; 4] = [
            |i| Outcome::Number(i as f64 * 0.37),
            |i| Outcome::Vector(vec![i as f64 * 0.37, f64::NAN, 1.0]),
            |i| match i % 4 {
                0 => Outcome::Text(format!("n={}", i as f64 * 0.37)),
                1 => Outcome::Structure(format!("[[{}.25,1],[null,{}]]", i, i % 5)),
                2 => Outcome::Integer(i),
                _ => Outcome::Failure("late".into()),
            },
            |i| std::collections::BTreeMap::from([("a".to_owned(), i as f64 * 0.37)]).into(),
        ];
        for kind in kinds {
            let mut batch = Outcomes::new();
            (0..2000).for_each(|i| batch.push(kind(i % 97)));
            let edges = vec![1.0, 4.0, 9.0, 9.5, 31.0];
            let shapes = vec![Shape::Number, Shape::Text];
            for statistic in [Statistic::Value, Statistic::Entry(0), Statistic::Key("a".into())] {
                let (edges, shapes) = (edges.clone(), shapes.clone());
                let of = Scorer::Thresholds { statistic, edges, shapes };
                for scorer in [of.clone().rounded(0.5), of.seen_through(View::Apart).rounded(0.5)] {
                    assert!(scorer.is_sound());
                    let [mut together, mut single] = [(); 2].map(|()| vec![0u64; scorer.bins()]);
                    let counter = Counter::new(&scorer);
                    counter.count(&batch, &mut together);
                    let mut parts = vec![0u64; scorer.bins()];
                    counter.count_parts(&batch, |_| Some(0), &mut [&mut parts[..]]);
                    batch.iter().for_each(|outcome| single[scorer.bin(outcome)] += 1);
                    assert_eq!(together, single);
                    assert_eq!(parts, single);
                }
            }
        }
    }

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
