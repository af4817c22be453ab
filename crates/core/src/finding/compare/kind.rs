//! The kinds of differences between two reports.

use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// An audit or an attack is new.
    Added,
    /// An audit or an attack is gone.
    Removed,
    Claim,
    /// Expected end of the attack.
    Expectation,
    /// A planted mistake is expected to pass.
    #[serde(rename = "expectation")]
    ExpectsPass,
    /// A claim that was expected to hold is expected to be violated.
    #[serde(rename = "expectation")]
    ExpectsViolation,
    /// The leak that a planted mistake is expected to show by.
    #[serde(rename = "expectation")]
    ExpectedLeak,
    Neighbors,
    Waiver,
    /// The verdict, or how an attack ended.
    Verdict,
    /// The level of a false alarm.
    Level,
    /// The number that the finding is about.
    Bound,
    /// The smallest loss that would have been seen.
    Power,
    Trials,
    Mechanism,
    Program,
    Watched,
    Post,
    Pairs,
    Domain,
    Data,
    Sensitivity,
    /// Meaning of doubles, and their grid.
    Floats,
    /// Running time as a part of the outcome.
    Clock,
    /// Runs that depend on one another.
    Stateful,
    Outcomes,
    Proof,
    MinPower,
    /// Settings, claim, level or data of an attack.
    Attack,
    Witness,
}

impl DifferenceKind {
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "new",
            Self::Removed => "gone",
            Self::Claim => "claim",
            Self::Expectation | Self::ExpectsPass | Self::ExpectsViolation | Self::ExpectedLeak => {
                "expectation"
            }
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
