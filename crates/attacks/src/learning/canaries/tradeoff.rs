//! How many guesses can be right under a trade-off curve (f-differential privacy).
//!
//! S. Mahloujifar, L. Melis, K. Chaudhuri, "Auditing f-Differential Privacy in One Run", 2024, as this file uses it. Let
//! g = 1 − f be the most power at a type-I error, C the number of right guesses of exactly r among m canaries, and
//! p_i = P[C = i]. For a canary j and a number c, look at the event "j is guessed, and at least c − 1 guesses of others
//! are right". Turning over the coin of j turns its guess from right to wrong, so f-DP gives, with the concavity of g
//! and the mean over all j and the other coins,
//!
//! R_c ≤ g(H_{c−1}) with R_c = Σ_{i ≥ c} i p_i/m and H_c = Σ_{i ≥ c} (r − i) p_i/m, for every c from 1 to r.
//!
//! If P[C ≥ v] = τ, the least that all p_i can sum to puts τ on v itself and then, from v − 1 down, on each i as little as
//! its inequality allows: moving probability up raises R and lowers H, which asks for more below. If this least sum is
//! above 1, P[C ≥ v] < τ.

use super::guesses::{CanaryGuesses, last};
use plaudit_accountant::normal;
use plaudit_core::claim::gaussian_profile;

/// By what an inverse of the power is lowered: above the error of both normal functions, for μ up to [`MOST`].
const LOWERED: f64 = 1e-10;
/// By what the sum must be above 1.
const ABOVE: f64 = 1e-9;
/// Largest μ that is looked at.
const MOST: f64 = 64.0;

impl CanaryGuesses {
    /// `true` if a probability of `level` of this many right guesses contradicts a curve whose g has this inverse,
    /// itself rounded down.
    pub(super) fn contradicts(&self, level: f64, inverse: impl Fn(f64) -> f64) -> bool {
        let Self { canaries, made, right } = *self;
        let most = made as f64 / canaries as f64 * (1.0 + ABOVE);
        let mut hits = level * (right as f64 / canaries as f64);
        let mut misses = level * ((made - right) as f64 / canaries as f64);
        for count in (0..right).rev() {
            let needed = inverse(hits.min(1.0));
            if needed <= misses {
                return false;
            }
            hits += count as f64 / (made - count) as f64 * (needed - misses);
            misses = needed;
            if hits + misses > most {
                return true;
            }
        }
        false
    }

    fn contradicts_gaussian(&self, level: f64, mu: f64) -> bool {
        self.contradicts(level, |power| normal::cdf(normal::quantile(power) - mu) * (1.0 - LOWERED))
    }

    /// Certified lower bound on μ, wrong with probability at most `alpha`; at least 0: the training is not μ-GDP for any
    /// smaller μ.
    pub fn mu_lower(&self, alpha: f64) -> f64 {
        last(|mu| self.contradicts_gaussian(alpha, mu), MOST)
    }

    /// Upper bound on the probability of this many right guesses if the training is `mu`-GDP. In [0, 1], rounded up.
    pub fn gaussian_p_value(&self, mu: f64) -> f64 {
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        // On the logarithm as soon as there is a lower end.
        for _ in 0..200 {
            let middle =
                if low > 0.0 { (low * high).sqrt() } else { f64::max(high * 1e-3, 1e-300) };
            if middle >= high || high <= low * (1.0 + 1e-9) {
                break;
            }
            if self.contradicts_gaussian(middle, mu) {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }
}

/// The ε at `delta` of μ-GDP (Dong, Roth, Su 2022, Corollary 2.13), rounded down; at least 0.
pub(super) fn gaussian_epsilon(mu: f64, delta: f64) -> f64 {
    if mu <= 0.0 {
        return 0.0;
    }
    if delta <= 0.0 {
        return f64::INFINITY;
    }
    last(|epsilon| gaussian_profile(mu, epsilon) > delta * (1.0 + 1e-9), 4096.0)
}

/// The same rounded up: `mu`-GDP implies (this ε, `delta`)-DP.
pub(super) fn gaussian_epsilon_above(mu: f64, delta: f64) -> f64 {
    if mu > 0.0 && delta <= 0.0 {
        return f64::INFINITY;
    }
    let below = last(|epsilon| gaussian_profile(mu, epsilon) > delta * (1.0 - 1e-9), 4096.0);
    below * (1.0 + 1e-11) + 1e-11
}

#[cfg(test)]
#[path = "../../../tests/unit/learning/canaries/tradeoff.rs"]
mod tests;
