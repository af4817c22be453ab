//! The sparse vector technique, the right ones and the wrong ones (Lyu, Su, Li 2017, "Understanding
//! the Sparse Vector Technique", Algorithms 1 to 6; Ding et al. 2018; Bichsel et al. 2021).
//!
//! The dataset is a list of query answers that move by at most 1 each. The outcome is a vector
//! with an entry for each query that was asked before the stop.

use super::family::{Family, finite_numbers};
use super::grid::PowerOfTwoGrid;
use super::parameter::{Finite, Positive};
use super::sample;
use plaudit_accountant::number::words;
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::Outcomes;
use serde::Deserialize;
use std::num::NonZeroUsize;

/// Parameters of the algorithms that stop after `stop_after` answers above the threshold.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Svt {
    epsilon: Positive,
    threshold: Finite,
    stop_after: NonZeroUsize,
}

/// Parameters of the algorithms that never stop.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Endless {
    epsilon: Positive,
    threshold: Finite,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(transparent)]
pub(super) struct NumericalSvt(Svt);

#[derive(Clone, Copy)]
enum QueryAnswer {
    Bit,
    /// The noisy answer that was compared, on the [`PowerOfTwoGrid`] of its noise; NaN below. A mistake: the
    /// comparison's noise is spent.
    Compared,
    /// The answer with fresh Laplace noise of this scale, on its [`PowerOfTwoGrid`]; 0 below.
    Fresh(f64),
}

/// One loop for all of them: a noisy threshold, noisy answers compared with it, a stop.
pub(super) struct SparseVector {
    threshold: f64,
    threshold_scale: f64,
    /// `true` if the threshold's noise is drawn again after each answer above.
    renewed: bool,
    /// `None`: answers are compared without noise. A mistake.
    query_scale: Option<f64>,
    stop_after: Option<usize>,
    answer: QueryAnswer,
}

impl Svt {
    fn algorithm(&self, threshold_scale: f64, query_scale: f64) -> SparseVector {
        SparseVector {
            threshold: self.threshold.get(),
            threshold_scale,
            renewed: false,
            query_scale: Some(query_scale),
            stop_after: Some(self.stop_after.get()),
            answer: QueryAnswer::Bit,
        }
    }

    fn of(&self) -> (f64, f64) {
        (self.epsilon.get(), self.stop_after.get() as f64)
    }

    /// `svt-1`: threshold noise Lap(2/ε), query noise Lap(4c/ε). ε-DP.
    pub(super) fn first(&self) -> SparseVector {
        let (epsilon, c) = self.of();
        self.algorithm(2.0 / epsilon, 4.0 * c / epsilon)
    }

    /// `svt-2`: threshold noise Lap(2c/ε), drawn again after each answer above; query noise Lap(4c/ε). ε-DP.
    pub(super) fn second(&self) -> SparseVector {
        let (epsilon, c) = self.of();
        SparseVector { renewed: true, ..self.algorithm(2.0 * c / epsilon, 4.0 * c / epsilon) }
    }

    /// `svt-3`, broken: threshold noise Lap(2/ε), query noise Lap(2c/ε), and the compared noisy
    /// answer is released.
    pub(super) fn third(&self) -> SparseVector {
        let (epsilon, c) = self.of();
        let algorithm = self.algorithm(2.0 / epsilon, 2.0 * c / epsilon);
        SparseVector { answer: QueryAnswer::Compared, ..algorithm }
    }

    /// `svt-4`, broken: threshold noise Lap(4/ε), query noise Lap(4/(3ε)) for any c. ((1 + 6c)ε/4)-DP.
    pub(super) fn fourth(&self) -> SparseVector {
        let (epsilon, _) = self.of();
        self.algorithm(4.0 / epsilon, 4.0 / (3.0 * epsilon))
    }
}

impl Endless {
    fn algorithm(&self, query_scale: Option<f64>) -> SparseVector {
        SparseVector {
            threshold: self.threshold.get(),
            threshold_scale: 2.0 / self.epsilon.get(),
            renewed: false,
            query_scale,
            stop_after: None,
            answer: QueryAnswer::Bit,
        }
    }

