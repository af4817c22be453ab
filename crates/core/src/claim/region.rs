//! The region of allowed (q, p) of a claim.

use super::Polygon;
use plaudit_accountant::normal;
use std::sync::Arc;

/// Relative widening of the Gaussian region: above the error of Φ(Φ⁻¹(q) + μ).
const OUTWARD: f64 = 6e-13;

/// p <= g(q): the pairs of event probabilities (q under one dataset, p under the other) that a
/// claim allows.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// g(q) = min(1, e^ε q + δ, 1 − e^(−ε)(1 − δ − q)) (Kairouz, Oh, Viswanath 2015).
    EpsilonDelta { epsilon: f64, delta: f64 },
    /// g(q) = Φ(Φ⁻¹(q) + μ) (Dong, Roth, Su 2022, Def. 2.6).
    Gaussian { mu: f64 },
    /// Any other g, by corners on or above it.
    Polygon(Arc<Polygon>),
}

impl Region {
    /// g(q): the largest probability under one dataset that an event of probability `q` under the
    /// other may have. Increasing and concave in q, in [q, 1].
    ///
    /// Rounded up, by at most 10^-12 relative: a claim may only be widened by rounding, never
    /// narrowed.
    pub fn most_power(&self, q: f64) -> f64 {
        match *self {
            Self::Polygon(ref polygon) => polygon.most_power(q),
            Self::EpsilonDelta { epsilon, delta } => {
                let steep = if q > 0.0 { epsilon.exp() * q + delta } else { delta };
                let steep = steep * (1.0 + 8.0 * f64::EPSILON);
                let spared = (-epsilon).exp() * (1.0 - delta - q).max(0.0);
                // 1 − δ − q is in error by an ulp of 1, not of itself.
                let flat = 1.0 - spared * (1.0 - 8.0 * f64::EPSILON) + 2.0 * f64::EPSILON;
                steep.min(flat).clamp(q, 1.0)
            }
            Self::Gaussian { .. } if q <= 0.0 => 0.0,
            Self::Gaussian { .. } if q >= 1.0 => 1.0,
            Self::Gaussian { mu } => {
                let power = normal::cdf(normal::quantile(q) + mu) * (1.0 + OUTWARD);
                power.clamp(q, 1.0)
            }
        }
    }
}
