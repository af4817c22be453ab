//! The Gaussian mechanism and its calibrations.

use super::noise::{AskedNoise, NoiseKind, SizedNoise};
use super::parameter::{Positive, Probability};
use super::{Family, finite_numbers};
use crate::claim::gaussian_profile;
use crate::dataset::{Dataset, Sensitivity};
use crate::mechanism::{AddedNoise, Outcomes};
use crate::random::Stream;
use serde::Deserialize;

/// How σ follows from (ε, δ) and the L2 sensitivity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Calibration {
    /// The smallest σ that is enough ([`analytic_sigma`]).
    #[default]
    Analytic,
    /// σ = Δ√(2 ln(1.25/δ))/ε (Dwork & Roth 2014, Theorem A.1): valid for ε <= 1 only, and used
    /// here for any ε.
    Classic,
    /// A mistake: the variance σ² of the analytic calibration where σ belongs.
    VarianceForSigma,
}

pub(super) fn sigma_for(
    epsilon: f64,
    delta: f64,
    sensitivity: f64,
    calibration: Calibration,
) -> f64 {
    match calibration {
        Calibration::Analytic => analytic_sigma(epsilon, delta, sensitivity),
        Calibration::Classic => sensitivity * (2.0 * (1.25 / delta).ln()).sqrt() / epsilon,
        Calibration::VarianceForSigma => analytic_sigma(epsilon, delta, sensitivity).powi(2),
    }
}

/// The smallest σ for which Gaussian noise gives (ε, δ)-DP at this L2 sensitivity: the root of
/// Φ(Δ/2σ − εσ/Δ) − e^ε Φ(−Δ/2σ − εσ/Δ) = δ (Balle & Wang 2018, Theorem 8), rounded up.
///
/// ε > 0, δ in (0, 1) and the sensitivity > 0 are the caller's to check.
pub fn analytic_sigma(epsilon: f64, delta: f64, sensitivity: f64) -> f64 {
    let enough = |mu: f64| gaussian_profile(mu, epsilon) <= delta;
    let (mut low, mut high) = (0.0, 1.0);
    while enough(high) {
        (low, high) = (high, 2.0 * high);
    }
    // Bisection on μ = Δ/σ down to neighboring doubles; `low` is always enough.
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return sensitivity / low;
        }
        if enough(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// `gaussian`: the answers with Gaussian noise, rounded to a [`super::grid::Grid`]. (Δ₂/σ)-GDP.
#[derive(Deserialize)]
#[serde(try_from = "Parameters")]
pub(super) struct Gaussian {
    noise: SizedNoise,
    declared: Option<Sensitivity>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    sigma: Option<Positive>,
    epsilon: Option<Positive>,
    delta: Option<Probability>,
    sensitivity: Option<Positive>,
    calibration: Option<Calibration>,
}

impl TryFrom<Parameters> for Gaussian {
    type Error = String;
    fn try_from(parameters: Parameters) -> Result<Self, String> {
        let Parameters { sigma, epsilon, delta, sensitivity, calibration } = parameters;
        let asked = AskedNoise { scale: None, sigma, epsilon, delta, sensitivity, calibration };
        let declared = asked.declared(NoiseKind::Gaussian);
        Ok(Self { noise: asked.of_kind(NoiseKind::Gaussian)?, declared })
    }
}

impl Gaussian {
    pub(super) fn noise(&self) -> &SizedNoise {
        &self.noise
    }
}

impl Family for Gaussian {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<f64>, String> {
        finite_numbers(dataset)
    }

    fn draw(&self, answers: &Vec<f64>, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        self.noise.draw(answers, runs, random, outcomes);
    }

    fn describe(&self) -> String {
        format!("adds {} to each number", self.noise.words())
    }

    fn added_noise(&self) -> Option<AddedNoise> {
        self.noise.added()
    }

    fn query<'e>(&self, answers: &'e Vec<f64>) -> Option<&'e [f64]> {
        Some(answers)
    }

    fn sensitivity(&self) -> Option<Sensitivity> {
        self.declared
    }
}
