//! Fast intervals of millions of numbers: by table lookup instead of a search.

use crate::witness::count::dyadic_grid::{DyadicGrid, interval};
use std::borrow::Cow;

/// Finds the interval of a number by lookup in a table of equally wide cells instead of a search.
///
/// Exact: the cell of x is a composition of non-decreasing operations (correctly rounded ones, a
/// clamp). An edge in an earlier cell than x is thus at most x, and one in a later cell is above
/// x; only the edges in the same cell are compared with x itself.
pub struct Grid<'a> {
    edges: Cow<'a, [f64]>,
    origin: f64,
    cells_per_unit: f64,
    cells: [Cell; CELLS],
    /// `true` if any cell has more than one edge.
    crowded: bool,
    /// A faster dyadic grid, if all edges are on its marks.
    dyadic_grid: Option<DyadicGrid>,
}

#[derive(Clone, Copy)]
struct Cell {
    below: u32,
    inside: u32,
    /// The one edge in this cell; NaN, which no number reaches, if there is none.
    edge: f64,
}

/// 1024 cells of 16 bytes: 16 KiB, half of a first cache of 32 KiB.
const CELLS: usize = 1024;
/// Numbers whose cells are found before any is counted: 2 KiB, and as much for their places, stay
/// in the first cache.
const CHUNK: usize = 256;
/// Most intervals that are counted in a separate array: their numbers fit into a byte.
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
        // Adding 2^52 rounds a number of this size to an integer, in the lowest bits.
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

    /// Adds numbers to the counts by interval; returns the number of NaNs.
    pub fn count(&self, numbers: &[f64], counts: &mut [u64]) -> u64 {
        let mut not_numbers = 0;
        // Four counters in turn: the same bin twice in a row does not wait for itself.
        let mut own = [[0u32; MOST_INTERVALS]; 4];
        for chunk in numbers.chunks(CHUNK) {
            let any_nan = chunk.iter().fold(false, |any, x| any | x.is_nan());
            match &self.dyadic_grid {
                Some(dyadic_grid) if !any_nan => count_by_places(dyadic_grid, chunk, &mut own),
                None if !any_nan && !self.crowded => self.count_by_cells(chunk, &mut own),
                _ => not_numbers += self.count_slowly(chunk, &mut own[0]),
            }
        }
        for own in &own {
            counts
                .iter_mut()
                .zip(&own[..=self.edges.len()])
                .for_each(|(count, own)| *count += u64::from(*own));
        }
        not_numbers
    }

    /// Computes the cells first, separately and without a branch, so that the processor can do
    /// several at once.
    fn count_by_cells(&self, chunk: &[f64], own: &mut [[u32; MOST_INTERVALS]; 4]) {
        let mut cells = [0u16; CHUNK];
        cells.iter_mut().zip(chunk).for_each(|(cell, x)| *cell = self.cell(*x) as u16);
        for (turn, (cell, x)) in cells.iter().zip(chunk).enumerate() {
            let cell = &self.cells[*cell as usize % CELLS];
            let bin = cell.below as u8 + u8::from(*x >= cell.edge);
            own[turn % 4][bin as usize] += 1;
        }
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

/// Computes the places first, for the same reason.
fn count_by_places(grid: &DyadicGrid, chunk: &[f64], own: &mut [[u32; MOST_INTERVALS]; 4]) {
    let mut places = [0.0; CHUNK];
    places.iter_mut().zip(chunk).for_each(|(place, x)| *place = grid.place(*x));
    let places = &places[..chunk.len()];
    let mut fours = places.chunks_exact(4);
    for four in &mut fours {
        for turn in 0..4 {
            own[turn][grid.interval(four[turn]) as usize] += 1;
        }
    }
    for place in fours.remainder() {
        own[0][grid.interval(*place) as usize] += 1;
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/count/grid.rs"]
pub(crate) mod tests;
