//! An exact answer that is released where the data are far from any with another answer.

use super::drawn::{Drawn, DrawnFamily, Shape};
use super::family::OfFamily;
use super::parameter::{Finite, Positive, Probability};
use plaudit_accountant::number::words;
use plaudit_aligned::{Aligned, Draws};
use plaudit_engine::mechanism::CatalogMechanism;
use serde::Deserialize;

/// `propose-test-release` (Dwork, Lei 2009, "Differential Privacy and Robust Statistics"; of the mode: Vadhan 2017, "The
/// Complexity of Differential Privacy", section 3.2): the place of the largest count, without noise, if it stays the same
/// for all neighbors. One person adds 1 to one count, so at least (largest − second − 1) people must change before a
/// neighbor has another mode. With Laplace noise of scale 1/ε on this distance and a threshold of ln(1/(2δ))/ε it is
/// (ε, δ)-DP: the distance moves by at most 1, and it is at most 0 where a neighbor has another mode. A threshold
/// without δ is a known mistake, and so is the same noise where the distance moves by 2.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "TestParameters")]
pub(super) struct ProposeTestRelease {
    scale: f64,
    threshold: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestParameters {
    epsilon: Option<Positive>,
    delta: Option<Probability>,
    scale: Option<Positive>,
    threshold: Option<Finite>,
}

impl TryFrom<TestParameters> for ProposeTestRelease {
    type Error = String;
    fn try_from(parameters: TestParameters) -> Result<Self, String> {
        let TestParameters { epsilon, delta, scale, threshold } = parameters;
        match (epsilon, delta, scale, threshold) {
            (Some(epsilon), Some(delta), None, None) => {
                let scale = epsilon.get().recip();
                Ok(Self { scale, threshold: -(2.0 * delta.get()).ln() * scale })
            }
            (None, None, Some(scale), Some(threshold)) => {
                Ok(Self { scale: scale.get(), threshold: threshold.get() })
            }
            _ => Err("propose-test-release takes `epsilon` and `delta` (scale = 1/epsilon, \
                      threshold = ln(1/(2·delta))/epsilon) or `scale` and `threshold`"
                .into()),
        }
    }
}

/// Told in place of a place where the test fails.
const NO_ANSWER: f64 = -1.0;

impl ProposeTestRelease {
    /// Not generic, so that its code is built here, with the optimisation of this crate.
    #[inline(never)]
    pub(super) fn boxed(self) -> Box<dyn CatalogMechanism> {
        Box::new(OfFamily(Drawn(self)))
    }
}

impl Aligned for ProposeTestRelease {
    #[inline]
    fn run<D: Draws>(&self, counts: &[D::Real], draws: &mut D) {
        let (mode, most) = draws.largest(counts.len(), |_, at| counts[at].clone());
        // The only count is the largest of all data.
        let passes = counts.len() == 1 || {
            let other = |at: usize| counts[at + usize::from(at >= mode)].clone();
            let (_, second) = draws.largest(counts.len() - 1, |_, at| other(at));
            let distance = most - second - 1.0.into() + draws.laplace(self.scale);
            draws.at_least(&distance, &self.threshold.into())
        };
        draws.tell(if passes { mode as f64 } else { NO_ANSWER });
    }
}

impl DrawnFamily for ProposeTestRelease {
    fn shape(&self) -> Shape {
        Shape::Integer
    }

    fn describe(&self) -> String {
        format!(
            "releases the place of the largest count if it is ahead of the second by at least 1 + {}, after Laplace \
             noise of scale {}, else {NO_ANSWER}",
            words(self.threshold),
            words(self.scale)
        )
    }
}
