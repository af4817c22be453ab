//! The kinds of differences between two reports.

use serde::Serialize;

/// What differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// An audit or an attack is new.
    Added,
    /// An audit or an attack is gone.
    Removed,
    /// The claim.
    Claim,
    /// What the audit or the attack is expected to say.
    Expectation,
    /// What makes two datasets neighbors.
    Neighbors,
    /// Which checks are switched off.
    Waiver,
    /// The verdict, or how an attack ended.
    Verdict,
    /// The level of a false alarm.
    Level,
    /// The number that the finding is about.
    Bound,
    /// The smallest loss that would have been seen.
    Power,
    /// How often the mechanism ran.
    Trials,
    /// What the mechanism does, as the spec says it.
    Mechanism,
    /// Content of the program's files.
    Program,
    /// Content of the watched files.
    Watched,
    /// Post-processing.
    Post,
    /// Pairs of datasets.
    Pairs,
    /// Domain that is searched.
    Domain,
    /// Content of data files.
    Data,
    /// Declared sensitivity.
    Sensitivity,
    /// Meaning of doubles, and their grid.
    Floats,
    /// Running time as a part of the outcome.
    Clock,
    /// Runs that depend on one another.
    Stateful,
    /// Declared outcomes.
    Outcomes,
    /// Proof that is asked for.
    Proof,
    /// Floor of power.
    MinPower,
    /// Settings, claim, level or data of an attack.
    Attack,
    /// How a violation was seen.
    Witness,
}

impl DifferenceKind {
    /// The word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "new",
            Self::Removed => "gone",
            Self::Claim => "claim",
            Self::Expectation => "expectation",
            Self::Neighbors => "neighbors",
            Self::Waiver => "waived checks",
            Self::Verdict => "verdict",
            Self::Level => "level",
            Self::Bound => "bound",
            Self::Power => "power",
            Self::Trials => "trials",
            Self::Mechanism => "mechanism",
            Self::Program => "program",
            Self::Watched => "watched files",
            Self::Post => "post-processing",
            Self::Pairs => "pairs",
            Self::Domain => "domain",
            Self::Data => "data",
            Self::Sensitivity => "sensitivity",
            Self::Floats => "doubles",
            Self::Clock => "clock",
            Self::Stateful => "stateful runs",
            Self::Outcomes => "declared outcomes",
            Self::Proof => "proof",
            Self::MinPower => "min_power",
            Self::Attack => "attack",
            Self::Witness => "witness",
        }
    }
}
