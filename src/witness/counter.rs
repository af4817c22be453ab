//! Counting outcomes into the bins of a frozen scorer: the hot path.

use super::lattice::Table;
use super::scorer::{Scorer, interval};
use super::statistic::Statistic;
use crate::mechanism::Outcomes;

/// A scorer made ready for counting millions of outcomes.
pub struct Counter<'a> {
    scorer: &'a Scorer,
    grid: Option<Grid<'a>>,
    table: Option<Table<'a>>,
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
        Self { scorer, grid, table }
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
        counts: [&mut [u64]; 2],
    ) {
        if let Scorer::Clock(clock) = self.scorer {
            let [first, second] = counts;
            return clock.count_parts(outcomes, part, &mut [first, second]);
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
                    return numbers.iter().for_each(|&x| counts[table.bin(x)] += 1);
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

/// Finds the interval of a number by a look into a table of equally wide cells instead of a
/// search.
///
/// Exact: the cell of x is a composition of non-decreasing operations (correctly rounded ones, a
/// clamp). An edge in an earlier cell than x is thus at most x, and one in a later cell is above
/// x; only the edges in the same cell are compared with x itself.
struct Grid<'a> {
    edges: &'a [f64],
    origin: f64,
    cells_per_unit: f64,
    cells: [Cell; CELLS],
    /// Whether any cell has more than one edge.
    crowded: bool,
}

#[derive(Clone, Copy)]
struct Cell {
    /// Edges in earlier cells.
    below: u32,
    /// Edges in this cell.
    inside: u32,
    /// The one edge in this cell; NaN, which nothing reaches, if there is none.
    edge: f64,
}

const CELLS: usize = 1024;
/// Most intervals that are counted in an array of their own.
const MOST_INTERVALS: usize = 256;

impl<'a> Grid<'a> {
    fn new(edges: &'a [f64]) -> Option<Self> {
        let finite = || edges.iter().copied().filter(|edge| edge.is_finite());
        let (origin, last) = (finite().next()?, finite().next_back()?);
        let cells_per_unit = (CELLS - 2) as f64 / (last - origin);
        let possible = cells_per_unit.is_finite() && cells_per_unit > 0.0;
        if !possible || edges.len() >= MOST_INTERVALS {
            return None;
        }
        let empty = Cell { below: 0, inside: 0, edge: f64::NAN };
        let cells = [empty; CELLS];
        let mut grid = Self { edges, origin, cells_per_unit, cells, crowded: false };
        for &edge in edges {
            let at = grid.cell(edge);
            let cell = &mut grid.cells[at];
            cell.inside += 1;
            cell.edge = edge;
            grid.crowded |= cell.inside > 1;
            grid.cells[at + 1..].iter_mut().for_each(|later| later.below += 1);
        }
        Some(grid)
    }

    /// Non-decreasing in x, below [`CELLS`]; of NaN, 0.
    #[inline(always)]
    fn cell(&self, x: f64) -> usize {
        // Added to 2^52, a number of this size is rounded to an integer, in the lowest bits.
        const ROUND: f64 = 4_503_599_627_370_496.0;
        let place = (x - self.origin) * self.cells_per_unit;
        let place = if place > 0.0 { place } else { 0.0 };
        let place = if place < (CELLS - 1) as f64 { place } else { (CELLS - 1) as f64 };
        (place + ROUND).to_bits() as usize % CELLS
    }

    /// The interval of a number that is not NaN.
    #[inline(always)]
    fn bin(&self, x: f64) -> usize {
        let cell = &self.cells[self.cell(x)];
        if cell.inside > 1 {
            return interval(self.edges, x);
        }
        cell.below as usize + usize::from(x >= cell.edge)
    }

    /// Adds numbers to the counts by interval; gives how many are NaN.
    fn count(&self, numbers: &[f64], counts: &mut [u64]) -> u64 {
        const CHUNK: usize = 256;
        let mut not_numbers = 0;
        // Four counters in turn: the same bin twice in a row does not wait for itself.
        let mut own = [[0u32; MOST_INTERVALS]; 4];
        let mut chunks = numbers.chunks_exact(CHUNK);
        for chunk in &mut chunks {
            // Cells first, on their own and without a branch, so that the processor can do several
            // at once.
            let mut cells = [0u16; CHUNK];
            let mut any_nan = false;
            for (cell, &x) in cells.iter_mut().zip(chunk) {
                *cell = self.cell(x) as u16;
                any_nan |= x.is_nan();
            }
            if self.crowded || any_nan {
                not_numbers += self.count_slowly(chunk, &mut own[0]);
                continue;
            }
            for (cells, numbers) in cells.chunks_exact(4).zip(chunk.chunks_exact(4)) {
                for turn in 0..4 {
                    let cell = &self.cells[cells[turn] as usize % CELLS];
                    let bin = cell.below as u8 + u8::from(numbers[turn] >= cell.edge);
                    own[turn][bin as usize] += 1;
                }
            }
        }
        not_numbers += self.count_slowly(chunks.remainder(), &mut own[0]);
        for own in &own {
            counts
                .iter_mut()
                .zip(&own[..=self.edges.len()])
                .for_each(|(count, own)| *count += u64::from(*own));
        }
        not_numbers
    }

    fn count_slowly(&self, numbers: &[f64], own: &mut [u32; MOST_INTERVALS]) -> u64 {
        let mut not_numbers = 0;
        for &x in numbers {
            if x.is_nan() {
                not_numbers += 1;
            } else {
                own[self.bin(x) % MOST_INTERVALS] += 1;
            }
        }
        not_numbers
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
            points.extend([f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 0.0, -0.0]);
            points.extend(edges.iter().map(|edge| edge.next_down()));
            points.extend(edges.iter().map(|edge| edge.next_up()));
            if let Some(grid) = Grid::new(&edges) {
                points.retain(|x| !x.is_nan());
                for &x in &points {
                    prop_assert_eq!(grid.bin(x), interval(&edges, x), "{} in {:?}", x, edges);
                }
                let mut many = points.clone();
                many.resize(1000, 0.5);
                let (mut fast, mut slow) = (vec![0; edges.len() + 1], vec![0; edges.len() + 1]);
                prop_assert_eq!(grid.count(&many, &mut fast), 0);
                many.iter().for_each(|x| slow[interval(&edges, *x)] += 1);
                prop_assert_eq!(&fast, &slow);
                many.insert(7, f64::NAN);
                prop_assert_eq!(grid.count(&many, &mut fast), 1);
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
