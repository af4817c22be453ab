//! Partitions worth trying for a sample.

use crate::mechanism::{OutcomeRef, Outcomes};
use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::partition::boxes::{MOST_COORDINATES, Partition};
use crate::witness::partition::grow::grow;
use crate::witness::partition::table::Table;

/// Most numbers for growing a partition, outcomes of each dataset times coordinates, at first and
/// in a closer look: at 16 bytes each for two datasets 8 and 64 MiB. (`plaudit audit audits` takes
/// 1.6 times the processor time of one without partitions.)
const MOST_NUMBERS: [usize; 2] = [1 << 18, 1 << 21];
/// Most coordinates for growing one at first: more take long, and find little. Not tuned.
const MOST_AT_FIRST: usize = 24;

/// The partition by these coordinates, each chosen among a number of them, that outcomes suggest,
/// every `step`th of each batch; `None` if no split pays its price. With `fine`, also searches for
/// smaller boxes.
pub fn suggested(
    outcomes: &Sample<'_>,
    (step, fine): (usize, bool),
    mut coordinates: Vec<(Statistic, usize)>,
) -> Option<Partition> {
    // Of two equal numbers the first is taken; neighboring entries are neighbors.
    coordinates.sort_by_key(|(of, _)| match of {
        Statistic::Entry(at) => *at,
        _ => usize::MAX,
    });
    coordinates.truncate(MOST_COORDINATES);
    if !fine && coordinates.len() > MOST_AT_FIRST {
        return None;
    }
    let most = MOST_NUMBERS[usize::from(fine)] / coordinates.len().max(1);
    let mut all = labelled(&outcomes.d, (step, most), true);
    all.extend(labelled(&outcomes.d_prime, (step, most), false));
    grow(&Table::new(&all, coordinates), fine)
}

/// Evenly spaced outcomes of a dataset, at most `most` of them.
fn labelled<'a>(
    batches: &[&'a Outcomes],
    (step, most): (usize, usize),
    is_d: bool,
) -> Vec<(OutcomeRef<'a>, bool)> {
    let all = batches.iter().flat_map(|batch| batch.iter().step_by(step));
    all.take(most).map(|outcome| (outcome, is_d)).collect()
}
