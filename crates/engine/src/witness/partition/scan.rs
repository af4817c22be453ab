//! The most telling box over two to four coordinates: every box of a coarse grid at once, by
//! summed-area tables, then its sides refined at full resolution. A small cell of several
//! coordinates shows next to nothing in any one of them.

use crate::witness::partition::gain::Gain;
use crate::witness::partition::interval::{Interval, Line};
use crate::witness::partition::table::{MISSING, Table, thinned};
use rayon::prelude::*;

/// A grid of cells along each coordinate, and the longest interval in cells.
#[derive(Clone, Copy)]
struct Mesh {
    cells: usize,
    longest: usize,
}

/// Grids over two coordinates, over three, and over four: a coarse one, of .3, .5 and 1.7 million
/// boxes, and a fine one for small boxes, of 1.2, 5.5 and 11.3 million. A processor scans a million
/// in three milliseconds.
const MESHES: [[Mesh; 2]; 3] = [
    [Mesh { cells: 32, longest: 32 }, Mesh { cells: 96, longest: 12 }],
    [Mesh { cells: 12, longest: 12 }, Mesh { cells: 32, longest: 6 }],
    [Mesh { cells: 8, longest: 8 }, Mesh { cells: 16, longest: 4 }],
];
/// Least number of outcomes in a box of the grid. With half of this, [`LUCK`] and the limits below
/// no median of 1-d, 2-d and 4-d falls by more than .02, but one of 20 rare cells in 2-d is lost;
/// with twice by .01 (`cargo bench --bench random -- 200000 even 20`).
const LEAST: f32 = 8.0;
/// Least information of a box: of a hundred boxes one has it by luck (a chi-square of one degree
/// above 2 · 3.3). See [`LEAST`].
const LUCK: f64 = 3.3;
/// Boxes, the best of each grid that do not overlap, whose sides are refined. See [`LEAST`].
const REFINED: usize = 8;
/// Stages of refining: boxes that are refined, the best of the stage before; rounds of moving all
/// sides; and outcomes along a side, about: the last stage has all (`plaudit benchmark --trials 1e5
/// --seeds 3`: along with the limits of telling.rs and grammar/pool.rs they lower the mean of ln ε by less than .001).
const STAGES: [(usize, usize, usize); 3] =
    [(REFINED, 1, 1 << 12), (3, 4, 1 << 14), (1, 2, usize::MAX)];

/// A box: intervals of ranks, by column.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub sides: Vec<(usize, Interval)>,
    pub gain: f64,
}

pub struct Node<'a> {
    pub table: &'a Table,
    pub rows: &'a [u32],
    pub gain: &'a Gain,
}

/// Number of boxes in a scan of these sets of columns.
pub fn boxes_of(sets: &[Vec<usize>], fine: bool) -> f64 {
    let of = |set: &Vec<usize>| -> f64 {
        let along = |mesh: &Mesh| intervals(mesh.cells, mesh.longest).count() as f64;
        meshes(set.len(), fine).iter().map(|mesh| along(mesh).powi(set.len() as i32)).sum()
    };
    sets.iter().map(of).sum()
}

fn meshes(columns: usize, fine: bool) -> &'static [Mesh] {
    &MESHES[columns - 2][..if fine { 2 } else { 1 }]
}

