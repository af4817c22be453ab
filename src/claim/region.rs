//! The region of allowed (q, p) of a claim.

use statrs::distribution::{ContinuousCDF, Normal};

/// p <= g(q): the pairs of event probabilities (q under one dataset, p under the other) that a
/// claim allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    /// g(q) = min(1, e^ε q + δ, 1 − e^(−ε)(1 − δ − q)) (Kairouz, Oh, Viswanath 2015).
    EpsilonDelta {
        /// ε >= 0.
        epsilon: f64,
        /// δ in [0, 1].
        delta: f64,
    },
    /// g(q) = Φ(Φ⁻¹(q) + μ) (Dong, Roth, Su 2022, Def. 2.6).
    Gaussian {
        /// μ >= 0.
        mu: f64,
    },
}

impl Region {
    /// g(q): the largest probability under one dataset that an event of probability `q` under the
    /// other may have. Increasing and concave in q, in [q, 1].
    pub fn most_power(&self, q: f64) -> f64 {
        match *self {
            Self::EpsilonDelta { epsilon, delta } => {
                let steep = epsilon.exp() * q + delta;
                let flat = 1.0 - (-epsilon).exp() * (1.0 - delta - q);
                steep.min(flat).clamp(q, 1.0)
            }
            Self::Gaussian { .. } if q <= 0.0 => 0.0,
            Self::Gaussian { .. } if q >= 1.0 => 1.0,
            Self::Gaussian { mu } => {
                let normal = Normal::standard();
                normal.cdf(normal.inverse_cdf(q) + mu).clamp(q, 1.0)
            }
        }
    }
}
