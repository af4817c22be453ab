//! The frozen partition: boxes within and next to one another.

use crate::mechanism::OutcomeRef;
use crate::witness::coordinate::statistic::Statistic;
use plaudit_accountant::number;
use serde::{Deserialize, Serialize};

/// Most coordinates of a partition's boxes. Their numbers are 512 bytes for each outcome.
pub const MOST_COORDINATES: usize = 64;
/// Most nodes: explore makes 191, of 96 leaves. Limits the cost of a certificate.
const MOST_NODES: usize = 1024;
/// Most pairs of sides of a box: explore makes four. Limits the cost of a certificate.
const MOST_SIDES: usize = 8;
/// Boxes that shorten a leaf's intervals in words. Limits the cost of a certificate.
const MOST_CUTS: usize = 32;
/// Largest number of sides of boxes in a condition on the outside of them.
const MOST_TOLD: usize = 6;

/// Boxes within and next to one another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Partition {
    pub coordinates: Vec<Statistic>,
    /// From the root at 0. The children of a node follow it, and each node has one parent. Leaves
    /// are bins in this order.
    pub nodes: Vec<Branch>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Branch {
    Leaf(usize),
    Box {
        sides: Vec<Side>,
        /// The node of outcomes in the box.
        inside: usize,
        outside: usize,
    },
}

/// A coordinate is at least `from` and less than `below`. A missing one is in no interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    pub coordinate: usize,
    #[serde(with = "number::one")]
    pub from: f64,
    /// Exclusive upper end; ∞ excludes nothing, not even ∞ itself.
    #[serde(with = "number::one")]
    pub below: f64,
}

impl Side {
    fn holds(&self, numbers: &[f64]) -> bool {
        let number = numbers[self.coordinate];
        // NaN is in no interval.
        number >= self.from && (number < self.below || self.below == f64::INFINITY)
    }
}

impl Partition {
    /// Number of leaves, which is the number of bins.
    pub fn bins(&self) -> usize {
        self.nodes.len() / 2 + 1
    }

    pub fn bin(&self, outcome: &OutcomeRef<'_>) -> usize {
        let mut numbers = [f64::NAN; MOST_COORDINATES];
        for (number, coordinate) in numbers.iter_mut().zip(&self.coordinates) {
            *number = coordinate.read(outcome.clone()).unwrap_or(f64::NAN);
        }
        self.leaf(&numbers)
    }

    fn leaf(&self, numbers: &[f64]) -> usize {
        let mut place = 0;
        loop {
            match &self.nodes[place] {
                Branch::Leaf(bin) => return *bin,
                Branch::Box { sides, inside, outside } => {
                    let is_inside = sides.iter().all(|side| side.holds(numbers));
                    place = if is_inside { *inside } else { *outside };
                }
            }
        }
    }

    /// For a partition by one number: that number, the edges, ascending and finite, and the leaf of
    /// each interval between them.
    pub fn line(&self) -> Option<(&Statistic, Vec<f64>, Vec<usize>)> {
        let [of] = &self.coordinates[..] else { return None };
        let sides = self.nodes.iter().flat_map(|node| match node {
            Branch::Box { sides, .. } => &sides[..],
            Branch::Leaf(_) => &[],
        });
        let ends = sides.flat_map(|side| [side.from, side.below]);
        let mut edges: Vec<f64> = ends.filter(|edge| edge.is_finite()).collect();
        edges.sort_unstable_by(f64::total_cmp);
        edges.dedup();
        let firsts = std::iter::once(f64::NEG_INFINITY).chain(edges.iter().copied());
        let leaves = firsts.map(|first| self.leaf(&[first])).collect();
        Some((of, edges, leaves))
    }

    /// The leaf of outcomes without any of the numbers.
    pub fn without_numbers(&self) -> usize {
        self.leaf(&[f64::NAN; MOST_COORDINATES])
    }

    /// `true` if explore could have made it; a certificate read from a file may hold anything.
    pub fn is_sound(&self) -> bool {
        let nodes = self.nodes.len();
        let is_box = |node: &Branch| matches!(node, Branch::Box { .. });
        let mut named = vec![0; nodes];
        let mut leaves = 0;
        for (at, node) in self.nodes.iter().enumerate() {
            match node {
                Branch::Leaf(bin) => {
                    if *bin != leaves {
                        return false;
                    }
                    leaves += 1;
                }
                Branch::Box { sides, inside, outside } => {
                    let side = |side: &Side| {
                        side.coordinate < self.coordinates.len() && side.from < side.below
                    };
                    if !((1..=MOST_SIDES).contains(&sides.len()) && sides.iter().all(side)) {
                        return false;
                    }
                    for next in [*inside, *outside] {
                        if next <= at || next >= nodes {
                            return false;
                        }
                        named[next] += 1;
                    }
                }
            }
        }
        (1..=MOST_NODES).contains(&nodes)
            && self.coordinates.len() <= MOST_COORDINATES
            && self.coordinates.iter().all(|of| !matches!(of, Statistic::KeyTerms(_)))
            && named[1..].iter().all(|times| *times == 1)
            && 2 * self.nodes.iter().filter(|node| is_box(node)).count() + 1 == nodes
    }

