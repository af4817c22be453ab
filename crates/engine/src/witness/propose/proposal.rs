//! Proposals: a scorer with the data that it was fitted on.

use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::shape::Shape;
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::count::edges::{edges, readings};
use crate::witness::scorer::Scorer;

/// Intervals of a number with equal numbers of outcomes: of the 2^15 kept ones 680, which vary by 4
/// % by chance. With the finer ones at both ends there are 90 bins; 256 have a fast count.
const INTERVALS: usize = 48;

/// A scorer with the data that it was fitted on.
pub struct Proposal {
    pub scorer: Scorer,
    /// `true` if it was fitted on the even fold's labels, so that only the odd one may judge it.
    pub fitted: bool,
}

impl From<Scorer> for Proposal {
    fn from(scorer: Scorer) -> Self {
        Self { scorer, fitted: false }
    }
}

/// Thresholds on a statistic, if any outcome has it.
pub(crate) fn thresholds(
    sample: &Sample<'_>,
    statistic: Statistic,
    shapes: &[Shape],
    fitted: bool,
) -> Option<Proposal> {
    let edges = edges(readings(sample, &statistic), INTERVALS);
    let any = !edges.is_empty();
    let scorer = Scorer::Thresholds { statistic, edges, shapes: shapes.to_vec() };
    any.then_some(Proposal { scorer, fitted })
}
