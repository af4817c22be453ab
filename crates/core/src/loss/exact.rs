//! The privacy loss of laws that are known: what an audit measures, without the error of measuring.

use crate::claim::gaussian_profile;
use plaudit_accountant::normal;

/// A pair of laws, (P, Q), that a mechanism has on two neighbors.
#[derive(Clone, Debug, PartialEq)]
pub enum ExactLoss {
    /// Laplace laws of scale b, `shift`·b apart.
    Laplace {
        /// The distance in units of the scale, >= 0, finite.
        shift: f64,
    },
    /// Normal laws of standard deviation σ, `mu`·σ apart.
    Gaussian {
        /// The distance in units of the standard deviation, >= 0, finite.
        mu: f64,
    },
    /// Probabilities of each outcome, (under P, under Q).
    Finite(Vec<(f64, f64)>),
    /// All but outcomes of a negligible mass together, which may matter to moments of the loss: these are not
    /// computed.
    Nearly(Vec<(f64, f64)>),
}

impl ExactLoss {
    /// Loss with the roles of P and Q exchanged.
    #[must_use]
    pub fn reverse(&self) -> Self {
        match self {
            Self::Finite(outcomes) => Self::Finite(reversed(outcomes)),
            Self::Nearly(outcomes) => Self::Nearly(reversed(outcomes)),
            symmetric => symmetric.clone(),
        }
    }

    /// δ(ε) = sup_S P(S) − e^ε Q(S), ε >= 0.
    ///
    /// Laplace: 1 − e^((ε − a)/2) below the shift a (the integral of (p − e^ε q)₊); Gaussian: Balle &
    /// Wang 2018, Theorem 8; else Σ (p − e^ε q)₊.
    pub fn delta_at(&self, epsilon: f64) -> f64 {
        match self {
            Self::Laplace { shift } => (-(0.5 * (epsilon - shift)).exp_m1()).max(0.0),
            Self::Gaussian { mu } => gaussian_profile(*mu, epsilon),
            Self::Finite(outcomes) | Self::Nearly(outcomes) => {
                let ratio = epsilon.exp();
                let excess = |(p, q): &(f64, f64)| if *q > 0.0 { p - ratio * q } else { *p };
                outcomes.iter().map(excess).filter(|x| *x > 0.0).sum::<f64>().min(1.0)
            }
        }
    }

    /// P(loss > ε) under P, for any ε: sufficient for (ε, δ)-DP if at most δ, not necessary.
    ///
    /// Laplace: all outcomes on the far side of P's center have loss a, those between the centers
    /// lose twice what they are off. Gaussian: the loss is N(μ²/2, μ²) (Dwork, Rothblum 2016).
    pub fn exceeds(&self, epsilon: f64) -> f64 {
        match self {
            Self::Laplace { shift } if epsilon >= *shift => 0.0,
            Self::Laplace { shift } if epsilon < -shift => 1.0,
            Self::Laplace { shift } => 1.0 - 0.5 * (-0.5 * (shift - epsilon)).exp(),
            Self::Gaussian { mu } if *mu == 0.0 => f64::from(u8::from(epsilon < 0.0)),
            Self::Gaussian { mu } => normal::cdf(0.5 * mu - epsilon / mu),
            Self::Finite(outcomes) | Self::Nearly(outcomes) => {
                let over = |(p, q): &&(f64, f64)| *p > 0.0 && (p / q).ln() > epsilon;
                outcomes.iter().filter(over).map(|(p, _)| p).sum::<f64>().min(1.0)
            }
        }
    }

    /// KL(P‖Q), the mean loss; `None` where it is infinite or not known.
    pub fn kl(&self) -> Option<f64> {
        match self {
            // a − 1 + e^(−a), without taking nearly equal numbers from each other.
            Self::Laplace { shift } if *shift < 1e-3 => {
                Some(shift * shift * (0.5 - shift / 6.0 + shift * shift / 24.0))
            }
            Self::Laplace { shift } => Some(shift + (-shift).exp_m1()),
            Self::Gaussian { mu } => Some(0.5 * mu * mu),
            Self::Nearly(_) => None,
            Self::Finite(outcomes) => {
                let terms =
                    outcomes.iter().filter(|(p, _)| *p > 0.0).map(|(p, q)| p * (p / q).ln());
                Some(terms.sum::<f64>()).filter(|sum| sum.is_finite()).map(|sum| sum.max(0.0))
            }
        }
    }

    /// D_α(P‖Q), α > 1; `None` where it is infinite or not known (Mironov 2017, Table II, for Laplace and Gaussian
    /// noise).
    pub fn renyi(&self, order: f64) -> Option<f64> {
        match self {
            Self::Laplace { shift } => {
                let (near, far) = ((order - 1.0) * shift, -order * shift);
                let share = order / (2.0 * order - 1.0);
                let sum = share + (1.0 - share) * (far - near).exp();
                Some(((near + sum.ln()) / (order - 1.0)).max(0.0))
            }
            Self::Gaussian { mu } => Some(0.5 * order * mu * mu),
            Self::Nearly(_) => None,
            Self::Finite(outcomes) => renyi(outcomes.iter().copied(), order),
        }
    }

    /// The trade-off function: the least type-II error at type-I error `a` (Q is the null
    /// hypothesis), as 1 minus the largest P(S) with Q(S) = a.
    ///
    /// By Neyman and Pearson; Laplace: Dong, Roth, Su 2022, Proposition 2.8.
    pub fn tradeoff_at(&self, a: f64) -> f64 {
        match self {
            Self::Laplace { shift } => {
                let e = (-shift).exp();
                if a < 0.5 * e {
                    1.0 - a / e
                } else if a <= 0.5 {
                    e / (4.0 * a)
                } else {
                    e * (1.0 - a)
                }
            }
            Self::Gaussian { mu } => normal::cdf(-normal::quantile(a) - mu),
            Self::Finite(outcomes) | Self::Nearly(outcomes) => {
                let mut order = outcomes.clone();
                order.sort_by(|x, y| (y.0 * x.1).total_cmp(&(x.0 * y.1)));
                let (mut left, mut missed) = (a, 1.0);
                for (p, q) in order {
                    let share = if q > left { left / q } else { 1.0 };
                    missed -= share * p;
                    left = (left - q).max(0.0);
                    if share < 1.0 {
                        break;
                    }
                }
                missed.clamp(0.0, 1.0)
            }
        }
    }
}

fn reversed(outcomes: &[(f64, f64)]) -> Vec<(f64, f64)> {
    outcomes.iter().map(|(p, q)| (*q, *p)).collect()
}

/// D_α of two laws by their probabilities (p, q) of each outcome; `None` where it is infinite.
pub(super) fn renyi(outcomes: impl Iterator<Item = (f64, f64)>, order: f64) -> Option<f64> {
    let terms = outcomes.filter(|(p, _)| *p > 0.0).map(|(p, q)| {
        if q > 0.0 { (order * p.ln() - (order - 1.0) * q.ln()).exp() } else { f64::INFINITY }
    });
    let sum: f64 = terms.sum();
    Some(sum.ln() / (order - 1.0)).filter(|value| value.is_finite()).map(|value| value.max(0.0))
}

#[cfg(test)]
#[path = "../../tests/unit/loss/exact.rs"]
mod tests;
