//! Selection: the dataset is a list of utilities (query answers), and the mechanism names a good
//! one by its place, counted from 0.

use super::drawn::{Drawn, DrawnFamily, Shape};
use super::family::{Family, OfFamily, finite_numbers};
use super::parameter::{self, Positive};
use plaudit_accountant::number::words;
use plaudit_aligned::{Aligned, Draws, Noise, Sampler};
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::{CatalogMechanism, Outcomes};
use rand::RngExt;
use serde::Deserialize;
use smallvec::SmallVec;
use std::num::NonZeroUsize;

/// `noisy-max`: report noisy max (Dwork & Roth 2014, section 3.3; Ding et al. 2018, Algorithms 5
/// to 8). With scale 2/ε and the index released it is ε-DP when each utility moves by at most 1; with scale 2k/ε, k
/// places may be released, with the gaps between them (Ding, Wang, Zhang, Kifer 2019, "Free Gap Information from the
/// Differentially Private Sparse Vector and Noisy Max Mechanisms").
/// Releasing the maximum itself or the winner's exact number, or a scale of 1/ε, are known mistakes.
#[derive(Deserialize)]
#[serde(try_from = "NoisyMaxParameters")]
pub(super) struct NoisyMax {
    noise: MaxNoise,
    releases: MaxRelease,
    places: usize,
    /// `true` if the gaps between several places are released, rounded to a grid.
    gaps: bool,
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

impl MaxNoise {
    fn law(self) -> Noise {
        match self {
            Self::Laplace => Noise::Laplace,
            Self::Exponential => Noise::Exponential,
            Self::Gumbel => Noise::Gumbel,
            Self::Gaussian => Noise::Gaussian,
        }
    }
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
    places: Option<NonZeroUsize>,
    #[serde(default)]
    gaps: bool,
    epsilon: Option<Positive>,
    scale: Option<Positive>,
}

impl TryFrom<NoisyMaxParameters> for NoisyMax {
    type Error = String;
    fn try_from(parameters: NoisyMaxParameters) -> Result<Self, String> {
        let NoisyMaxParameters { noise, releases, places, gaps, epsilon, scale } = parameters;
        let places = places.map_or(1, NonZeroUsize::get);
        let scale = match (epsilon, scale) {
            (Some(epsilon), None) => 2.0 * places as f64 / epsilon.get(),
            (None, Some(scale)) => scale.get(),
            _ => {
                return Err(
                    "noisy max takes `epsilon` (scale = 2·places/epsilon) or `scale`".into()
                );
            }
        };
        if places > 1 && releases != MaxRelease::Index {
            return Err("several `places` are released as \"index\" only".into());
        }
        if places == 1 && gaps {
            return Err("`gaps` are between two `places` or more".into());
        }
        Ok(Self { noise, releases, places, gaps, scale })
    }
}

impl NoisyMax {
    /// The place of the largest number, with Laplace noise of this scale.
    pub(super) fn of_laplace(scale: f64) -> Self {
        Self {
            noise: MaxNoise::Laplace,
            releases: MaxRelease::Index,
            places: 1,
            gaps: false,
            scale,
        }
    }

    /// The place of the largest noisy number.
    pub(super) fn winner(&self, utilities: &[f64], random: &mut Stream) -> usize {
        self.largest(utilities, &mut Sampler::new(random, &mut Vec::new())).0
    }

    /// The places of the largest numbers, in order, each the largest of those that are left.
    #[inline(never)]
    fn ranked<D: Draws>(&self, utilities: &[D::Real], draws: &mut D) {
        let mut left: SmallVec<[(usize, D::Real); 16]> = SmallVec::new();
        for (at, utility) in utilities.iter().enumerate() {
            left.push((at, utility.clone() + draws.noise(self.noise.law(), self.scale)));
        }
        let mut last: Option<D::Real> = None;
        for _ in 0..self.places.min(left.len()) {
            let (at, _) = draws.largest(left.len(), |_, at| left[at].1.clone());
            let (place, number) = left.remove(at);
            if let Some(last) = last.filter(|_| self.gaps) {
                draws.release(last - number.clone());
            }
            draws.tell(place as f64);
            last = Some(number);
        }
    }

    /// The place of the largest number after noise, the first of several, and that number.
    #[inline(always)]
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
    // With the loop over runs, so that nothing is looked up anew in each.
    #[inline(always)]
    fn run<D: Draws>(&self, utilities: &[D::Real], draws: &mut D) {
        if self.places > 1 {
            return self.ranked(utilities, draws);
        }
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
            _ if self.places > 1 => Shape::Vector,
            MaxRelease::Index => Shape::Integer,
            MaxRelease::Maximum | MaxRelease::Answer => Shape::Number,
        }
    }

    fn released_scale(&self) -> Option<f64> {
        (self.gaps || self.releases == MaxRelease::Maximum).then_some(self.scale)
    }

    fn describe(&self) -> String {
        let noise = match self.noise {
            MaxNoise::Laplace => "Laplace",
            MaxNoise::Exponential => "exponential",
            MaxNoise::Gumbel => "Gumbel",
            MaxNoise::Gaussian => "Gaussian",
        };
        let several;
        let what = match self.releases {
            MaxRelease::Index if self.places > 1 => {
                let gaps = if self.gaps { " and their gaps" } else { "" };
                several = format!("the places of the {} largest numbers{gaps}", self.places);
                &several
            }
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
