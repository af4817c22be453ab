//! The event test: one event, counted on both sides, against the region of a claim.
//!
//! Buehler's bound with a nested order (R. J. Buehler 1957), over the part of the nuisance parameter
//! that Berger & Boos (1994) leave, with a certified supremum. Outcomes (x, y) are ordered once by a
//! statistic T of two Clopper–Pearson bounds; the p-value of a claim with edge p = g(q) is
//! sup_q P_{g(q), q}(T >= t observed) + γ, q in the 1 − γ Clopper–Pearson interval of y of m.
//! The order does not depend on the parameter that is tested, so the bounds are the inversions of
//! p-values of the same order.

use super::staircase::{BLOCKS, Order, ROUGH_BLOCKS, Staircase};
use super::supremum::{Edge, SupremumBracket};
use super::{Corner, proportion};
use crate::claim::{Claim, Region};
use plaudit_accountant::normal;

/// Relative precision of a certified supremum near α; a hundred times less where α is not near.
const PRECISION: f64 = 1e-4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventCounts {
    /// Trials with the event under the dataset where it is the likelier, x.
    pub hits: u64,
    pub n: u64,
    /// Trials with the event under the other dataset, y.
    pub other_hits: u64,
    /// Trials under the other dataset, m.
    pub other_n: u64,
}

/// The event test of one observation: its order is frozen, its staircase found once.
#[derive(Clone, Debug)]
pub struct EventTest {
    counts: EventCounts,
    claim: Claim,
    alpha: f64,
    gamma: f64,
    /// The 1 − γ interval of q.
    rates: (f64, f64),
    /// `None` if the observation provides no evidence.
    staircase: Option<Staircase>,
}

impl EventTest {
    /// Freezes the order that the form of `claim` (and its δ) calls for, at level `alpha` in (0, 1).
    ///
    /// # Panics
    /// If there are more hits than trials.
    pub fn new(counts: EventCounts, claim: &Claim, alpha: f64) -> Self {
        Self::with_corner(counts, claim, alpha, Corner::even(alpha))
    }

    /// Test with levels of the order chosen before the counting.
    ///
    /// # Panics
    /// If there are more hits than trials.
    pub fn with_corner(counts: EventCounts, claim: &Claim, alpha: f64, levels: Corner) -> Self {
        Self::resolved(counts, claim, alpha, (levels, BLOCKS))
    }

    /// The test in fewer blocks, for power: never sharper than [`EventTest::with_corner`].
    pub(super) fn rough(counts: EventCounts, claim: &Claim, alpha: f64, levels: Corner) -> Self {
        Self::resolved(counts, claim, alpha, (levels, ROUGH_BLOCKS))
    }

    fn resolved(
        counts: EventCounts,
        claim: &Claim,
        alpha: f64,
        (levels, blocks): (Corner, u64),
    ) -> Self {
        let EventCounts { hits, n, other_hits, other_n } = counts;
        assert!(hits <= n && other_hits <= other_n, "more hits than trials: {counts:?}");
        let gamma = (alpha / 1_000.0).min(1e-5);
        let rates = (
            proportion::lower(other_hits, other_n, gamma / 2.0),
            proportion::upper(other_hits, other_n, gamma / 2.0),
        );
        let staircase = Staircase::new(
            Order::of(claim),
            (levels, blocks),
            (hits, n),
            (other_hits, other_n),
            rates,
        );
        Self { counts, claim: claim.clone(), alpha, gamma, rates, staircase }
    }

    /// The p-value of a claim with this region: reject if and only if it is at most α. In [γ, 1],
    /// never below the true supremum; above it by at most 0.01 % near α, 1 % elsewhere.
    pub fn p_value(&self, region: &Region) -> f64 {
        let Some(staircase) = &self.staircase else { return 1.0 };
        let sizes = (self.counts.n as f64, self.counts.other_n as f64);
        let level = self.alpha - self.gamma;
        let enough = |SupremumBracket { reached, certified }: SupremumBracket| {
            let gap = certified - reached;
            // Which side of α, and how far beyond it matters less.
            let settled = reached > 1.05 * level || certified < 0.9 * level;
            gap <= PRECISION * certified || (settled && gap <= 0.01 * (certified + self.gamma))
        };
        let edge = Edge { staircase, region, sizes };
        (edge.supremum(self.rates, enough).certified + self.gamma).min(1.0)
    }

    /// Certified lower bound on ε at `delta`, wrong with probability at most α; at least 0. Its
    /// p-value is within 3·10^-4 α of α, on the side of the rejected.
    pub fn epsilon_lower(&self, delta: f64) -> f64 {
        let first = self.claim.as_epsilon_delta().filter(|point| point.1 == delta);
        let first = first.map(|(epsilon, _)| epsilon);
        let guess = |level| {
            let (p, q) = self.corner(level);
            if p > delta { ((p - delta) / q).ln() } else { 0.0 }
        };
        self.inverted(|epsilon| Region::EpsilonDelta { epsilon, delta }, guess, first, f64::MAX)
    }

