//! How many guesses can be right under (ε, δ)-differential privacy.
//!
//! T. Steinke, M. Nasr, M. Jagielski, "Privacy Auditing with One (1) Training Run", NeurIPS 2023, Theorem 5.2: m coins,
//! r guesses, W of them right, W* ~ Bin(r, θ) with θ = e^ε/(1 + e^ε). Then
//!
//! P[W ≥ v] ≤ P[W* ≥ v] + 2 m δ max over i in 1..m of P[v > W* ≥ v − i]/i.
//!
//! m counts every canary whose coin could have been guessed, abstained from or not: which ones are guessed is decided
//! after the release was seen, so each of the m has its own chance δ of being given away.

use plaudit_core::inference::binomial;
use serde::Serialize;

/// Relative widening of a p-value: above the error of the tails and of θ.
const OUTWARD: f64 = 1e-9;
/// Largest ε that is looked at: no count of guesses that fits into memory certifies it.
const MOST: f64 = 256.0;

/// Counts of the guesses of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CanaryGuesses {
    /// Canaries whose coins could have been guessed, m.
    pub canaries: u64,
    pub made: u64,
    pub right: u64,
}

impl CanaryGuesses {
    /// Guesses if all were right: the most that these bounds can be.
    #[must_use]
    pub fn all_right(self) -> Self {
        Self { right: self.made, ..self }
    }

    /// Upper bound on the probability of this many right guesses if the training is (`epsilon`, `delta`)-differentially
    /// private. In (0, 1], rounded up.
    pub fn p_value(&self, epsilon: f64, delta: f64) -> f64 {
        let Self { canaries, made, right } = *self;
        // The probability of a wrong guess keeps its digits where that of a right one is near 1.
        let wrong = (1.0 - 4.0 * f64::EPSILON) / (1.0 + epsilon.exp());
        let tail = if right == 0 { 1.0 } else { binomial::lower_tail(made - right, made, wrong) };
        let lost =
            if delta > 0.0 { 2.0 * canaries as f64 * delta * self.most_lost(wrong) } else { 0.0 };
        ((tail + lost) * (1.0 + OUTWARD)).clamp(f64::MIN_POSITIVE, 1.0)
    }

    /// max over i of P[v > W* ≥ v − i]/i: the mean of the i probabilities next below v.
    ///
    /// These rise up to the mode and fall from there, so that the mean is largest just before the first one below it.
    fn most_lost(&self, wrong: f64) -> f64 {
        let (mut sum, mut mean, mut terms) = (0.0, 0.0, 0.0);
        for right in (0..self.right).rev() {
            let next = binomial::ln_probability(self.made - right, self.made, wrong).exp();
            if next < mean {
                break;
            }
            sum += next;
            terms += 1.0;
            mean = sum / terms;
        }
        mean
    }

    /// Certified lower bound on ε at `delta`, wrong with probability at most `alpha`; at least 0. Its own
    /// [p-value](Self::p_value) is at most `alpha`.
    pub fn epsilon_lower(&self, delta: f64, alpha: f64) -> f64 {
        let refuted = |epsilon: f64| self.p_value(epsilon, delta) <= alpha;
        last(refuted, MOST)
    }

    /// P-value of a claim: that of the ε at which it is least, from the claimed one up to the bound. A mechanism that
    /// is (ε, δ)-differentially private is so at every larger ε, so each of them bounds the same probability.
    pub fn p_value_of_claim(&self, epsilon: f64, delta: f64, alpha: f64) -> f64 {
        let own = self.p_value(epsilon, delta);
        let bound = self.epsilon_lower(delta, alpha);
        if bound >= epsilon { own.min(self.p_value(bound, delta)) } else { own }
    }
}

/// A point where `holds` holds, and just above which it does not if it holds below a point and not above; 0 if it does
/// not hold there.
pub(super) fn last(holds: impl Fn(f64) -> bool, most: f64) -> f64 {
    if !holds(0.0) {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while high < most && holds(high) {
        low = high;
        high *= 2.0;
    }
    between(holds, low, high)
}

/// As [`last`], between `low`, where `holds` holds, and `high`, where it does not.
pub(super) fn between(holds: impl Fn(f64) -> bool, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high || high - low <= 1e-12 * high {
            break;
        }
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
#[path = "../../../tests/unit/learning/canaries/guesses.rs"]
mod tests;
