//! Histograms over keys that are not listed beforehand: any values of a column.

use super::family::Family;
use super::parameter::{Positive, Probability};
use super::sample;
use plaudit_accountant::number::words;
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::{Entry, Keyed, Outcome, Outcomes};
use serde::Deserialize;

/// `stable-histogram`: number of rows with each value of a column, with discrete Laplace
/// noise of scale 1/ε, and of these noisy counts those above a threshold (Korolova, Kenthapadi,
/// Mishra, Ntoulas 2009; Bun, Nissim, Stemmer 2016, section 4).
///
/// One row more or less moves one count by 1, which costs ε, or makes a key with a count of 1 that
/// the other dataset lacks; that key is released with probability P(1 + X > t) = q^t/(1 + q), where
/// q = e^(−ε), and the threshold t is the least that makes this at most δ.
#[derive(Deserialize)]
#[serde(try_from = "Parameters")]
pub(super) struct StableHistogram {
    column: String,
    epsilon: f64,
    /// Least noisy count that is released; `None`: any is.
    least: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    column: String,
    epsilon: Positive,
    delta: Option<Probability>,
    #[serde(default)]
    threshold: Threshold,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Threshold {
    #[default]
    Above,
    AtLeast,
    /// All of them: every key of the data is released.
    Forgotten,
}

impl TryFrom<Parameters> for StableHistogram {
    type Error = String;
    fn try_from(parameters: Parameters) -> Result<Self, String> {
        let Parameters { column, epsilon, delta, threshold } = parameters;
        let epsilon = epsilon.get();
        let least = match (threshold, delta) {
            (Threshold::Forgotten, None) => None,
            (Threshold::Forgotten, Some(_)) => {
                return Err("`delta` sets the threshold, and `threshold` is \"forgotten\": leave \
                            one of them out"
                    .into());
            }
            (_, None) => {
                return Err("`delta` is missing: it sets the threshold; \
                            for none, write threshold = \"forgotten\""
                    .into());
            }
            (threshold, Some(delta)) => {
                let above = threshold_for(epsilon, delta.get())?;
                Some(above + i64::from(threshold == Threshold::Above))
            }
        };
        Ok(Self { column, epsilon, least })
    }
}

/// The least whole t >= 0 with e^(−εt)/(1 + e^(−ε)) <= δ.
pub fn threshold_for(epsilon: f64, delta: f64) -> Result<i64, String> {
    let exact = -(delta.ln() + (-epsilon).exp().ln_1p()) / epsilon;
    if exact.is_finite() && exact < 1e15 {
        Ok(exact.ceil().max(0.0) as i64)
    } else {
        Err(format!("the threshold for epsilon = {} is too large: raise it", words(epsilon)))
    }
}

impl Family for StableHistogram {
    type Exact = Vec<(String, i64)>;

    fn read(&self, dataset: &Dataset) -> Result<Self::Exact, String> {
        let table = super::query::table(dataset)?;
        let column = super::query::column(table, &self.column)?;
        Ok(super::query::count_by_key(table, column))
    }

    fn draw(&self, exact: &Self::Exact, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        let scale = 1.0 / self.epsilon;
        for _ in 0..runs {
            let noisy = exact.iter().map(|(key, count)| {
                (key, count.saturating_add(sample::discrete_laplace(random, scale)))
            });
            let kept = noisy.filter(|(_, count)| self.least.is_none_or(|least| *count >= least));
            let entries = kept.map(|(key, count)| (key.clone(), Entry::Number(count as f64)));
            outcomes.push(Outcome::Keyed(Keyed::new(entries)));
        }
    }

    fn describe(&self) -> String {
        let released = match self.least {
            None => "releases all of them".to_owned(),
            Some(least) => format!("releases those from {least} up"),
        };
        format!(
            "counts the rows of each value of {}, adds discrete Laplace noise of scale {} and \
             {released}",
            self.column,
            words(1.0 / self.epsilon)
        )
    }
}
