//! Kinds of noise and decoders, as they are typed.

use clap::ValueEnum;
use plaudit_attacks::attack::{Bounded, Decoder, Disturbance, Noise};

/// Noise with a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum NoiseName {
    Laplace,
    Gaussian,
}

/// Noise between a count and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum DisturbanceName {
    Laplace,
    Gaussian,
    /// Errors drawn uniformly up to the bound
    Bounded,
    /// Bounded errors chosen to suggest another table
    Adversarial,
    /// To the nearest multiple
    Rounding,
}

/// How a table is rebuilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum DecoderName {
    /// Compare every table with every answer
    Exhaustive,
    /// Smallest sum of absolute residuals, rounded
    LinearProgram,
    /// Least squares, rounded: fast
    LeastSquares,
}

impl NoiseName {
    pub(super) fn of_scale(self, scale: f64) -> Noise {
        match self {
            Self::Laplace => Noise::Laplace { scale },
            Self::Gaussian => Noise::Gaussian { sigma: scale },
        }
    }
}

impl DisturbanceName {
    pub(super) fn of_scale(self, scale: f64) -> Disturbance {
        match self {
            Self::Laplace => Disturbance::Noise(Noise::Laplace { scale }),
            Self::Gaussian => Disturbance::Noise(Noise::Gaussian { sigma: scale }),
            Self::Bounded => Disturbance::Bounded(Bounded::Uniform { error: scale }),
            Self::Adversarial => Disturbance::Bounded(Bounded::Adversarial { error: scale }),
            Self::Rounding => Disturbance::Bounded(Bounded::Rounding { multiple: scale }),
        }
    }
}

impl DecoderName {
    pub(super) fn decoder(self) -> Decoder {
        match self {
            Self::Exhaustive => Decoder::Exhaustive,
            Self::LinearProgram => Decoder::LinearProgram,
            Self::LeastSquares => Decoder::LeastSquares,
        }
    }
}
