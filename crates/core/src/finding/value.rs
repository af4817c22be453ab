//! The finding of one audit as a value.

use super::cause::Cause;
use super::identity::Identity;
use super::kind::MechanismKind;
use super::leaks::{Evidence, Floats, LeakKind, LeakSource, Leaks};
use super::pair::{PairSummary, Smallest};
use super::power::{Looks, Power};
use super::proof::Proof;
use super::provenance::StepTimes;
use super::quantity::{BrokenPoint, Headline, UpperBounds};
use super::reason::Reasons;
use super::review::{Evaluation, PostSummary, Scope};
use super::sensitivity::SensitivitySummary;
use super::trace::Trace;
use crate::claim::Claim;
use crate::inference::Test;
use crate::tally::Guess;
use crate::tally::Tally;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Verdict of an audit. None of them means "private" or "safe": absence of evidence is `not refuted`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Verdict {
    /// The claim is refuted: at level α, with a certificate, or by a proof.
    #[serde(rename = "violated")]
    Violated,
    /// The claim is proved, on the domain of `proof`.
    #[serde(rename = "verified")]
    Verified,
    /// An upper bound from samples meets the claim, for this pair.
    #[serde(rename = "bounded")]
    Bounded,
    /// No violation was found; `power` states which loss would have been.
    #[serde(rename = "not refuted")]
    NotRefuted,
    /// The claim could not be tested properly; `reason` explains why.
    #[serde(rename = "inconclusive")]
    Inconclusive,
}

impl Verdict {
    /// The word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Violated => "violated",
            Self::Verified => "verified",
            Self::Bounded => "bounded",
            Self::NotRefuted => "not refuted",
            Self::Inconclusive => "inconclusive",
        }
    }

    /// `true` if the claim is refuted.
    pub fn is_violation(self) -> bool {
        self == Self::Violated
    }

    /// `true` if it is a conclusion about the claim.
    pub fn is_founded(self) -> bool {
        self != Self::Inconclusive
    }
}

/// Expected verdict of an audit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Expectation {
    /// The claim holds: any verdict but `violated` and `inconclusive` is as expected.
    #[default]
    #[serde(rename = "not violated")]
    NotViolated,
    /// The claim is known to be broken; only `violated` is as expected.
    #[serde(rename = "violated")]
    Violated,
}

impl Expectation {
    pub fn is_met_by(self, verdict: Verdict) -> bool {
        match self {
            Self::Violated => verdict == Verdict::Violated,
            Self::NotViolated => !matches!(verdict, Verdict::Violated | Verdict::Inconclusive),
        }
    }

    /// The verdict that is expected, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Violated => "violated",
            Self::NotViolated => "no violation",
        }
    }
}

/// The finding of one audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Name of the audit.
    pub name: String,
    /// Its description, if the spec has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub about: Option<String>,
    /// The audited mechanism.
    pub mechanism: MechanismSummary,
    /// For an audit of post-processed outcomes: the operations, and the audit of the unprocessed outcomes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub post: Option<PostSummary>,
    /// The neighboring relation, in words.
    pub relation: String,
    /// The claim under test.
    pub claim: ClaimSummary,
    /// The verdict.
    pub verdict: Verdict,
    /// `true` if it was interrupted before there was a verdict.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// The expected verdict.
    pub expected: Expectation,
    /// `true` if it did, by the expected leak.
    pub as_expected: bool,
    /// For a planted mistake: the leak that shows it, if the spec names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_leak: Option<LeakSource>,
    /// Source of a violation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leak_source: Option<LeakSource>,
    /// Why the verdict is what it is.
    #[serde(flatten)]
    pub reasons: Reasons,
    /// For a violation: possible causes, the most specific first; guesses from the evidence, on which no verdict depends.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub possible_causes: Vec<Cause>,
    /// Trace of the program on the confirmed pair (`plaudit audit --trace`, if the claim is violated).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub trace: Option<Trace>,
    /// Notes for readers on how the mechanism was run, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// The number that the finding is about, with how it is known; left out if nothing was counted and
    /// nothing proved. It is one of those below, and what the table and the page quote first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headline: Option<Headline>,
    /// Certified lower bound on ε at the claim's δ (`claim.reference_delta`); at `confidence`.
    pub epsilon_lower: f64,
    /// Certified lower bound on δ at the claim's ε (`claim.reference_epsilon`); at `confidence`.
    pub delta_lower: f64,
    /// The probability, at most, that `delta_lower` is wrong, if it is not 1 − `confidence`: of a refuted claim it is the larger one of
    /// two bounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta_alpha: Option<f64>,
    /// Certified lower bound on μ, for claims of μ-GDP.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mu_lower: Option<f64>,
    /// For a violated claim that is a curve: the point of its profile that the witness violates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken_point: Option<BrokenPoint>,
    /// Meaning of doubles in the claim: "as released" if absent.
    #[serde(default, skip_serializing_if = "Floats::is_default")]
    pub floats: Floats,
    /// Leaks of values and of the lowest bits of doubles, certified apart, if bits leak.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaks: Option<Leaks>,
    /// Bounds from above, if the alphabet of outcomes was declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<UpperBounds>,
    /// p-value of the claim: the claim is refuted when it is at most `alpha`.
    pub p_value: f64,
    /// The false-alarm level of the trials here: the audit's own, or this look's share of it (`looks`).
    pub alpha: f64,
    /// The looks, of an audit that may end early, as in a gate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looks: Option<Looks>,
    /// 1 − α: the confidence of each certified number, taken alone.
    pub confidence: f64,
    /// The test that was frozen before the counting.
    pub test: Test,
    /// Runs of the mechanism.
    pub trials: Trials,
    /// Seed of the audit's random streams.
    pub seed: u64,
    /// The pair of datasets that was confirmed.
    pub pair: PairSummary,
    /// For a violated claim whose pair a search found: the smallest pair on which it was also confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest: Option<Smallest>,
    /// Counts of the witness.
    #[serde(default)]
    pub evidence: Evidence,
    /// The frozen witness.
    pub witness: WitnessSummary,
    /// Counts by bin of the witness.
    pub tally: Tally,
    /// Violations that would have been detected.
    pub power: Power,
    /// The empirical privacy loss.
    pub loss: Loss,
    /// The privacy profile, worse direction at each ε.
    pub profile: Vec<ProfilePoint>,
    /// The trade-off curve that the witness achieves.
    pub tradeoff: Vec<TradeoffPoint>,
    /// The proof, if one was requested.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub proof: Option<Proof>,
    /// Result of the check of a declared sensitivity, if one was made.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sensitivity: Option<SensitivitySummary>,
    /// Under which conditions the verdict holds: neighbors, observer, domain, waived gates.
    #[serde(default)]
    pub scope: Scope,
    /// Statements of people about the release for its evaluation, by question.
    #[serde(default, skip_serializing_if = "Evaluation::is_empty")]
    pub evaluation: Evaluation,
    /// Everything that makes the audit, in parts; reports of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<Identity>,
    /// Seconds of wall time. No part of the finding's JSON, which is the same from run to run:
    /// [`Provenance`](super::Provenance) reports it.
    #[serde(skip)]
    pub wall_s: f64,
    /// How these seconds were spent; also reported by [`Provenance`](super::Provenance).
    #[serde(skip)]
    pub steps: StepTimes,
}

