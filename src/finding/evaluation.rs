//! The questions that an evaluation of a privacy guarantee answers, along NIST SP 800-226 (*Guidelines for Evaluating
//! Differential Privacy Guarantees*, 2025): what an audit answers by itself, what people stated, and what nobody did.

use super::quantity::Headline;
use super::value::{Finding, Verdict};
use super::{Floats, ProofMethod};
use crate::claim::Form;
use crate::inference::Test;
use crate::number::{brief, chosen};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What people stated in the `[evaluation]` table of a spec.
pub type Evaluation = BTreeMap<Topic, String>;

/// A violation is called critical from this multiple of what the claim allows on.
const CRITICAL_TIMES: f64 = 2.0;
/// … or from this much more δ than it allows: more than one person in a thousand.
const CRITICAL_DELTA: f64 = 1e-3;

/// A question of an evaluation; its key in a spec is the name in snake case.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// Definition of privacy, its parameters, the conversion used.
    Definition,
    /// Unit of privacy, and how much one person may contribute.
    Unit,
    /// Neighboring relation, and what is public.
    Neighbors,
    /// What is released, to whom, how often.
    Release,
    /// Trust model: who sees raw data.
    Trust,
    /// Sensitivity and clipping, and floating point.
    Sensitivity,
    /// Mechanism, version, source of randomness.
    Mechanism,
    /// Composition: releases, budget, accountant, tuning.
    Composition,
    /// Evidence for the claim.
    Evidence,
    /// Pairs and domain tested, and what was not.
    Scope,
    /// Side channels.
    SideChannels,
    /// Privacy of groups.
    Group,
    /// Utility and bias.
    Utility,
    /// Security around it.
    Security,
    /// Severity of what was found.
    Severity,
    /// Comparable deployments.
    Comparable,
    /// Who evaluated, when, with what, and how to repeat it.
    Evaluator,
}

impl Topic {
    /// All, in the order of the sheet.
    pub const ALL: [Self; 17] = [
        Self::Definition,
        Self::Unit,
        Self::Neighbors,
        Self::Release,
        Self::Trust,
        Self::Sensitivity,
        Self::Mechanism,
        Self::Composition,
        Self::Evidence,
        Self::Scope,
        Self::SideChannels,
        Self::Group,
        Self::Utility,
        Self::Security,
        Self::Severity,
        Self::Comparable,
        Self::Evaluator,
    ];

    /// Its key in a spec and in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Unit => "unit",
            Self::Neighbors => "neighbors",
            Self::Release => "release",
            Self::Trust => "trust",
            Self::Sensitivity => "sensitivity",
            Self::Mechanism => "mechanism",
            Self::Composition => "composition",
            Self::Evidence => "evidence",
            Self::Scope => "scope",
            Self::SideChannels => "side_channels",
            Self::Group => "group",
            Self::Utility => "utility",
            Self::Security => "security",
            Self::Severity => "severity",
            Self::Comparable => "comparable",
            Self::Evaluator => "evaluator",
        }
    }

    /// The question.
    pub fn question(self) -> &'static str {
        match self {
            Self::Definition => "Definition and parameters",
            Self::Unit => "Unit of privacy; bound on one person's contributions",
            Self::Neighbors => "Neighboring relation; what is public",
            Self::Release => "What is released, to whom, how often",
            Self::Trust => "Trust model: who sees raw data",
            Self::Sensitivity => "Sensitivity, clipping, floating point",
            Self::Mechanism => "Mechanism, version, source of randomness",
            Self::Composition => "Composition: releases, budget, accountant, tuning",
            Self::Evidence => "Evidence for the claim",
            Self::Scope => "Pairs and domain tested; what was not",
            Self::SideChannels => "Side channels",
            Self::Group => "Privacy of groups",
            Self::Utility => "Utility and bias: who is hit harder",
            Self::Security => "Security: storage, access, logging, retention",
            Self::Severity => "Severity of what was found",
            Self::Comparable => "Comparable deployments",
            Self::Evaluator => "Who evaluated, when, with what; how to repeat it",
        }
    }
}

/// A row of the sheet. It says "not stated" where neither is there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// Which question.
    pub topic: Topic,
    /// The question in words.
    pub question: &'static str,
    /// What the audit itself answers.
    pub found: Option<String>,
    /// What people stated.
    pub stated: Option<String>,
}

impl Answer {
    /// Both answers in one text, or "not stated".
    pub fn words(&self) -> String {
        match (&self.found, &self.stated) {
            (None, None) => "not stated".into(),
            (Some(found), None) => found.clone(),
            (None, Some(stated)) => format!("{stated} (stated)"),
            (Some(found), Some(stated)) => format!("{found}. Stated: {stated}"),
        }
    }
}

impl Finding {
    /// The sheet of this finding: a row for each question, answered or not.
    pub fn answers(&self) -> Vec<Answer> {
        let row = |topic: Topic| Answer {
            topic,
            question: topic.question(),
            found: self.found(topic),
            stated: self.evaluation.get(&topic).cloned(),
        };
        Topic::ALL.into_iter().map(row).collect()
    }

