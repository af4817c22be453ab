//! Finding the intervals of millions of numbers: by a look into a table instead of a search.

use crate::witness::count::dyadic_grid::{DyadicGrid, interval};
use std::borrow::Cow;

/// Finds the interval of a number by a look into a table of equally wide cells instead of a
/// search.
///
/// Exact: the cell of x is a composition of non-decreasing operations (correctly rounded ones, a
/// clamp). An edge in an earlier cell than x is thus at most x, and one in a later cell is above
/// x; only the edges in the same cell are compared with x itself.
pub struct Grid<'a> {
    edges: Cow<'a, [f64]>,
    origin: f64,
    cells_per_unit: f64,
    cells: [Cell; CELLS],
    /// Whether any cell has more than one edge.
    crowded: bool,
    /// A dyadic grid, if all edges lie on its marks: faster.
    dyadic_grid: Option<DyadicGrid>,
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
pub const MOST_INTERVALS: usize = 256;

impl<'a> Grid<'a> {
    /// A grid for these edges, ascending, if they allow one.
    pub fn new(edges: impl Into<Cow<'a, [f64]>>) -> Option<Self> {
        let edges = edges.into();
        let finite = || edges.iter().copied().filter(|edge| edge.is_finite());
        let (origin, last) = (finite().next()?, finite().next_back()?);
        let cells_per_unit = (CELLS - 2) as f64 / (last - origin);
        let possible = cells_per_unit.is_finite() && cells_per_unit > 0.0;
        if !possible || edges.len() >= MOST_INTERVALS {
            return None;
        }
        let empty = Cell { below: 0, inside: 0, edge: f64::NAN };
        let cells = [empty; CELLS];
        let dyadic_grid = DyadicGrid::new(&edges);
        let mut grid = Self { edges, origin, cells_per_unit, cells, crowded: false, dyadic_grid };
        for at in 0..grid.edges.len() {
            let edge = grid.edges[at];
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
    pub fn bin(&self, x: f64) -> usize {
        let cell = &self.cells[self.cell(x)];
        if cell.inside > 1 {
            return interval(&self.edges, x);
        }
        cell.below as usize + usize::from(x >= cell.edge)
    }

    /// Adds numbers to the counts by interval; gives how many are NaN.
    pub fn count(&self, numbers: &[f64], counts: &mut [u64]) -> u64 {
        const CHUNK: usize = 256;
        let mut not_numbers = 0;
        // Four counters in turn: the same bin twice in a row does not wait for itself.
        let mut own = [[0u32; MOST_INTERVALS]; 4];
        let mut chunks = numbers.chunks_exact(CHUNK);
        for chunk in &mut chunks {
            if let Some(dyadic_grid) = &self.dyadic_grid {
                let mut places = [0u16; CHUNK];
                let mut any_nan = false;
                for (place, &x) in places.iter_mut().zip(chunk) {
                    *place = dyadic_grid.place(x);
                    any_nan |= x.is_nan();
                }
                if any_nan {
                    not_numbers += self.count_slowly(chunk, &mut own[0]);
                    continue;
                }
                for places in places.chunks_exact(4) {
                    for turn in 0..4 {
                        own[turn][dyadic_grid.interval(places[turn]) as usize] += 1;
                    }
                }
                continue;
            }
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
#[path = "../../../tests/unit/witness/count/grid.rs"]
pub(crate) mod tests;
