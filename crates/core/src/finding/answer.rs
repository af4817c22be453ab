//! An answer of a query without noise, as it is written.

use crate::dataset::Dataset;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An answer of a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WrittenAnswer {
    /// Numbers; those that are not finite are the words "NaN", "+infinity" and "-infinity".
    Numbers(
        #[serde(with = "plaudit_accountant::number::list")]
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
                let words: Vec<_> =
                    numbers.iter().map(|x| plaudit_accountant::number::words(*x)).collect();
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
