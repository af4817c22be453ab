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
        }
    }

    /// `true` if the batches all have the same size.
    pub(super) fn fixes_the_batch(self) -> bool {
        matches!(self, Self::Shuffled | Self::FixedBatch)
    }
}
