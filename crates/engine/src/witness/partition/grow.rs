//! Growth of a partition: the most promising leaf is split next, while a split pays its price.
//!
//! The gain of a split is the log-likelihood ratio of the labels, separated by the box, to the
//! labels of the node. The best of many boxes also gains by luck: a split must gain more than the
//! logarithm of their number and two nats for each pair of sides (Rissanen 1983 has the idea: the
//! cost of naming the box). At half of that price a partition is mostly luck.

use crate::witness::partition::boxes::{Branch, Partition, Side};
use crate::witness::partition::gain::Gain;
use crate::witness::partition::interval::{Interval, Line};
use crate::witness::partition::scan::{Node, boxes_of};
use crate::witness::partition::simplest::simplest;
use crate::witness::partition::table::{Column, Table, thinned};
use rayon::prelude::*;

/// Most leaves. With half of this and the other limits here no median of 2-d and 4-d changes by
/// more than .02, but one of 20 rare cells in 4-d is lost, and mixed 4-d takes .5 of the time; with
/// twice by .01, and 1.7 (`cargo bench --bench random -- 200000 even 20`).
const MOST_LEAVES: usize = 96;
/// Nats that each pair of sides of a box must gain beyond the cost of naming the box. (`cargo bench
/// --bench random`, even seeds: at 0 rare cells are missed more often, at 4 partitions have fewer
/// leaves than they could.)
const OF_A_SIDE: f64 = 2.0;
/// Additional nats that a box over several coordinates must gain: half changes no median of 2-d and
/// 4-d, twice lowers smooth 2-d by .02 (`cargo bench --bench random -- 200000 even 20`).
const OF_A_BOX: f64 = 3.0;
/// Fewest outcomes of a node that is split: twice the least of an interval. See [`MOST_LEAVES`].
const LEAST: usize = 16;
/// Deepest split with a search for boxes over several coordinates: at most seven nodes. See
/// [`MOST_LEAVES`], where 2 and 4 stand for half and twice.
const DEEPEST_SCAN: usize = 3;
/// Number of columns, the most telling of those that stand for themselves, whose pairs, triples,
/// and sets of four are all scanned: 15, 4 and 1 sets, coarse ones of 4.2, 1.9 and 1.7 million
/// boxes. See [`MOST_LEAVES`], half is three for each, twice is 12, 6 and 4.
const MOST_SCANNED: [usize; 3] = [6, 4, 4];
/// Number of most telling columns of any kind whose pairs are all scanned: 6 more sets, 1.7 million
/// boxes. See [`MOST_LEAVES`].
const MOST_MIXED: usize = 4;
/// Neighboring columns with all pairs scanned: 6.7 million boxes. See [`MOST_LEAVES`].
const MOST_NEIGHBORS: usize = 24;
/// Most columns that are examined below the root: the most telling. See [`MOST_LEAVES`].
const MOST_COLUMNS: usize = 16;
/// Deepest nodes with a search for small boxes: below, all are small. At most three nodes. See
/// [`MOST_LEAVES`], where 1 and 3 stand for half and twice.
const DEEPEST_FINE: usize = 2;
/// Most numbers that stand for themselves with a search for small boxes: four have 46 million boxes
/// for each node, more have too many. See [`MOST_LEAVES`] (half alone).
const MOST_FINE: usize = 4;
/// Most numbers that are looked at for the best intervals of a node's columns, those of the most
/// telling column apart. Not tuned: of four columns 2^17 outcomes, of 24 some 2^14.
const MOST_LOOKED_AT: usize = 1 << 19;
/// Fewest outcomes of a node that is scanned. See [`MOST_LEAVES`].
const LEAST_SCANNED: usize = 200;

/// Sides of a box, by column.
type Sides = Vec<(usize, Interval)>;

struct Leaf {
    rows: Vec<u32>,
    depth: usize,
    /// The best box, and its gain beyond its price.
    best: Option<(Sides, f64)>,
}

/// A node of the growing partition.
enum Grown {
    Leaf(Leaf),
    Split { sides: Sides, inside: usize, outside: usize },
}

