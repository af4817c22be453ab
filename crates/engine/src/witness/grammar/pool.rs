//! The outcomes for screening, and the coordinates that are kept.

use crate::mechanism::{OutcomeRef, Outcomes};
use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::grammar::screen;
use rayon::prelude::*;

/// Most outcomes for screening, and most numbers in them: long lists have fewer.
const MOST_ROWS: usize = 1 << 14;
const MOST_NUMBERS: usize = 1 << 20;
/// Fewest outcomes for screening.
const LEAST_ROWS: usize = 256;
/// Coordinates that are kept while screening.
const KEPT: usize = 64;
/// Numbers that outcomes hold that are returned.
const THEMSELVES: usize = 12;
/// Least number of outcomes for a first look at a coordinate: an eighth of all, or as many. Not tuned.
const FIRST_ROWS: usize = 1 << 9;
/// Coordinates that are screened on all outcomes, of those that are examined at once, along with those that
/// tell by themselves. Not tuned.
const PROMISING: usize = 12;
/// Price of an operator, in nats: the logarithm of their number.
const OF_AN_OPERATOR: f64 = 2.0;
/// Gain from which a coordinate is informative, in nats: by luck one of some 60, of 32 000 intervals each, has 8.
pub const TELLS: f64 = 10.0;
/// A coordinate with its numbers on the screened outcomes.
#[derive(Clone)]
pub struct Scored {
    pub of: Statistic,
    pub numbers: Vec<f64>,
    pub gain: f64,
}

impl Scored {
    /// The gain beyond the price of naming the operators.
    fn surplus(&self) -> f64 {
        self.gain - OF_AN_OPERATOR * self.of.operators() as f64
    }
}

/// Outcomes for screening, evenly from both datasets, with their labels.
pub struct Rows<'a> {
    pub outcomes: Vec<OutcomeRef<'a>>,
    pub labels: Vec<bool>,
}

impl<'a> Rows<'a> {
    pub fn of(sample: &'a Sample<'_>) -> Self {
        let sizes = sample.pooled().take(1 << 8).map(|outcome| match outcome {
            OutcomeRef::Vector(vector) => vector.len(),
            OutcomeRef::Keyed(keyed) => keyed.len(),
            _ => 1,
        });
        let longest = sizes.max().unwrap_or(1).max(1);
        let each = (MOST_NUMBERS / longest).clamp(LEAST_ROWS, MOST_ROWS) / 2;
        let [mut d, mut d_prime] = [&sample.d, &sample.d_prime].map(|side| {
            let all: usize = side.iter().map(|batch| batch.len()).sum();
            let some = side.iter().flat_map(|batch: &&Outcomes| batch.iter());
            some.step_by((all / each).max(1)).take(each).fuse()
        });
        let mut rows = Rows { outcomes: Vec::new(), labels: Vec::new() };
        // In turn, so that the first ones are also a sample.
        loop {
            let before = rows.labels.len();
            for (outcome, is_d) in [(d.next(), true), (d_prime.next(), false)] {
                rows.outcomes.extend(outcome);
                rows.labels.resize(rows.outcomes.len(), is_d);
            }
            if rows.labels.len() == before {
                return rows;
            }
        }
    }
}

/// The coordinates already tried, and the best of them.
pub struct Pool<'a> {
    pub labels: &'a [bool],
    /// Most telling first.
    pub kept: Vec<Scored>,
    /// Numbers that outcomes hold, most telling first.
    pub themselves: Vec<Scored>,
    pub tried: usize,
}

impl Pool<'_> {
    /// Screens coordinates: `numbers` reads one on the first outcomes, as many as asked for; the most promising on the
    /// first of them are screened on all.
    pub fn screen<C: Sync>(
        &mut self,
        all: &[C],
        named: impl Fn(&C) -> Statistic + Sync,
        numbers: impl Fn(&C, usize) -> Vec<f64> + Sync,
    ) -> Vec<Scored> {
        let rows = self.labels.len();
        let labels = self.labels;
        let full = |of: &C| {
            let numbers = numbers(of, rows);
            let gain = screen::gain(&numbers, labels)?;
            Some(Scored { of: named(of), numbers, gain })
        };
        let few = (rows / 8).max(FIRST_ROWS);
        if rows < 2 * few || all.len() <= PROMISING {
            let screened: Vec<Scored> = all.par_iter().filter_map(full).collect();
            self.tried += screened.len();
            return screened;
        }
        let rough = |(at, of): (usize, &C)| {
            // An outcome's own number may vary, and tell, rarely.
            let own = if named(of).stands_for_itself() { TELLS } else { 0.0 };
            let gain = screen::gain(&numbers(of, few), &labels[..few]).unwrap_or(0.0) + own;
            (gain > 0.0).then_some((at, gain))
        };
        let mut rough: Vec<_> = all.par_iter().enumerate().filter_map(rough).collect();
        self.tried += rough.len();
        rough.sort_by(|a, b| b.1.total_cmp(&a.1));
        let most = rough.partition_point(|(_, gain)| *gain >= TELLS).max(PROMISING);
        rough.truncate(most);
        // In the order in which they came: the first of equally telling ones is the simplest.
        rough.sort_unstable_by_key(|(at, _)| *at);
        rough.par_iter().filter_map(|(at, _)| full(&all[*at])).collect()
    }

    /// Adds screened coordinates, the first of equally telling ones first.
    pub fn add(&mut self, some: Vec<Scored>) {
        let held = some.iter().filter(|scored| scored.of.stands_for_itself()).cloned();
        self.themselves.extend(held);
        self.kept.extend(some);
        for (best, most) in [(&mut self.kept, KEPT), (&mut self.themselves, THEMSELVES)] {
            best.sort_by(|a, b| b.surplus().total_cmp(&a.surplus()));
            best.truncate(most);
        }
    }
}
