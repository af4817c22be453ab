//! Events as files and expressions have them: flat, by the names of their parameters.

use super::AccountantError;
use super::event::{Event, EventKind, Sampling};
use crate::near::nearest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An event as it stands in files: flat, with the parameters of its kind and no others.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    /// The kind: `laplace`, `gaussian`, `discrete-laplace`, `discrete-gaussian`,
    /// `randomized-response`, `exponential-mechanism`, `epsilon-delta`, `renyi`,
    /// `zero-concentrated` or `gdp`.
    pub kind: String,
    /// Scale of Laplace noise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// σ of Gaussian noise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sigma: Option<f64>,
    /// Sensitivity; 1 if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<f64>,
    /// Probability of telling the truth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truth: Option<f64>,
    /// Number of answers; 2 if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<f64>,
    /// ε.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
    /// δ; 0 if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<f64>,
    /// Rényi order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// ρ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rho: Option<f64>,
    /// μ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mu: Option<f64>,
    /// Number of uses; 1 if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The sample that each use sees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampling: Option<Sampling>,
}

/// The kinds, and their parameters: those that are needed, then those that may be left out.
pub(super) const KINDS: &[(&str, &[&str], &[&str])] = &[
    ("laplace", &["scale"], &["sensitivity"]),
    ("gaussian", &["sigma"], &["sensitivity"]),
    ("discrete-laplace", &["scale"], &["sensitivity"]),
    ("discrete-gaussian", &["sigma"], &["sensitivity"]),
    ("randomized-response", &["truth"], &["values"]),
    ("exponential-mechanism", &["epsilon"], &[]),
    ("epsilon-delta", &["epsilon"], &["delta"]),
    ("renyi", &["alpha", "epsilon"], &[]),
    ("zero-concentrated", &["rho"], &[]),
    ("gdp", &["mu"], &[]),
];

/// All parameters of a kind of event, if there is such a kind.
pub(super) fn parameters_of(kind: &str) -> Vec<&'static str> {
    let found = KINDS.iter().find(|(name, ..)| *name == kind);
    found.map_or_else(Vec::new, |(_, needed, optional)| [*needed, *optional].concat())
}

impl Written {
    /// The place of a parameter, by its name.
    pub fn parameter(&mut self, name: &str) -> Option<&mut Option<f64>> {
        Some(match name {
            "scale" => &mut self.scale,
            "sigma" => &mut self.sigma,
            "sensitivity" => &mut self.sensitivity,
            "truth" => &mut self.truth,
            "values" => &mut self.values,
            "epsilon" => &mut self.epsilon,
            "delta" => &mut self.delta,
            "alpha" => &mut self.alpha,
            "rho" => &mut self.rho,
            "mu" => &mut self.mu,
            _ => return None,
        })
    }

    fn given(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let all = [
            ("scale", self.scale),
            ("sigma", self.sigma),
            ("sensitivity", self.sensitivity),
            ("truth", self.truth),
            ("values", self.values),
            ("epsilon", self.epsilon),
            ("delta", self.delta),
            ("alpha", self.alpha),
            ("rho", self.rho),
            ("mu", self.mu),
        ];
        all.into_iter().filter_map(|(name, value)| value.map(|value| (name, value)))
    }
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
            _ => EventKind::Gdp { mu: need("mu", written.mu)? },
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
