//! Noise added to exact answers, and the Laplace mechanisms.

use super::calibration::{Calibration, sigma_for};
use crate::family::{Family, finite_numbers, single_number};
use crate::grid::PowerOfTwoGrid;
use crate::parameter::Positive;
use crate::sample;
use plaudit_accountant::number::words;
use plaudit_core::dataset::{Dataset, Norm, Sensitivity};
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::{AddedNoise, Outcomes, Release};
use serde::Deserialize;
use std::num::NonZeroUsize;

#[derive(Clone, Copy, Debug)]
pub(crate) enum SizedNoise {
    Laplace { scale: f64 },
    Gaussian { sigma: f64 },
    DiscreteLaplace { scale: f64 },
    DiscreteGaussian { sigma: f64 },
}

/// The families of noise that a query can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NoiseKind {
    Laplace,
    Gaussian,
    DiscreteLaplace,
    DiscreteGaussian,
}

/// Noise as a spec asks for it: by its size, or by what it is calibrated to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AskedNoise {
    pub scale: Option<Positive>,
    pub sigma: Option<Positive>,
    pub epsilon: Option<Positive>,
    pub delta: Option<crate::parameter::Probability>,
    pub sensitivity: Option<Positive>,
    pub calibration: Option<Calibration>,
}

impl AskedNoise {
    /// Noise described by the parameters.
    ///
    /// # Errors
    /// If the parameters do not give its size in a way that its kind knows.
    pub(crate) fn of_kind(&self, kind: NoiseKind) -> Result<SizedNoise, String> {
        match (kind, *self) {
            (
                NoiseKind::Laplace | NoiseKind::DiscreteLaplace,
                Self { sigma: None, delta: None, calibration: None, scale, epsilon, sensitivity },
            ) => {
                let scale = match (scale, epsilon, sensitivity) {
                    (Some(scale), None, None) => scale.get(),
                    (None, Some(epsilon), Some(sensitivity)) => sensitivity.get() / epsilon.get(),
                    _ => return Err(LAPLACE_WAYS.to_owned()),
                };
                Ok(match kind {
                    NoiseKind::Laplace => SizedNoise::Laplace { scale },
                    _ => SizedNoise::DiscreteLaplace { scale },
                })
            }
            (NoiseKind::Laplace | NoiseKind::DiscreteLaplace, _) => Err(LAPLACE_WAYS.to_owned()),
            (
                NoiseKind::Gaussian,
                Self {
                    scale: None,
                    sigma: None,
                    epsilon: Some(epsilon),
                    delta: Some(delta),
                    sensitivity: Some(sensitivity),
                    calibration,
                },
            ) => Ok(SizedNoise::Gaussian {
                sigma: sigma_for(
                    epsilon.get(),
                    delta.get(),
                    sensitivity.get(),
                    calibration.unwrap_or_default(),
                ),
            }),
            (
                NoiseKind::Gaussian | NoiseKind::DiscreteGaussian,
                Self {
                    scale: None,
                    sigma: Some(sigma),
                    epsilon: None,
                    delta: None,
                    sensitivity: None,
                    calibration: None,
                },
            ) => Ok(match kind {
                NoiseKind::Gaussian => SizedNoise::Gaussian { sigma: sigma.get() },
                _ => SizedNoise::DiscreteGaussian { sigma: sigma.get() },
            }),
            (NoiseKind::Gaussian, _) => Err("Gaussian noise takes `sigma` alone, or `epsilon`, \
                 `delta` and `sensitivity` (and, if you want, `calibration`)"
                .to_owned()),
            (NoiseKind::DiscreteGaussian, _) => {
                Err("discrete Gaussian noise takes `sigma` alone".to_owned())
            }
        }
    }
}

impl AskedNoise {
    /// The sensitivity that noise of this kind was calibrated to, if that is how it was asked for.
    pub(crate) fn declared(&self, kind: NoiseKind) -> Option<Sensitivity> {
        let norm = match kind {
            NoiseKind::Laplace | NoiseKind::DiscreteLaplace => Norm::L1,
            NoiseKind::Gaussian | NoiseKind::DiscreteGaussian => Norm::L2,
        };
        self.sensitivity.map(|most| Sensitivity { norm, most: most.get() })
    }
}

const LAPLACE_WAYS: &str = "Laplace noise takes `scale` alone, or `epsilon` and `sensitivity` (scale = sensitivity/epsilon)";

impl SizedNoise {
    /// Checks that the noise fits the answers.
    ///
    /// # Errors
    /// If the noise is of whole numbers and an answer is not one.
    pub(crate) fn fits(&self, answers: &[f64]) -> Result<(), String> {
        match (self, answers.iter().position(|x| x.fract() != 0.0 || x.abs() > 1e15)) {
            (Self::Laplace { .. } | Self::Gaussian { .. }, _) | (_, None) => Ok(()),
            (_, Some(at)) => Err(format!(
                "discrete noise takes whole numbers, but entry {at} is {}",
                words(answers[at])
            )),
        }
    }

