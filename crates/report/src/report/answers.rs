//! Answers of an audit to the questions of an evaluation, and statements by people.

use super::scope;
use super::words::claim;
use plaudit_accountant::number::{self, brief, chosen};
use plaudit_core::claim::Form;
use plaudit_core::finding::MechanismKind;
use plaudit_core::finding::{Finding, Floats, Headline, ProofMethod, Quantity, Topic, Verdict};
use plaudit_core::inference::Test;
use serde::Serialize;

/// A violation is called critical from this multiple of what the claim allows on.
const CRITICAL_TIMES: f64 = 2.0;
/// … or from this much more δ than it allows at its ε: one person in ten.
const CRITICAL_DELTA: f64 = 0.1;
const NEGLIGIBLE_TIMES: f64 = 1.1;
/// … and this excess of δ it is called negligible.
const NEGLIGIBLE_DELTA: f64 = 1e-3;

/// A row of the sheet, "not stated" where neither answer exists.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SheetAnswer {
    pub topic: Topic,
    pub question: &'static str,
    pub found: Option<String>,
    pub stated: Option<String>,
}

impl SheetAnswer {
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

/// The sheet of this finding: a row for each question, answered or not.
pub(super) fn answers(finding: &Finding) -> Vec<SheetAnswer> {
    let row = |topic: Topic| SheetAnswer {
        topic,
        question: topic.question(),
        found: found(finding, topic),
        stated: finding.evaluation.get(&topic).cloned(),
    };
    Topic::ALL.into_iter().map(row).collect()
}

fn found(finding: &Finding, topic: Topic) -> Option<String> {
    match topic {
        Topic::Definition => Some(format!("{}, {}", claim(finding), definition(finding))),
        Topic::Unit => finding.scope.unit.clone(),
        Topic::Neighbors => Some(finding.scope.neighbors.clone()),
        Topic::Sensitivity => Some(sensitivity_words(finding)),
        Topic::Mechanism => Some(mechanism_words(finding)),
        Topic::Evidence => Some(evidence_words(finding)),
        Topic::Scope => {
            let rows = scope::rows(finding);
            let of = |heading| rows.iter().find(|row| row.0 == heading).map(|row| row.1.as_str());
            let (tried, not_tested) = (of("Tried")?, of("Not tested")?);
            Some(format!("tried: {tried}. Not tested: {not_tested}"))
        }
        Topic::SideChannels => Some(side_channels(finding)),
        Topic::Group => group_words(finding),
        Topic::Severity => severity(finding),
        Topic::Release
        | Topic::Trust
        | Topic::Composition
        | Topic::Utility
        | Topic::Security
        | Topic::Comparable
        | Topic::Evaluator => None,
    }
}

pub(super) fn mechanism_words(finding: &Finding) -> String {
    format!("{} ({})", finding.mechanism.description, finding.mechanism.kind)
}

fn definition(finding: &Finding) -> String {
    let name = match finding.claim.claim.form() {
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
    let (epsilon, delta) = (finding.claim.reference_epsilon, finding.claim.reference_delta);
    format!("{name}; bounds are quoted at ε = {} and at δ = {}", brief(epsilon), brief(delta))
}

fn sensitivity_words(finding: &Finding) -> String {
    let declared = match &finding.sensitivity {
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
    let floats = match finding.floats {
        Floats::AsReleased => "all bits of doubles count".to_owned(),
        Floats::Rounded(step) => format!("numbers are rounded to multiples of {step}"),
        Floats::Ideal => "the claim is about real numbers, not doubles".to_owned(),
    };
    format!("{declared}; {floats}")
}

fn evidence_words(finding: &Finding) -> String {
    let mut all = Vec::new();
    if let Some(proof) = &finding.proof {
        let how = match proof.method {
            ProofMethod::Enumeration => "enumeration",
            ProofMethod::ClosedForm => "closed form",
            ProofMethod::Alignment => "alignment",
        };
        all.push(format!("proof by {how} (of the {}): {}", proof.of.word(), proof.decision.word()));
    }
    if finding.upper.is_some() {
        all.push("upper bounds from samples, on one pair".into());
    }
    if finding.test != Test::None {
        all.push(format!(
            "audit: {} runs, α = {}, {}",
            finding.trials.total,
            brief(finding.alpha_of_all_looks()),
            number::p_value(finding.p_value)
        ));
        if let (Some(loss), Verdict::NotRefuted) = (finding.power.detectable, finding.verdict) {
            let power = brief(100.0 * finding.power.probability);
            all.push(format!(
                "{} on this pair and witness would have been refuted with {power} % power",
                finding.power.unit.at_least(&brief(loss))
            ));
        }
    }
    if all.is_empty() { "none".into() } else { all.join("; ") }
}

fn side_channels(finding: &Finding) -> String {
    if finding.tally.trials() == 0 {
        return "nothing was sampled, so none was tested".into();
    }
    let time = if finding.scope.clock { "tested" } else { "not tested" };
    let bits = match finding.floats {
        Floats::AsReleased => "tested",
        Floats::Rounded(_) => "not tested, since numbers are rounded",
        Floats::Ideal => "advisory",
    };
    let state = match (finding.scope.stateful || finding.scope.clock, &finding.mechanism.kind) {
        (true, _) => "tested",
        (false, MechanismKind::Program) => "advisory (checked by signs)",
        (false, _) => "not tested",
    };
    format!(
        "errors, NaN, lengths and keys, where there are any: tested; low bits, where there are any: {bits}; running time: {time}; state between runs: {state}"
    )
}

fn group_words(finding: &Finding) -> Option<String> {
    if finding.verdict == Verdict::Violated {
        return Some("none: the claim does not hold".into());
    }
    match finding.claim.claim.form() {
        Form::Group { size, .. } => Some(format!("the claim is for groups of {size}")),
        Form::EpsilonDelta { epsilon, delta: 0.0 } => Some(format!(
            "k rows of one person: at most k × {} in ε, if the claim holds",
            chosen(*epsilon)
        )),
        Form::Gaussian { mu } => Some(format!(
            "k rows of one person: at most k × {} in μ, if the claim holds",
            chosen(*mu)
        )),
        _ => None,
    }
}

/// Severity of a violation, by its excess at the claim: critical if twice what the claim allows is certified, or a δ
/// that is larger by .1; negligible below 1.1 times and .001; else, and where low bits alone leak, theoretical. `None`
/// for other verdicts.
fn severity(finding: &Finding) -> Option<String> {
    match finding.verdict {
        Verdict::Violated => {}
        Verdict::Inconclusive => return Some("the claim could not be tested".into()),
        _ => return Some("no violation was found".into()),
    }
    let headline = finding.numbers().into_iter().next();
    let Some(Headline { quantity, value, allowed: Some(allowed), words, .. }) = headline else {
        return Some("critical: no number bounds the loss".into());
    };
    let value = value.unwrap_or(f64::INFINITY);
    let excess = (finding.delta_lower
        - finding.claim.claim.delta_at(finding.claim.reference_epsilon))
    .max(finding.broken_point.map_or(0.0, |point| point.delta_lower - point.delta_claim));
    // A δ is compared by its excess: multiples of a tiny one are meaningless.
    let times = match quantity {
        Quantity::Delta => 1.0,
        _ if allowed > 0.0 => value / allowed,
        _ => f64::INFINITY,
    };
    let excess = if quantity == Quantity::Delta { excess.max(value - allowed) } else { excess };
    let word = match (times, excess) {
        _ if finding.is_by_bits() => "theoretical",
        (times, excess) if times >= CRITICAL_TIMES || excess >= CRITICAL_DELTA => "critical",
        (times, excess) if times < NEGLIGIBLE_TIMES && excess < NEGLIGIBLE_DELTA => "negligible",
        _ => "theoretical",
    };
    Some(format!("{word}: {words}, claim allows {}", brief(allowed)))
}
