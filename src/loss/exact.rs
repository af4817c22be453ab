//! The privacy loss of laws that are known: what an audit measures, without the error of measuring.

use crate::claim::gaussian_profile;
use crate::normal;

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
    /// The same but for outcomes of a negligible mass together, which may matter to moments of the
    /// loss: these are not told.
    Nearly(Vec<(f64, f64)>),
}

impl ExactLoss {
    /// The same with the roles of P and Q exchanged.
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
mod tests {
    use super::*;

    fn laws() -> Vec<ExactLoss> {
        vec![
            ExactLoss::Laplace { shift: 1.0 },
            ExactLoss::Laplace { shift: 0.1 },
            ExactLoss::Laplace { shift: 6.0 },
            ExactLoss::Gaussian { mu: 1.0 },
            ExactLoss::Gaussian { mu: 0.2 },
            ExactLoss::Gaussian { mu: 4.0 },
            ExactLoss::Finite(vec![(0.75, 0.25), (0.25, 0.75)]),
            ExactLoss::Finite(vec![(0.5, 0.2), (0.1, 0.3), (0.4, 0.5)]),
        ]
    }

    /// The law of the loss under P by a fine grid of ε: mass between neighbors.
    fn masses(law: &ExactLoss) -> impl Iterator<Item = (f64, f64)> + '_ {
        let at = |i: i32| f64::from(i) * 1e-3;
        (-60_000..60_000)
            .map(move |i| (0.5 * (at(i) + at(i + 1)), law.exceeds(at(i)) - law.exceeds(at(i + 1))))
    }

    #[test]
    fn the_tail_of_the_loss_gives_profile_mean_and_renyi_divergence() {
        for law in laws() {
            let total: f64 = masses(&law).map(|(_, mass)| mass).sum();
            assert!((total - 1.0).abs() < 1e-12, "{law:?}: {total}");
            let mean: f64 = masses(&law).map(|(loss, mass)| loss * mass).sum();
            assert!((mean - law.kl().unwrap()).abs() < 1e-3, "{law:?}: {mean}");
            for epsilon in [0.0f64, 0.05, 0.5, 0.9, 2.0] {
                // E(1 − e^(ε − ℓ))₊ (Sommer, Meiser, Mohammadi 2019).
                let over = masses(&law).filter(|(loss, _)| *loss > epsilon);
                let delta: f64 = over.map(|(l, mass)| -(epsilon - l).exp_m1() * mass).sum();
                assert!(
                    (delta - law.delta_at(epsilon)).abs() < 1e-3,
                    "{law:?} at {epsilon}: {delta}"
                );
            }
            for order in [1.5, 2.0, 4.0] {
                let moment: f64 =
                    masses(&law).map(|(l, mass)| mass * ((order - 1.0) * l).exp()).sum();
                let divergence = moment.ln() / (order - 1.0);
                let exact = law.renyi(order).unwrap();
                assert!(
                    (divergence - exact).abs() < 2e-3 * (1.0 + exact),
                    "{law:?} {order}: {divergence} {exact}"
                );
            }
        }
    }

    #[test]
    fn profile_and_trade_off_function_are_dual() {
        for law in laws() {
            for epsilon in [0.0f64, 0.3, 0.99, 2.0] {
                let best = (0..=100_000)
                    .map(|i| f64::from(i) / 100_000.0)
                    .map(|a| 1.0 - law.tradeoff_at(a) - epsilon.exp() * a)
                    .fold(0.0, f64::max);
                let delta = law.delta_at(epsilon);
                assert!((best - delta).abs() < 1e-4, "{law:?} at {epsilon}: {best} {delta}");
            }
        }
    }

    #[test]
    fn known_values() {
        let close =
            |found: f64, exact: f64| assert!((found - exact).abs() < 1e-13, "{found} {exact}");
        let laplace = ExactLoss::Laplace { shift: 1.0 };
        close(laplace.delta_at(0.0), 0.393_469_340_287_366_6);
        close(laplace.kl().unwrap(), (-1f64).exp());
        close(laplace.renyi(2.0).unwrap(), (2.0 / 3.0 * 1f64.exp() + (-2f64).exp() / 3.0).ln());
        close(laplace.exceeds(0.999_999_999_999_999_9), 0.5);
        assert_eq!(
            (laplace.delta_at(1.0), laplace.exceeds(1.0), laplace.exceeds(-1.1)),
            (0.0, 0.0, 1.0)
        );
        let response = ExactLoss::Finite(vec![(0.75, 0.25), (0.25, 0.75)]);
        close(response.delta_at(0.0), 0.5);
        close(response.kl().unwrap(), 0.5 * 3f64.ln());
        close(response.renyi(2.0).unwrap(), (7f64 / 3.0).ln());
        close(response.tradeoff_at(0.25), 0.25);
        // The Gaussian mechanism fails gracefully: P(ℓ > tε) for μ = 1 at ε = 1, 2, 3.
        let gaussian = ExactLoss::Gaussian { mu: 1.0 };
        close(gaussian.exceeds(1.0), 0.308_537_538_725_986_9);
        close(gaussian.exceeds(2.0), 0.066_807_201_268_858_07);
        close(gaussian.exceeds(3.0), 0.006_209_665_325_776_139);
        let never = ExactLoss::Finite(vec![(0.5, 0.0), (0.5, 1.0)]);
        assert_eq!((never.kl(), never.renyi(2.0), never.delta_at(9.0)), (None, None, 0.5));
        assert_eq!(never.reverse().delta_at(0.0), 0.5);
        let tiny = ExactLoss::Laplace { shift: 1e-4 };
        assert!((tiny.kl().unwrap() / 4.999_833_337_5e-9 - 1.0).abs() < 1e-9);
    }
}
