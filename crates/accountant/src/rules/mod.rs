//! The classic rules: basic and advanced composition, and composition of Gaussian differential
//! privacy. Each is an upper bound.

pub(super) mod rdp;

use crate::component::law::Law;
use crate::component::laws::{CUT, gaussian_mu, laws};
use crate::component::uses::upper_laws;
use crate::component::view::UseView;
use crate::error::AccountantError;
use crate::event::{Event, EventKind, Sampling};
use crate::method::Method;
use crate::normal;
use crate::number;

/// A number as it is read in a sentence: four digits, so that what rounding adds is not seen.
fn words(x: f64) -> String {
    number::brief(x)
}

const OUTWARD: f64 = 1.0 + 1e-12;

/// (ε, δ) that the event itself states, including its sample (Balle, Barthe, Gaboardi 2018); `None`
/// if it states no ε.
pub(crate) fn stated(event: &Event) -> Option<(f64, f64)> {
    let (epsilon, delta) = match event.kind {
        EventKind::ExponentialMechanism { epsilon }
        | EventKind::ShuffledRandomizedResponse { epsilon, .. }
        | EventKind::ReportNoisyMax { epsilon } => (epsilon, 0.0),
        EventKind::RepeatAndSelect { epsilon, shape } => ((2.0 + shape) * epsilon, 0.0),
        EventKind::EpsilonDelta { epsilon, delta } => (epsilon, delta),
        EventKind::Laplace { .. }
        | EventKind::DiscreteLaplace { .. }
        | EventKind::RandomizedResponse { .. } => {
            (laws(&event.kind, None, (1, CUT)).map_or(0.0, |(law, _)| law.largest()), 0.0)
        }
        EventKind::Gaussian { .. }
        | EventKind::DiscreteGaussian { .. }
        | EventKind::Renyi { .. }
        | EventKind::ZeroConcentrated { .. }
        | EventKind::DiscreteGaussianVector { .. }
        | EventKind::MixtureOfGaussians { .. }
        | EventKind::TreeAggregation { .. }
        | EventKind::CorrelatedNoise { .. }
        | EventKind::Gdp { .. } => return None,
    };
    match event.sampling {
        Some(Sampling::Poisson { rate } | Sampling::WithoutReplacement { rate }) => {
            Some((UseView::Present(rate).loss(epsilon), rate * delta))
        }
        None => Some((epsilon, delta)),
        Some(
            Sampling::PoissonSubstitution { .. }
            | Sampling::PoissonGroup { .. }
            | Sampling::TruncatedPoisson { .. }
            | Sampling::Allocation { .. }
            | Sampling::WithReplacement { .. },
        ) => None,
    }
}

/// ε and δ add up. An event that states no ε gets a share of δ, the same for each use.
#[derive(Clone, Debug)]
pub(crate) struct Basic {
    epsilon: f64,
    delta: f64,
    /// Laws that state no ε, and their counts.
    others: Vec<(Law, f64)>,
}

impl Basic {
    pub fn new(events: &[Event]) -> Self {
        let mut basic = Self { epsilon: 0.0, delta: 0.0, others: Vec::new() };
        for event in events {
            let count = event.count as f64;
            if let Some((epsilon, delta)) = stated(event) {
                basic.epsilon += count * epsilon;
                basic.delta += count * delta;
            } else {
                let laws = upper_laws(event).into_iter();
                basic.others.extend(laws.map(|(law, count)| (law, count as f64)));
            }
        }
        basic.epsilon *= OUTWARD;
        basic.delta = (basic.delta * OUTWARD).min(1.0);
        basic
    }

    pub fn epsilon_at(&self, delta: f64) -> f64 {
        if delta < self.delta {
            return f64::INFINITY;
        }
        let uses: f64 = self.others.iter().map(|(_, count)| count).sum();
        if uses == 0.0 {
            return self.epsilon;
        }
        let share = (delta - self.delta) / uses * (1.0 - 1e-12);
        let of = |(law, count): &(Law, f64)| count * single_epsilon(law, share);
        (self.epsilon + self.others.iter().map(of).sum::<f64>()) * OUTWARD
    }

    pub fn delta_at(&self, epsilon: f64) -> f64 {
        if self.others.is_empty() {
            return if epsilon >= self.epsilon { self.delta } else { 1.0 };
        }
        if self.epsilon_at(1.0) > epsilon {
            return 1.0;
        }
        let (mut low, mut high) = (-690.0, 0.0);
        for _ in 0..60 {
            let middle: f64 = 0.5 * (low + high);
            let delta = self.delta + middle.exp();
            if self.epsilon_at(delta.min(1.0)) <= epsilon { high = middle } else { low = middle }
        }
        (self.delta + high.exp()).min(1.0)
    }
}

/// An ε at which δ is enough for one use.
fn single_epsilon(law: &Law, delta: f64) -> f64 {
    let at = |epsilon: f64| law.delta(epsilon).1;
    if at(0.0) <= delta {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while at(high) > delta {
        high *= 2.0;
        if high > 1e12 {
            return f64::INFINITY;
        }
    }
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if at(middle) > delta { low = middle } else { high = middle }
    }
    high
}

/// k uses of one event that is (ε, δ)-DP.
#[derive(Clone, Debug)]
pub(crate) struct Advanced {
    epsilon: f64,
    delta: f64,
    count: f64,
    method: Method,
}

