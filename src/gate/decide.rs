//! What is red, and why.

use super::accepted::{Acceptance, accept};
use super::baseline;
use super::check::{CheckStatus, GateCheck, fingerprint};
use super::family::{self, ClaimFamily};
use super::note::GateNote;
use crate::finding::{Expectation, Finding, Report, Verdict};
use crate::number::brief;
use crate::visible::visible;

/// What to make of a claim that could not be tested properly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnInconclusive {
    /// The gate is not passed.
    #[default]
    Fail,
    /// It is said.
    Warn,
    /// It is counted.
    Pass,
}

/// What makes a gate red.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GateRules {
    /// A claim that could not be tested properly.
    pub inconclusive: OnInconclusive,
    /// Audits that were left out on purpose, since the change does not touch them: they are not gone.
    pub skipped: Vec<String>,
    /// Failures that somebody accepted.
    pub accepted: Vec<Acceptance>,
    /// The day on which that is asked: "2026-11-30".
    pub today: String,
}

/// What the gate says.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct GateDecision {
    /// Whether the change should not be merged.
    pub is_red: bool,
    /// Whether all that is wrong is what could not be tested properly.
    pub is_inconclusive: bool,
    /// All that was looked at, in the order of the report, then what is gone.
    pub checks: Vec<GateCheck>,
    /// What changed since the baseline and makes it no weaker, and what is out of date.
    pub notes: Vec<GateNote>,
    /// The chance of any false alarm, at most: the levels of all audits and attacks together.
    pub false_alarm: f64,
    /// The sampled claims, held together.
    pub family: ClaimFamily,
}

impl GateDecision {
    /// Checks that ended so.
    pub fn with(&self, status: CheckStatus) -> impl Iterator<Item = &GateCheck> {
        self.checks.iter().filter(move |check| check.status == status)
    }

    /// What did not pass, and was not accepted.
    pub(super) fn open(&self) -> impl Iterator<Item = &GateCheck> {
        let is_open = |status| matches!(status, CheckStatus::Failed | CheckStatus::Inconclusive);
        self.checks.iter().filter(move |check| is_open(check.status))
    }

    /// In a line: "gate: red: 1 failed, 2 inconclusive, 40 passed; …".
    pub fn words(&self) -> String {
        let count = |status| self.with(status).count();
        let color = match (self.is_red, self.is_inconclusive) {
            (true, false) => "red",
            (true, true) => "inconclusive",
            (false, _) => "green",
        };
        let accepted = match count(CheckStatus::Accepted) {
            0 => String::new(),
            many => format!("{many} accepted, "),
        };
        format!(
            "gate: {color}: {} failed, {accepted}{} inconclusive, {} passed; at most {} false alarms in 1000 runs",
            count(CheckStatus::Failed),
            count(CheckStatus::Inconclusive),
            count(CheckStatus::Passed),
            brief(1000.0 * self.false_alarm)
        )
    }
}

/// What a report means for a change, after an earlier one if there is one.
pub fn decide(report: &Report, before: Option<&Report>, rules: &GateRules) -> GateDecision {
    let (family, adjusted) = family::together(report);
    let origins = report.provenance.as_ref().map(|provenance| &provenance.audits[..]);
    let mut checks: Vec<GateCheck> = Vec::new();
    for (at, finding) in report.audits.iter().enumerate() {
        let origin = origins.and_then(|origins| origins.get(at));
        let place = origin.map(|origin| (origin.spec.file.clone(), origin.spec.line));
        let mut check = of_audit(finding);
        if let (Some(p_value), CheckStatus::Failed) = (adjusted[at], check.status) {
            check.message.push_str(&family.words_of(p_value));
        }
        check.place = place;
        check.seconds = origin.and_then(|origin| origin.wall_s).or(check.seconds);
        checks.push(check);
    }
    for attack in &report.attacks {
        let status = if attack.as_expected() { CheckStatus::Passed } else { CheckStatus::Failed };
        checks.push(GateCheck {
            name: attack.name.clone(),
            status,
            rule: if attack.as_expected() { "expected" } else { "attack" },
            message: format!("the attack {}: {}", attack.end(), attack.outcome),
            catches: None,
            place: None,
            fingerprint: fingerprint(&["attack", attack.kind.word(), &attack.name]),
            seconds: None,
            accepted: None,
        });
    }
    let mut notes = Vec::new();
    if let Some(before) = before {
        baseline::hold(before, report, &mut checks, &mut notes);
        checks
            .retain(|check| check.rule != "removed-audit" || !rules.skipped.contains(&check.name));
    }
    accept(&rules.accepted, &rules.today, &mut checks, &mut notes);
    notes.sort_by_key(|note| note.level);
    let has = |status| checks.iter().any(|check| check.status == status);
    let failed = has(CheckStatus::Failed);
    let inconclusive = has(CheckStatus::Inconclusive) && rules.inconclusive == OnInconclusive::Fail;
    GateDecision {
        is_red: failed || inconclusive,
        is_inconclusive: inconclusive && !failed,
        false_alarm: levels(report).sum::<f64>().min(1.0),
        checks,
        notes,
        family,
    }
}

/// The levels of all audits, and of all attacks that certify something.
fn levels(report: &Report) -> impl Iterator<Item = f64> {
    let attacks = report.attacks.iter().filter_map(|attack| attack.alpha);
    report.audits.iter().map(Finding::level).chain(attacks)
}

fn of_audit(finding: &Finding) -> GateCheck {
    let planted = finding.expected == Expectation::Violated;
    let (status, rule) = match (finding.verdict, finding.as_expected) {
        _ if finding.interrupted => (CheckStatus::Inconclusive, "not-reached"),
        (Verdict::Inconclusive, _) => (CheckStatus::Inconclusive, "inconclusive"),
        (_, true) => (CheckStatus::Passed, "expected"),
        (_, false) if planted => (CheckStatus::Failed, "missed-mistake"),
        (_, false) => (CheckStatus::Failed, "violated"),
    };
    let reason = match rule {
        "not-reached" => "it was not reached".to_owned(),
        "missed-mistake" => {
            format!(
                "a planted mistake was not caught ({}): {}",
                finding.verdict_words(),
                finding.reason
            )
        }
        _ => format!("{}: {}", finding.verdict_words(), finding.reason),
    };
    let sampled = finding.tally.trials() > 0;
    let catches = (sampled && !planted).then(|| match finding.catches() {
        Some(loss) => format!("a loss of {} or more", brief(loss)),
        None => "no loss".to_owned(),
    });
    GateCheck {
        name: finding.name.clone(),
        status,
        rule,
        message: visible(&format!("the claim {}: {reason}", finding.claim.words)),
        catches,
        place: None,
        fingerprint: fingerprint(&[
            &finding.name,
            &finding.mechanism.kind,
            &finding.mechanism.description,
            &finding.claim.words,
            &finding.scope.neighbors,
        ]),
        seconds: Some(finding.wall_s).filter(|seconds| *seconds > 0.0),
        accepted: None,
    }
}

#[cfg(test)]
#[path = "../../tests/unit/gate/decide.rs"]
mod tests;
