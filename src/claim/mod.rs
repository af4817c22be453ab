//! Claims: what somebody says of a mechanism.
//!
//! Every claim is one region of allowed pairs (q, p) = (Q(S), P(S)): p <= g(q) with g concave
//! and increasing, "the most power that a test of type-I error q may have" ([`Region`]). One event
//! S with p > g(q), in either direction, refutes it.

pub(crate) mod normal;
mod region;

pub use region::Region;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// δ at which ε is quoted for claims that are a whole curve (μ-GDP) and so name no point of it.
pub const REFERENCE_DELTA: f64 = 1e-5;

/// A privacy claim, demanded in both directions for all neighbors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "form", rename_all = "kebab-case")]
pub enum Claim {
    /// (ε, δ)-differential privacy; pure when δ = 0.
    EpsilonDelta {
        /// ε >= 0, finite.
        epsilon: f64,
        /// δ in [0, 1].
        delta: f64,
    },
    /// μ-Gaussian differential privacy (Dong, Roth, Su 2022): no easier to tell apart than
    /// N(0, 1) from N(μ, 1).
    Gaussian {
        /// μ >= 0, finite.
        mu: f64,
    },
}

/// A value that no claim can have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} = {value} is impossible: {name} must be {must_be}")]
pub struct ClaimError {
    /// The field's name of the value.
    pub name: &'static str,
    /// What was given.
    pub value: f64,
    /// The values allowed.
    pub must_be: &'static str,
}

impl Claim {
    /// ε-differential privacy (δ = 0).
    ///
    /// # Errors
    /// If ε is negative, NaN or above 10⁴.
    pub fn pure(epsilon: f64) -> Result<Self, ClaimError> {
        Self::approximate(epsilon, 0.0)
    }

    /// (ε, δ)-differential privacy.
    ///
    /// # Errors
    /// If ε is negative, NaN or above 10⁴, or δ is not in [0, 1].
    pub fn approximate(epsilon: f64, delta: f64) -> Result<Self, ClaimError> {
        finite_and_not_negative("epsilon", epsilon)?;
        if !(0.0..=1.0).contains(&delta) {
            return Err(ClaimError { name: "delta", value: delta, must_be: "between 0 and 1" });
        }
        Ok(Self::EpsilonDelta { epsilon, delta })
    }

    /// μ-Gaussian differential privacy.
    ///
    /// # Errors
    /// If μ is negative, NaN or above 10⁴.
    pub fn gaussian(mu: f64) -> Result<Self, ClaimError> {
        finite_and_not_negative("mu", mu)?;
        Ok(Self::Gaussian { mu })
    }

    /// Checks that its numbers are possible; a claim read from a file may be anything.
    ///
    /// # Errors
    /// As the constructors.
    pub fn check(&self) -> Result<(), ClaimError> {
        match *self {
            Self::EpsilonDelta { epsilon, delta } => Self::approximate(epsilon, delta),
            Self::Gaussian { mu } => Self::gaussian(mu),
        }
        .map(drop)
    }

    /// The region of allowed (q, p).
    pub fn region(&self) -> Region {
        match *self {
            Self::EpsilonDelta { epsilon, delta } => Region::EpsilonDelta { epsilon, delta },
            Self::Gaussian { mu } => Region::Gaussian { mu },
        }
    }

    /// The privacy profile: the smallest δ at which the claim implies (ε, δ)-DP.
    ///
    /// For (ε₀, δ₀): δ₀ for ε >= ε₀, and 1 − (1 − δ₀)(1 + e^ε)/(1 + e^ε₀) below. For μ-GDP:
    /// Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) (Balle & Wang 2018; Dong, Roth, Su 2022, Cor. 2.13).
    pub fn delta_at(&self, epsilon: f64) -> f64 {
        match *self {
            Self::EpsilonDelta { epsilon: claimed, delta } => {
                if epsilon >= claimed {
                    return delta;
                }
                // (1 + e^ε)/(1 + e^ε₀) and what it lacks to 1, divided by e^ε₀ so that nothing
                // overflows, and without taking nearly equal numbers from each other.
                let below = (epsilon - claimed).exp_m1();
                let scale = 1.0 + (-claimed).exp();
                let ratio = (1.0 + below + (-claimed).exp()) / scale;
                (delta * ratio - below / scale).min(1.0)
            }
            Self::Gaussian { mu: 0.0 } => 0.0,
            Self::Gaussian { mu } => gaussian_profile(mu, epsilon),
        }
    }

    /// The trade-off function: the smallest type-II error allowed at type-I error `a`.
    pub fn tradeoff_at(&self, a: f64) -> f64 {
        (1.0 - self.region().most_power(a)).max(0.0)
    }

    /// The point (ε, δ) of the claim's own profile at which bounds are quoted: the claim itself,
    /// or the point at δ = [`REFERENCE_DELTA`] of a curve.
    pub fn reference_point(&self) -> (f64, f64) {
        match *self {
            Self::EpsilonDelta { epsilon, delta } => (epsilon, delta),
            Self::Gaussian { .. } if self.delta_at(0.0) <= REFERENCE_DELTA => {
                (0.0, REFERENCE_DELTA)
            }
            Self::Gaussian { .. } => {
                let (mut low, mut high) = (0.0, 1.0);
                while self.delta_at(high) > REFERENCE_DELTA {
                    high *= 2.0;
                }
                for _ in 0..200 {
                    let middle = 0.5 * (low + high);
                    if self.delta_at(middle) > REFERENCE_DELTA {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
                (high, REFERENCE_DELTA)
            }
        }
    }
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::EpsilonDelta { epsilon, delta: 0.0 } => write!(f, "{epsilon}-DP"),
            Self::EpsilonDelta { epsilon, delta } => write!(f, "({epsilon}, {delta})-DP"),
            Self::Gaussian { mu } => write!(f, "{mu}-GDP"),
        }
    }
}

/// Largest ε or μ that a claim may name: beyond, it claims nothing that a double can hold.
const LARGEST: f64 = 1e4;

fn finite_and_not_negative(name: &'static str, value: f64) -> Result<(), ClaimError> {
    if (0.0..=LARGEST).contains(&value) {
        Ok(())
    } else {
        Err(ClaimError { name, value, must_be: "between 0 and 10000" })
    }
}

/// The profile of μ-GDP, μ > 0: Φ(−t) − e^ε Φ(−t − μ) with t = ε/μ − μ/2. As e^ε φ(t + μ) = φ(t) it
/// is φ(t) times a difference of Mills' ratios, and where those nearly agree the integral of their
/// slope.
fn gaussian_profile(mu: f64, epsilon: f64) -> f64 {
    let t = epsilon / mu - mu / 2.0;
    if t < -5.0 {
        // Close to 1, and Mills' ratio is huge: the defining formula cancels nothing.
        return normal::cdf(-t) - (epsilon + normal::ln_cdf(-t - mu)).exp();
    }
    let difference = if mu < 0.05 {
        // −R'(s) = 1 − s R(s), by Gauss–Legendre with three points: error of order μ^6.
        let slope = |s: f64| 1.0 - s * normal::mills(s);
        let side = 0.6_f64.sqrt();
        let at = |x: f64| slope(t + 0.5 * mu * (1.0 + x));
        mu * (5.0 * at(-side) + 8.0 * at(0.0) + 5.0 * at(side)) / 18.0
    } else {
        normal::mills(t) - normal::mills(t + mu)
    };
    (normal::density(t) * difference).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests;
