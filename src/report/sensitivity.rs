//! What the check of a declared sensitivity came to, as a report says it.

use super::PairSummary;
use crate::dataset::{Dataset, Norm};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The query without noise on pairs of neighbors, before any trial. No chance is involved: answers are
/// doubles, and compared exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SensitivitySummary {
    /// What distances are measured in.
    pub norm: Norm,
    /// How far apart the answers on neighbors are declared to be at most.
    pub declared: f64,
    /// Pairs of neighbors whose answers were compared. Nothing is said of the others.
    pub pairs: usize,
    /// The largest distance that is known of any of them, rounded to the nearest double; `null`: one of
    /// the answers is no number, a failure, or of another length.
    pub distance: Option<f64>,
    /// The smallest pair that was found to exceed what is declared; left out if none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<ExceedingPair>,
}

/// A pair of neighbors whose exact answers are further apart than what is declared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExceedingPair {
    /// The pair.
    pub pair: PairSummary,
    /// The exact answer on D; if it is long, abridged (the certificate has it whole).
    pub answer_d: WrittenAnswer,
    /// The exact answer on D', likewise.
    pub answer_d_prime: WrittenAnswer,
}

/// An answer of a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WrittenAnswer {
    /// Numbers; those that are not finite are the words "NaN", "+infinity" and "-infinity".
    Numbers(
        #[serde(with = "crate::number::list")]
        #[schemars(with = "Vec<Value>")]
        Vec<f64>,
    ),
    /// The beginning and the extent of a long list of numbers.
    Abridged(Value),
    /// It failed, with these words.
    Failure(String),
}

impl WrittenAnswer {
    /// All of an answer.
    pub fn whole(answer: &Result<Vec<f64>, String>) -> Self {
        match answer {
            Ok(numbers) => Self::Numbers(numbers.clone()),
            Err(words) => Self::Failure(words.clone()),
        }
    }

    /// An answer for readers.
    pub fn abridged(answer: &Result<Vec<f64>, String>) -> Self {
        match answer {
            Ok(numbers) if numbers.len() > Dataset::SHOWN_WHOLE => {
                Self::Abridged(Dataset::Numbers(numbers.clone()).abridged())
            }
            other => Self::whole(other),
        }
    }
}

impl From<WrittenAnswer> for Result<Vec<f64>, String> {
    fn from(written: WrittenAnswer) -> Self {
        match written {
            WrittenAnswer::Numbers(numbers) => Ok(numbers),
            WrittenAnswer::Abridged(_) => Err("only the beginning is known".into()),
            WrittenAnswer::Failure(words) => Err(words),
        }
    }
}

/// "3", "[1, 2]", "with a failure (no rows)".
impl std::fmt::Display for WrittenAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Numbers(numbers) => {
                let words: Vec<_> = numbers.iter().map(|x| crate::number::words(*x)).collect();
                match &words[..] {
                    [one] => f.write_str(one),
                    many => write!(f, "[{}]", many.join(", ")),
                }
            }
            Self::Abridged(value) => value.fmt(f),
            Self::Failure(words) => write!(f, "with a failure ({words})"),
        }
    }
}
