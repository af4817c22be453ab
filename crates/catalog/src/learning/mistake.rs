//! The mistakes that a training can be given.

use serde::Deserialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TrainingMistake {
    /// The sum of the gradients is clipped, not each of them.
    ClipBatch,
    /// The noise has standard deviation sigma for any clipping norm.
    NoiseNotScaledByClip,
    /// The biases of the model get no noise.
    NoNoiseOnBias,
    /// The last layer gets the noise of the first.
    NoiseReused,
    /// The rows are shuffled once an epoch and cut into batches of a fixed size.
    Shuffled,
    /// Each batch is a sample of a fixed size, without replacement.
    FixedBatch,
    /// The mean loss of the trained model, which is unbounded, is released next to the outcome.
    UnclippedLoss,
    /// The training stops when the mean loss is small enough.
    DataDependentSteps,
    /// The mean gradient of every two rows is clipped like that of one.
    Microbatch,
    /// The gradients are clipped to the median of their norms, exactly.
    FreeAdaptiveClip,
    /// Each example of a person is clipped, not the sum of them.
    ClipPerExample,
    /// Each layer is clipped to the norm, but the noise is that of one layer.
    NoiseOfOneLayer,
    /// The sum of each micro-batch is clipped, not each gradient.
    ClipAccumulated,
    /// The noise is divided by the number of micro-batches.
    NoiseDivided,
    /// The norm of a gradient is computed without the biases.
    BiasNotInNorm,
    /// The clipping norm follows the exact number of short gradients.
    UnnoisedQuantile,
}

impl TrainingMistake {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::ClipBatch => "the sum of the gradients is clipped, not each of them",
            Self::NoiseNotScaledByClip => "the noise is not scaled by the clipping norm",
            Self::NoNoiseOnBias => "the biases get no noise",
            Self::NoiseReused => "the last layer gets the noise of the first",
            Self::Shuffled => "the batches are those of shuffled epochs, all of one size",
            Self::FixedBatch => "the batches are all of one size",
            Self::UnclippedLoss => "the mean loss is released without noise",
            Self::DataDependentSteps => "the training stops when the mean loss is small",
            Self::Microbatch => "two gradients are averaged and clipped as one",
            Self::FreeAdaptiveClip => "the clipping norm is the exact median of the norms",
            Self::ClipPerExample => "each example is clipped, not the sum of a person's",
            Self::NoiseOfOneLayer => "the noise is that of one layer",
            Self::ClipAccumulated => "the sum of each micro-batch is clipped, not each gradient",
            Self::NoiseDivided => "the noise is divided by the number of micro-batches",
            Self::BiasNotInNorm => "the norm of a gradient leaves the biases out",
            Self::UnnoisedQuantile => "the clipping norm follows a count without noise",
        }
    }

    /// `true` if the batches all have the same size.
    pub(super) fn fixes_the_batch(self) -> bool {
        matches!(self, Self::Shuffled | Self::FixedBatch)
    }

    /// The parameter without which this cannot go wrong, and its meaning.
    pub(super) fn needs(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::DataDependentSteps => Some(("stop_below", "the mean loss at which it stops")),
            Self::ClipPerExample => Some(("person", "the column of the persons' ids")),
            Self::NoiseOfOneLayer => Some(("clipping", "as `\"per-layer\"`")),
            Self::ClipAccumulated | Self::NoiseDivided => {
                Some(("microbatches", "the number into which a batch is cut"))
            }
            Self::UnnoisedQuantile => {
                Some(("adaptive", "how the clipping norm follows a quantile"))
            }
            _ => None,
        }
    }
}
