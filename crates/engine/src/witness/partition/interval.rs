//! The most telling interval of one coordinate, found over all scales on prefix sums of the labels.

use crate::witness::partition::gain::{Fraction, Gain, Labels};
use crate::witness::partition::table::Column;
use std::ops::Range;

/// Fewest outcomes of a candidate interval. With half of this and the other limits here, but
/// [`STEPS`], no median of 1-d, 2-d and 4-d falls, in .8 to .9 of the time, and with twice by more
/// than .01, in 1.1 to 1.3 (`cargo bench --bench random -- 200000 even 20`).
const LEAST: usize = 8;
/// Ratio of consecutive lengths. For 2 and 1.25, with half and twice of the others, see [`LEAST`].
const SCALE: f64 = 1.5;
/// Divisor of a length that gives the shift between its intervals. See [`LEAST`].
const SHIFTS: usize = 8;
/// Intervals, each the best of its length, whose ends are refined. See [`LEAST`].
const REFINED: usize = 8;
/// Number of those that are refined until their ends stay. For 1 and 6 see [`LEAST`].
const FINISHED: usize = 3;
/// Steps along an interval by which its ends are moved first (`cargo bench --bench random`, even
/// seeds: no median differs by more than .01 from that of trying all places).
const STEPS: usize = 64;
/// Rounds of moving both ends. See [`LEAST`].
const ROUNDS: usize = 6;

/// Level of an end in its law: the probability that outcomes beyond it are around the interval.
/// Outcomes around a rare part cost the bound several times what more of the part would add (`cargo
/// bench --bench random`, even seeds: .1, .25 and .5 differ by less than .04, and ends where the
/// likelihood is largest are .06 below at 10^6).
const LEVEL: f64 = 0.2;

/// Range of ranks of a coordinate, with both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub first: u32,
    pub last: u32,
    pub gain: f64,
}

/// Outcomes along a coordinate: the number of each label before each group of equal ones.
pub struct Line {
    ranks: Vec<u32>,
    before: Vec<Labels>,
}

impl Line {
    /// Line of these outcomes, without those that lack the number.
    pub fn of(column: &Column, labels: &[bool], rows: &[u32]) -> Self {
        let sorted = column.sorted(rows);
        let rank = |row: &u32| column.ranks[*row as usize];
        let mut ranks = Vec::with_capacity(sorted.len());
        let mut before = Vec::with_capacity(sorted.len() + 1);
        before.push(Labels::default());
        let mut sum = Labels::default();
        for group in sorted.chunk_by(|a, b| rank(a) == rank(b)) {
            let d = group.iter().filter(|row| labels[**row as usize]).count() as f64;
            sum = Labels { d: sum.d + d, d_prime: sum.d_prime + group.len() as f64 - d };
            ranks.push(rank(&group[0]));
            before.push(sum);
        }
        Self { ranks, before }
    }

    fn groups(&self) -> usize {
        self.ranks.len()
    }

    /// Labels of the groups from `from` to before `to`.
    fn part(&self, from: usize, to: usize) -> Labels {
        self.before[to].less(self.before[from])
    }

    /// For each number of outcomes, the first group that begins after as many.
    fn groups_after(&self) -> Vec<u32> {
        let mut after = Vec::with_capacity(self.before[self.groups()].all() as usize + 1);
        for (group, before) in self.before.iter().enumerate() {
            while after.len() as f64 <= before.all() {
                after.push(group as u32);
            }
        }
        after
    }

    fn interval(&self, (from, to): (usize, usize), gain: &Gain) -> Interval {
        let [first, last] = [from, to - 1].map(|at| self.ranks[at]);
        Interval { first, last, gain: gain.exact(self.part(from, to)) }
    }

    /// The most telling interval of a node with this gain, if there is one.
    pub fn best(&self, gain: &Gain) -> Option<Interval> {
        let groups = self.groups();
        if groups == 0 {
            return None;
        }
        let rough = |(from, to): (usize, usize)| gain.rough(self.part(from, to));
        let told = |(from, to): (usize, usize)| gain.fraction(self.part(from, to));
        let half_lines = (1..groups).flat_map(|at| [(0, at), (at, groups)]).chain([(0, groups)]);
        let best_half = best_by(half_lines, told)?;
        let after = self.groups_after();
        let mut by_length: Vec<(usize, usize)> = Vec::new();
        let all = after.len() - 1;
        let mut length = gain.fewest().max(LEAST as f64);
        while length < all as f64 {
            let long = length as usize;
            let starts = (0..=all - long).step_by((long / SHIFTS).max(1));
            let shifted = starts.map(|start| {
                let from = after[start] as usize;
                let end = (self.before[from].all() as usize + long).min(all);
                (from, (after[end] as usize).max(from + 1))
            });
            by_length.extend(best_by(shifted.filter(|(_, to)| *to <= groups), told));
            length *= SCALE;
        }
        let best_first = |intervals: &mut Vec<(usize, usize)>, most: usize| {
            intervals.sort_by(|a, b| rough(*b).total_cmp(&rough(*a)));
            intervals.dedup();
            intervals.truncate(most);
        };
        best_first(&mut by_length, REFINED);
        by_length.iter_mut().for_each(|interval| *interval = self.refined(*interval, 1, told));
        best_first(&mut by_length, FINISHED);
        let refined = by_length.into_iter().map(|interval| self.refined(interval, ROUNDS, told));
        let wider = refined.flat_map(|(from, to)| [(from, to), (0, to), (from, groups)]);
        // An end that need not be found costs nothing: outcomes beyond a few may be more frequent.
        let ends = |(from, to): (usize, usize)| usize::from(from > 0) + usize::from(to < groups);
        let of_an_end = 0.5 * (all.max(1) as f64).ln();
        let found = wider
            .chain([best_half, (0, groups)])
            .map(|interval| (self.interval(interval, gain), of_an_end * ends(interval) as f64));
        let best =
            found.max_by(|(a, cost), (b, other)| (a.gain - cost).total_cmp(&(b.gain - other)));
        best.map(|(interval, _)| interval)
    }

