//! How well the attack separates members from others: ROC curve, area under it, and single points.

use super::sample::{Group, Sample};
use plaudit_accountant::number;
use plaudit_core::inference::proportion;
use serde::Serialize;

/// Maximum number of points of a curve.
const POINTS: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attacker {
    CallsHighMembers,
    CallsLowMembers,
}

/// A share with its Clopper–Pearson interval (1934).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The share that was counted: an estimate.
    pub estimate: f64,
    pub lower: f64,
    pub upper: f64,
}

impl Interval {
    /// Rate of `hits` of `n` > 0; it misses with probability at most `alpha`.
    pub(super) fn of(hits: u64, n: u64, alpha: f64) -> Self {
        Self {
            estimate: hits as f64 / n as f64,
            lower: proportion::lower(hits, n, alpha / 2.0),
            upper: proportion::upper(hits, n, alpha / 2.0),
        }
    }
}

/// Members and others that are called members at a threshold that was chosen for a false-positive rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rates {
    /// The false-positive rate that the threshold was chosen for.
    pub target: f64,
    #[serde(with = "number::one")]
    pub threshold: f64,
    /// The true-positive rate that was counted.
    pub true_positives: Interval,
    /// The false-positive rate that was counted.
    pub false_positives: Interval,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    #[serde(with = "number::one")]
    pub threshold: f64,
    /// The share of the others that are called members.
    pub false_positives: f64,
    /// The share of the members that are.
    pub true_positives: f64,
}

/// The ROC curve, counted, with a band that holds at all thresholds at once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Roc {
    /// Error bound of each false-positive rate.
    pub false_positives_margin: f64,
    /// Error bound of each true-positive rate.
    pub true_positives_margin: f64,
    /// Points of it, by rising rates.
    pub points: Vec<Point>,
}

impl Attacker {
    /// The better of the two, by scores that are not counted.
    pub fn choose(sample: &Sample) -> Self {
        if Self::CallsHighMembers.area(sample) >= 0.5 {
            Self::CallsHighMembers
        } else {
            Self::CallsLowMembers
        }
    }

    /// The area under the curve: how often a member has the more suspicious score of a member and another, where equal
    /// ones count a half (Mann, Whitney 1947).
    pub fn area(self, sample: &Sample) -> f64 {
        let sample = self.facing(sample);
        let others = sample.of(Group::NonMembers);
        // In halves, so that ties count one.
        let halves = |score: &f64| {
            let below = others.partition_point(|other| other < score);
            let not_above = others.partition_point(|other| other <= score);
            below as f64 + not_above as f64
        };
        let members = sample.of(Group::Members);
        let sum: f64 = members.iter().map(halves).sum();
        sum / 2.0 / members.len() as f64 / others.len() as f64
    }

    /// The rates at the threshold that lets through as many of `choosing`'s others as `target` allows, counted in
    /// `counting`, each with an interval that misses with probability at most `alpha`.
    pub fn rates(self, choosing: &Sample, counting: &Sample, target: f64, alpha: f64) -> Rates {
        let (choosing, counting) = (self.facing(choosing), self.facing(counting));
        let others = choosing.of(Group::NonMembers);
        // The smallest threshold with few enough of them above; no score is above the largest.
        let allowed = (target * others.len() as f64).floor();
        let is_enough = |score: &f64| choosing.above(Group::NonMembers, *score) as f64 <= allowed;
        let threshold = others[others.partition_point(|score| !is_enough(score))];
        let interval = |group: Group| {
            let (hits, n) = (counting.above(group, threshold), counting.size(group));
            Interval::of(hits, n, alpha)
        };
        Rates {
            target,
            threshold: self.original(threshold),
            true_positives: interval(Group::Members),
            false_positives: interval(Group::NonMembers),
        }
    }

    /// The curve. With probability at least 1 − `alpha` both rates are within their margins of the truth at all
    /// thresholds: of each group with 1 − α/2, by the inequality of Dvoretzky, Kiefer and Wolfowitz (1956) with the
    /// constant of Massart (1990), sup |F_n − F| <= √(ln(2/(α/2))/(2n)). So any thresholds may be shown.
    pub fn curve(self, sample: &Sample, alpha: f64) -> Roc {
        let facing = self.facing(sample);
        let margin = |group: Group| {
            let n = sample.size(group) as f64;
            ((4.0 / alpha).ln() / (2.0 * n)).sqrt() * (1.0 + 1e-12)
        };
        let rate = |group: Group, threshold: f64| {
            facing.above(group, threshold) as f64 / facing.size(group) as f64
        };
        let distinct = facing.distinct();
        let steps = POINTS.min(distinct.len());
        let places = (0..steps).rev().map(|step| step * (distinct.len() - 1) / (steps - 1).max(1));
        let points = places.map(|place| Point {
            threshold: self.original(distinct[place]),
            false_positives: rate(Group::NonMembers, distinct[place]),
            true_positives: rate(Group::Members, distinct[place]),
        });
        Roc {
            false_positives_margin: margin(Group::NonMembers),
            true_positives_margin: margin(Group::Members),
            points: points.collect(),
        }
    }

    /// The scores, such that high ones are called members.
    fn facing(self, sample: &Sample) -> Sample {
        match self {
            Self::CallsHighMembers => sample.clone(),
            Self::CallsLowMembers => sample.mirrored(),
        }
    }

    /// A threshold among the scores as they came.
    fn original(self, threshold: f64) -> f64 {
        match self {
            Self::CallsHighMembers => threshold,
            Self::CallsLowMembers => 0.0 - threshold,
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/attack/roc.rs"]
mod tests;
