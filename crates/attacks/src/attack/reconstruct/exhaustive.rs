//! All tables at once, against all answers.
//!
//! How far a table c is from the answers is max over S of c(S) − a(S), and the same downward. As c(S) = Σ c_i S_i, the
//! maximum over S is one over S_1, then over S_2, …, and each step serves all tables: for each i the two halves x, y
//! (S_i = 0 and 1) of an array become max(x, y) where c_i = 0, and max(x, y + 1) where c_i = 1. Instead of the 4^n pairs of a
//! table and a query these are n·2^n steps, in place. Subsets that were not asked are −∞ there.

use rayon::prelude::*;

/// Longer arrays are shared among threads.
const ALONE: usize = 1 << 14;

/// Result for all tables of n people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fitting {
    /// The first of the tables that fit best, as a number.
    pub best: u64,
    /// Distance from the answer that it fits worst.
    pub misfit: f64,
    /// Tables within the bound of all answers.
    pub survivors: u64,
    /// The largest number of places in which one of them differs from the truth.
    pub farthest: u32,
}

#[derive(Clone, Debug)]
pub(super) struct SubsetQueries {
    /// −(the least answer), −∞ without an answer.
    over: Vec<f64>,
    /// −(the largest answer), +∞ without an answer.
    under: Vec<f64>,
}

impl SubsetQueries {
    /// Empty state for `entries` people.
    pub(super) fn nothing(entries: usize) -> Self {
        let over = vec![f64::NEG_INFINITY; 1 << entries];
        let under = vec![f64::INFINITY; 1 << entries];
        Self { over, under }
    }

    pub(super) fn insert(&mut self, subset: usize, answer: f64) {
        self.over[subset] = self.over[subset].max(-answer);
        self.under[subset] = self.under[subset].min(-answer);
    }

    /// Fit of all tables, counting those within `bound`, and measuring these from the truth.
    pub(super) fn fit(mut self, bound: f64, truth: u64) -> Fitting {
        rayon::join(
            || over_subsets(&mut self.over, f64::max),
            || over_subsets(&mut self.under, f64::min),
        );
        let of_table = |(table, (over, under)): (usize, (&f64, &f64))| {
            let table = table as u64;
            let misfit = over.max(-under);
            let survives = misfit <= bound;
            Fitting {
                best: table,
                misfit,
                survivors: u64::from(survives),
                farthest: if survives { (table ^ truth).count_ones() } else { 0 },
            }
        };
        let all = self.over.par_iter().zip(&self.under).enumerate().map(of_table);
        all.reduce_with(Fitting::and).expect("there is a table of no people")
    }
}

impl Fitting {
    /// Combination of both; of equally good tables the lower number is the best.
    fn and(self, other: Self) -> Self {
        let is_first = (self.misfit, self.best) <= (other.misfit, other.best);
        let best = if is_first { self } else { other };
        Self {
            survivors: self.survivors + other.survivors,
            farthest: self.farthest.max(other.farthest),
            ..best
        }
    }
}

/// For each c the extreme over S of Σ c_i S_i + values[S].
fn over_subsets(values: &mut [f64], extreme: impl Fn(f64, f64) -> f64 + Copy + Send + Sync) {
    in_pairs(values, |(x, y)| (extreme(x, y), extreme(x, y + 1.0)));
}

/// For each bit, what becomes of each two values whose places differ in that bit alone.
pub(super) fn in_pairs(values: &mut [f64], step: impl Fn((f64, f64)) -> (f64, f64) + Copy + Sync) {
    let half = values.len() / 2;
    if half == 0 {
        return;
    }
    let both = |(x, y): (&mut f64, &mut f64)| (*x, *y) = step((*x, *y));
    let (without, with) = values.split_at_mut(half);
    if half < ALONE {
        in_pairs(without, step);
        in_pairs(with, step);
        without.iter_mut().zip(with).for_each(both);
    } else {
        rayon::join(|| in_pairs(without, step), || in_pairs(with, step));
        without.par_iter_mut().zip(with).with_min_len(ALONE).for_each(both);
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/attack/reconstruct/exhaustive.rs"]
mod tests;
