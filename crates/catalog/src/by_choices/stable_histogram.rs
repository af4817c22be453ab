//! Histograms over keys that are not listed beforehand.

use super::super::query;
use super::{ChoiceFamily, Size};
use plaudit_core::dataset::{Cell, Dataset, Relation};
use plaudit_engine::mechanism::choice::Fraction;
use plaudit_engine::mechanism::{Choices, Entry, Keyed, Outcome};
use serde::Deserialize;

/// `exact-stable-histogram`: number of rows with each value of a column, with discrete
/// Laplace noise of scale 1/ε, and of these noisy counts those above a threshold t (Korolova,
/// Kenthapadi, Mishra, Ntoulas 2009; Bun, Nissim, Stemmer 2016, section 4).
///
/// A key with a count of 1 that only one of two neighbors has is released with probability
/// P(1 + X > t) = q^t/(1 + q), where q = e^(−ε): (ε, that)-DP under add/remove.
#[derive(Deserialize)]
#[serde(try_from = "Parameters")]
pub(in super::super) struct StableHistogram {
    column: String,
    scale: Fraction,
    /// Least noisy count that is released; `None`: any is.
    least: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    column: String,
    epsilon: Size,
    threshold: Option<u32>,
    #[serde(default)]
    releases: ReleasedCounts,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ReleasedCounts {
    #[default]
    Above,
    AtLeast,
    /// All of them: every key of the data is released.
    All,
}

impl TryFrom<Parameters> for StableHistogram {
    type Error = String;
    fn try_from(parameters: Parameters) -> Result<Self, String> {
        let Parameters { column, epsilon, threshold, releases } = parameters;
        let least = match (releases, threshold) {
            (ReleasedCounts::Above, Some(threshold)) => Some(i64::from(threshold) + 1),
            (ReleasedCounts::AtLeast, Some(threshold)) => Some(i64::from(threshold)),
            (ReleasedCounts::All, None) => None,
            (ReleasedCounts::All, Some(_)) => {
                return Err("`threshold` decides nothing if all counts are released".into());
            }
            (_, None) => {
                return Err("`threshold` is missing; for none, write releases = \"all\"".into());
            }
        };
        Ok(Self { column, scale: epsilon.scale_for(1)?, least })
    }
}

impl ChoiceFamily for StableHistogram {
    type Exact = Vec<(String, i64)>;

    fn read(&self, dataset: &Dataset) -> Result<Self::Exact, String> {
        let table = query::table(dataset)?;
        let column = query::column(table, &self.column)?;
        Ok(query::count_by_key(table, column))
    }

    fn release(&self, counts: &Self::Exact, choices: &mut Choices<'_>) -> Outcome {
        let mut kept = Vec::with_capacity(counts.len());
        for (key, count) in counts {
            let noisy = choices.part(&(*count, self.scale, self.least), |asked, choices| {
                let &(count, scale, least) = asked;
                let noisy = count + choices.discrete_laplace(scale);
                (least.is_none_or(|least| noisy >= least)).then_some(noisy)
            });
            kept.extend(noisy.map(|noisy| (key.clone(), Entry::Number(noisy as f64))));
        }
        Outcome::Keyed(Keyed::new(kept))
    }

    /// Keys differ by name alone: as many as a pair can have are enough.
    fn covers(&self, values: &[Cell], rows: usize, relation: &Relation) -> bool {
        let keys: std::collections::BTreeSet<String> = values.iter().map(Cell::key).collect();
        keys.len() >= rows + usize::from(*relation == Relation::Substitution)
    }

    fn describe(&self) -> String {
        let released = match self.least {
            None => "releases all of them".to_owned(),
            Some(least) => format!("releases those from {least} up"),
        };
        format!(
            "counts the rows of each value of {}, adds discrete Laplace noise of scale {} and \
             {released}",
            self.column, self.scale
        )
    }
}