    /// What the audit itself says on a question.
    fn found(&self, topic: Topic) -> Option<String> {
        match topic {
            Topic::Definition => Some(format!("{}, {}", self.claim.words, self.definition())),
            Topic::Unit => self.scope.unit.clone(),
            Topic::Neighbors => Some(self.scope.neighbors.clone()),
            Topic::Sensitivity => Some(self.sensitivity_words()),
            Topic::Mechanism => {
                Some(format!("{} ({})", self.mechanism.description, self.mechanism.kind))
            }
            Topic::Evidence => Some(self.evidence_words()),
            Topic::Scope => {
                let rows = self.scope_rows();
                let of =
                    |heading| rows.iter().find(|row| row.0 == heading).map(|row| row.1.as_str());
                let (tried, not_tested) = (of("Tried")?, of("Not tested")?);
                Some(format!("tried: {tried}. Not tested: {not_tested}"))
            }
            Topic::SideChannels => Some(self.side_channels()),
            Topic::Group => self.group_words(),
            Topic::Severity => self.severity(),
            Topic::Release
            | Topic::Trust
            | Topic::Composition
            | Topic::Utility
            | Topic::Security
            | Topic::Comparable
            | Topic::Evaluator => None,
        }
    }

    fn definition(&self) -> String {
        let name = match self.claim.claim.form() {
            Form::EpsilonDelta { delta: 0.0, .. } => "pure differential privacy",
            Form::EpsilonDelta { .. } => "approximate differential privacy",
            Form::Gaussian { .. } => "Gaussian differential privacy",
            Form::ZeroConcentrated { .. } => "zero-concentrated differential privacy",
            Form::Renyi { .. } => "Rényi differential privacy",
            Form::Profile { .. } => "a privacy profile",
            Form::Tradeoff { .. } => "a trade-off function",
            Form::Group { .. } => "a claim for groups",
            _ => "a composition of mechanisms",
        };
        let (epsilon, delta) = (self.claim.reference_epsilon, self.claim.reference_delta);
        format!("{name}; bounds are quoted at ε = {} and at δ = {}", brief(epsilon), brief(delta))
    }

    fn sensitivity_words(&self) -> String {
        let declared = match &self.sensitivity {
            None => "no sensitivity declared to be checked".to_owned(),
            Some(check) => {
                let found = match (check.counterexample.is_some(), check.distance) {
                    (true, _) => "exceeded".to_owned(),
                    (false, Some(distance)) => {
                        format!("at most {} on {} pairs", chosen(distance), check.pairs)
                    }
                    (false, None) => format!("not exceeded on {} pairs", check.pairs),
                };
                format!("declared {} {}, {found}", check.norm.word(), chosen(check.declared))
            }
        };
        let floats = match self.floats {
            Floats::AsReleased => "all bits of doubles count".to_owned(),
            Floats::Rounded(step) => format!("numbers are rounded to multiples of {step}"),
            Floats::Ideal => "the claim is about real numbers, not doubles".to_owned(),
        };
        format!("{declared}; {floats}")
    }

    fn evidence_words(&self) -> String {
        let mut all = Vec::new();
        if let Some(proof) = &self.proof {
            let how = match proof.method {
                ProofMethod::Enumeration => "enumeration",
                ProofMethod::ClosedForm => "closed form",
            };
            all.push(format!(
                "proof by {how} (of the {}): {}",
                proof.of.word(),
                proof.decision.word()
            ));
        }
        if self.upper.is_some() {
            all.push("upper bounds from samples, on one pair".into());
        }
        if self.test != Test::None {
            all.push(format!(
                "audit: {} runs, α = {}, {}",
                self.trials.total,
                brief(self.alpha),
                crate::number::p_value(self.p_value)
            ));
            if let (Some(loss), Verdict::NotRefuted) = (self.power.detectable, self.verdict) {
                let power = brief(100.0 * self.power.probability);
                all.push(format!(
                    "a loss of {} on this pair and witness would have been refuted with {power} % power",
                    brief(loss)
                ));
            }
        }
        if all.is_empty() { "none".into() } else { all.join("; ") }
    }

    fn side_channels(&self) -> String {
        let time = if self.scope.clock { "tested" } else { "not tested" };
        let bits = match self.floats {
            Floats::AsReleased => "tested",
            Floats::Rounded(_) => "not tested, since numbers are rounded",
            Floats::Ideal => "advisory",
        };
        let state = match (self.scope.stateful || self.scope.clock, self.mechanism.kind.as_str()) {
            (true, _) => "tested",
            (false, "process") => "advisory (signs are looked for)",
            (false, _) => "not tested",
        };
        format!(
            "errors, NaN, lengths, keys: tested; low bits: {bits}; running time: {time}; state between runs: {state}"
        )
    }

    fn group_words(&self) -> Option<String> {
        match self.claim.claim.form() {
            Form::Group { size, .. } => Some(format!("the claim is for groups of {size}")),
            Form::EpsilonDelta { epsilon, delta: 0.0 } => {
                Some(format!("k rows of one person: at most k × {} in ε", chosen(*epsilon)))
            }
            Form::Gaussian { mu } => {
                Some(format!("k rows of one person: at most k × {} in μ", chosen(*mu)))
            }
            _ => None,
        }
    }

    /// How bad it is: a violation is critical if what is certified is twice what the claim allows, or a δ that is larger by
    /// 10⁻³, and else of theory. Nothing of what was not violated.
    fn severity(&self) -> Option<String> {
        if self.verdict != Verdict::Violated {
            return None;
        }
        let headline = self.numbers().into_iter().next();
        let Some(Headline { value, allowed: Some(allowed), words, .. }) = headline else {
            return Some("critical: no number bounds what is lost".into());
        };
        let value = value.unwrap_or(f64::INFINITY);
        let excess = (self.delta_lower - self.claim.claim.delta_at(self.claim.reference_epsilon))
            .max(self.broken_point.map_or(0.0, |point| point.delta_lower - point.delta_claim));
        let critical =
            value >= CRITICAL_TIMES * allowed && allowed > 0.0 || excess >= CRITICAL_DELTA;
        let word = if critical { "critical" } else { "theoretical" };
        Some(format!("{word}: {words}, claim allows {}", brief(allowed)))
    }
}