impl Node<'_> {
    /// The best boxes over these sets of columns, refined; with `fine` also smaller ones.
    pub fn boxes(&self, sets: &[Vec<usize>], fine: bool) -> Vec<Found> {
        let of_set = |set: &Vec<usize>| {
            meshes(set.len(), fine).iter().map(|mesh| (set.clone(), *mesh)).collect()
        };
        let scans: Vec<(Vec<usize>, Mesh)> =
            sets.iter().flat_map(|set| -> Vec<_> { of_set(set) }).collect();
        let mut grids: Vec<(usize, usize)> = scans
            .iter()
            .flat_map(|(set, mesh)| set.iter().map(|column| (*column, mesh.cells)))
            .collect();
        grids.sort_unstable();
        grids.dedup();
        let made: Vec<Grid> =
            grids.par_iter().map(|(column, cells)| self.grid(*column, *cells)).collect();
        let scan = |(set, mesh): &(Vec<usize>, Mesh)| {
            let grid = |column: &usize| {
                let at = grids.binary_search(&(*column, mesh.cells));
                &made[at.unwrap_or_default()]
            };
            self.scan(set, &set.iter().map(grid).collect::<Vec<&Grid>>(), mesh.longest)
        };
        let mut found: Vec<Found> = scans.par_iter().flat_map_iter(scan).collect();
        found.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        found.truncate(REFINED);
        for (kept, rounds, most) in STAGES {
            found.truncate(kept);
            found.par_iter_mut().for_each(|found| self.refine(found, rounds, most));
            found.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        }
        found.par_iter_mut().for_each(|found| self.trim(found));
        found
    }

    /// Cells with about equal numbers of outcomes, equal ones in one cell.
    fn grid(&self, column: usize, cells: usize) -> Grid {
        let ranks = &self.table.columns[column].ranks;
        let mut sorted = self.table.columns[column].sorted(self.rows);
        sorted.iter_mut().for_each(|row| *row = ranks[*row as usize]);
        let mut ends: Vec<u32> = (1..=cells)
            .filter_map(|cell| sorted.get((cell * sorted.len() / cells).checked_sub(1)?).copied())
            .collect();
        ends.dedup();
        let cell = |row: &u32| match ranks[*row as usize] {
            MISSING => NO_CELL,
            rank => ends.partition_point(|end| *end < rank) as u8,
        };
        Grid { of: self.rows.iter().map(cell).collect(), ends }
    }

    /// The best boxes of a grid over some columns.
    fn scan(&self, columns: &[usize], grids: &[&Grid], longest: usize) -> Vec<Found> {
        if grids.iter().any(|grid| grid.ends.is_empty()) {
            return Vec::new();
        }
        let table = Summed::of(self, grids);
        let found = |(gain, intervals): (f64, Vec<(usize, usize)>)| {
            let sides = columns.iter().zip(grids).zip(intervals);
            let sides = sides.filter_map(|((column, grid), (from, to))| {
                let all = (from, to) == (0, grid.ends.len());
                let first = if from == 0 { 0 } else { grid.ends[from - 1] + 1 };
                (!all).then_some((*column, Interval { first, last: grid.ends[to - 1], gain }))
            });
            Found { sides: sides.collect(), gain }
        };
        table.best(self.gain, longest).into_iter().map(found).collect()
    }

    /// Outcomes within all sides of a box but one, along that one, about `most` of them at least,
    /// and how many each represents.
    fn along(&self, found: &Found, at: usize, most: usize) -> (Line, f64) {
        let others = found.sides.iter().enumerate().filter(|(other, _)| *other != at);
        let others: Vec<(&[u32], &Interval)> = others
            .map(|(_, (column, side))| (&self.table.columns[*column].ranks[..], side))
            .collect();
        let holds = |row: &u32| {
            others
                .iter()
                .all(|(ranks, side)| (side.first..=side.last).contains(&ranks[*row as usize]))
        };
        let all: Vec<u32> = self.rows.iter().copied().filter(holds).collect();
        let rows = thinned(&all, most);
        let more = all.len() as f64 / rows.len().max(1) as f64;
        (Line::of(&self.table.columns[found.sides[at].0], &self.table.labels, &rows), more)
    }

    /// Cuts off outcomes that belong around a box rather than in it.
    fn trim(&self, found: &mut Found) {
        for at in 0..found.sides.len() {
            let (line, _) = self.along(found, at, usize::MAX);
            found.sides[at].1 = line.trimmed(found.sides[at].1, self.gain);
        }
    }

    /// Moves the sides of a box, one after another, to where it is most informative on about `most`
    /// outcomes, and finds its gain.
    fn refine(&self, found: &mut Found, rounds: usize, most: usize) {
        found.gain = f64::NEG_INFINITY;
        for _ in 0..rounds {
            let before = found.gain;
            for at in 0..found.sides.len() {
                let (line, more) = self.along(found, at, most);
                let gain = self.gain.of_fewer(more);
                if let Some(best) = line.best(&gain)
                    && more * best.gain > found.gain
                {
                    found.gain = more * best.gain;
                    found.sides[at].1 = best;
                }
            }
            if found.gain <= before {
                break;
            }
        }
    }
}

/// The cell of an outcome without the number: a grid has at most 96 cells.
const NO_CELL: u8 = u8::MAX;

struct Grid {
    /// The cell of each outcome of the node.
    of: Vec<u8>,
    /// The last rank of each cell.
    ends: Vec<u32>,
}

/// A summed-area table over some coordinates: of all outcomes, and of the excess of D, its outcomes
/// less their share of all. Single precision is enough to choose boxes to refine.
struct Summed {
    sizes: Vec<usize>,
    /// Sums over all earlier cells, along each coordinate; the last one runs fastest.
    before: Sums,
}

/// Excess of D, and number of outcomes, by cell.
#[derive(Clone)]
struct Sums {
    excess: Vec<f32>,
    all: Vec<f32>,
}

impl Sums {
    fn of(cells: usize) -> Self {
        Self { excess: vec![0.0; cells], all: vec![0.0; cells] }
    }
}

impl Summed {
    fn of(node: &Node<'_>, grids: &[&Grid]) -> Self {
        let sizes: Vec<usize> = grids.iter().map(|grid| grid.ends.len()).collect();
        let mut before = Sums::of(sizes.iter().map(|size| size + 1).product());
        let share = node.gain.share() as f32;
        for (at, row) in node.rows.iter().enumerate() {
            let mut place = 0;
            let mut missing = false;
            for (grid, size) in grids.iter().zip(&sizes) {
                missing |= grid.of[at] == NO_CELL;
                place = place * (size + 1) + usize::from(grid.of[at]) + 1;
            }
            if !missing {
                let is_d = f32::from(u8::from(node.table.labels[*row as usize]));
                before.excess[place] += is_d - share;
                before.all[place] += 1.0;
            }
        }
        for sums in [&mut before.excess, &mut before.all] {
            let mut step = 1;
            for size in sizes.iter().rev() {
                for place in step..sums.len() {
                    // Not the first along this coordinate.
                    if place / step % (size + 1) > 0 {
                        sums[place] += sums[place - step];
                    }
                }
                step *= size + 1;
            }
        }
        Self { sizes, before }
    }

