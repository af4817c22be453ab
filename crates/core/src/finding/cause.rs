//! Possible causes of a violation: guesses from how it shows, for the user who fixes the mechanism. No verdict rests on
//! them.

use plaudit_accountant::number;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Possible cause of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The two files of recorded outcomes spell the same values differently.
    Spelling,
    /// The query moves further between neighbors than the noise is calibrated to.
    Sensitivity,
    /// Noise is added in floating point.
    LowBits,
    /// The running time depends on the data.
    RunningTime,
    /// Errors depend on the data.
    Errors,
    /// Which keys are released depends on one record.
    Keys,
    /// Range, grid, length or format of the output come from the data.
    OutputRange,
    /// The noise does not reach all outputs.
    NoiseSupport,
    /// The claim leaves out a δ.
    MissingDelta,
    /// The noise is too small.
    NoiseScale,
    /// The data are used more often than accounted for.
    Accounting,
    /// Noise is used twice.
    ReusedNoise,
}

/// The largest δ that is named as one that a claim may have left out: above, single records are released too often.
pub const MOST_DELTA: f64 = 1e-3;

impl Cause {
    /// The cause, and what to do about it, in two sentences; with how far apart two answers without noise are, and with the
    /// certified δ, where they matter.
    pub fn words(self, distance: Option<f64>, delta_lower: f64) -> String {
        let words = match self {
            Self::Sensitivity => {
                let distance = distance.map_or_else(String::new, |distance| {
                    format!(" (by at least {} here)", number::lower(distance))
                });
                return format!(
                    "The query moves further between neighbors than the noise is calibrated to{distance}. Calibrate the \
                     noise to that, or clamp each record before the query is computed."
                );
            }
            Self::MissingDelta => {
                return format!(
                    "The claim leaves out the probability of rare outputs. If they are intended to be that rare, claim \
                     (ε, δ)-DP with a δ of at least {}.",
                    number::upper(delta_lower)
                );
            }
            Self::Spelling => {
                "The two files were written by different programs, or by one that spells values by the data: what tells the \
                 datasets apart is how values are spelled, more than what they are. Write both files with the same program, \
                 types and options, and compare what the values alone leak (in the notes)."
            }
            Self::LowBits => {
                "Noise is added in floating point, and the lowest bits of the sum depend on the data. Draw discrete noise, \
                 or round the output to a grid that does not depend on the data."
            }
            Self::RunningTime => {
                "The running time depends on the data. Make it constant, or hide it from all observers."
            }
            Self::Errors => {
                "An error is raised more often on one dataset (an empty group, a missing or extreme value). Return a noisy \
                 answer on every input."
            }
            Self::Keys => {
                "Which keys are released depends on a single record: the keys come from the data, and a threshold on their \
                 counts is missing or too low for the claimed δ. Release a fixed set of keys, or raise the threshold."
            }
            Self::OutputRange => {
                "The range, grid, length or format of the output is computed from the data. Fix it in advance, or pay for it \
                 from the privacy budget."
            }
            Self::NoiseSupport => {
                "Some outputs cannot occur on one of the datasets: the noise is bounded, cut off, or missing on some runs. \
                 Use noise that reaches every output from every dataset."
            }
            Self::NoiseScale => {
                "The noise is too small for the sensitivity of the query. Check the formula of its scale: a factor of 2, ε \
                 and δ, and whether a record is added or replaced."
            }
            Self::Accounting => {
                "The data are used more often than the claimed budget accounts for. Count each query, each group and each \
                 round."
            }
            Self::ReusedNoise => {
                "Noise is drawn once and used for several outputs, or its seed depends on the data. Draw fresh noise for \
                 each output."
            }
        };
        words.into()
    }
}
