//! The guess test: how often a frozen guesser names the dataset of a fair coin.
//!
//! An (ε, δ) pair is a post-processing of "reveal the coin with probability δ, else randomized
//! response at θ = e^ε/(1 + e^ε)" (Kairouz, Oh, Viswanath 2015). Given the outcomes the guesses are
//! fixed and the coins independent, so with at most b₀ coins revealed the number of right guesses
//! is, given that K were made, stochastically at most b₀ + Bin(K − b₀, θ). More than b₀ of T coins
//! are revealed with probability P[Bin(T, δ) > b₀]; the two errors add up.

use super::{binomial, proportion};
use serde::{Deserialize, Serialize};

/// Relative widening of a p-value: above the error of both tails and of θ.
const OUTWARD: f64 = 1e-10;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guesses {
    pub right: u64,
    /// Guesses made, K; the guesser abstains from the other trials.
    pub made: u64,
    pub trials: u64,
}

impl Guesses {
    /// The p-value of the claim (`epsilon`, `delta`) for a test at level `alpha`: reject if and only
    /// if it is at most `alpha`. In [0, 1], rounded up.
    ///
    /// With δ = 0 it is P[Bin(K, θ) >= W], for any `alpha`. With δ > 0, b₀ is the upper α/5
    /// quantile of Bin(T, δ), fixed before the counts are seen but depending on `alpha`, so that
    /// the value means something at that level only:
    /// P[Bin(K − b₀, θ) >= W − b₀] + P[Bin(T, δ) > b₀].
    pub fn p_value(&self, epsilon: f64, delta: f64, alpha: f64) -> f64 {
        let (revealed, error) = self.revealed(delta, alpha);
        (self.by_chance(epsilon, revealed) + error).min(1.0)
    }

    /// Certified lower bound on ε at `delta`, wrong with probability at most `alpha`; at least 0.
    /// Every ε below it has a [p-value](Self::p_value) of at most `alpha`.
    ///
    /// With δ = 0 it is logit B⁻¹(α; W, K − W + 1).
    pub fn epsilon_lower(&self, delta: f64, alpha: f64) -> f64 {
        let (revealed, error) = self.revealed(delta, alpha);
        if self.right <= revealed || error >= alpha {
            return 0.0;
        }
        let (right, made) = (self.right - revealed, self.made - revealed);
        let theta = proportion::lower(right, made, alpha - error);
        let mut epsilon = (theta / (1.0 - theta)).ln();
        // The p-value is rounded up by more than the bound was rounded down: step back until the
        // two agree with room for rounding.
        let mut back = 1e-12;
        while epsilon > 0.0 && self.p_value(epsilon, delta, alpha) > alpha * (1.0 - OUTWARD) {
            epsilon -= back * epsilon.max(1.0);
            back *= 2.0;
        }
        epsilon.max(0.0)
    }

    /// Certified lower bound on δ at `epsilon`, wrong with probability at most `alpha`; in [0, 1].
    /// Every δ below it has a [p-value](Self::p_value) of at most `alpha`.
    ///
    /// The p-value is not monotone in δ, as b₀ moves with it. Where b₀ = b, for δ in (δ_{b−1}, δ_b]
    /// with P[Bin(T, δ_b) > b] = α/5, it climbs to f(b) + α/5; f(b), the probability of W − b or more
    /// by chance, grows with b. With b* the last b at which f(b) is within 4α/5, everything up to
    /// δ_{b*} is rejected; and so is, in the next stretch, what keeps P[Bin(T, δ) > b* + 1] within
    /// α − f(b* + 1).
    pub fn delta_lower(&self, epsilon: f64, alpha: f64) -> f64 {
        let room = 1.0 - OUTWARD;
        // The first b with f(b) > 4α/5; f(right) = 1.
        let (mut low, mut high) = (0, self.right);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.by_chance(epsilon, middle) > 0.8 * alpha * room {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        // The δ at which more than b of T coins are revealed with probability `level`.
        let beyond = |b: u64, level: f64| {
            if b >= self.trials { 1.0 } else { proportion::lower(b + 1, self.trials, level) }
        };
        let whole = if low == 0 { 0.0 } else { beyond(low - 1, alpha / 5.0 * room) };
        let left = alpha * room - self.by_chance(epsilon, low);
        let part = if left > 0.0 { beyond(low, left) } else { 0.0 };
        whole.max(part) * (1.0 - 1e-9)
    }

    /// b₀ and P[Bin(T, δ) > b₀], the latter rounded up.
    fn revealed(&self, delta: f64, alpha: f64) -> (u64, f64) {
        if delta <= 0.0 {
            return (0, 0.0);
        }
        let b = binomial::upper_quantile(alpha / 5.0, self.trials, delta);
        (b, binomial::upper_tail(b + 1, self.trials, delta) * (1.0 + 1e-12))
    }

    /// P[Bin(K − b, θ) >= W − b], rounded up: this many right guesses or more when b are known.
    fn by_chance(&self, epsilon: f64, b: u64) -> f64 {
        if self.right <= b {
            return 1.0;
        }
        let theta = (1.0 / (1.0 + (-epsilon).exp()) * (1.0 + 4.0 * f64::EPSILON)).min(1.0);
        let tail = binomial::upper_tail(self.right - b, self.made - b, theta);
        (tail * (1.0 + OUTWARD)).min(1.0)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/inference/guess.rs"]
mod tests;
