//! Noise between a count and its answer.

use super::super::noise::Noise;
use super::database::Database;
use plaudit_core::random::Stream;
use rand::RngExt;
use rand_distr::{Distribution, Exp1, StandardNormal};
use serde::Serialize;

/// Step size of answers: sums of answers and of counts are then exact, so that no rounding decides whether a table
/// fits.
const STEP: f64 = 1.0 / 1_048_576.0;

/// Change from an exact count to an answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Disturbance {
    Noise(Noise),
    /// An error of at most a bound.
    Bounded(Bounded),
}

/// An error of at most a bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "noise", rename_all = "kebab-case")]
pub enum Bounded {
    /// Drawn evenly from −E to E.
    Uniform {
        error: f64,
    },
    /// As near as E allows to the answer of a decoy: a table with 2E ones and 2E zeros of the true one flipped.
    Adversarial {
        error: f64,
    },
    Rounding {
        multiple: f64,
    },
}

impl Bounded {
    pub fn error(self) -> f64 {
        match self {
            Self::Uniform { error } | Self::Adversarial { error } => error,
            Self::Rounding { multiple } => 0.5 * multiple_in_steps(multiple),
        }
    }

    /// Upper bound on the wrong bits of a reconstruction from all answers (Dinur, Nissim 2003).
    pub fn most_wrong(self) -> u64 {
        (4.0 * self.error()).floor() as u64
    }
}

impl Disturbance {
    /// Size: a scale, a standard deviation, a bound or a multiple.
    pub fn scale(self) -> f64 {
        match self {
            Self::Noise(Noise::Laplace { scale }) => scale,
            Self::Noise(Noise::Gaussian { sigma }) => sigma,
            Self::Bounded(Bounded::Uniform { error } | Bounded::Adversarial { error }) => error,
            Self::Bounded(Bounded::Rounding { multiple }) => multiple,
        }
    }

    pub fn bounded(self) -> Option<Bounded> {
        match self {
            Self::Noise(_) => None,
            Self::Bounded(bounded) => Some(bounded),
        }
    }

    /// The variance of an error, or what it is at most: what least squares weighs answers by.
    pub(super) fn variance(self) -> f64 {
        match self {
            Self::Noise(Noise::Laplace { scale }) => 2.0 * scale * scale,
            Self::Noise(Noise::Gaussian { sigma }) => sigma * sigma,
            Self::Bounded(Bounded::Adversarial { error }) => error * error,
            Self::Bounded(bounded) => bounded.error().powi(2) / 3.0,
        }
    }

    /// The table whose answers are pretended, where there is one.
    pub(super) fn decoy(self, database: &Database, random: &mut Stream) -> Option<Database> {
        match self {
            Self::Bounded(Bounded::Adversarial { error }) => {
                Some(database.decoy((2.0 * error).floor() as usize, random))
            }
            _ => None,
        }
    }

    /// The answer to a query of which the exact count is `truth` and the decoy's `pretended`.
    pub(super) fn answer(self, truth: u64, pretended: u64, random: &mut Stream) -> f64 {
        let truth = truth as f64;
        match self {
            Self::Noise(noise) => in_steps(truth + drawn(noise, random)),
            Self::Bounded(Bounded::Uniform { error }) => {
                truth + downward(error * (2.0 * random.random::<f64>() - 1.0))
            }
            Self::Bounded(Bounded::Adversarial { error }) => {
                let most = downward(error);
                truth + (pretended as f64 - truth).clamp(-most, most)
            }
            Self::Bounded(Bounded::Rounding { multiple }) => {
                let multiple = multiple_in_steps(multiple);
                (truth / multiple).round() * multiple
            }
        }
    }
}

fn drawn(noise: Noise, random: &mut Stream) -> f64 {
    match noise {
        Noise::Laplace { scale } => {
            let size: f64 = Exp1.sample(random);
            if random.random() { scale * size } else { -scale * size }
        }
        Noise::Gaussian { sigma } => {
            let standard: f64 = StandardNormal.sample(random);
            sigma * standard
        }
    }
}

fn in_steps(x: f64) -> f64 {
    (x / STEP).round() * STEP
}

fn downward(x: f64) -> f64 {
    (x / STEP).trunc() * STEP
}

/// Twice a whole number of steps, so that half of it is also in steps.
fn multiple_in_steps(multiple: f64) -> f64 {
    (multiple / (2.0 * STEP)).round().max(1.0) * (2.0 * STEP)
}

#[cfg(test)]
#[path = "../../../tests/unit/attack/reconstruct/disturbance.rs"]
mod tests;
