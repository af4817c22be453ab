//! Mechanisms that are wrong for all parameters. The broken sparse vectors are next to the right
//! ones instead.

use super::additive::noise::{LaplaceParameters, NoiseKind, SizedNoise, add};
use super::by_choices::{ChoiceFamily, probability};
use super::family::{Family, finite_numbers};
use super::grid::PowerOfTwoGrid;
use super::parameter::{Finite, Positive, Probability};
use super::sample;
use plaudit_accountant::number::words;
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::choice::Coin;
use plaudit_engine::mechanism::{Choices, Outcome, Outcomes};
use rand::RngExt;
use serde::Deserialize;

/// `prefix-sum`: the running sums of the numbers with Laplace noise each. When each of d numbers
/// moves by 1 the loss is d/scale, not 1/scale.
#[derive(Deserialize)]
#[serde(try_from = "LaplaceParameters")]
pub(super) struct PrefixSum {
    scale: f64,
}

impl TryFrom<LaplaceParameters> for PrefixSum {
    type Error = String;
    fn try_from(parameters: LaplaceParameters) -> Result<Self, String> {
        match parameters.noise(NoiseKind::Laplace)? {
            SizedNoise::Laplace { scale } => Ok(Self { scale }),
            _ => unreachable!("Laplace noise was asked for"),
        }
    }
}

impl Family for PrefixSum {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<f64>, String> {
        finite_numbers(dataset)
    }

    fn draw(&self, answers: &Vec<f64>, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        let mut sums = answers.clone();
        let grid = PowerOfTwoGrid::for_scale(self.scale);
        for _ in 0..runs {
            let mut sum = 0.0;
            for (running, answer) in sums.iter_mut().zip(answers) {
                sum += grid.round(answer + sample::laplace(random, self.scale));
                *running = sum;
            }
            outcomes.push_vector(&sums);
        }
    }

    fn describe(&self) -> String {
        let scale = words(self.scale);
        format!("adds Laplace noise of scale {scale} to each number and releases the running sums")
    }
}

/// `bounded-noise`: uniform noise in ±`bound`. Outcomes near the ends are possible under one
/// dataset only: ∞.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoundedNoise {
    bound: Positive,
}

impl Family for BoundedNoise {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<f64>, String> {
        finite_numbers(dataset)
    }

    fn draw(&self, answers: &Vec<f64>, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        let bound = self.bound.get();
        let grid = PowerOfTwoGrid::for_scale(bound);
        let mut noise = || bound * (2.0 * random.random::<f64>() - 1.0);
        add(answers, runs, outcomes, |answer| grid.round(answer + noise()));
    }

    fn describe(&self) -> String {
        format!("adds uniform noise in ±{} to each number", words(self.bound.get()))
    }
}

/// `subsample`: keeps each entry with probability `rate` and releases those kept, as they are. An
/// entry that only one dataset has gives it away: ∞.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Subsample {
    rate: Probability,
}

impl ChoiceFamily for Subsample {
    type Exact = (Vec<f64>, Coin);

    fn read(&self, dataset: &Dataset) -> Result<Self::Exact, String> {
        let rate = self.rate.get();
        let coin = Coin::new(probability(rate));
        let coin = coin.ok_or_else(|| format!("{rate} is not a probability"))?;
        Ok((finite_numbers(dataset)?, coin))
    }

    fn release(&self, (entries, coin): &Self::Exact, choices: &mut Choices<'_>) -> Outcome {
        let kept = entries.iter().copied().filter(|_| choices.coin(coin));
        Outcome::Vector(kept.collect())
    }

    fn fill(
        &self,
        (entries, coin): &Self::Exact,
        runs: usize,
        choices: &mut Choices<'_>,
        outcomes: &mut Outcomes,
    ) {
        let mut kept = Vec::with_capacity(entries.len());
        for _ in 0..runs {
            kept.clear();
            kept.extend(entries.iter().copied().filter(|_| choices.coin(coin)));
            outcomes.push_vector(&kept);
        }
    }

    fn describe(&self) -> String {
        format!(
            "releases a sample of the entries, each with probability {}",
            words(self.rate.get())
        )
    }
}

/// `fault`: Laplace noise of `scale` on each number, but on a dataset that holds the number `on`
/// every run ends in a fault: ∞ on a pair of which only one dataset has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Faulty {
    fault: Fault,
    on: Finite,
    scale: Positive,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Fault {
    Panic,
    Nan,
    Infinity,
    Empty,
}

impl Family for Faulty {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<f64>, String> {
        finite_numbers(dataset)
    }

    fn draw(&self, answers: &Vec<f64>, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        if !answers.contains(&self.on.get()) {
            let noise = SizedNoise::Laplace { scale: self.scale.get() };
            return noise.draw(answers, runs, random, outcomes);
        }
        match self.fault {
            Fault::Panic => panic!("cannot take the number {}", words(self.on.get())),
            Fault::Nan => outcomes.extend_numbers(runs, || f64::NAN),
            Fault::Infinity => outcomes.extend_numbers(runs, || f64::INFINITY),
            Fault::Empty => (0..runs).for_each(|_| outcomes.push_vector(&[])),
        }
    }

    fn describe(&self) -> String {
        let fault = match self.fault {
            Fault::Panic => "panics",
            Fault::Nan => "releases NaN",
            Fault::Infinity => "releases +infinity",
            Fault::Empty => "releases an empty vector",
        };
        format!(
            "adds Laplace noise of scale {} to each number, but {fault} when one of them is {}",
            words(self.scale.get()),
            words(self.on.get())
        )
    }
}
