//! The sparse vector technique with discrete Laplace noise, the right ones and the wrong ones (Lyu,
//! Su, Li 2017, Algorithms 1 to 6), as in `svt-1` to `svt-6`.

use super::{ChoiceFamily, Size, whole_numbers};
use plaudit_core::dataset::Dataset;
use plaudit_engine::mechanism::choice::Fraction;
use plaudit_engine::mechanism::{Choices, Outcome};
use serde::Deserialize;
use std::num::NonZeroUsize;

/// Parameters of the algorithms that stop after `stop_after` answers above the threshold.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Svt {
    epsilon: Size,
    threshold: i64,
    stop_after: NonZeroUsize,
}

/// Parameters of the algorithms that never stop.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Endless {
    epsilon: Size,
    threshold: i64,
}

/// One loop for all of them: a noisy threshold, noisy answers compared with it, a stop.
pub(in super::super) struct SparseVector {
    threshold: i64,
    threshold_scale: Fraction,
    /// `true` if the threshold's noise is drawn again after each answer above.
    renewed: bool,
    /// `None`: answers are compared without noise. A mistake.
    query_scale: Option<Fraction>,
    stop_after: Option<usize>,
    /// `true` if the noisy answer that was compared is released. A mistake: its noise is spent.
    compared: bool,
}

impl Svt {
    /// Threshold noise of scale `threshold`/ε, query noise of scale `query`/ε.
    fn algorithm(&self, threshold: u64, query: u64) -> Result<SparseVector, String> {
        Ok(SparseVector {
            threshold: self.threshold,
            threshold_scale: self.epsilon.scale_for(threshold)?,
            renewed: false,
            query_scale: Some(self.epsilon.scale_for(query)?),
            stop_after: Some(self.stop_after.get()),
            compared: false,
        })
    }

    fn c(&self) -> u64 {
        self.stop_after.get() as u64
    }

    /// `exact-svt-1`: scales 2/ε and 4c/ε. ε-DP.
    pub(in super::super) fn first(&self) -> Result<SparseVector, String> {
        self.algorithm(2, self.c().saturating_mul(4))
    }

    /// `exact-svt-2`: scales 2c/ε, drawn again after each answer above, and 4c/ε. ε-DP.
    pub(in super::super) fn second(&self) -> Result<SparseVector, String> {
        let algorithm = self.algorithm(self.c().saturating_mul(2), self.c().saturating_mul(4))?;
        Ok(SparseVector { renewed: true, ..algorithm })
    }

    /// `exact-svt-3`, broken: scales 2/ε and 2c/ε, and the compared noisy answer is released.
    pub(in super::super) fn third(&self) -> Result<SparseVector, String> {
        let algorithm = self.algorithm(2, self.c().saturating_mul(2))?;
        Ok(SparseVector { compared: true, ..algorithm })
    }

    /// `exact-svt-4`, broken: scales 4/ε and 4/(3ε) for any c. ((1 + 6c)ε/4)-DP.
    pub(in super::super) fn fourth(&self) -> Result<SparseVector, String> {
        let algorithm = self.algorithm(4, 4)?;
        let third = |scale: Fraction| {
            let denominator = scale.denominator().checked_mul(3)?;
            Fraction::new(scale.numerator(), denominator).ok()
        };
        let scale = algorithm.query_scale.and_then(third);
        Ok(SparseVector { query_scale: scale, ..algorithm })
    }
}

impl Endless {
    /// `exact-svt-5`, broken: threshold noise of scale 2/ε, no query noise, no stop. ∞.
    pub(in super::super) fn fifth(&self) -> Result<SparseVector, String> {
        Ok(SparseVector {
            threshold: self.threshold,
            threshold_scale: self.epsilon.scale_for(2)?,
            renewed: false,
            query_scale: None,
            stop_after: None,
            compared: false,
        })
    }

    /// `exact-svt-6`, broken: scales 2/ε and 2/ε, no stop. Unbounded in the number of queries.
    pub(in super::super) fn sixth(&self) -> Result<SparseVector, String> {
        let algorithm = self.fifth()?;
        Ok(SparseVector { query_scale: Some(algorithm.threshold_scale), ..algorithm })
    }
}

impl ChoiceFamily for SparseVector {
    type Exact = Vec<i64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<i64>, String> {
        whole_numbers(dataset)
    }

    fn release(&self, queries: &Vec<i64>, choices: &mut Choices<'_>) -> Outcome {
        let noisy_threshold = |choices: &mut Choices<'_>| {
            self.threshold + choices.discrete_laplace(self.threshold_scale)
        };
        let mut left = self.stop_after;
        let mut threshold = noisy_threshold(choices);
        let mut answers = Vec::with_capacity(queries.len());
        for query in queries {
            let gap = threshold - query;
            let noise = match self.query_scale {
                // Only whether it reaches the threshold, or by how much, must be resolved.
                Some(scale) if self.compared => {
                    choices.part(&(gap, scale), |&(gap, scale), choices| {
                        Some(choices.discrete_laplace(scale)).filter(|noise| *noise >= gap)
                    })
                }
                Some(scale) => choices.part(&(gap, scale), |&(gap, scale), choices| {
                    (choices.discrete_laplace(scale) >= gap).then_some(0)
                }),
                None => (gap <= 0).then_some(0),
            };
            answers.push(match noise {
                Some(noise) if self.compared => (query + noise) as f64,
                Some(_) => 1.0,
                None if self.compared => f64::NAN,
                None => 0.0,
            });
            if noise.is_some() {
                left = left.map(|left| left - 1);
                if left == Some(0) {
                    break;
                }
                if self.renewed {
                    threshold = noisy_threshold(choices);
                }
            }
        }
        answers.into()
    }

    fn describe(&self) -> String {
        let renewed = if self.renewed { " drawn anew after each answer above" } else { "" };
        let queries = match self.query_scale {
            Some(scale) => {
                format!("each whole number with discrete Laplace noise of scale {scale}")
            }
            None => "each whole number without noise".to_owned(),
        };
        let answer = match self.compared {
            true => "the noisy number above and NaN below",
            false => "1 above and 0 below",
        };
        let stop = match self.stop_after {
            Some(c) => format!("stops after {c} above"),
            None => "never stops".to_owned(),
        };
        format!(
            "compares {queries} with the threshold {} with discrete Laplace noise of scale \
             {}{renewed}; releases {answer}; {stop}",
            self.threshold, self.threshold_scale
        )
    }
}
