//! Events: the uses of mechanisms that a composition lists, as plain data.

mod sampling;
mod written;

use super::error::AccountantError;
use crate::near::nearest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use sampling::Sampling;
use written::KINDS;
pub(crate) use written::Written;
pub(crate) use written::parameters_of;

/// Most uses of one event. Beyond, the rounding of a single use decides the answer.
pub const LARGEST_COUNT: u64 = 1_000_000_000_000;
/// Largest ε, μ, ρ or ratio of sensitivity to noise of a single use.
const LARGEST_LOSS: f64 = 1e4;
/// Smallest of the same that is not 0.
const SMALLEST_LOSS: f64 = 1e-12;
/// Largest σ of a discrete Gaussian mechanism: all integers that matter are enumerated.
pub(crate) const LARGEST_SIGMA: f64 = 1e4;
/// Most integers between the two centers of a discrete mechanism.
const LARGEST_SHIFT: u64 = 10_000;

/// A mechanism, used `count` times, each time on the whole dataset or on a fresh sample of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Written", into = "Written")]
#[schemars(with = "Written")]
pub struct Event {
    /// The component.
    pub kind: EventKind,
    /// How often, from 1 to [`LARGEST_COUNT`].
    pub count: u64,
    /// The sample that each use sees, drawn again for each.
    pub sampling: Option<Sampling>,
}

/// Mechanism that an event uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventKind {
    /// A number plus Laplace noise of density e^(−|z|/scale)/(2 scale).
    Laplace {
        /// > 0.
        scale: f64,
        /// L1 sensitivity, > 0.
        sensitivity: f64,
    },
    /// A vector plus normal noise N(0, σ²) in each coordinate.
    Gaussian {
        /// σ > 0.
        sigma: f64,
        /// L2 sensitivity, > 0.
        sensitivity: f64,
    },
    /// An integer plus noise of probability proportional to e^(−|z|/scale) (Ghosh, Roughgarden,
    /// Sundararajan 2012).
    DiscreteLaplace {
        /// > 0.
        scale: f64,
        /// Sensitivity, a whole number >= 1.
        sensitivity: u64,
    },
    /// An integer plus noise of probability proportional to e^(−z²/2σ²) (Canonne, Kamath, Steinke
    /// 2020).
    DiscreteGaussian {
        /// σ > 0.
        sigma: f64,
        /// Sensitivity, a whole number >= 1.
        sensitivity: u64,
    },
    /// One of `values` answers, the true one with probability `truth`, else drawn evenly from all
    /// (Warner 1965).
    RandomizedResponse {
        /// In (0, 1).
        truth: f64,
        /// Number of answers, at least 2.
        values: u64,
    },
    /// The exponential mechanism (McSherry, Talwar 2007) at ε: any mechanism of bounded range ε
    /// (Durfee, Rogers 2019).
    ExponentialMechanism {
        /// ε >= 0.
        epsilon: f64,
    },
    /// Anything that is (ε, δ)-DP.
    EpsilonDelta {
        /// ε >= 0.
        epsilon: f64,
        /// δ in [0, 1].
        delta: f64,
    },
    /// Anything that is (α, ε)-Rényi-DP (Mironov 2017).
    Renyi {
        /// Order α > 1.
        alpha: f64,
        /// ε >= 0 at that order.
        epsilon: f64,
    },
    /// Anything that is ρ-zCDP (Bun, Steinke 2016).
    ZeroConcentrated {
        /// ρ >= 0.
        rho: f64,
    },
    /// Anything that is μ-GDP (Dong, Roth, Su 2022).
    Gdp {
        /// μ >= 0.
        mu: f64,
    },
}

impl EventKind {
    /// Its name in files and expressions.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Laplace { .. } => "laplace",
            Self::Gaussian { .. } => "gaussian",
            Self::DiscreteLaplace { .. } => "discrete-laplace",
            Self::DiscreteGaussian { .. } => "discrete-gaussian",
            Self::RandomizedResponse { .. } => "randomized-response",
            Self::ExponentialMechanism { .. } => "exponential-mechanism",
            Self::EpsilonDelta { .. } => "epsilon-delta",
            Self::Renyi { .. } => "renyi",
            Self::ZeroConcentrated { .. } => "zero-concentrated",
            Self::Gdp { .. } => "gdp",
        }
    }

    /// Its parameters by name, without those that have their usual value.
    pub(crate) fn parameters(&self) -> Vec<(&'static str, f64)> {
        let (needed, optional) = match *self {
            Self::Laplace { scale, sensitivity } => {
                (vec![("scale", scale)], Some(("sensitivity", sensitivity, 1.0)))
            }
            Self::Gaussian { sigma, sensitivity } => {
                (vec![("sigma", sigma)], Some(("sensitivity", sensitivity, 1.0)))
            }
            Self::DiscreteLaplace { scale, sensitivity } => {
                (vec![("scale", scale)], Some(("sensitivity", sensitivity as f64, 1.0)))
            }
            Self::DiscreteGaussian { sigma, sensitivity } => {
                (vec![("sigma", sigma)], Some(("sensitivity", sensitivity as f64, 1.0)))
            }
            Self::RandomizedResponse { truth, values } => {
                (vec![("truth", truth)], Some(("values", values as f64, 2.0)))
            }
            Self::ExponentialMechanism { epsilon } => (vec![("epsilon", epsilon)], None),
            Self::EpsilonDelta { epsilon, delta } => {
                (vec![("epsilon", epsilon)], Some(("delta", delta, 0.0)))
            }
            Self::Renyi { alpha, epsilon } => (vec![("alpha", alpha), ("epsilon", epsilon)], None),
            Self::ZeroConcentrated { rho } => (vec![("rho", rho)], None),
            Self::Gdp { mu } => (vec![("mu", mu)], None),
        };
        let unusual = optional.filter(|(_, value, usual)| value != usual);
        needed.into_iter().chain(unusual.map(|(name, value, _)| (name, value))).collect()
    }
}

