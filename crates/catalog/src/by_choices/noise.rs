//! Noise of whole numbers.

use super::{ChoiceFamily, Size, released, whole_numbers};
use plaudit_core::dataset::Dataset;
use plaudit_engine::mechanism::choice::Fraction;
use plaudit_engine::mechanism::{Choices, Outcome};
use serde::Deserialize;

/// `exact-discrete-laplace`: each number with discrete Laplace noise (Canonne, Kamath, Steinke
/// 2020, Algorithm 2). ε-DP for scale = Δ₁/ε.
#[derive(Deserialize)]
#[serde(try_from = "Parameters")]
pub(in super::super) struct DiscreteLaplace {
    scale: Fraction,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    scale: Option<Size>,
    epsilon: Option<Size>,
}

impl TryFrom<Parameters> for DiscreteLaplace {
    type Error = String;
    fn try_from(parameters: Parameters) -> Result<Self, String> {
        let Parameters { scale, epsilon } = parameters;
        scale_of(scale, epsilon, 1).map(|scale| Self { scale })
    }
}

/// The scale of noise: as it is given, or `factor`/ε.
pub(super) fn scale_of(
    scale: Option<Size>,
    epsilon: Option<Size>,
    factor: u64,
) -> Result<Fraction, String> {
    match (scale, epsilon) {
        (Some(scale), None) => Ok(scale.get()),
        (None, Some(epsilon)) => epsilon.scale_for(factor),
        _ => Err(format!("the noise takes `scale`, or `epsilon` (scale = {factor}/epsilon)")),
    }
}

impl ChoiceFamily for DiscreteLaplace {
    type Exact = Vec<i64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<i64>, String> {
        whole_numbers(dataset)
    }

    fn release(&self, answers: &Vec<i64>, choices: &mut Choices<'_>) -> Outcome {
        let mut noisy = || choices.discrete_laplace(self.scale);
        released(&answers.iter().map(|answer| answer + noisy()).collect::<Vec<_>>())
    }

    fn describe(&self) -> String {
        format!(
            "adds discrete Laplace noise of scale {} to each whole number, drawn with integers",
            self.scale
        )
    }
}

/// `exact-discrete-gaussian`: each number with discrete Gaussian noise (Canonne, Kamath, Steinke
/// 2020, Algorithm 3).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct DiscreteGaussian {
    variance: Size,
}

impl ChoiceFamily for DiscreteGaussian {
    type Exact = Vec<i64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<i64>, String> {
        whole_numbers(dataset)
    }

    fn release(&self, answers: &Vec<i64>, choices: &mut Choices<'_>) -> Outcome {
        let mut noisy = || choices.discrete_gaussian(self.variance.get());
        released(&answers.iter().map(|answer| answer + noisy()).collect::<Vec<_>>())
    }

    fn describe(&self) -> String {
        format!(
            "adds discrete Gaussian noise of parameter sigma^2 = {} to each whole number, drawn \
             with integers",
            self.variance.get()
        )
    }
}

/// `exact-bounded-noise`, broken: each number with a uniform whole number in ±`bound`. Outcomes
/// near the ends are possible under one dataset only: ∞.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct BoundedNoise {
    bound: u32,
}

impl ChoiceFamily for BoundedNoise {
    type Exact = Vec<i64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<i64>, String> {
        whole_numbers(dataset)
    }

    fn release(&self, answers: &Vec<i64>, choices: &mut Choices<'_>) -> Outcome {
        let bound = u64::from(self.bound);
        let mut noisy = || choices.uniform(2 * bound + 1) as i64 - i64::from(self.bound);
        released(&answers.iter().map(|answer| answer + noisy()).collect::<Vec<_>>())
    }

    fn describe(&self) -> String {
        format!("adds a uniform whole number in ±{} to each whole number", self.bound)
    }
}
