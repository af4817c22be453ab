//! The outcomes for screening, and the coordinates that are kept.

use crate::mechanism::{OutcomeRef, Outcomes};
use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::grammar::screen;

/// Most outcomes for screening, and most numbers in them: long lists have fewer.
const MOST_ROWS: usize = 1 << 14;
const MOST_NUMBERS: usize = 1 << 20;
/// Fewest outcomes for screening.
const LEAST_ROWS: usize = 256;
/// Coordinates that are kept while screening.
const KEPT: usize = 64;
/// Numbers that outcomes hold that are returned.
const THEMSELVES: usize = 12;
/// Price of an operator, in nats: the logarithm of their number.
const OF_AN_OPERATOR: f64 = 2.0;
/// Gain from which a coordinate tells, in nats: by luck one of some 60, of 32 000 intervals each, has 8.
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
        let mut rows = Rows { outcomes: Vec::new(), labels: Vec::new() };
        for (side, is_d) in [(&sample.d, true), (&sample.d_prime, false)] {
            let all: usize = side.iter().map(|batch| batch.len()).sum();
            let some = side.iter().flat_map(|batch: &&Outcomes| batch.iter());
            rows.outcomes.extend(some.step_by((all / each).max(1)).take(each));
            rows.labels.resize(rows.outcomes.len(), is_d);
        }
        rows
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
    /// Screens coordinates, given with their numbers.
    pub fn screen(&self, of: Statistic, numbers: Vec<f64>) -> Option<Scored> {
        let gain = screen::gain(&numbers, self.labels)?;
        Some(Scored { of, numbers, gain })
    }

    /// Adds screened coordinates, the first of equally telling ones first.
    pub fn add(&mut self, some: Vec<Scored>) {
        self.tried += some.len();
        let held = some.iter().filter(|scored| scored.of.stands_for_itself()).cloned();
        self.themselves.extend(held);
        self.kept.extend(some);
        for (best, most) in [(&mut self.kept, KEPT), (&mut self.themselves, THEMSELVES)] {
            best.sort_by(|a, b| b.surplus().total_cmp(&a.surplus()));
            best.truncate(most);
        }
    }
}