impl Event {
    /// One use, on the whole dataset.
    pub fn once(kind: EventKind) -> Self {
        Self { kind, count: 1, sampling: None }
    }

    /// Checks that its numbers are possible.
    ///
    /// # Errors
    /// Names the number that is not, and what it must be.
    pub fn check(&self) -> Result<(), AccountantError> {
        if !(1..=LARGEST_COUNT).contains(&self.count) {
            let value = self.count as f64;
            let must_be = "a whole number between 1 and 1e12";
            return Err(AccountantError::Impossible { name: "count", value, must_be });
        }
        if let Some(sampling) = self.sampling {
            let rate = sampling.rate();
            if !(rate > 0.0 && rate <= 1.0) {
                let must_be = "above 0 and at most 1";
                return Err(AccountantError::Impossible { name: "rate", value: rate, must_be });
            }
            let known = matches!(self.kind, EventKind::Gaussian { .. } | EventKind::Laplace { .. });
            if matches!(sampling, Sampling::PoissonSubstitution(_)) && !known {
                return Err(AccountantError::Sample {
                    kind: self.kind.name(),
                    sample: "poisson-substitution",
                    takes: "gaussian and laplace",
                });
            }
        }
        self.kind.check()
    }
}

impl EventKind {
    fn check(&self) -> Result<(), AccountantError> {
        match *self {
            Self::Laplace { scale, sensitivity } => {
                positive("scale", scale)?;
                positive("sensitivity", sensitivity)?;
                ratio("sensitivity/scale", sensitivity / scale)
            }
            Self::Gaussian { sigma, sensitivity } => {
                positive("sigma", sigma)?;
                positive("sensitivity", sensitivity)?;
                ratio("sensitivity/sigma", sensitivity / sigma)
            }
            Self::DiscreteLaplace { scale, sensitivity } => {
                positive("scale", scale)?;
                shift(sensitivity)?;
                ratio("sensitivity/scale", sensitivity as f64 / scale)
            }
            Self::DiscreteGaussian { sigma, sensitivity } => {
                positive("sigma", sigma)?;
                shift(sensitivity)?;
                if sigma > LARGEST_SIGMA {
                    let must_be = "at most 1e4 for discrete-gaussian";
                    return Err(AccountantError::Impossible {
                        name: "sigma",
                        value: sigma,
                        must_be,
                    });
                }
                ratio("sensitivity/sigma", sensitivity as f64 / sigma)
            }
            Self::RandomizedResponse { truth, values } => {
                if !(SMALLEST_LOSS..=1.0 - 1e-12).contains(&truth) {
                    let must_be = "between 1e-12 and 1 - 1e-12";
                    return Err(AccountantError::Impossible {
                        name: "truth",
                        value: truth,
                        must_be,
                    });
                }
                if !(2..=1_000_000_000).contains(&values) {
                    let must_be = "between 2 and 1e9";
                    let value = values as f64;
                    return Err(AccountantError::Impossible { name: "values", value, must_be });
                }
                Ok(())
            }
            Self::ExponentialMechanism { epsilon } => loss("epsilon", epsilon),
            Self::EpsilonDelta { epsilon, delta } => {
                loss("epsilon", epsilon)?;
                probability("delta", delta)
            }
            Self::Renyi { alpha, epsilon } => {
                if !(alpha > 1.0 && alpha <= 1e6) {
                    let must_be = "above 1 and at most 1e6";
                    return Err(AccountantError::Impossible {
                        name: "alpha",
                        value: alpha,
                        must_be,
                    });
                }
                loss("epsilon", epsilon)
            }
            Self::ZeroConcentrated { rho } => loss("rho", rho),
            Self::Gdp { mu } => loss("mu", mu),
        }
    }
}

fn positive(name: &'static str, value: f64) -> Result<(), AccountantError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(AccountantError::Impossible { name, value, must_be: "above 0 and finite" })
}

