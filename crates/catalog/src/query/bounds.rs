//! Clamping bounds of sums and means, the right way and the ways people get them wrong.

use super::super::additive::noise::{AskedNoise, NoiseKind, SizedNoise};
use super::super::parameter::Finite;
use plaudit_accountant::number::words;
use serde::Deserialize;

/// Source of bounds, if not the spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum BoundsFrom {
    /// A mistake: the smallest and the largest value of the data, and the noise scaled to them. The
    /// mean of constant data gets no noise at all.
    Data,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Clamping {
    #[default]
    Each,
    Forgotten,
    /// A mistake: the answer, after aggregation. For a sum: to n times the bounds.
    After,
}

/// Bounds and their noise.
pub(super) enum Bounds {
    Declared { lower: f64, upper: f64, clamping: Clamping, noise: SizedNoise },
    FromData { epsilon: f64 },
}

impl Bounds {
    /// Bounds as a spec asks for them.
    ///
    /// # Errors
    /// If they are neither declared nor taken from the data, are in the wrong order, or the noise
    /// does not fit.
    pub(super) fn new(
        lower: Option<Finite>,
        upper: Option<Finite>,
        from: Option<BoundsFrom>,
        clamping: Clamping,
        kind: NoiseKind,
        asked: AskedNoise,
    ) -> Result<Self, String> {
        match (lower, upper, from) {
            (Some(lower), Some(upper), None) if lower < upper => Ok(Self::Declared {
                lower: lower.get(),
                upper: upper.get(),
                clamping,
                noise: asked.of_kind(kind)?,
            }),
            (Some(_), Some(_), None) => Err("`lower` must be below `upper`".into()),
            (None, None, Some(BoundsFrom::Data)) => match (kind, asked, clamping) {
                (
                    NoiseKind::Laplace,
                    AskedNoise {
                        epsilon: Some(epsilon),
                        scale: None,
                        sigma: None,
                        delta: None,
                        sensitivity: None,
                        calibration: None,
                    },
                    Clamping::Each,
                ) => Ok(Self::FromData { epsilon: epsilon.get() }),
                _ => Err("bounds from the data go with Laplace noise and `epsilon` alone: the \
                          sensitivity is taken from the data, too"
                    .into()),
            },
            _ => Err("give `lower` and `upper`, or `bounds = \"data\"`".into()),
        }
    }

    pub(super) fn sum(&self, values: &[f64]) -> Result<(f64, SizedNoise), String> {
        match *self {
            Self::Declared { lower, upper, clamping, noise } => {
                Ok((clamped_sum(values, 1.0, lower, upper, clamping), noise))
            }
            Self::FromData { epsilon } => {
                let (lower, upper) = range(values)?;
                let scale = lower.abs().max(upper.abs()) / epsilon;
                Ok((values.iter().sum(), SizedNoise::Laplace { scale }))
            }
        }
    }

    /// The sum over `divisor`, and its noise.
    pub(super) fn mean(&self, values: &[f64], divisor: f64) -> Result<(f64, SizedNoise), String> {
        match *self {
            Self::Declared { .. } if values.is_empty() => {
                Err("the mean of no rows is undefined".into())
            }
            Self::Declared { lower, upper, clamping, noise } => {
                Ok((clamped_sum(values, divisor, lower, upper, clamping), noise))
            }
            Self::FromData { epsilon } => {
                let (lower, upper) = range(values)?;
                let scale = (upper - lower) / divisor / epsilon;
                Ok((values.iter().sum::<f64>() / divisor, SizedNoise::Laplace { scale }))
            }
        }
    }

    pub(super) fn words(&self) -> String {
        match self {
            Self::Declared { lower, upper, clamping, noise } => {
                let (lower, upper) = (words(*lower), words(*upper));
                let bounds = match clamping {
                    Clamping::Each => format!("each value clamped to {lower} to {upper}"),
                    Clamping::Forgotten => format!("bounds {lower} to {upper} declared only"),
                    Clamping::After => format!("the result clamped to {lower} to {upper} a row"),
                };
                format!("{bounds}, with {}", noise.words())
            }
            Self::FromData { epsilon } => format!(
                "with Laplace noise for epsilon {}, scaled to the range of the data",
                words(*epsilon)
            ),
        }
    }
}

fn clamped_sum(values: &[f64], divisor: f64, lower: f64, upper: f64, clamping: Clamping) -> f64 {
    let raw = || values.iter().sum::<f64>() / divisor;
    match clamping {
        Clamping::Each => values.iter().map(|x| x.clamp(lower, upper)).sum::<f64>() / divisor,
        Clamping::Forgotten => raw(),
        Clamping::After => {
            let times = values.len() as f64 / divisor;
            raw().clamp(lower * times, upper * times)
        }
    }
}

fn range(values: &[f64]) -> Result<(f64, f64), String> {
    if values.is_empty() {
        return Err("no rows, so no bounds to take from the data".into());
    }
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Ok((least, most))
}
