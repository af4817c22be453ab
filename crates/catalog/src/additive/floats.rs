//! Noise as written by an author who forgets that doubles are not real numbers: drawn in doubles by
//! the textbook's formula, added in doubles, released unchanged. The lowest bits of the sum reveal
//! where it came from (Mironov 2012; Haney, Desfontaines, Hartman, Shrestha, Hay 2022).

use super::gaussian::Gaussian;
use super::noise::{LaplaceParameters, NoiseKind, SizedNoise, add};
use crate::family::{Family, finite_numbers};
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::Outcomes;
use rand::RngExt;
use serde::Deserialize;
use std::f64::consts::TAU;

/// `laplace-in-floats`: Laplace noise by the inverse of its distribution function, from a uniform
/// multiple of 2⁻⁵³, as numpy and many others draw it. Claimed is what `laplace` is right for.
#[derive(Deserialize)]
#[serde(try_from = "LaplaceParameters")]
pub(crate) struct LaplaceInFloats(SizedNoise);

impl TryFrom<LaplaceParameters> for LaplaceInFloats {
    type Error = String;
    fn try_from(parameters: LaplaceParameters) -> Result<Self, String> {
        parameters.noise(NoiseKind::Laplace).map(Self)
    }
}

/// `gaussian-in-floats`: Gaussian noise by the formula of Box & Muller (1958), from two uniform
/// multiples of 2⁻⁵³. Claimed is what `gaussian` is right for.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct GaussianInFloats(Gaussian);

impl Family for LaplaceInFloats {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<f64>, String> {
        finite_numbers(dataset)
    }

    fn draw(&self, answers: &Vec<f64>, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        let scale = self.0.size();
        add(answers, runs, outcomes, |answer| answer + scale * unit_laplace(random));
    }

    fn describe(&self) -> String {
        format!("adds {} to each number, in doubles as they come", self.0.words())
    }
}

impl Family for GaussianInFloats {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<f64>, String> {
        finite_numbers(dataset)
    }

    fn draw(&self, answers: &Vec<f64>, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        let sigma = self.0.noise().size();
        add(answers, runs, outcomes, |answer| answer + sigma * unit_gaussian(random));
    }

    fn describe(&self) -> String {
        format!("adds {} to each number, in doubles as they come", self.0.noise().words())
    }
}

/// ±ln of a uniform number in (0, 1].
fn unit_laplace(random: &mut Stream) -> f64 {
    let uniform: f64 = random.random();
    if uniform >= 0.5 { -(2.0 - 2.0 * uniform).ln() } else { (2.0 * (0.5 - uniform)).ln() }
}

/// √(−2 ln u) cos(2πv) of uniform numbers u in (0, 1] and v in [0, 1).
fn unit_gaussian(random: &mut Stream) -> f64 {
    let radius = (-2.0 * (1.0 - random.random::<f64>()).ln()).sqrt();
    radius * (TAU * random.random::<f64>()).cos()
}
