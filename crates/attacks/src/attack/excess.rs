//! Excess of an attacker's success because of a release: the share of right guesses about people in it, compared with
//! that about others.

use super::roc::Interval;
use serde::Serialize;

/// Right guesses, with the interval of their share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Guessed {
    /// Right ones.
    pub right: u64,
    /// All guesses; above 0.
    pub of: u64,
    /// Exact interval (Clopper, Pearson 1934): it misses on each side with probability at most α/2.
    pub share: Interval,
}

/// Excess of the success on people of the release over that on others: (r − c)/(1 − c) for the shares r and c of right
/// guesses about each (Giomi, Boenisch, Wehmeyer, Tasnádi 2023, eq. 3).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Excess {
    /// By the counted shares, in [0, 1]: 0 where the others are guessed as often.
    pub estimate: f64,
    /// Lower bound in [0, 1]. It is wrong with probability at most α: r is at its lower end, c at its upper end, each of
    /// which misses with probability at most α/2.
    pub lower: f64,
}

impl Guessed {
    /// `right` of `of` > 0 guesses that are right independently of one another, with probabilities that may differ: the
    /// interval is that of their mean.
    ///
    /// Binomial tails bound the tails of such sums (Hoeffding 1956, theorem 4), from the mean plus 1 on. That is where
    /// bounds at α ≤ 1/2 lie, but for the first success and the first failure, which Markov's inequality bounds.
    pub fn of(right: u64, of: u64, alpha: f64) -> Self {
        let mut share = Interval::of(right, of, alpha);
        let first = alpha / 2.0 / of as f64;
        if right == 1 {
            share.lower = share.lower.min(first);
        }
        if right + 1 == of {
            share.upper = share.upper.max(1.0 - first);
        }
        Self { right, of, share }
    }
}

impl Excess {
    /// Of guesses about people in the release, and about others.
    pub fn of(people: &Guessed, others: &Guessed) -> Self {
        let excess = |r: f64, c: f64| if c < 1.0 { ((r - c) / (1.0 - c)).max(0.0) } else { 0.0 };
        Self {
            estimate: excess(people.share.estimate, others.share.estimate),
            // Rounding is below the margin by which the ends are rounded outward.
            lower: excess(people.share.lower, others.share.upper),
        }
    }
}