    /// `svt-5`, broken: threshold noise Lap(2/ε), no query noise, no stop. ∞.
    pub(super) fn fifth(&self) -> SparseVector {
        self.algorithm(None)
    }

    /// `svt-6`, broken: threshold and query noise Lap(2/ε), no stop. Unbounded in the number of
    /// queries.
    pub(super) fn sixth(&self) -> SparseVector {
        self.algorithm(Some(2.0 / self.epsilon.get()))
    }
}

impl NumericalSvt {
    /// `numerical-svt` (Dwork & Roth 2014, Algorithm 3; Ding et al. 2018): threshold noise
    /// Lap(3/ε), query noise Lap(6c/ε); above, the answer with fresh noise Lap(3c/ε) is released.
    /// ε-DP.
    pub(super) fn algorithm(&self) -> SparseVector {
        let (epsilon, c) = self.0.of();
        SparseVector {
            answer: QueryAnswer::Fresh(3.0 * c / epsilon),
            ..self.0.algorithm(3.0 / epsilon, 6.0 * c / epsilon)
        }
    }
}

impl SparseVector {
    /// The scale of the noise on the numbers that are released, if any are.
    fn released_scale(&self) -> Option<f64> {
        match self.answer {
            QueryAnswer::Bit => None,
            QueryAnswer::Compared => self.query_scale,
            QueryAnswer::Fresh(scale) => Some(scale),
        }
    }
}

impl Family for SparseVector {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<f64>, String> {
        finite_numbers(dataset)
    }

    fn draw(&self, queries: &Vec<f64>, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        let mut answers = Vec::with_capacity(queries.len());
        let grid = self.released_scale().map(PowerOfTwoGrid::for_scale);
        let on_grid = |noisy: f64| grid.map_or(noisy, |grid| grid.round(noisy));
        for _ in 0..runs {
            answers.clear();
            let mut left = self.stop_after;
            let mut noisy_threshold =
                self.threshold + sample::laplace(random, self.threshold_scale);
            for query in queries {
                let noise = self.query_scale.map_or(0.0, |scale| sample::laplace(random, scale));
                let above = query + noise >= noisy_threshold;
                answers.push(match (self.answer, above) {
                    (QueryAnswer::Bit, _) => f64::from(u8::from(above)),
                    (QueryAnswer::Compared, true) => on_grid(query + noise),
                    (QueryAnswer::Compared, false) => f64::NAN,
                    (QueryAnswer::Fresh(scale), true) => {
                        on_grid(query + sample::laplace(random, scale))
                    }
                    (QueryAnswer::Fresh(_), false) => 0.0,
                });
                if above {
                    left = left.map(|left| left - 1);
                    if left == Some(0) {
                        break;
                    }
                    if self.renewed {
                        noisy_threshold =
                            self.threshold + sample::laplace(random, self.threshold_scale);
                    }
                }
            }
            outcomes.push_vector(&answers);
        }
    }

    fn describe(&self) -> String {
        let renewed = if self.renewed { " drawn anew after each answer above" } else { "" };
        let queries = match self.query_scale {
            Some(scale) => format!("each number with Laplace noise of scale {}", words(scale)),
            None => "each number without noise".to_owned(),
        };
        let answer = match self.answer {
            QueryAnswer::Bit => "1 above and 0 below".to_owned(),
            QueryAnswer::Compared => "the noisy number above and NaN below".to_owned(),
            QueryAnswer::Fresh(scale) => format!(
                "the number with fresh Laplace noise of scale {} above and 0 below",
                words(scale)
            ),
        };
        let stop = match self.stop_after {
            Some(c) => format!("stops after {c} above"),
            None => "never stops".to_owned(),
        };
        format!(
            "compares {queries} with the threshold {} with Laplace noise of scale {}{renewed}; \
             releases {answer}; {stop}",
            words(self.threshold),
            words(self.threshold_scale)
        )
    }
}