impl Advanced {
    pub fn new(events: &[Event], method: Method) -> Result<Self, AccountantError> {
        let refuse =
            |why: &str| Err(AccountantError::Method { method: method.name(), why: why.to_owned() });
        let Some((first, rest)) = events.split_first() else {
            return Err(AccountantError::Empty);
        };
        if rest.iter().any(|event| (&event.kind, event.sampling) != (&first.kind, first.sampling)) {
            return refuse(
                "the theorem covers k uses with equal (epsilon, delta): use pld or basic",
            );
        }
        let Some((epsilon, delta)) = stated(first) else {
            return refuse(&format!(
                "the theorem covers events that state an epsilon, but {} does not: use pld or rdp",
                first.kind.name()
            ));
        };
        let count = events.iter().map(|event| event.count as f64).sum();
        Ok(Self { epsilon: epsilon * OUTWARD, delta: delta * OUTWARD, count, method })
    }

    /// Long form: ε√(2k ln(1/δ')) + kε(e^ε − 1) at kδ + δ' (Dwork, Rothblum, Vadhan 2010, Thm
    /// III.3). Short form: ε√(8k ln(1/δ')) where that is below 1 (Dwork, Roth 2014, Cor. 3.21).
    pub fn epsilon_at(&self, delta: f64) -> Result<f64, AccountantError> {
        let left = delta - self.count * self.delta;
        if left <= 0.0 || delta == 0.0 {
            return Err(AccountantError::Method {
                method: self.method.name(),
                why: format!(
                    "it spends some delta beyond the {} of the events, and delta = {} leaves none: \
                     ask at a larger delta, or use basic",
                    words(self.count * self.delta / OUTWARD),
                    words(delta)
                ),
            });
        }
        let logarithm = -left.min(1.0).ln();
        if self.method == Method::AdvancedShort {
            let total = self.epsilon * (8.0 * self.count * logarithm).sqrt() * OUTWARD;
            // For large δ' the short form is below the long one, which alone is a theorem.
            let needed = self.count * self.epsilon.exp_m1();
            let most = (2.0 * self.count * logarithm).sqrt();
            if total >= 1.0 {
                return Err(self.refused(format!(
                    "the short form is a theorem for a total epsilon below 1, but \
                     for these uses it is {}: use advanced (the long form) or pld",
                    words(total)
                )));
            }
            if needed > most {
                return Err(self.refused(format!(
                    "the short form follows from the long one only where k(e^epsilon - 1) is at most \
                     sqrt(2 k ln(1/delta')), and for these {} uses of epsilon = {} at delta' = {} the \
                     left side is {} and the right side {}: use advanced (the long form) or pld",
                    words(self.count),
                    words(self.epsilon / OUTWARD),
                    words(left),
                    words(needed),
                    words(most)
                )));
            }
            return Ok(total);
        }
        let spread = self.epsilon * (2.0 * self.count * logarithm).sqrt();
        Ok((spread + self.count * self.epsilon * self.epsilon.exp_m1()) * OUTWARD)
    }

    pub fn delta_at(&self, epsilon: f64) -> Result<f64, AccountantError> {
        let epsilon = epsilon / OUTWARD;
        let root = if self.method == Method::AdvancedShort {
            if epsilon >= 1.0 {
                return Err(self.refused(format!(
                    "the short form is a theorem for a total epsilon below 1, but \
                     epsilon = {} is requested: use advanced (the long form) or pld",
                    words(epsilon * OUTWARD)
                )));
            }
            // Below that, the short form does not follow from the long one.
            let root = 0.5 * epsilon / self.epsilon;
            if root < self.count * self.epsilon.exp_m1() { 0.0 } else { root }
        } else {
            epsilon / self.epsilon - self.count * self.epsilon.exp_m1()
        };
        let spent = if root > 0.0 { (-root * root / (2.0 * self.count)).exp() } else { 1.0 };
        Ok((self.count * self.delta + spent * OUTWARD).min(1.0))
    }

    fn refused(&self, why: String) -> AccountantError {
        AccountantError::Method { method: self.method.name(), why }
    }
}

/// μ of the whole: the root of the sum of squares (Dong, Roth, Su 2022, Cor. 3.3).
pub(crate) fn total_mu(events: &[Event]) -> Result<f64, AccountantError> {
    let mut squares = 0.0;
    for event in events {
        let known = gaussian_mu(&event.kind).filter(|_| event.is_whole());
        let mu = match known {
            Some(mu) => mu,
            // ε-DP implies μ-GDP where the trade-off curves touch: Φ(−μ/2) = 1/(1 + e^ε).
            None => match stated(event) {
                Some((epsilon, 0.0)) => {
                    // The quantile is exact to some 10^-13, not relative.
                    2e-12 - 2.0 * normal::quantile(1.0 / (1.0 + epsilon.exp()))
                }
                _ => {
                    return Err(AccountantError::Method {
                        method: "gdp",
                        why: format!(
                            "`{event}` has no mu that is known to hold: gdp takes Gaussian and gdp \
                             events on whole datasets, and events that are epsilon-DP; use pld"
                        ),
                    });
                }
            },
        };
        squares += event.count as f64 * mu * mu;
    }
    Ok(squares.sqrt() * OUTWARD)
}