impl Finding {
    /// The verdict and its reasons in sentences.
    pub fn reason(&self) -> String {
        self.reasons.to_string()
    }

    pub fn cause_words(&self) -> Vec<String> {
        let distance = self.sensitivity.as_ref().and_then(|check| check.distance);
        let words = |cause: &Cause| cause.words(distance, self.delta_lower);
        self.possible_causes.iter().map(words).collect()
    }

    /// The verdict as a reader sees it: of a proof with what it is of, "verified (model)".
    pub fn verdict_words(&self) -> String {
        match (self.verdict, &self.proof) {
            (Verdict::Verified, Some(proof)) => {
                format!("{} ({})", self.verdict.word(), proof.of.word())
            }
            (Verdict::Violated, _) if self.tells_bits() => {
                let source = self.leak_source.map_or("", LeakSource::words);
                format!("violated ({source})")
            }
            (verdict, _) => verdict.word().into(),
        }
    }

    /// `true` if low bits leak, so that a violation must name its source.
    fn tells_bits(&self) -> bool {
        self.leak_source == Some(LeakSource::Bits)
            || self.leaks.is_some() && self.leak_source.is_some()
    }

    /// `true` if the certified bounds rest on the lowest bits of doubles alone.
    pub fn is_by_bits(&self) -> bool {
        self.leak_source == Some(LeakSource::Bits)
            || self.leaks.as_ref().is_some_and(|leaks| leaks.headline == LeakKind::Representation)
    }
}

/// The audited mechanism.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MechanismSummary {
    /// Its kind: a name in the catalog, or how a mechanism is run that plaudit cannot see into.
    #[schemars(with = "String")]
    pub kind: MechanismKind,
    /// Its parameters as the spec gave them.
    pub parameters: Value,
    /// Its description, in a sentence.
    pub description: String,
    /// Post-processing of its outcomes, as the spec has it, in order: "round:0.1".
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub post: Vec<String>,
}

/// A claim and the point of its profile at which bounds are quoted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimSummary {
    /// The claim.
    #[serde(flatten)]
    pub claim: Claim,
    /// The claim in the field's notation: "1-DP", "(1, 0.00001)-DP", "1-GDP".
    pub words: String,
    /// ε at which `delta_lower` is certified.
    pub reference_epsilon: f64,
    /// δ at which `epsilon_lower` is certified.
    pub reference_delta: f64,
}

impl ClaimSummary {
    /// A claim with its words and its point.
    pub fn of(claim: &Claim) -> Self {
        let (reference_epsilon, reference_delta) = claim.reference_point();
        let words = claim.to_string();
        Self { claim: claim.clone(), words, reference_epsilon, reference_delta }
    }
}

