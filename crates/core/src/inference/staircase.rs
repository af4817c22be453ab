//! Order of the outcomes (x, y) of an event test, and the probability of the ones that are at least
//! as extreme as what was observed.

use super::{Corner, binomial, proportion};
use crate::claim::{Claim, Region};
use plaudit_accountant::normal;

/// Blocks of y when the range is longer: 27 standard deviations of y, so that half a block is 0.002
/// of one.
pub(super) const BLOCKS: u64 = 6_400;

/// Blocks for power, which is a statement on a study that was not made: half a block is .017
/// standard deviations of y.
pub(super) const ROUGH_BLOCKS: u64 = 800;

/// −ln of the tail that is given away at each end of a sum.
const CUT: f64 = 39.2;

/// The three tails that are given away, together.
const CUT_MASS: f64 = 3e-17;

/// Relative widening of a probability: above the rounding of 10^6 steps of recurrence.
const OUTWARD: f64 = 1e-9;

/// The order: (x, y) is at least as extreme as (x', y') if T(x, y) >= T(x', y'), T increasing in x,
/// falling in y. Frozen by the claim's form; any frozen order is valid for any claim.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order {
    Ratio { delta: f64 },
    Shift,
}

impl Order {
    pub(super) fn of(claim: &Claim) -> Self {
        match *claim.region() {
            Region::EpsilonDelta { delta, .. } => Self::Ratio { delta },
            Region::Gaussian { .. } | Region::Polygon(_) => Self::Shift,
        }
    }

    /// T at a corner (p, q); −∞ where it is uninformative.
    fn statistic(self, p: f64, q: f64) -> f64 {
        match self {
            Self::Ratio { delta } if p > delta => ((p - delta) / q).ln(),
            Self::Ratio { .. } => f64::NEG_INFINITY,
            Self::Shift if p > 0.0 && q < 1.0 => normal::quantile(p) - normal::quantile(q),
            Self::Shift => f64::NEG_INFINITY,
        }
    }

    /// The p with T(p, q) = `t`.
    fn solved(self, t: f64, q: f64) -> f64 {
        match self {
            Self::Ratio { delta } => delta + t.exp() * q,
            Self::Shift => normal::cdf(t + normal::quantile(q)),
        }
    }
}

/// The outcomes at least as extreme as the observed one: y in block i, x >= least[i]. Monotone: x
/// grows with y.
#[derive(Clone, Debug)]
pub(super) struct Staircase {
    n: u64,
    m: u64,
    /// First y of each block, increasing.
    starts: Vec<u64>,
    /// Least x of each block: that of its first y, the permissive end.
    least: Vec<u64>,
}

impl Staircase {
    /// Outcomes at least as extreme as `x` of `n` and `y` of `m`, resolved for rates q in the range
    /// given, by at most about `blocks` blocks. `None` if the observation is uninformative, so that
    /// all outcomes are.
    pub(super) fn new(
        order: Order,
        (levels, blocks): (Corner, u64),
        (x, n): (u64, u64),
        (y, m): (u64, u64),
        (q_low, q_high): (f64, f64),
    ) -> Option<Self> {
        let corner = (proportion::lower(x, n, levels.own), proportion::upper(y, m, levels.other));
        let t = order.statistic(corner.0, corner.1);
        if t == f64::NEG_INFINITY {
            return None;
        }
        let first = bottom(m, q_low);
        let last = top(m, q_high).max(first);
        let width = (last - first) / blocks + 1;
        let starts: Vec<u64> = (first..=last).step_by(width as usize).collect();
        let mut least: Vec<u64> = starts
            .iter()
            .map(|&start| {
                // A hair on the permissive side, so that rounding only adds outcomes.
                let p = order.solved(t, proportion::upper(start, m, levels.other)) * (1.0 - 1e-11);
                let found = if p >= 1.0 {
                    n + 1
                } else {
                    binomial::upper_quantile(levels.own * (1.0 + 1e-11), n, p) + 1
                };
                if start <= y { found.min(x) } else { found }
            })
            .collect();
        for i in (1..least.len()).rev() {
            least[i - 1] = least[i - 1].min(least[i]);
        }
        Some(Self { n, m, starts, least })
    }

    /// P[(Bin(n, p), Bin(m, q)) in the staircase], rounded up: blocks at their permissive end, cut
    /// tails added whole.
    pub(super) fn probability(&self, p: f64, q: f64) -> f64 {
        let mut y = Descent::new(self.m, q);
        let mut x = Descent::new(self.n, p);
        let (mut sum, mut tail) = (0.0, 0.0);
        for (&start, &least) in self.starts.iter().zip(&self.least).rev() {
            let mass = y.down_to(start);
            tail += x.down_to(least);
            sum += mass * if least <= x.low { 1.0 } else { tail };
            if y.done() {
                break;
            }
        }
        // Below the first block.
        sum += y.down_to(0);
        (sum * (1.0 + OUTWARD) + CUT_MASS).min(1.0)
    }
}

/// Probabilities of Bin(n, p) from far above the mean to far below it, by recurrence.
struct Descent {
    /// Position: `value` is the probability of `at` until `low` has been given out.
    at: u64,
    value: f64,
    low: u64,
    size: f64,
    odds_against: f64,
    finished: bool,
}

impl Descent {
    fn new(n: u64, p: f64) -> Self {
        let (mut at, low) = (top(n, p), bottom(n, p));
        let mut ln_value = binomial::ln_probability(at, n, p);
        // Where n·p is almost 0 the cut is where probabilities underflow; everything beyond the new
        // start is below 10^-270.
        while ln_value < -640.0 && at > low {
            at -= 1;
            ln_value = binomial::ln_probability(at, n, p);
        }
        Self {
            at,
            value: ln_value.exp(),
            low,
            size: n as f64,
            odds_against: (1.0 - p) / p,
            finished: false,
        }
    }

    /// Sum of the probabilities from the position down to `k`; afterwards the position is below
    /// `k`.
    fn down_to(&mut self, k: u64) -> f64 {
        if self.finished || k > self.at {
            return 0.0;
        }
        let end = k.max(self.low);
        let mut sum = 0.0;
        let (mut at, mut value) = (self.at as f64, self.value);
        for _ in end..=self.at {
            sum += value;
            value *= at / (self.size - at + 1.0) * self.odds_against;
            at -= 1.0;
        }
        self.value = value;
        if end <= self.low {
            self.finished = true;
        } else {
            self.at = end - 1;
        }
        sum
    }

    fn done(&self) -> bool {
        self.finished
    }
}

/// Maximum distance of a cut from the mean, by Bernstein's inequality: the tail beyond is at most
/// e^(−CUT) < 10^-17.
fn reach(n: u64, p: f64) -> f64 {
    let third = CUT / 3.0;
    third + (third * third + 2.0 * CUT * n as f64 * p * (1.0 - p)).sqrt()
}

fn top(n: u64, p: f64) -> u64 {
    ((n as f64 * p + reach(n, p)).ceil() as u64 + 1).min(n)
}

fn bottom(n: u64, p: f64) -> u64 {
    (n as f64 * p - reach(n, p)).floor().max(0.0) as u64
}

#[cfg(test)]
#[path = "../../tests/unit/inference/staircase.rs"]
mod tests;
