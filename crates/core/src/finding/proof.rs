//! Proofs, as reports show them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Decision of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The claim holds on the domain.
    Verified,
    /// The claim fails on a pair of the domain.
    Refuted,
    /// The bounds of the proof lie on both sides of the claim.
    Undecided,
}

impl Decision {
    /// The word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Refuted => "refuted",
            Self::Undecided => "undecided",
        }
    }
}

/// How something was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProofMethod {
    /// Every sequence of the mechanism's choices was followed, with exact rationals.
    Enumeration,
    /// By the formula of the noise's privacy profile, with directed rounding. The noise is taken as
    /// real numbers.
    ClosedForm,
    /// On each path of the code, a shift of the noise that takes one dataset's runs to the other's, with exact
    /// rationals; or the probabilities of its outcomes, by integrals with all errors added.
    Alignment,
}

/// Subject of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProofOf {
    /// The law of idealised noise, as real numbers. Code that draws it in doubles only approximates it.
    #[default]
    Model,
    /// The code itself: every sequence of its choices was enumerated.
    Code,
    /// The code itself, each of its branches, with its noise as real numbers: a sampler in doubles approximates that.
    RealCode,
}

impl ProofOf {
    /// The word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Code => "code",
            Self::RealCode => "code, real numbers",
        }
    }
}

/// A proof about the claim, on a domain of datasets, without sampling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Proof {
    /// How.
    pub method: ProofMethod,
    /// Its subject.
    #[serde(default)]
    pub of: ProofOf,
    /// Decision on the claim over the domain.
    pub decision: Decision,
    /// `true` if it is of the neighboring relation as it is stated: of all neighbors on the domain, some as far
    /// apart as the relation allows. If not, it is of these pairs only: it may refute the claim, and
    /// makes no audit `verified`.
    pub covers_relation: bool,
    /// The decision in a sentence, with all that it depends on.
    pub statement: String,
    /// The datasets that it covers.
    pub domain: ProofDomain,
    /// Limits of the enumeration, if it was one. The parts that it left undone are in `unresolved`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub budget: Option<ProofBudget>,
    /// Runs of the mechanism and of its parts that were made.
    pub runs: u64,
    /// The largest mass of a law that was not resolved, rounded up; 0: all laws are exact. It is
    /// part of every upper end here.
    pub unresolved: f64,
    /// ε at the claim's δ (`claim.reference_delta`), over all pairs of the domain.
    pub epsilon: Bracket,
    /// That ε in decimals, cut off, if it is known that far and finite.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub epsilon_decimal: Option<String>,
    /// e^ε as an exact rational, if it is one of at most 200 characters.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub exp_epsilon: Option<String>,
    /// δ(ε) at the claim's ε (`claim.reference_epsilon`), over all pairs of the domain.
    pub delta: Bracket,
    /// The privacy profile over all pairs of the domain.
    pub profile: Vec<ProofPoint>,
    /// Of a claim that is a curve: the point of its profile that the mechanism exceeds the most, or of a verified
    /// one the point that it comes nearest to; left out if no point shows it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub compared: Option<ComparedPoint>,
    /// Of a refuted claim on Rényi divergences: an order at which it is broken.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub renyi: Option<ComparedOrder>,
    /// The pair, the direction and the event with the largest ε.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub worst: Option<ProofWorst>,
}

/// Two numbers with the truth between them, rounded outward.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bracket {
    /// At most the truth; `null`: it is infinite.
    pub lower: Option<f64>,
    /// At least the truth; `null`: it may be infinite.
    pub upper: Option<f64>,
}

/// The datasets of a proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProofDomain {
    /// Which they are, in words.
    pub words: String,
    /// How many there are; `null`: without end.
    pub datasets: Option<usize>,
    /// Laws among theirs that differ, likewise.
    pub laws: Option<usize>,
    /// Pairs of neighbors, likewise; each was looked at in both directions.
    pub pairs: Option<usize>,
}

/// Limits of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProofBudget {
    /// Runs of the mechanism on one dataset, and of each part for one argument.
    pub runs: u64,
    /// Choices of one run.
    pub depth: usize,
    /// Beginnings of runs that are kept for later.
    pub pending: usize,
    /// Binary digits of a probability's denominator; what has more is rounded down.
    pub digits: usize,
    /// Open mass at which an enumeration without a near end is ended.
    pub enough: f64,
}

/// One point of a proved privacy profile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProofPoint {
    /// ε.
    pub epsilon: f64,
    /// At most δ(ε).
    pub delta_lower: f64,
    /// At least δ(ε).
    pub delta_upper: f64,
}

/// A point of a claim's own privacy profile, and what was proved there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedPoint {
    /// ε.
    pub epsilon: f64,
    /// δ that the claim allows there.
    pub delta_claim: f64,
    /// At most δ(ε).
    pub delta_lower: f64,
    /// At least δ(ε).
    pub delta_upper: f64,
}

/// An order of a claim on Rényi divergences, and what was proved there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedOrder {
    /// The order α.
    pub order: f64,
    /// The divergence that the claim allows.
    pub allowed: f64,
    /// The divergence of a pair in one direction; a `lower` of `null`: infinite.
    pub divergence: Bracket,
}

/// Where a proof found the largest ε.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProofWorst {
    /// D.
    pub d: Value,
    /// D'.
    pub d_prime: Value,
    /// How many outcomes the event has.
    pub outcomes: usize,
    /// The likeliest of them under D, at most five, in words.
    pub outcome: Vec<String>,
    /// The event's probability under D, rounded down.
    pub probability_d: f64,
    /// The event's probability under D', rounded up.
    pub probability_d_prime: f64,
}
