//! The Gaussian mechanism and its calibrations.

use super::calibration::Calibration;
use super::noise::{AskedNoise, NoiseKind, SizedNoise};
use crate::family::{Family, finite_numbers};
use crate::parameter::{Positive, Probability};
use plaudit_core::dataset::{Dataset, Sensitivity};
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::{AddedNoise, Outcomes};
use serde::Deserialize;

/// `gaussian`: the answers with Gaussian noise, rounded to a [`crate::grid::Grid`]. (Δ₂/σ)-GDP.
#[derive(Deserialize)]
#[serde(try_from = "Parameters")]
pub(crate) struct Gaussian {
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
    pub(crate) fn noise(&self) -> &SizedNoise {
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
