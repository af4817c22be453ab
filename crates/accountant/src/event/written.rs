//! Events as files and expressions have them: flat, by the names of their parameters.

use crate::event::Sampling;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An event as written in files: flat, with only the parameters of its kind.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
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
pub(crate) const KINDS: &[(&str, &[&str], &[&str])] = &[
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
pub(crate) fn parameters_of(kind: &str) -> Vec<&'static str> {
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

    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static str, f64)> {
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