fn loss(name: &'static str, value: f64) -> Result<(), AccountantError> {
    if value == 0.0 || (SMALLEST_LOSS..=LARGEST_LOSS).contains(&value) {
        return Ok(());
    }
    Err(AccountantError::Impossible { name, value, must_be: "0, or between 1e-12 and 1e4" })
}

fn ratio(name: &'static str, value: f64) -> Result<(), AccountantError> {
    if (SMALLEST_LOSS..=LARGEST_LOSS).contains(&value) {
        return Ok(());
    }
    Err(AccountantError::Impossible { name, value, must_be: "between 1e-12 and 1e4" })
}

fn shift(value: u64) -> Result<(), AccountantError> {
    if (1..=LARGEST_SHIFT).contains(&value) {
        return Ok(());
    }
    let must_be = "a whole number between 1 and 10000 for a discrete mechanism";
    Err(AccountantError::Impossible { name: "sensitivity", value: value as f64, must_be })
}

/// Checks that δ is a probability.
pub(crate) fn probability(name: &'static str, value: f64) -> Result<(), AccountantError> {
    if (0.0..=1.0).contains(&value) {
        return Ok(());
    }
    Err(AccountantError::Impossible { name, value, must_be: "between 0 and 1" })
}

impl TryFrom<Written> for Event {
    type Error = AccountantError;

    fn try_from(mut written: Written) -> Result<Self, AccountantError> {
        let kind = std::mem::take(&mut written.kind);
        let Some((_, needed, optional)) = KINDS.iter().find(|(name, ..)| *name == kind) else {
            let names: Vec<_> = KINDS.iter().map(|(name, ..)| *name).collect();
            let near = nearest(&kind, &names);
            let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
            let kinds = format!("{near}the kinds are {}", names.join(", "));
            return Err(AccountantError::UnknownKind { kind, kinds });
        };
        let takes = || {
            let optional = optional.iter().map(|name| format!("{name} (optional)"));
            let all: Vec<_> = needed.iter().map(|&n| n.to_owned()).chain(optional).collect();
            all.join(", ")
        };
        for (name, _) in written.given() {
            if !needed.contains(&name) && !optional.contains(&name) {
                let name = name.to_owned();
                return Err(AccountantError::UnknownParameter { kind, name, takes: takes() });
            }
        }
        let need = |name: &'static str, value: Option<f64>| {
            value.ok_or_else(|| AccountantError::MissingParameter {
                kind: kind.clone(),
                name: name.to_owned(),
                takes: takes(),
            })
        };
        let sensitivity = written.sensitivity.unwrap_or(1.0);
        let made = match kind.as_str() {
            "laplace" => EventKind::Laplace { scale: need("scale", written.scale)?, sensitivity },
            "gaussian" => EventKind::Gaussian { sigma: need("sigma", written.sigma)?, sensitivity },
            "discrete-laplace" => EventKind::DiscreteLaplace {
                scale: need("scale", written.scale)?,
                sensitivity: whole("sensitivity", sensitivity)?,
            },
            "discrete-gaussian" => EventKind::DiscreteGaussian {
                sigma: need("sigma", written.sigma)?,
                sensitivity: whole("sensitivity", sensitivity)?,
            },
            "randomized-response" => EventKind::RandomizedResponse {
                truth: need("truth", written.truth)?,
                values: whole("values", written.values.unwrap_or(2.0))?,
            },
            "exponential-mechanism" => {
                EventKind::ExponentialMechanism { epsilon: need("epsilon", written.epsilon)? }
            }
            "epsilon-delta" => EventKind::EpsilonDelta {
                epsilon: need("epsilon", written.epsilon)?,
                delta: written.delta.unwrap_or(0.0),
            },
            "renyi" => EventKind::Renyi {
                alpha: need("alpha", written.alpha)?,
                epsilon: need("epsilon", written.epsilon)?,
            },
            "zero-concentrated" => EventKind::ZeroConcentrated { rho: need("rho", written.rho)? },
            "gdp" => EventKind::Gdp { mu: need("mu", written.mu)? },
            // A row of `KINDS` without an arm here.
            _ => unreachable!("{kind} is of KINDS"),
        };
        let event =
            Self { kind: made, count: written.count.unwrap_or(1), sampling: written.sampling };
        event.check()?;
        Ok(event)
    }
}

impl From<Event> for Written {
    fn from(event: Event) -> Self {
        let mut written = Self {
            kind: event.kind.name().to_owned(),
            count: Some(event.count),
            sampling: event.sampling,
            ..Self::default()
        };
        for (name, value) in event.kind.parameters() {
            if let Some(place) = written.parameter(name) {
                *place = Some(value);
            }
        }
        written
    }
}

/// A whole number that a double holds.
fn whole(name: &'static str, value: f64) -> Result<u64, AccountantError> {
    if value.fract() == 0.0 && (0.0..9e15).contains(&value) {
        // Whole and below 2^53: the conversion is exact.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        return Ok(value as u64);
    }
    Err(AccountantError::Impossible { name, value, must_be: "a whole number" })
}
