//! Why a verdict is what it is: values, which `words` puts in sentences.

mod words;

use super::{BrokenPoint, LeakSource, Quantity, WrittenAnswer};
use crate::claim::LossUnit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The reasons for a verdict, in the order in which they are given. `Display` makes the sentences of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "WrittenReasons", into = "WrittenReasons")]
pub struct Reasons(pub Vec<Reason>);

impl std::fmt::Display for Reasons {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&words::told(&self.0))
    }
}

/// Reasons in JSON: as sentences for people, and as values for programs.
#[derive(Serialize, Deserialize, JsonSchema)]
struct WrittenReasons {
    /// The verdict and its reasons in sentences.
    reason: String,
    /// The same as values, in the same order; reports of older versions have only the sentences.
    #[serde(default)]
    reasons: Vec<Reason>,
}

impl From<Reasons> for WrittenReasons {
    fn from(reasons: Reasons) -> Self {
        Self { reason: reasons.to_string(), reasons: reasons.0 }
    }
}

impl From<WrittenReasons> for Reasons {
    fn from(WrittenReasons { reason, reasons }: WrittenReasons) -> Self {
        match reasons.is_empty() && !reason.is_empty() {
            true => Self(vec![Reason::Sentences(reason)]),
            false => Self(reasons),
        }
    }
}

/// Reason for an audit's verdict, or a remark on it. Several are shown one after another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Sentences of an older version.
    Sentences(String),
    /// A planted mistake shows by a leak other than that of the mistake, which does not count as caught.
    CaughtByOther {
        by: LeakSource,
        expected: Option<LeakSource>,
    },
    /// On two neighbors the answers without noise are further apart than was declared.
    SensitivityExceeded {
        declared: String,
        /// The relation under which they are neighbors, in words.
        relation: String,
        /// The answers on D and D'.
        answers: [WrittenAnswer; 2],
        /// Distance between the answers, where a number describes it.
        distance: Option<f64>,
        pairs: usize,
        /// Their source, in words.
        domain: String,
    },
    /// The declared sensitivity could not be checked: why.
    SensitivityUnchecked(String),
    /// None of this number of pairs had answers further apart than was declared.
    SensitivityHeld(usize),
    Interrupted(Stage),
    /// The audit could not be played: why.
    Broken(String),
    Refuted {
        claim: String,
        bound: CertifiedBound,
        alpha: f64,
        p_value: f64,
        /// The point of the claim's curve that is broken, if it is a curve.
        broken_point: Option<BrokenPoint>,
    },
    NotRefuted {
        claim: String,
        bound: CertifiedBound,
        p_value: f64,
    },
    /// Every event may have any probability.
    AllowsEverything,
    /// With so few trials no event could refute the claim.
    TooFewTrials,
    /// No outcome came on which the witness speaks.
    WitnessSilent,
    /// Not all pairs were looked at.
    PairsLeft {
        surveyed: usize,
        given: usize,
    },
    /// Outcomes came that were not declared: which, in words.
    Undeclared(String),
    MetByUpperBounds {
        claim: String,
        alpha: f64,
        outcomes: usize,
        /// Upper bound on δ at the claim's ε.
        delta_upper: f64,
    },
    /// The loss that the floor of power requires would not have been refuted.
    TooLittlePower(MissingPower),
    Degenerate {
        how: Degenerate,
        /// A request that the program got.
        request: Option<String>,
    },
    /// Breakdowns of the program, on D and on D', are more one-sided than chance makes them.
    BreaksDown {
        on: [u64; 2],
        p_value: f64,
        /// The largest p-value that counts as one-sided.
        level: f64,
    },
    /// The counts show no difference between D and D'.
    NoDifference {
        /// Number of pairs among which theirs revealed most.
        looked_at: usize,
        p_value: f64,
        /// The p-value from which on there is one.
        level: f64,
        /// The answer without noise on both, if it is known to be the same.
        answer: Option<WrittenAnswer>,
    },
    /// The measurement cannot be true if the proof is.
    Contradicted {
        by: Contradiction,
        alpha: f64,
    },
    Proved(String),
    /// The proof is of the code, so that no trials were played.
    NotSampled,
    /// The measurement comes next, and agrees with the proof.
    MeasuredToo,
    Measured,
    /// The statement of a proof comes next.
    ProvedAgainst,
    /// The measurement agrees with the proof: the certified lower bound on ε.
    Agrees(f64),
    Searched {
        looked_at: usize,
        domain: String,
    },
    /// A smaller pair also shows the violation.
    Shrunk {
        d: String,
        d_prime: String,
        difference: String,
    },
    /// This number of batches, each with a witness of its own, were judged together, so that the audit could end after any.
    Batches(usize),
    /// The runs were judged by the betting test, as they may depend on one another.
    Betting,
    /// They were judged by it, as their running time is part of the outcome.
    BettingOnTime,
    Leaks(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    NotBegun,
    /// The declared sensitivity was being checked.
    Checking,
    Proving,
    /// It explored; a search had looked at this number of pairs.
    Exploring(Option<usize>),
    /// The trials that count were being played.
    Confirming,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CertifiedBound {
    /// On μ, of a claim of `claimed`.
    Mu { lower: f64, claimed: f64 },
    /// On ε at a δ, of a claim of `claimed`.
    Epsilon { lower: f64, claimed: f64, delta: f64 },
}

/// Loss that would have been refuted, and loss that should have been.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MissingPower {
    /// Times the claim that should have been refuted.
    pub times: f64,
    pub unit: LossUnit,
    /// Least loss that would have been refuted with probability 0.9, if any would have been.
    pub detectable: Option<f64>,
    /// The loss that should have been.
    pub wanted: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Degenerate {
    /// Nearly all are failures or NaN, on both datasets: the share of the better one, and the first
    /// failure's message, if any is one.
    Fails(f64, Option<String>),
    Constant(String),
}

impl std::fmt::Display for Degenerate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fails(_, Some(message)) => write!(f, "nearly all runs fail: {message:?}"),
            Self::Fails(_, None) => f.write_str("nearly all outcomes are NaN"),
            Self::Constant(outcome) => write!(f, "all outcomes are the same: {outcome}"),
        }
    }
}

/// Contradiction between a measurement and a proof.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Contradiction {
    /// The claim was refuted by sampling and verified by proof.
    Verified,
    /// A certified lower bound is above a proved upper bound.
    Beyond { parameter: Quantity, lower: f64, upper: f64 },
}
