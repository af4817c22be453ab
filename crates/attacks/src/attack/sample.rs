//! Scores of both groups in order, ready to be counted.

use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    Members,
    NonMembers,
}

impl Group {
    pub fn other(self) -> Self {
        match self {
            Self::Members => Self::NonMembers,
            Self::NonMembers => Self::Members,
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::Members => "members",
            Self::NonMembers => "non-members",
        }
    }
}

/// Scores of members and of others, each in ascending order, none of them NaN.
#[derive(Clone, Debug)]
pub struct Sample {
    members: Vec<f64>,
    non_members: Vec<f64>,
}

impl Sample {
    /// Puts them in order. The two zeros count as one.
    pub fn new(members: &[f64], non_members: &[f64]) -> Self {
        let sorted = |scores: &[f64]| {
            let mut sorted: Vec<f64> = scores.iter().map(|score| score + 0.0).collect();
            sorted.sort_unstable_by(f64::total_cmp);
            sorted
        };
        Self { members: sorted(members), non_members: sorted(non_members) }
    }

    /// Attack with the scores' signs changed.
    pub fn mirrored(&self) -> Self {
        let mirrored = |scores: &[f64]| scores.iter().rev().map(|score| 0.0 - score).collect();
        Self { members: mirrored(&self.members), non_members: mirrored(&self.non_members) }
    }

    /// The scores of a group, ascending.
    pub fn of(&self, group: Group) -> &[f64] {
        match group {
            Group::Members => &self.members,
            Group::NonMembers => &self.non_members,
        }
    }

    /// Number of scores of a group.
    pub fn size(&self, group: Group) -> u64 {
        self.of(group).len() as u64
    }

    /// Number of scores of a group above `threshold`.
    pub fn above(&self, group: Group, threshold: f64) -> u64 {
        let scores = self.of(group);
        (scores.len() - scores.partition_point(|score| *score <= threshold)) as u64
    }

    /// The different scores of both groups, ascending.
    pub fn distinct(&self) -> Vec<f64> {
        let mut all = [&self.members[..], &self.non_members].concat();
        all.sort_unstable_by(f64::total_cmp);
        all.dedup();
        all
    }

    /// Distinct scores that can be a threshold, ascending: all but the largest, above which nothing is. If there is
    /// only one score, that one.
    pub fn thresholds(&self) -> Vec<f64> {
        let mut distinct = self.distinct();
        if distinct.len() > 1 {
            distinct.pop();
        }
        distinct
    }
}
