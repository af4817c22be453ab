//! Bounds on ε and on μ.

use super::guesses::CanaryGuesses;
use super::tradeoff::gaussian_epsilon;
use plaudit_accountant::number;
use serde::Serialize;

/// Lower bounds, or what they can be at most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OneRunBounds {
    /// Bound on ε at the requested δ.
    pub epsilon: f64,
    /// Bound on μ: the training is not μ-GDP for any smaller μ.
    pub mu: f64,
    /// The ε at that δ of Gaussian DP with this μ.
    #[serde(with = "number::one")]
    pub gaussian_epsilon: f64,
}

impl OneRunBounds {
    pub(super) fn of(guesses: &CanaryGuesses, delta: f64, level: f64) -> Self {
        let mu = guesses.mu_lower(level);
        Self {
            epsilon: guesses.epsilon_lower(delta, level),
            mu,
            gaussian_epsilon: gaussian_epsilon(mu, delta),
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self {
            epsilon: self.epsilon.max(other.epsilon),
            mu: self.mu.max(other.mu),
            gaussian_epsilon: self.gaussian_epsilon.max(other.gaussian_epsilon),
        }
    }
}