    /// Certified lower bound on δ at `epsilon`, wrong with probability at most α; in [0, 1].
    pub fn delta_lower(&self, epsilon: f64) -> f64 {
        let first = self.claim.as_epsilon_delta().filter(|point| point.0 == epsilon);
        let first = first.map(|(_, delta)| delta);
        let guess = |level| {
            let (p, q) = self.corner(level);
            p - epsilon.exp() * q
        };
        self.inverted(|delta| Region::EpsilonDelta { epsilon, delta }, guess, first, 1.0)
    }

    /// Certified lower bound on μ, wrong with probability at most α; at least 0.
    pub fn mu_lower(&self) -> f64 {
        let first = match self.claim.region() {
            Region::Gaussian { mu } => Some(*mu),
            _ => None,
        };
        let guess = |level| {
            let (p, q) = self.corner(level);
            if p > 0.0 && q < 1.0 { normal::quantile(p) - normal::quantile(q) } else { 0.0 }
        };
        self.inverted(|mu| Region::Gaussian { mu }, guess, first, f64::MAX)
    }

    /// Clopper–Pearson corner of about the strength of the test at `level`: two deviations of
    /// z/√2 weigh as much as one of z of their difference.
    fn corner(&self, level: f64) -> (f64, f64) {
        let z = normal::upper_quantile(level) / std::f64::consts::SQRT_2;
        let each = normal::cdf(-z);
        let EventCounts { hits, n, other_hits, other_n } = self.counts;
        (proportion::lower(hits, n, each), proportion::upper(other_hits, other_n, each))
    }

    /// Largest parameter met, up to `most`, at which the family's claim is rejected; 0 if there was
    /// no rejection.
    /// The true p-value grows with the parameter, so a bound above the truth means that the truth
    /// itself is rejected: rounding and early stops cost power, never validity.
    ///
    /// The claim's own parameter is tried `first`, so that bound and p-value fall on the same side
    /// of it; then secants of ln p from the guess, kept inside the bracket.
    fn inverted(
        &self,
        family: impl Fn(f64) -> Region,
        guess: impl Fn(f64) -> f64,
        first: Option<f64>,
        most: f64,
    ) -> f64 {
        if self.staircase.is_none() {
            return 0.0;
        }
        let ln_excess = |t: f64| (self.p_value(&family(t)) / self.alpha).ln();
        let at_zero = ln_excess(0.0);
        if at_zero > 0.0 {
            return 0.0;
        }
        let (start, stronger) = (guess(self.alpha), guess(self.alpha / 2.0));
        let mut slope = if start > stronger && start > 0.0 {
            std::f64::consts::LN_2 / (start - stronger)
        } else {
            1.0
        };
        // Rejected at `low`, not at `high`.
        let mut low = (0.0, at_zero);
        let mut high = (most, f64::INFINITY);
        let mut next = start.max(0.0);
        if let Some(claimed) = first.filter(|&t| t > 0.0 && t < most) {
            let excess = ln_excess(claimed);
            if excess <= 0.0 { low = (claimed, excess) } else { high = (claimed, excess) }
        }
        for _ in 0..60 {
            // Within what the supremum resolves, or the parameter does.
            if low.1 > -3.0 * PRECISION || high.0 - low.0 <= 1e-9 * high.0 {
                break;
            }
            if !(next > low.0 && next < high.0) {
                next = if high.0 < f64::MAX { 0.5 * (low.0 + high.0) } else { 2.0 * low.0 + 0.1 };
            }
            let excess = ln_excess(next);
            let at = (next, excess);
            let from = if excess <= 0.0 {
                std::mem::replace(&mut low, at)
            } else {
                std::mem::replace(&mut high, at)
            };
            // The slope between the last two points on this side, if both are near enough for ln p
            // to be straight; else the last one.
            let chord = (excess - from.1) / (next - from.0);
            if chord.is_finite() && chord > 0.0 && excess.abs() < 3.0 && from.1.abs() < 3.0 {
                slope = chord;
            } else if low.1 > -3.0 && high.1 < 3.0 {
                slope = (high.1 - low.1) / (high.0 - low.0);
            }
            // Aims a hair below α, so that the last step lands on the side of the rejected.
            next -= (excess + 1.5 * PRECISION) / slope;
        }
        low.0
    }

    /// Smallest p with P[(x, y) at least as extreme as observed] >= `probability` at rates (p, `q`).
    pub(super) fn rate_reaching(&self, q: f64, probability: f64) -> Option<f64> {
        let staircase = self.staircase.as_ref()?;
        let (mut low, mut high) = (q, 1.0);
        if staircase.probability(high, q) < probability {
            return None;
        }
        // To a thousandth of the standard deviation that matters.
        let precision = 1e-3 * binomial_deviation(self.counts.n, self.counts.hits);
        while high - low > precision {
            let middle = 0.5 * (low + high);
            if staircase.probability(middle, q) < probability {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(high)
    }
}

/// Standard deviation of hits/n, at least that of one hit.
fn binomial_deviation(n: u64, hits: u64) -> f64 {
    let (size, rate) = (n as f64, hits as f64 / n as f64);
    (rate * (1.0 - rate) / size).sqrt().max(1.0 / size)
}

#[cfg(test)]
#[path = "../../tests/unit/inference/event.rs"]
mod tests;
