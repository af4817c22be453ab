//! The median by the exponential mechanism.

use super::super::family::Family;
use super::super::parameter::{self, Finite, Positive};
use super::super::selection::{WeightedChoice, weights};
use super::{numbers, table};
use plaudit_accountant::number::words;
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::Outcomes;
use serde::Deserialize;

const MOST_CANDIDATES: f64 = 1e5;

/// `median` of a column by the exponential mechanism (McSherry & Talwar 2007; Smith 2011,
/// Algorithm 2, on a grid): the candidate y in {lower, lower + step, …, upper} is released with
/// probability proportional to e^(ε·u(y)/(2Δ)), where
///
/// u(y) = −½·|#{values < y} − #{values > y}|,
///
/// the number of values that y is away from the middle. One row more moves the difference of the
/// two counts by at most 1, so Δ = ½ under add/remove; a row replaced moves it by at most 2, so
/// Δ = 1 under substitution. ε-DP with that Δ.
#[derive(Deserialize)]
#[serde(try_from = "Parameters")]
pub(in super::super) struct Median {
    column: String,
    candidates: MedianCandidates,
    exponent: f64,
}

enum MedianCandidates {
    Grid(Vec<f64>),
    /// A mistake: the values that occur, so that only a dataset that has a value can release it.
    Data,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum CandidatesFrom {
    Data,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    column: String,
    lower: Option<Finite>,
    upper: Option<Finite>,
    #[serde(default = "parameter::one")]
    step: Positive,
    candidates: Option<CandidatesFrom>,
    epsilon: Positive,
    sensitivity: Positive,
    #[serde(default = "parameter::two")]
    factor: Positive,
}

impl TryFrom<Parameters> for Median {
    type Error = String;
    fn try_from(parameters: Parameters) -> Result<Self, String> {
        let Parameters { column, lower, upper, step, candidates, .. } = parameters;
        let candidates = match (lower, upper, candidates) {
            (Some(lower), Some(upper), None) => {
                let (lower, upper, step) = (lower.get(), upper.get(), step.get());
                let steps = ((upper - lower) / step).floor();
                if lower >= upper || steps > MOST_CANDIDATES {
                    return Err(format!(
                        "`lower` must be below `upper`, and at most {MOST_CANDIDATES} steps away"
                    ));
                }
                let grid = (0..=steps as usize).map(|at| lower + at as f64 * step);
                MedianCandidates::Grid(grid.collect())
            }
            (None, None, Some(CandidatesFrom::Data)) => MedianCandidates::Data,
            _ => return Err("give `lower` and `upper`, or `candidates = \"data\"`".into()),
        };
        let exponent =
            parameters.epsilon.get() / (parameters.factor.get() * parameters.sensitivity.get());
        Ok(Self { column, candidates, exponent })
    }
}

impl Family for Median {
    type Exact = (WeightedChoice, Vec<f64>);

    fn read(&self, dataset: &Dataset) -> Result<Self::Exact, String> {
        let mut values = numbers(table(dataset)?, &self.column)?;
        values.sort_unstable_by(f64::total_cmp);
        let candidates = match &self.candidates {
            MedianCandidates::Grid(grid) => grid.clone(),
            MedianCandidates::Data if values.is_empty() => {
                return Err("no rows, so no candidates to take from the data".into());
            }
            MedianCandidates::Data => {
                let mut distinct = values.clone();
                distinct.dedup();
                distinct
            }
        };
        let utility = |y: &f64| {
            let below = values.partition_point(|x| x < y);
            let above = values.len() - values.partition_point(|x| x <= y);
            -0.5 * below.abs_diff(above) as f64
        };
        let utilities: Vec<f64> = candidates.iter().map(utility).collect();
        Ok((WeightedChoice::new(weights(&utilities, self.exponent)), candidates))
    }

    fn draw(&self, exact: &Self::Exact, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        let (choice, candidates) = exact;
        outcomes.extend_numbers(runs, || candidates[choice.draw(random)]);
    }

    fn describe(&self) -> String {
        let candidates = match &self.candidates {
            MedianCandidates::Grid(grid) => {
                let last = grid[grid.len() - 1];
                format!("{} candidates from {} to {}", grid.len(), words(grid[0]), words(last))
            }
            MedianCandidates::Data => "the values that occur".to_owned(),
        };
        format!(
            "chooses the median of {} among {candidates} with probability proportional to \
             exp(−{} × values away from the middle)",
            self.column,
            words(self.exponent)
        )
    }
}
