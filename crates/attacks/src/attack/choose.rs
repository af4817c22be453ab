//! Which event to count: the one that promises the best bound, by the scores that are not counted.

use super::quantity::Quantity;
use super::sample::{Group, Sample};
use plaudit_accountant::{normal, number};
use plaudit_core::inference::{Corner, EventCounts};
use serde::Serialize;

/// On which side of a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tail {
    Above,
    /// Scores at or below it.
    AtMost,
}

/// A score on one side of a threshold: what is counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Event {
    /// The threshold, one of the scores that were chosen on. What equals it is not above.
    #[serde(with = "number::one")]
    pub threshold: f64,
    pub tail: Tail,
    /// Group expected to have it more often.
    pub likelier: Group,
}

impl Event {
    /// Number of times it happened in each group.
    pub fn counts(&self, sample: &Sample) -> EventCounts {
        let hits = |group: Group| {
            let above = sample.above(group, self.threshold);
            match self.tail {
                Tail::Above => above,
                Tail::AtMost => sample.size(group) - above,
            }
        };
        let other = self.likelier.other();
        EventCounts {
            hits: hits(self.likelier),
            n: sample.size(self.likelier),
            other_hits: hits(other),
            other_n: sample.size(other),
        }
    }
}

/// The event that was chosen, and out of what.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Chosen {
    #[serde(flatten)]
    pub event: Event,
    /// Index of its threshold, from 1, ascending.
    pub place: usize,
    /// Number of thresholds compared, each with four events.
    pub thresholds: usize,
    /// The bound that it promised, by the scores that were chosen on: an estimate.
    #[serde(with = "number::one")]
    pub promised: f64,
}

/// The event that promises the best bound of `quantity`, at level `alpha`, in as many scores as these are.
///
/// A promise is the quantity at two bounds of Wilson (E. B. Wilson 1927), of p from below and of q from above, at the
/// levels of the event test's own order. That weighs an event's error against its strength: a rare event has a large
/// ratio, and little to show for it.
pub fn choose(sample: &Sample, quantity: Quantity, alpha: f64) -> Chosen {
    let levels = Corner::even(alpha);
    let (z, z_other) = (normal::upper_quantile(levels.own), normal::upper_quantile(levels.other));
    let thresholds = sample.thresholds();
    let first = Event { threshold: thresholds[0], tail: Tail::Above, likelier: Group::Members };
    let mut best = Chosen {
        event: first,
        place: 1,
        thresholds: thresholds.len(),
        promised: f64::NEG_INFINITY,
    };
    for (index, &threshold) in thresholds.iter().enumerate() {
        for tail in [Tail::Above, Tail::AtMost] {
            for likelier in [Group::Members, Group::NonMembers] {
                let event = Event { threshold, tail, likelier };
                let EventCounts { hits, n, other_hits, other_n } = event.counts(sample);
                let (p, q) = (wilson(hits, n, -z), wilson(other_hits, other_n, z_other));
                let promised = quantity.at(p, q);
                if promised > best.promised {
                    best = Chosen { event, place: index + 1, promised, ..best };
                }
            }
        }
    }
    best
}

/// The rate that `hits` of `n` are `z` standard deviations of its own below (above, if `z` is negative), in (0, 1).
fn wilson(hits: u64, n: u64, z: f64) -> f64 {
    let (hits, n) = (hits as f64, n as f64);
    let square = z * z;
    let reach = z * (hits * (n - hits) / n + square / 4.0).sqrt();
    // Away from both ends, where rounding could put it.
    ((hits + square / 2.0 + reach) / (n + square)).clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON)
}

#[cfg(test)]
#[path = "../../tests/unit/attack/choose.rs"]
mod tests;
