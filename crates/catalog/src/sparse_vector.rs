//! The sparse vector technique, the right ones and the wrong ones (Lyu, Su, Li 2017, "Understanding
//! the Sparse Vector Technique", Algorithms 1 to 6; Ding et al. 2018; Bichsel et al. 2021).
//!
//! The dataset is a list of query answers that move by at most 1 each. The outcome is a vector
//! with an entry for each query that was asked before the stop.

use super::drawn::{Drawn, DrawnFamily};
use super::family::OfFamily;
use super::parameter::{Finite, Positive};
use plaudit_accountant::number::words;
use plaudit_aligned::{Aligned, Draws, Noise};
use plaudit_engine::mechanism::CatalogMechanism;
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

/// Parameters of `gaussian-svt`.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GaussianSvt {
    threshold_sigma: Positive,
    query_sigma: Positive,
    threshold: Finite,
    stop_after: NonZeroUsize,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(transparent)]
pub(super) struct GapSvt(Svt);

#[derive(Clone, Copy)]
enum QueryAnswer {
    Bit,
    /// The noisy answer that was compared, on the grid of its noise; NaN below. A mistake: the
    /// comparison's noise is spent.
    Compared,
    /// The answer with fresh Laplace noise of this scale, on its grid; 0 below.
    Fresh(f64),
    /// How far the noisy answer is above the noisy threshold, on the grid of its noise; 0 below.
    Gap,
}

/// One loop for all of them: a noisy threshold, noisy answers compared with it, a stop.
pub(super) struct SparseVector {
    /// Law of the threshold's and the comparisons' noise.
    law: Noise,
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
            law: Noise::Laplace,
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
            law: Noise::Laplace,
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

impl GapSvt {
    /// `gap-svt` (Wang, Ding, Wang, Xiao, Zhang, Kifer 2020, "Free Gap Estimates from the Exponential Mechanism,
    /// Sparse Vector, Noisy Max and Related Algorithms"): as `svt-1`, and the gap between the noisy answer and the noisy
    /// threshold is released. ε-DP.
    pub(super) fn algorithm(&self) -> SparseVector {
        SparseVector { answer: QueryAnswer::Gap, ..self.0.first() }
    }
}

impl GaussianSvt {
    /// `gaussian-svt` (Zhu, Wang 2020, "Improving Sparse Vector Technique with Renyi Differential Privacy"): normal noise
    /// on the threshold and on each answer. (ε, δ) for ε and δ that no formula gives.
    pub(super) fn algorithm(&self) -> SparseVector {
        SparseVector {
            law: Noise::Gaussian,
            threshold: self.threshold.get(),
            threshold_scale: self.threshold_sigma.get(),
            renewed: false,
            query_scale: Some(self.query_sigma.get()),
            stop_after: Some(self.stop_after.get()),
            answer: QueryAnswer::Bit,
        }
    }
}

impl SparseVector {
    /// Not generic, so that its code is built here, with the optimisation of this crate.
    #[inline(never)]
    pub(super) fn boxed(self) -> Box<dyn CatalogMechanism> {
        Box::new(OfFamily(Drawn(self)))
    }
}

impl Aligned for SparseVector {
    #[inline]
    fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
        // One loop for each law.
        match self.law {
            Noise::Gaussian => self.compare(answers, draws, D::gaussian),
            _ => self.compare(answers, draws, D::laplace),
        }
    }
}

impl SparseVector {
    #[inline(always)]
    fn compare<D: Draws>(
        &self,
        answers: &[D::Real],
        draws: &mut D,
        noise: impl Fn(&mut D, f64) -> D::Real,
    ) {
        let mut left = self.stop_after;
        let mut threshold = D::Real::from(self.threshold) + noise(draws, self.threshold_scale);
        for answer in answers {
            let noisy = match self.query_scale {
                Some(scale) => answer.clone() + noise(draws, scale),
                None => answer.clone(),
            };
            let above = draws.at_least(&noisy, &threshold);
            match (self.answer, above) {
                (QueryAnswer::Bit, _) => draws.tell(f64::from(u8::from(above))),
                (QueryAnswer::Compared, true) => draws.release(noisy),
                (QueryAnswer::Compared, false) => draws.tell(f64::NAN),
                (QueryAnswer::Gap, true) => draws.release(noisy - threshold.clone()),
                (QueryAnswer::Fresh(scale), true) => {
                    let noise = draws.laplace(scale);
                    draws.release(answer.clone() + noise);
                }
                (QueryAnswer::Fresh(_) | QueryAnswer::Gap, false) => draws.tell(0.0),
            }
            if above {
                left = left.map(|left| left - 1);
                if left == Some(0) {
                    break;
                }
                if self.renewed {
                    threshold = D::Real::from(self.threshold) + noise(draws, self.threshold_scale);
                }
            }
        }
    }
}

impl DrawnFamily for SparseVector {
    fn released_scale(&self) -> Option<f64> {
        match self.answer {
            QueryAnswer::Bit => None,
            QueryAnswer::Compared | QueryAnswer::Gap => self.query_scale,
            QueryAnswer::Fresh(scale) => Some(scale),
        }
    }

    fn describe(&self) -> String {
        let law = if self.law == Noise::Gaussian { "Gaussian" } else { "Laplace" };
        let renewed = if self.renewed { " drawn anew after each answer above" } else { "" };
        let queries = match self.query_scale {
            Some(scale) => format!("each number with {law} noise of scale {}", words(scale)),
            None => "each number without noise".to_owned(),
        };
        let answer = match self.answer {
            QueryAnswer::Bit => "1 above and 0 below".to_owned(),
            QueryAnswer::Compared => "the noisy number above and NaN below".to_owned(),
            QueryAnswer::Gap => "how far it is above the noisy threshold and 0 below".to_owned(),
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
            "compares {queries} with the threshold {} with {law} noise of scale {}{renewed}; \
             releases {answer}; {stop}",
            words(self.threshold),
            words(self.threshold_scale)
        )
    }
}
