//! Counting outcomes into the bins of a frozen scorer: the hot path.

use super::scorer::{Scorer, interval};
use super::statistic::Statistic;
use crate::mechanism::Outcomes;

/// A scorer made ready for counting millions of outcomes.
pub struct Counter<'a> {
    scorer: &'a Scorer,
    grid: Option<Grid<'a>>,
}

impl<'a> Counter<'a> {
    /// Prepares a scorer.
    pub fn new(scorer: &'a Scorer) -> Self {
        let grid = match scorer {
            Scorer::Thresholds { edges, .. } => Grid::new(edges),
            _ => None,
        };
        Self { scorer, grid }
    }

    /// The scorer.
    pub fn scorer(&self) -> &Scorer {
        self.scorer
    }

    /// Adds a batch of outcomes to the counts by bin.
    pub fn count(&self, outcomes: &Outcomes, counts: &mut [u64]) {
        if let (Some(grid), Scorer::Thresholds { statistic, .. }) = (&self.grid, self.scorer) {
            match (statistic, outcomes.as_numbers(), outcomes.as_vectors()) {
                (Statistic::Value, Some(numbers), _) => {
                    grid.count(numbers, counts);
                    for &x in numbers.iter().filter(|x| x.is_nan()) {
                        counts[self.scorer.bin(x.into())] += 1;
                    }
                    return;
                }
                (_, _, Some((values, ends))) => {
                    let mut start = 0;
                    for &end in ends {
                        let vector = &values[start..end];
                        start = end;
                        let number = statistic.read_vector(vector);
                        let bin = number.and_then(|x| grid.bin(x));
                        counts[bin.unwrap_or_else(|| self.scorer.bin(vector.into()))] += 1;
                    }
                    return;
                }
                _ => {}
            }
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

/// Finds the interval of a number by a look into a table of equally wide cells instead of a
/// search.
///
/// Exact: the cell of x is a composition of correctly rounded, hence non-decreasing, operations.
/// An edge in an earlier cell than x is thus at most x, and one in a later cell is above x; only
/// the edges in the same cell are compared with x itself.
struct Grid<'a> {
    edges: &'a [f64],
    origin: f64,
    cells_per_unit: f64,
    cells: Vec<Cell>,
}

const CELLS: usize = 1024;
const MOST: f64 = (CELLS - 1) as f64;
const WHOLE: f64 = (1u64 << (f64::MANTISSA_DIGITS - 1)) as f64;

#[derive(Clone, Copy)]
struct Cell {
    /// Edges in earlier cells.
    below: u32,
    /// Whether more than one edge lies in this cell.
    crowded: bool,
    /// The one edge in this cell, NaN if there is none: nothing is above that, not even +∞.
    edge: f64,
}

impl<'a> Grid<'a> {
    fn new(edges: &'a [f64]) -> Option<Self> {
        let finite = || edges.iter().copied().filter(|edge| edge.is_finite());
        let (origin, last) = (finite().next()?, finite().next_back()?);
        let cells_per_unit = (CELLS - 2) as f64 / (last - origin);
        if !(cells_per_unit.is_finite() && cells_per_unit > 0.0) {
            return None;
        }
        let empty = Cell { below: 0, crowded: false, edge: f64::NAN };
        let mut grid = Self { edges, origin, cells_per_unit, cells: vec![empty; CELLS] };
        for &edge in edges {
            let at = grid.cell(edge);
            let cell = &mut grid.cells[at];
            cell.crowded |= !cell.edge.is_nan();
            cell.edge = edge;
            grid.cells[at + 1..].iter_mut().for_each(|later| later.below += 1);
        }
        Some(grid)
    }

    /// Adds numbers to the counts by interval, but for NaN.
    fn count(&self, numbers: &[f64], counts: &mut [u64]) {
        let cells: &[Cell; CELLS] = self.cells.as_slice().try_into().expect("made so long");
        for &x in numbers {
            let cell = &cells[self.cell(x)];
            let mut bin = cell.below as usize + usize::from(x >= cell.edge);
            if cell.crowded {
                bin = interval(self.edges, x);
            }
            counts[bin] += u64::from(!x.is_nan());
        }
    }

    /// Non-decreasing in x; 0 for NaN. Adding 2^52 rounds to a whole number, which then stands in
    /// the lowest bits: less work than a cast, which must saturate.
    #[inline(always)]
    fn cell(&self, x: f64) -> usize {
        let place = (x - self.origin) * self.cells_per_unit;
        let place = if place > 0.0 { place } else { 0.0 };
        let place = if place < MOST { place } else { MOST };
        (place + WHOLE).to_bits() as usize % CELLS
    }

    /// The interval of a number; `None` for NaN.
    #[inline(always)]
    fn bin(&self, x: f64) -> Option<usize> {
        if x.is_nan() {
            return None;
        }
        let cell = &self.cells[self.cell(x)];
        if cell.crowded {
            return Some(interval(self.edges, x));
        }
        Some(cell.below as usize + usize::from(x >= cell.edge))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::witness::Shape;
    use proptest::prelude::*;

    fn edges() -> impl Strategy<Value = Vec<f64>> {
        let edge = prop_oneof![
            -10.0..10.0f64,
            Just(0.0),
            Just(f64::INFINITY),
            Just(f64::NEG_INFINITY),
            any::<f64>().prop_filter("an edge", |x| !x.is_nan()),
        ];
        prop::collection::vec(edge, 0..80).prop_map(|mut edges| {
            edges.sort_by(f64::total_cmp);
            edges.dedup();
            edges
        })
    }

    proptest! {
        #[test]
        fn the_grid_finds_the_same_interval_as_a_search(
            edges in edges(),
            mut points in prop::collection::vec(prop_oneof![any::<f64>(), -12.0..12.0f64], 0..200),
        ) {
            points.extend(&edges);
            points.extend([f64::INFINITY, f64::NEG_INFINITY, -0.0]);
            points.extend(edges.iter().map(|edge| edge.next_down()));
            points.extend(edges.iter().map(|edge| edge.next_up()));
            if let Some(grid) = Grid::new(&edges) {
                for x in points.into_iter().filter(|x| !x.is_nan()) {
                    prop_assert_eq!(grid.bin(x), Some(interval(&edges, x)), "{} in {:?}", x, edges);
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