    /// The most telling boxes that do not overlap, roughly: by their first cells and their ends.
    fn best(&self, gain: &Gain, longest: usize) -> Vec<(f64, Vec<(usize, usize)>)> {
        let mut slabs: Vec<Sums> = Vec::new();
        let mut inner = self.before.all.len();
        for size in &self.sizes {
            inner /= size + 1;
            slabs.push(Sums::of(inner));
        }
        let (chosen, best) = (Vec::new(), Vec::new());
        let mut look = Look { gain, longest, chosen, best, least: LUCK };
        look.at((&self.before.excess, &self.before.all), &self.sizes, &mut slabs);
        look.best
    }
}

/// A scan of all boxes of a table.
struct Look<'a> {
    gain: &'a Gain,
    longest: usize,
    /// Intervals of the coordinates so far.
    chosen: Vec<(usize, usize)>,
    /// The best so far that do not overlap, best first.
    best: Vec<(f64, Vec<(usize, usize)>)>,
    least: f64,
}

impl Look<'_> {
    /// Scans all intervals of the first coordinate, and for each all boxes within it, whose table
    /// is the difference of two slabs. For the last coordinate an interval is a box.
    fn at(&mut self, (excess, all): (&[f32], &[f32]), sizes: &[usize], slabs: &mut [Sums]) {
        let [size, rest @ ..] = sizes else { return };
        let Some((slab, others)) = slabs.split_first_mut() else { return };
        if rest.is_empty() {
            (1..=self.longest.min(*size)).for_each(|length| self.along((excess, all), length));
            return;
        }
        let inner = slab.all.len();
        let between = |into: &mut [f32], table: &[f32], (from, to): (usize, usize)| {
            let into = &mut into[..inner];
            let (first, last) = (&table[from * inner..][..inner], &table[to * inner..][..inner]);
            for at in 0..inner {
                into[at] = last[at] - first[at];
            }
        };
        for interval in intervals(*size, self.longest) {
            between(&mut slab.excess, excess, interval);
            between(&mut slab.all, all, interval);
            self.chosen.push(interval);
            self.at((&slab.excess, &slab.all), rest, others);
            self.chosen.pop();
        }
    }

    /// Scans all intervals of one length of the last coordinate: at once whether any is informative enough,
    /// as next to none does.
    fn along(&mut self, (excess, all): (&[f32], &[f32]), length: usize) {
        let count = excess.len() - length;
        let (excess, excess_to) = (&excess[..count], &excess[length..][..count]);
        let (all, all_to) = (&all[..count], &all[length..][..count]);
        let nodes = self.gain.nodes() as f32;
        let tells = |at: usize, least: f32| {
            let (excess, all) = (excess_to[at] - excess[at], all_to[at] - all[at]);
            (excess * excess > least * (all * (nodes - all))) & (all >= LEAST)
        };
        let least = self.gain.least_square(self.least) as f32;
        let mut any = false;
        for at in 0..count {
            any |= tells(at, least);
        }
        if !any {
            return;
        }
        let mut least = least;
        for at in 0..count {
            if tells(at, least) {
                let (excess, all) = (excess_to[at] - excess[at], all_to[at] - all[at]);
                let told = self.gain.of_excess(f64::from(excess), f64::from(all));
                self.keep(told, (at, at + length));
                least = self.gain.least_square(self.least) as f32;
            }
        }
    }

    /// Keeps a box, in the place of those that it overlaps, unless one of them is more informative.
    fn keep(&mut self, told: f64, last: (usize, usize)) {
        let chosen = &self.chosen;
        let overlaps = |other: &[(usize, usize)]| {
            other.iter().zip(chosen.iter().chain([&last])).all(|(a, b)| a.0 < b.1 && b.0 < a.1)
        };
        if self.best.iter().any(|(of, other)| *of >= told && overlaps(other)) {
            return;
        }
        self.best.retain(|(_, other)| !overlaps(other));
        let place = self.best.partition_point(|(of, _)| *of >= told);
        let sides = chosen.iter().copied().chain([last]).collect();
        self.best.insert(place, (told, sides));
        self.best.truncate(REFINED);
        let least = if self.best.len() == REFINED { self.best[REFINED - 1].0 } else { 0.0 };
        self.least = least.max(LUCK);
    }
}

/// Intervals of at most `longest` cells.
fn intervals(cells: usize, longest: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..cells)
        .flat_map(move |from| (from + 1..=cells.min(from + longest)).map(move |to| (from, to)))
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/partition/scan.rs"]
mod tests;
