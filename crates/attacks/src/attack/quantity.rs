//! Bounds certified by an event with different rates among members and non-members.

use plaudit_accountant::normal;
use plaudit_core::claim::{Claim, ClaimError};
use plaudit_core::inference::EventTest;

/// A measure of how far two laws are apart, by one event: p its probability in the group where it is the likelier, q in
/// the other one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// The ε of (ε, δ)-DP at this δ: ln((p − δ)/q).
    Epsilon { delta: f64 },
    /// The δ of (ε, δ)-DP at this ε: p − e^ε q. At ε = 0 it is the advantage of the guess, TPR − FPR.
    Delta { epsilon: f64 },
    /// The μ of μ-GDP: Φ⁻¹(p) − Φ⁻¹(q) (Dong, Roth, Su 2022, Def. 2.6).
    Mu,
}

impl Quantity {
    /// Value at a pair of probabilities. Below 0 and −∞ show nothing.
    pub fn at(self, p: f64, q: f64) -> f64 {
        match self {
            Self::Epsilon { delta } if p > delta => ((p - delta) / q).ln(),
            Self::Epsilon { .. } => f64::NEG_INFINITY,
            Self::Delta { epsilon } => p - epsilon.exp() * q,
            Self::Mu => normal::quantile(p) - normal::quantile(q),
        }
    }

    /// A claim whose test orders outcomes as this quantity does, or nearly so: any order is valid that is fixed before
    /// the counting, and this one decides on power alone.
    ///
    /// # Errors
    /// If δ or ε is impossible.
    pub fn claim(self) -> Result<Claim, ClaimError> {
        match self {
            Self::Epsilon { delta } => Claim::approximate(0.0, delta),
            // The order of the Gaussian shift: that of the ratio is a poor one for differences. ε is checked.
            Self::Delta { epsilon } => {
                Claim::pure(epsilon)?;
                Claim::gaussian(0.0)
            }
            Self::Mu => Claim::gaussian(0.0),
        }
    }

    /// The lower bound that a test certifies.
    pub fn certified(self, test: &EventTest) -> f64 {
        match self {
            Self::Epsilon { delta } => test.epsilon_lower(delta),
            Self::Delta { epsilon } => test.delta_lower(epsilon),
            Self::Mu => test.mu_lower(),
        }
    }
}