/// The partition of labelled outcomes, if any split pays its price. With `fine`, also searches for
/// smaller boxes, if few numbers stand for themselves.
pub fn grow(table: &Table, fine: bool) -> Option<Partition> {
    let itself = |column: &Column| column.of.stands_for_itself();
    let fine = fine && table.columns.len() <= MOST_FINE && table.columns.iter().all(itself);
    let mut growth = Growth { table, fine, columns: (0..table.columns.len()).collect() };
    let rows: Vec<u32> = (0..table.labels.len() as u32).collect();
    let by_gain = growth.intervals(&rows);
    let root = Leaf { best: growth.best_split(&rows, 0, &by_gain), rows, depth: 0 };
    if by_gain.len() > MOST_COLUMNS {
        growth.columns = by_gain[..MOST_COLUMNS].iter().map(|(column, _)| *column).collect();
        growth.columns.sort_unstable();
    }
    let mut nodes = vec![Grown::Leaf(root)];
    let mut leaves = 1;
    while leaves < MOST_LEAVES {
        let surplus = |node: &Grown| match node {
            Grown::Leaf(Leaf { best: Some((_, surplus)), .. }) => *surplus,
            _ => f64::NEG_INFINITY,
        };
        let best =
            (0..nodes.len()).max_by(|a, b| surplus(&nodes[*a]).total_cmp(&surplus(&nodes[*b])))?;
        let next = nodes.len();
        let (inside, outside) = (next, next + 1);
        let Grown::Leaf(Leaf { rows, depth, best: Some((sides, _)) }) = &nodes[best] else { break };
        let is_inside = |row: &u32| {
            let holds = |(column, side): &(usize, Interval)| {
                (side.first..=side.last).contains(&table.columns[*column].ranks[*row as usize])
            };
            sides.iter().all(holds)
        };
        let (yes, no): (Vec<u32>, Vec<u32>) = rows.iter().copied().partition(is_inside);
        let (sides, depth) = (sides.clone(), depth + 1);
        let (yes, no) = rayon::join(|| growth.leaf(yes, depth), || growth.leaf(no, depth));
        nodes[best] = Grown::Split { sides, inside, outside };
        nodes.extend([Grown::Leaf(yes), Grown::Leaf(no)]);
        leaves += 1;
    }
    (leaves > 1).then(|| frozen(table, &nodes))
}

struct Growth<'a> {
    table: &'a Table,
    fine: bool,
    columns: Vec<usize>,
}