    /// An interval with its ends moved inwards to the safe side: each end has a law, given the
    /// labels and that all outcomes are equally likely as ends, and moves to this level of it from
    /// within. It pays its price by its earlier gain.
    pub fn trimmed(&self, of: Interval, gain: &Gain) -> Interval {
        let from = self.ranks.partition_point(|rank| *rank < of.first);
        let to = self.ranks.partition_point(|rank| *rank <= of.last);
        if from >= to {
            return of;
        }
        let one = gain.of_one(self.part(from, to));
        let inside = |(from, to): (usize, usize)| {
            let part = self.part(from, to);
            part.d * one.d + part.d_prime * one.d_prime
        };
        let (middle, reach) = (from.midpoint(to), to - from);
        // An end at the limit of the outcomes was not searched for.
        let first = (from > 0).then(|| {
            let ends = (from.saturating_sub(reach)..=middle).rev();
            at_level(ends.map(|at| (at, inside((at, middle)))))
        });
        let last = (to < self.groups()).then(|| {
            let ends = middle + 1..=(to + reach).min(self.groups());
            at_level(ends.map(|at| (at, inside((middle, at)))))
        });
        let ends = (first.unwrap_or(from).max(from), last.unwrap_or(to).min(to));
        Interval { gain: of.gain, ..self.interval(ends, gain) }
    }

    /// An interval with its ends moved, one after the other, to where it is most informative.
    fn refined(
        &self,
        (mut from, mut to): (usize, usize),
        rounds: usize,
        told: impl Fn((usize, usize)) -> Fraction,
    ) -> (usize, usize) {
        for _ in 0..rounds {
            let before = (from, to);
            let reach = 2 * (to - from).max(LEAST);
            let starts = from.saturating_sub(reach)..to;
            from = best_end(starts, (to - from) / STEPS, |from| told((from, to)));
            let ends = from + 1..(to + reach).min(self.groups()) + 1;
            to = best_end(ends, (to - from) / STEPS, |to| told((from, to)));
            if (from, to) == before {
                break;
            }
        }
        (from, to)
    }
}

/// The place at [`LEVEL`] of a law, of places with log-likelihoods.
fn at_level(places: impl Iterator<Item = (usize, f64)> + Clone) -> usize {
    let most = places.clone().map(|(_, likelihood)| likelihood).fold(f64::NEG_INFINITY, f64::max);
    let weight = |likelihood: f64| (likelihood - most).exp();
    let all: f64 = places.clone().map(|(_, likelihood)| weight(likelihood)).sum();
    let mut sum = 0.0;
    let found = places.into_iter().find(|(_, likelihood)| {
        sum += weight(*likelihood);
        sum >= LEVEL * all
    });
    found.map_or(0, |(place, _)| place)
}

/// The best of some places: first at every `step`-th, then next to the best of these.
fn best_end(places: Range<usize>, step: usize, told: impl Fn(usize) -> Fraction) -> usize {
    let told = |(at, _): (usize, usize)| told(at);
    let pair = |at| (at, at);
    let near = if step < 2 {
        places
    } else {
        let about = best_by(places.clone().step_by(step).map(pair), told).map_or(0, |(at, _)| at);
        about.saturating_sub(step).max(places.start)..(about + step).min(places.end)
    };
    best_by(near.map(pair), told).map_or(0, |(at, _)| at)
}

fn best_by(
    all: impl Iterator<Item = (usize, usize)>,
    told: impl Fn((usize, usize)) -> Fraction,
) -> Option<(usize, usize)> {
    let mut best = (Fraction { of: -1.0, over: 1.0 }, None);
    for interval in all {
        let told = told(interval);
        // Products, since quotients take several times as long.
        if told.of * best.0.over >= best.0.of * told.over {
            best = (told, Some(interval));
        }
    }
    best.1
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/partition/interval.rs"]
mod tests;