/// Runs of the mechanism, both datasets together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Trials {
    /// Runs used to look for a witness.
    pub explore: u64,
    /// Runs counted for the verdict, disjoint from the former.
    pub confirm: u64,
    /// All runs.
    pub total: u64,
}

/// The frozen witness, for readers. The certificate carries the machine-readable one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WitnessSummary {
    /// Kind of scorer: "shape", "atoms", "coarse atoms", "thresholds", "keys",
    /// "lattice", "clock"; empty if none was frozen.
    pub kind: String,
    /// The witness in words: `says D when output < -1.37, D' when output >= 2`.
    pub description: String,
    /// Number of the outcome that is looked at ("output", "sum of the output", "entry 3"), empty
    /// where outcomes are only distinguished.
    pub statistic: String,
    /// One entry a bin, in the order of the tally.
    pub bins: Vec<BinSummary>,
}

impl WitnessSummary {
    /// `true` if it names both datasets, each on some outcome.
    pub fn names_both(&self) -> bool {
        let says = |guess| self.bins.iter().any(|bin| bin.says == guess);
        says(Guess::D) && says(Guess::DPrime)
    }
}

/// One bin of a witness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BinSummary {
    /// The bin in words: "[-1.5, 0.25)", "panic: …", "NaN".
    pub label: String,
    /// Lower end of an interval of numbers (`null`: unbounded, or not an interval).
    pub from: Option<f64>,
    /// Upper end, likewise; equal to `from` for a single value.
    pub to: Option<f64>,
    /// `true` if the bin is an interval of numbers (or a single number).
    pub numeric: bool,
    /// Guess of the witness on it.
    pub says: Guess,
}

/// The empirical privacy loss ln(P/Q) over the witness's bins. Estimates, from the confirm tally.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Loss {
    /// KL(P‖Q), an estimate over the bins; `null` where a bin was only ever seen under D.
    pub kl: Option<f64>,
    /// KL(Q‖P), likewise.
    pub kl_reverse: Option<f64>,
    /// Estimated P(loss > claim's ε) under D, of the bins whose loss is beyond by more than chance (four standard errors).
    /// Sufficient for δ, not necessary.
    pub exceeds_epsilon: f64,
    /// The same under D', for the loss ln(Q/P).
    pub exceeds_epsilon_reverse: f64,
    /// Share of outcomes under D in bins never seen under D'.
    pub only_under_d: f64,
    /// Share of outcomes under D' in bins never seen under D.
    pub only_under_d_prime: f64,
    /// The distribution: one entry a bin that was seen, ascending in loss; bins only seen under
    /// one dataset have no finite loss.
    pub distribution: Vec<LossPoint>,
    /// How fast the loss falls off: P(loss > ε) at multiples of the claim's ε.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tail: Vec<TailPoint>,
    /// Rényi divergences of some orders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub renyi: Vec<RenyiPoint>,
    /// The laws of the outcomes on this pair, in words, if they are known; then the `exact` values
    /// are those of these laws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub law: Option<String>,
}

/// P(loss > ε), under D for ln(P/Q) and under D' for ln(Q/P).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TailPoint {
    /// ε.
    pub epsilon: f64,
    /// Estimate over the bins, under D.
    pub exceeds: f64,
    /// Estimate over the bins, under D'.
    pub exceeds_reverse: f64,
    /// The larger of both, by the laws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<f64>,
}

/// The Rényi divergence of one order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RenyiPoint {
    /// The order α.
    pub order: f64,
    /// Estimate of D_α(P‖Q) over the bins; `null`: infinite.
    pub estimate: Option<f64>,
    /// Estimate of D_α(Q‖P) over the bins; `null`: infinite.
    pub estimate_reverse: Option<f64>,
    /// The larger of both, by the laws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<f64>,
}

/// One bin of the empirical privacy-loss distribution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LossPoint {
    /// Estimated loss ln(P/Q) of the bin; `null`: infinite (see the shares).
    pub loss: Option<f64>,
    /// Share of outcomes under D.
    pub share_d: f64,
    /// Share of outcomes under D'.
    pub share_d_prime: f64,
}

/// One point of the privacy profile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProfilePoint {
    /// ε.
    pub epsilon: f64,
    /// Certified: the mechanism's δ(ε) is at least this; at the audit's confidence, simultaneous
    /// over the curve.
    pub delta_lower: f64,
    /// Estimate over the bins.
    pub delta_estimate: f64,
    /// From where to where the estimate may be by chance: two standard errors, and below what chance adds in the mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta_band: Option<[f64; 2]>,
    /// The claim's δ(ε).
    pub delta_claim: f64,
    /// The pair's δ(ε) by the laws of its outcomes, if they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta_exact: Option<f64>,
}

/// One point of the trade-off curve: the witness's bins as a test of D' against D.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TradeoffPoint {
    /// Type-I error: estimated probability of the event under D'.
    pub type_1: f64,
    /// Type-II error: estimated probability of its complement under D.
    pub type_2: f64,
    /// Smallest type-II error that the claim allows at this type-I error.
    pub type_2_claim: f64,
}
