//! Selection: the dataset is a list of utilities (query answers), and the mechanism names a good
//! one by its place, counted from 0.

use super::drawn::{Drawn, DrawnFamily, Shape};
use super::family::{Family, OfFamily, finite_numbers};
use super::parameter::{self, Positive};
use plaudit_accountant::number::words;
use plaudit_aligned::{Aligned, Draws, Sampler};
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::{CatalogMechanism, Outcomes};
use rand::RngExt;
use serde::Deserialize;

/// `noisy-max`: report noisy max (Dwork & Roth 2014, section 3.3; Ding et al. 2018, Algorithms 5
/// to 8). With scale 2/ε and the index released it is ε-DP when each utility moves by at most 1.
/// Releasing the maximum itself or the winner's exact number, or a scale of 1/ε, are known mistakes.
#[derive(Deserialize)]
#[serde(try_from = "NoisyMaxParameters")]
pub(super) struct NoisyMax {
    noise: MaxNoise,
    releases: MaxRelease,
    scale: f64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum MaxNoise {
    Laplace,
    Exponential,
    /// The exponential mechanism, if the place is released.
    Gumbel,
    Gaussian,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MaxRelease {
    #[default]
    Index,
    /// A mistake: the noisy maximum; rounded to a grid.
    Maximum,
    /// A mistake: the winner's exact number, looked up in the data again.
    Answer,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoisyMaxParameters {
    noise: MaxNoise,
    #[serde(default)]
    releases: MaxRelease,
    epsilon: Option<Positive>,
    scale: Option<Positive>,
}

impl TryFrom<NoisyMaxParameters> for NoisyMax {
    type Error = String;
    fn try_from(parameters: NoisyMaxParameters) -> Result<Self, String> {
        let NoisyMaxParameters { noise, releases, epsilon, scale } = parameters;
        let scale = match (epsilon, scale) {
            (Some(epsilon), None) => 2.0 / epsilon.get(),
            (None, Some(scale)) => scale.get(),
            _ => return Err("noisy max takes `epsilon` (scale = 2/epsilon) or `scale`".into()),
        };
        Ok(Self { noise, releases, scale })
    }
}

impl NoisyMax {
    /// The place of the largest number, with Laplace noise of this scale.
    pub(super) fn of_laplace(scale: f64) -> Self {
        Self { noise: MaxNoise::Laplace, releases: MaxRelease::Index, scale }
    }

    /// The place of the largest noisy number.
    pub(super) fn winner(&self, utilities: &[f64], random: &mut Stream) -> usize {
        self.largest(utilities, &mut Sampler::new(random, &mut Vec::new())).0
    }

    /// The place of the largest number after noise, the first of several, and that number.
    #[inline]
    fn largest<D: Draws>(&self, utilities: &[D::Real], draws: &mut D) -> (usize, D::Real) {
        let scale = self.scale;
        // One loop for each law.
        match self.noise {
            MaxNoise::Laplace => largest(utilities, draws, |draws| draws.laplace(scale)),
            MaxNoise::Exponential => largest(utilities, draws, |draws| draws.exponential(scale)),
            MaxNoise::Gumbel => largest(utilities, draws, |draws| draws.gumbel(scale)),
            MaxNoise::Gaussian => largest(utilities, draws, |draws| draws.gaussian(scale)),
        }
    }
}

impl NoisyMax {
    /// Not generic, so that its code is built here, with the optimisation of this crate.
    #[inline(never)]
    pub(super) fn boxed(self) -> Box<dyn CatalogMechanism> {
        Box::new(OfFamily(Drawn(self)))
    }
}

/// The place of the largest number after noise, the first of several, and that number.
#[inline]
fn largest<D: Draws>(
    utilities: &[D::Real],
    draws: &mut D,
    noise: impl Fn(&mut D) -> D::Real,
) -> (usize, D::Real) {
    draws.largest(utilities.len(), |draws, at| utilities[at].clone() + noise(draws))
}

impl Aligned for NoisyMax {
    #[inline]
    fn run<D: Draws>(&self, utilities: &[D::Real], draws: &mut D) {
        let (winner, most) = self.largest(utilities, draws);
        match self.releases {
            MaxRelease::Index => draws.tell(winner as f64),
            MaxRelease::Maximum => draws.release(most),
            MaxRelease::Answer => draws.release(utilities[winner].clone()),
        }
    }
}

impl DrawnFamily for NoisyMax {
    fn shape(&self) -> Shape {
        match self.releases {
            MaxRelease::Index => Shape::Integer,
            MaxRelease::Maximum | MaxRelease::Answer => Shape::Number,
        }
    }

    fn released_scale(&self) -> Option<f64> {
        (self.releases == MaxRelease::Maximum).then_some(self.scale)
    }

    fn describe(&self) -> String {
        let noise = match self.noise {
            MaxNoise::Laplace => "Laplace",
            MaxNoise::Exponential => "exponential",
            MaxNoise::Gumbel => "Gumbel",
            MaxNoise::Gaussian => "Gaussian",
        };
        let what = match self.releases {
            MaxRelease::Index => "the place of the largest number",
            MaxRelease::Maximum => "the largest number itself",
            MaxRelease::Answer => "the number, without noise, at the place of the largest",
        };
        format!("releases {what} after adding {noise} noise of scale {}", words(self.scale))
    }
}

/// Weights of utilities: e^(ε·u/(factor·Δ)). The factor is 2 where it is right, since a utility may
/// rise by Δ while all others fall by Δ.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weighing {
    epsilon: Positive,
    #[serde(default = "parameter::one")]
    sensitivity: Positive,
    #[serde(default = "parameter::two")]
    factor: Positive,
}

/// e^(ε(u − max u)/(factor·Δ)) for each utility u: at most 1, and 1 for the best.
pub(super) fn weights(utilities: &[f64], exponent: f64) -> Vec<f64> {
    let best = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    utilities.iter().map(|utility| (exponent * (utility - best)).exp()).collect()
}

/// Running sums of weights, to choose by.
pub(super) struct WeightedChoice(Vec<f64>);

impl WeightedChoice {
    pub(super) fn new(mut weights: Vec<f64>) -> Self {
        let mut sum = 0.0;
        for weight in &mut weights {
            sum += *weight;
            *weight = sum;
        }
        Self(weights)
    }

    /// An index with probability proportional to its weight.
    #[inline]
    pub(super) fn draw(&self, random: &mut Stream) -> usize {
        let last = self.0.len() - 1;
        let point = random.random::<f64>() * self.0[last];
        self.0.partition_point(|&sum| sum <= point).min(last)
    }
}

impl Weighing {
    fn exponent(&self) -> f64 {
        self.epsilon.get() / (self.factor.get() * self.sensitivity.get())
    }
}

/// `exponential-mechanism` (McSherry & Talwar 2007): index i with probability proportional to
/// e^(ε·u_i/(2Δ)). ε-DP. `factor = 1` is the known mistake of leaving the 2 out.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct ExponentialMechanism(Weighing);

impl Family for ExponentialMechanism {
    type Exact = WeightedChoice;

    fn read(&self, dataset: &Dataset) -> Result<WeightedChoice, String> {
        let utilities = finite_numbers(dataset)?;
        Ok(WeightedChoice::new(weights(&utilities, self.0.exponent())))
    }

    fn draw(
        &self,
        choice: &WeightedChoice,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
    ) {
        (0..runs).for_each(|_| outcomes.push_integer(choice.draw(random) as i64));
    }

    fn describe(&self) -> String {
        format!(
            "chooses a place with probability proportional to exp({} × its number)",
            words(self.0.exponent())
        )
    }
}

/// `permute-and-flip` (McKenna & Sheldon 2020, Algorithm 1): visits the indices in random
/// order and releases the first whose coin of probability e^(ε(u_i − max u)/(2Δ)) shows heads.
/// ε-DP.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct PermuteAndFlip(Weighing);

impl Family for PermuteAndFlip {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<f64>, String> {
        let utilities = finite_numbers(dataset)?;
        Ok(weights(&utilities, self.0.exponent()))
    }

    fn draw(&self, heads: &Vec<f64>, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        let mut order: Vec<usize> = (0..heads.len()).collect();
        for _ in 0..runs {
            // Fisher-Yates as far as it is needed; any start order does. The best index has
            // probability 1, so some coin shows heads before the indices run out.
            let winner = (0..order.len()).find_map(|at| {
                let chosen = random.random_range(at..order.len());
                order.swap(at, chosen);
                (random.random::<f64>() < heads[order[at]]).then_some(order[at])
            });
            outcomes.push_integer(winner.expect("the best index has weight 1") as i64);
        }
    }

    fn describe(&self) -> String {
        format!(
            "goes through the places in random order, and takes one with probability exp({} × \
             (its number − the largest))",
            words(self.0.exponent())
        )
    }
}