impl Growth<'_> {
    /// A leaf with its best split.
    fn leaf(&self, rows: Vec<u32>, depth: usize) -> Leaf {
        let best = self.best_split(&rows, depth, &self.intervals(&rows));
        Leaf { rows, depth, best }
    }

    /// Price of a column among those that were tried for it.
    fn price(&self, column: usize) -> f64 {
        (self.table.columns[column].tried.max(self.table.columns.len()) as f64).ln()
    }

    /// The best interval of each column, the most telling first. Of many columns, all but the most
    /// telling are examined on some of the outcomes.
    fn intervals(&self, rows: &[u32]) -> Vec<(usize, Interval)> {
        let some = thinned(rows, MOST_LOOKED_AT / self.columns.len().max(1));
        let best = |column: usize, rows: &[u32]| {
            let gain = Gain::of(self.table.labels_of(rows));
            let line = Line::of(&self.table.columns[column], &self.table.labels, rows);
            line.best(&gain).map(|interval| (column, line.trimmed(interval, &gain)))
        };
        let more = rows.len() as f64 / some.len().max(1) as f64;
        let surplus = |(column, interval): &(usize, Interval)| interval.gain - self.price(*column);
        let all = self.columns.par_iter().filter_map(|column| best(*column, &some));
        let scaled = all.map(|(column, interval)| {
            (column, Interval { gain: more * interval.gain, ..interval })
        });
        let mut all: Vec<_> = scaled.collect();
        all.sort_by(|a, b| surplus(b).total_cmp(&surplus(a)));
        if more > 1.0
            && let Some(first) = all.first_mut()
            && let Some(found) = best(first.0, rows)
        {
            *first = found;
        }
        all
    }

    /// The box that gains most beyond its price, if any does.
    fn best_split(
        &self,
        rows: &[u32],
        depth: usize,
        by_gain: &[(usize, Interval)],
    ) -> Option<(Sides, f64)> {
        let table = self.table;
        let fine = self.fine && depth < DEEPEST_FINE;
        let labels = table.labels_of(rows);
        if rows.len() < LEAST || labels.d < 1.0 || labels.d_prime < 1.0 {
            return None;
        }
        let price = (rows.len() as f64).ln() + OF_A_SIDE;
        let best = by_gain.first().map(|best| {
            let price = price + self.price(best.0);
            (vec![*best], best.1.gain - price)
        });
        let boxes = if depth < DEEPEST_SCAN && rows.len() >= LEAST_SCANNED {
            let tell_most: Vec<usize> = by_gain.iter().map(|(column, _)| *column).collect();
            let sets = sets(table, fine, &tell_most);
            let scanned = boxes_of(&sets, fine).max(1.0).ln();
            let gain = Gain::of(labels);
            let node = Node { table, rows, gain: &gain };
            let priced = node.boxes(&sets, fine).into_iter().map(|found| {
                let price = scanned + OF_A_SIDE * found.sides.len() as f64 + OF_A_BOX;
                (found.sides, found.gain - price)
            });
            priced.collect()
        } else {
            Vec::new()
        };
        let all = best.into_iter().chain(boxes).filter(|(_, surplus)| *surplus > 0.0);
        all.max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// Sets of columns, given the most telling ones first, over which boxes are searched.
fn sets(table: &Table, fine: bool, tell_most: &[usize]) -> Vec<Vec<usize>> {
    let itself = |column: &usize| table.columns[*column].of.stands_for_itself();
    let themselves: Vec<usize> = tell_most.iter().copied().filter(itself).collect();
    let mut all = Vec::new();
    for (size, most) in (2..).zip(MOST_SCANNED).take(if fine { 3 } else { 2 }) {
        let mut some = themselves[..themselves.len().min(most)].to_vec();
        some.sort_unstable();
        all.extend(subsets(&some, size));
    }
    let mut mixed = tell_most[..tell_most.len().min(MOST_MIXED)].to_vec();
    mixed.sort_unstable();
    all.extend(subsets(&mixed, 2));
    let mut in_order = themselves;
    in_order.sort_unstable();
    all.extend(in_order.windows(2).take(MOST_NEIGHBORS).map(<[usize]>::to_vec));
    all.sort_unstable();
    all.dedup();
    all
}

/// All sets of this size, ascending.
fn subsets(of: &[usize], size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let with = |at: usize| {
        let rest = subsets(&of[at + 1..], size - 1).into_iter();
        rest.map(move |rest| std::iter::once(of[at]).chain(rest).collect())
    };
    (0..of.len()).flat_map(with).collect()
}

/// The frozen partition, with numbers for ranks, and its coordinates.
fn frozen(table: &Table, nodes: &[Grown]) -> Partition {
    let mut used: Vec<usize> = nodes
        .iter()
        .flat_map(|node| match node {
            Grown::Split { sides, .. } => sides.iter().map(|(column, _)| *column).collect(),
            Grown::Leaf(_) => Vec::new(),
        })
        .collect();
    used.sort_unstable();
    used.dedup();
    let mut leaves = 0;
    let branch = |node: &Grown| match node {
        Grown::Leaf(_) => {
            leaves += 1;
            Branch::Leaf(leaves - 1)
        }
        Grown::Split { sides, inside, outside } => {
            let side = |(column, interval): &(usize, Interval)| {
                let levels = &table.columns[*column].levels;
                let edge = |rank: usize| match rank {
                    0 => f64::NEG_INFINITY,
                    rank if rank < levels.len() => simplest(levels[rank - 1], levels[rank]),
                    _ => f64::INFINITY,
                };
                let (from, below) =
                    (edge(interval.first as usize), edge(interval.last as usize + 1));
                Side { coordinate: used.binary_search(column).unwrap_or_default(), from, below }
            };
            Branch::Box {
                sides: sides.iter().map(side).collect(),
                inside: *inside,
                outside: *outside,
            }
        }
    };
    let nodes = nodes.iter().map(branch).collect();
    let coordinates = used.iter().map(|column| table.columns[*column].of.clone()).collect();
    Partition { coordinates, nodes }
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/partition/grow.rs"]
mod tests;