    /// Adds outcomes: each answer with fresh noise. A number (an integer, for discrete noise) for
    /// a single answer, a vector for several. Real numbers are released on the [`PowerOfTwoGrid`] for the
    /// scale of the noise.
    pub(crate) fn draw(
        &self,
        answers: &[f64],
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
    ) {
        match *self {
            Self::Laplace { scale } => {
                let (laplace, grid) = (sample::laplace_of(scale), PowerOfTwoGrid::for_scale(scale));
                add(answers, runs, outcomes, move |answer| grid.round(answer + laplace(random)));
            }
            Self::Gaussian { sigma } => {
                let grid = PowerOfTwoGrid::for_scale(sigma);
                let noisy = |answer| grid.round(answer + sample::gaussian(random, sigma));
                add(answers, runs, outcomes, noisy);
            }
            Self::DiscreteLaplace { scale } => {
                add_whole(answers, runs, outcomes, || sample::discrete_laplace(random, scale));
            }
            Self::DiscreteGaussian { sigma } => {
                add_whole(answers, runs, outcomes, || sample::discrete_gaussian(random, sigma));
            }
        }
    }

    /// The noise, if it is of real numbers.
    pub(crate) fn added(&self) -> Option<AddedNoise> {
        match *self {
            Self::Laplace { scale } => Some(AddedNoise::Laplace { scale }),
            Self::Gaussian { sigma } => Some(AddedNoise::Gaussian { sigma }),
            Self::DiscreteLaplace { .. } | Self::DiscreteGaussian { .. } => None,
        }
    }

    pub(crate) fn size(&self) -> f64 {
        match *self {
            Self::Laplace { scale } | Self::DiscreteLaplace { scale } => scale,
            Self::Gaussian { sigma } | Self::DiscreteGaussian { sigma } => sigma,
        }
    }

    pub(crate) fn words(&self) -> String {
        match *self {
            Self::Laplace { scale } => format!("Laplace noise of scale {}", words(scale)),
            Self::Gaussian { sigma } => {
                format!("Gaussian noise of standard deviation {}", words(sigma))
            }
            Self::DiscreteLaplace { scale } => {
                format!("discrete Laplace noise of scale {}", words(scale))
            }
            Self::DiscreteGaussian { sigma } => {
                format!("discrete Gaussian noise of parameter sigma {}", words(sigma))
            }
        }
    }
}

/// Adds outcomes of real numbers: each answer as `noisy` makes it.
pub(crate) fn add(
    answers: &[f64],
    runs: usize,
    outcomes: &mut Outcomes,
    mut noisy: impl FnMut(f64) -> f64,
) {
    if let [answer] = *answers {
        // Moved in, so that nothing is looked up again for every number.
        return outcomes.extend_numbers(runs, move || noisy(answer));
    }
    let mut vector = answers.to_vec();
    for _ in 0..runs {
        vector.iter_mut().zip(answers).for_each(|(entry, &answer)| *entry = noisy(answer));
        outcomes.push_vector(&vector);
    }
}

pub(crate) fn add_whole(
    answers: &[f64],
    runs: usize,
    outcomes: &mut Outcomes,
    mut noise: impl FnMut() -> i64,
) {
    if let [answer] = *answers {
        return (0..runs).for_each(|_| outcomes.push_integer(answer as i64 + noise()));
    }
    add(answers, runs, outcomes, |answer| answer + noise() as f64);
}

/// `laplace`: the answers with Laplace noise (Dwork, McSherry, Nissim, Smith 2006), rounded to a
/// [`PowerOfTwoGrid`]. ε-DP for scale = Δ₁/ε.
#[derive(Deserialize)]
#[serde(try_from = "LaplaceParameters")]
pub(crate) struct Laplace {
    noise: SizedNoise,
    declared: Option<Sensitivity>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LaplaceParameters {
    pub(crate) scale: Option<Positive>,
    pub(crate) epsilon: Option<Positive>,
    pub(crate) sensitivity: Option<Positive>,
}

impl LaplaceParameters {
    pub(crate) fn asked(&self) -> AskedNoise {
        let Self { scale, epsilon, sensitivity } = *self;
        AskedNoise { scale, epsilon, sensitivity, ..AskedNoise::default() }
    }

    pub(crate) fn noise(&self, kind: NoiseKind) -> Result<SizedNoise, String> {
        self.asked().of_kind(kind)
    }
}

impl TryFrom<LaplaceParameters> for Laplace {
    type Error = String;
    fn try_from(parameters: LaplaceParameters) -> Result<Self, String> {
        let declared = parameters.asked().declared(NoiseKind::Laplace);
        Ok(Self { noise: parameters.noise(NoiseKind::Laplace)?, declared })
    }
}

impl Family for Laplace {
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

/// `laplace-parallel`: one number, released `copies` times with Laplace noise of its own each, on a
/// [`PowerOfTwoGrid`].
/// (copies·Δ/scale)-DP: many weak signals.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LaplaceParallel {
    copies: NonZeroUsize,
    scale: Positive,
}

impl Family for LaplaceParallel {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<f64>, String> {
        single_number(dataset).map(|x| vec![x; self.copies.get()])
    }

    fn draw(&self, answers: &Vec<f64>, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        SizedNoise::Laplace { scale: self.scale.get() }.draw(answers, runs, random, outcomes);
    }

    fn describe(&self) -> String {
        let noise = SizedNoise::Laplace { scale: self.scale.get() };
        format!("releases the number {} times, each with {}", self.copies, noise.words())
    }

    fn releases(&self) -> Option<Vec<Release>> {
        let noise = AddedNoise::Laplace { scale: self.scale.get() };
        Some(vec![Release { noise, count: self.copies.get(), of_one_entry: true }])
    }
}