    /// Each leaf in words, with its interval of a number if it has one.
    pub fn leaf_words(&self) -> Vec<String> {
        let mut words = vec![String::new(); self.bins()];
        let mut left = vec![(0, Vec::<&Side>::new(), Vec::<&[Side]>::new())];
        while let Some((place, inside, outside)) = left.pop() {
            match &self.nodes[place] {
                Branch::Leaf(bin) => words[*bin] = self.words_of(&inside, &outside),
                Branch::Box { sides, inside: yes, outside: no } => {
                    let without = outside.iter().copied().chain([&sides[..]]).collect();
                    left.push((*no, inside.clone(), without));
                    left.push((*yes, inside.into_iter().chain(sides).collect(), outside));
                }
            }
        }
        words
    }

    /// "1 <= entry 0 < 2 and not (entry 3 < 0)".
    fn words_of(&self, inside: &[&Side], outside: &[&[Side]]) -> String {
        let mut all: Vec<Side> = Vec::new();
        for side in inside {
            match all.iter_mut().find(|known| known.coordinate == side.coordinate) {
                Some(known) => {
                    known.from = known.from.max(side.from);
                    known.below = known.below.min(side.below);
                }
                None => all.push((*side).clone()),
            }
        }
        let outside = Self::without_what_follows(&mut all, outside);
        let mut words: Vec<String> = all.iter().map(|side| self.side_words(side)).collect();
        if outside.iter().map(|sides| sides.len()).sum::<usize>() <= MOST_TOLD {
            words.extend(outside.iter().map(|sides| {
                let sides: Vec<String> = sides.iter().map(|side| self.side_words(side)).collect();
                format!("not ({})", sides.join(" and "))
            }));
        } else {
            words.push(format!("not in any of {} boxes of the certificate", outside.len()));
        }
        match words.is_empty() {
            true => "anything".to_owned(),
            false => words.join(" and "),
        }
    }

    /// The boxes that are left out, as far as the intervals do not imply that: without boxes that they do not meet, and
    /// without sides in which they are. What a box cuts off an interval shortens that.
    fn without_what_follows(all: &mut [Side], outside: &[&[Side]]) -> Vec<Vec<Side>> {
        let mut left: Vec<Vec<Side>> = outside.iter().map(|sides| sides.to_vec()).collect();
        let mut places = [None; MOST_COORDINATES];
        for (at, side) in all.iter().enumerate() {
            places[side.coordinate] = Some(at);
        }
        for _ in 0..MOST_CUTS {
            let known = |of: &Side| places[of.coordinate].map(|at: usize| &all[at]);
            let misses = |side: &Side| {
                known(side).is_some_and(|it| side.below <= it.from || side.from >= it.below)
            };
            let holds = |side: &Side| {
                known(side).is_some_and(|it| side.from <= it.from && side.below >= it.below)
            };
            left.retain(|sides| !sides.iter().any(misses));
            for sides in left.iter_mut().filter(|sides| !sides.iter().all(holds)) {
                sides.retain(|side| !holds(side));
            }
            // All of what is below or above an edge.
            let cuts_off = |side: &Side| {
                known(side).is_some_and(|it| (side.from <= it.from) != (side.below >= it.below))
            };
            let cut = left.iter().position(|sides| matches!(&sides[..], [one] if cuts_off(one)));
            let Some(cut) = cut else { break };
            let side = left.remove(cut).remove(0);
            let at = places[side.coordinate].expect("an interval");
            if side.from <= all[at].from {
                all[at].from = side.below;
            } else {
                all[at].below = side.from;
            }
        }
        left
    }

    fn side_words(&self, Side { coordinate, from, below }: &Side) -> String {
        let name = self.coordinates[*coordinate].words();
        let number = number::words;
        match (*from == f64::NEG_INFINITY, *below == f64::INFINITY) {
            _ if *below == from.next_up() => format!("{name} = {}", number(*from)),
            (true, true) => format!("{name} is a number"),
            (true, false) => format!("{name} < {}", number(*below)),
            (false, true) => format!("{name} >= {}", number(*from)),
            (false, false) => {
                format!("{} <= {name} < {}", number(*from), number(*below))
            }
        }
    }

    /// The coordinates in words.
    pub fn words(&self) -> String {
        let names: Vec<String> = self.coordinates.iter().map(Statistic::words).collect();
        format!("boxes of {}", names.join(", "))
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/partition/boxes.rs"]
mod tests;
