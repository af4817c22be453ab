//! Mechanisms of whole numbers.

use super::noise::{LaplaceParameters, NoiseKind, SizedNoise, add_whole};
use crate::by_choices::ChoiceFamily;
use crate::family::{Family, finite_numbers, single_number};
use crate::parameter::Positive;
use crate::sample;
use plaudit_accountant::number::words;
use plaudit_core::dataset::{Cell, Dataset, Relation, Sensitivity};
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::choice::Weights;
use plaudit_engine::mechanism::{Choices, Outcome, Outcomes};
use serde::Deserialize;

/// `discrete-laplace`, also known as the geometric mechanism (Ghosh, Roughgarden, Sundararajan
/// 2009): ε-DP for scale = Δ₁/ε. With `sampler = "by-trials"` the released value has the same law, but
/// with the running time next to it the loss is ∞: value and size of the noise give the answer away.
#[derive(Deserialize)]
#[serde(try_from = "DiscreteLaplaceParameters")]
pub(crate) struct DiscreteLaplace {
    noise: SizedNoise,
    sampler: Sampler,
    declared: Option<Sensitivity>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DiscreteLaplaceParameters {
    scale: Option<Positive>,
    epsilon: Option<Positive>,
    sensitivity: Option<Positive>,
    #[serde(default)]
    sampler: Sampler,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Sampler {
    /// In a time that does not depend on the noise.
    #[default]
    Direct,
    /// In a time that grows with it.
    ByTrials,
}

/// Largest scale that is sampled by trials: about as many are made in a run.
const MOST_TRIALS: f64 = 1e6;

impl TryFrom<DiscreteLaplaceParameters> for DiscreteLaplace {
    type Error = String;
    fn try_from(parameters: DiscreteLaplaceParameters) -> Result<Self, String> {
        let DiscreteLaplaceParameters { scale, epsilon, sensitivity, sampler } = parameters;
        let parameters = LaplaceParameters { scale, epsilon, sensitivity };
        let noise = parameters.noise(NoiseKind::DiscreteLaplace)?;
        let declared = parameters.asked().declared(NoiseKind::DiscreteLaplace);
        match noise {
            SizedNoise::DiscreteLaplace { scale }
                if scale > MOST_TRIALS && sampler == Sampler::ByTrials =>
            {
                Err(format!(
                    "scale is {}, which takes about as many trials in every run: sampler = \
                     \"by-trials\" takes scales up to {}",
                    words(scale),
                    words(MOST_TRIALS)
                ))
            }
            _ => Ok(Self { noise, sampler, declared }),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DiscreteGaussian {
    sigma: Positive,
}

impl DiscreteGaussian {
    fn noise(&self) -> SizedNoise {
        SizedNoise::DiscreteGaussian { sigma: self.sigma.get() }
    }
}

impl Family for DiscreteLaplace {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<f64>, String> {
        whole_numbers(dataset, &self.noise)
    }

    fn draw(&self, answers: &Vec<f64>, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        match (self.sampler, self.noise) {
            (Sampler::ByTrials, SizedNoise::DiscreteLaplace { scale }) => {
                let noise = || sample::discrete_laplace_by_trials(random, scale);
                add_whole(answers, runs, outcomes, noise);
            }
            (_, noise) => noise.draw(answers, runs, random, outcomes),
        }
    }

    fn describe(&self) -> String {
        let how = match self.sampler {
            Sampler::Direct => "",
            Sampler::ByTrials => ", drawn in as many trials as it is large",
        };
        format!("adds {} to each whole number{how}", self.noise.words())
    }

    fn query<'e>(&self, answers: &'e Vec<f64>) -> Option<&'e [f64]> {
        Some(answers)
    }

    fn sensitivity(&self) -> Option<Sensitivity> {
        self.declared
    }
}

impl Family for DiscreteGaussian {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<f64>, String> {
        whole_numbers(dataset, &self.noise())
    }

    fn draw(&self, answers: &Vec<f64>, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        self.noise().draw(answers, runs, random, outcomes);
    }

    fn describe(&self) -> String {
        format!("adds {} to each whole number", self.noise().words())
    }
}

fn whole_numbers(dataset: &Dataset, noise: &SizedNoise) -> Result<Vec<f64>, String> {
    let values = finite_numbers(dataset)?;
    noise.fits(&values)?;
    Ok(values)
}

/// `truncated-geometric`: a count c in 0..=n, released as a number in 0..=n, with integer
/// arithmetic only (Balcer & Vadhan 2018, Algorithm 3.4, "GeoSample"). With k = ⌈ln(2/ε)⌉ and
/// K = 2^k it is ln(1 + 1/K)-DP.
#[derive(Deserialize)]
#[serde(try_from = "Parameters")]
pub(crate) struct TruncatedGeometric {
    base: u64,
    n: u32,
    /// D = (2K + 1)(K + 1)^(n−1), the number of equally likely choices.
    choices: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    epsilon: Positive,
    n: u32,
}

impl TryFrom<Parameters> for TruncatedGeometric {
    type Error = String;
    fn try_from(Parameters { epsilon, n }: Parameters) -> Result<Self, String> {
        if n == 0 {
            return Err("n is 0: the largest count must be at least 1".into());
        }
        let k = (2.0 / epsilon.get()).ln().ceil().max(0.0);
        let choices = || {
            let base = (k < 32.0).then(|| 1u64 << k as u32)?;
            let choices = (base + 1).checked_pow(n - 1)?.checked_mul(2 * base + 1)?;
            Some((base, choices))
        };
        let (base, choices) = choices().ok_or_else(|| {
            format!(
                "epsilon = {} and n = {n} need more than 2^64 choices: raise epsilon or lower n",
                words(epsilon.get())
            )
        })?;
        Ok(Self { base, n, choices })
    }
}

impl TruncatedGeometric {
    /// F(0), …, F(n): of the choices 1..=D, those up to F(z) give an outcome of at most z.
    fn cumulative(&self, count: u32) -> Vec<u64> {
        let (base, n) = (self.base, self.n);
        let below = |z: u32| base.pow(count - z) * (base + 1).pow(n + z - count);
        let above =
            |z: u32| self.choices - base.pow(z + 1 - count) * (base + 1).pow(n + count - 1 - z);
        (0..=n)
            .map(|z| match z {
                _ if z == n => self.choices,
                _ if z < count => below(z),
                _ => above(z),
            })
            .collect()
    }
}

impl ChoiceFamily for TruncatedGeometric {
    /// Number of choices that give each outcome.
    type Exact = Weights;

    fn read(&self, dataset: &Dataset) -> Result<Weights, String> {
        let count = single_number(dataset)?;
        if count.fract() != 0.0 || count < 0.0 || count > f64::from(self.n) {
            let n = self.n;
            return Err(format!(
                "the mechanism takes a count from 0 to {n}, and this is {}",
                words(count)
            ));
        }
        let mut before = 0;
        let weights = self.cumulative(count as u32).into_iter().map(|up_to| {
            let weight = up_to - before;
            before = up_to;
            weight
        });
        Weights::new(weights).map_err(|error| error.to_string())
    }

    fn release(&self, weights: &Weights, choices: &mut Choices<'_>) -> Outcome {
        choices.weighted(weights).into()
    }

    fn fill(
        &self,
        weights: &Weights,
        runs: usize,
        choices: &mut Choices<'_>,
        outcomes: &mut Outcomes,
    ) {
        (0..runs).for_each(|_| outcomes.push_integer(choices.weighted(weights) as i64));
    }

    /// Datasets are counts from 0 to n.
    fn covers(&self, values: &[Cell], _rows: usize, _relation: &Relation) -> bool {
        values.len() > self.n as usize
    }

    fn describe(&self) -> String {
        format!(
            "releases a count from 0 to {} with geometric noise, cut to that range, drawn with \
             integers (K = {})",
            self.n, self.base
        )
    }
}
