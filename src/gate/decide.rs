//! What is red, and why.

use super::baseline;
use crate::finding::{Expectation, Finding, Report, Verdict};
use crate::number::brief;
use crate::visible::visible;
use sha2::{Digest as _, Sha256};

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GateRules {
    /// A claim that could not be tested properly.
    pub inconclusive: OnInconclusive,
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckStatus {
    /// As it should.
    Passed,
    /// It could not be tested properly. That is never a pass.
    Inconclusive,
    /// Not as it should.
    Failed,
}

/// One thing that the gate looked at.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Check {
    /// The audit, or the attack.
    pub name: String,
    /// How it ended.
    pub status: CheckStatus,
    /// What it is: "violated", "missed-mistake", "inconclusive", "attack", "loosened-claim", "removed-audit", "expected".
    pub rule: &'static str,
    /// In a sentence.
    pub message: String,
    /// The smallest loss over its claim that would have been caught, in words; none where nothing was sampled.
    pub catches: Option<String>,
    /// The spec, and the line at which it begins there.
    pub place: Option<(String, usize)>,
    /// Of mechanism, claim and relation, and of no number that chance moves: the same from run to run.
    pub fingerprint: String,
    /// Seconds of wall time.
    pub seconds: Option<f64>,
}

/// What the gate says.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Decision {
    /// Whether the change should not be merged.
    pub is_red: bool,
    /// Whether all that is wrong is what could not be tested properly.
    pub is_inconclusive: bool,
    /// All that was looked at, in the order of the report, then what is gone.
    pub checks: Vec<Check>,
    /// The chance of any false alarm, at most: the levels of all audits together.
    pub false_alarm: f64,
}

impl Decision {
    /// Checks that ended so.
    pub fn with(&self, status: CheckStatus) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(move |check| check.status == status)
    }

    /// In a line: "gate: red: 1 failed, 2 inconclusive, 40 passed; …".
    pub fn words(&self) -> String {
        let count = |status| self.with(status).count();
        let color = match (self.is_red, self.is_inconclusive) {
            (true, false) => "red",
            (true, true) => "inconclusive",
            (false, _) => "green",
        };
        format!(
            "gate: {color}: {} failed, {} inconclusive, {} passed; at most {} false alarms in 1000 runs",
            count(CheckStatus::Failed),
            count(CheckStatus::Inconclusive),
            count(CheckStatus::Passed),
            brief(1000.0 * self.false_alarm)
        )
    }
}

/// What a report means for a change, after an earlier one if there is one.
pub fn decide(report: &Report, before: Option<&Report>, rules: GateRules) -> Decision {
    let origins = report.provenance.as_ref().map(|provenance| &provenance.audits[..]);
    let mut checks: Vec<Check> = Vec::new();
    for (at, finding) in report.audits.iter().enumerate() {
        let origin = origins.and_then(|origins| origins.get(at));
        let place = origin.map(|origin| (origin.spec.file.clone(), origin.spec.line));
        let mut check = of_audit(finding);
        check.place = place;
        check.seconds = origin.and_then(|origin| origin.wall_s).or(check.seconds);
        checks.push(check);
    }
    for attack in &report.attacks {
        let status = if attack.as_expected() { CheckStatus::Passed } else { CheckStatus::Failed };
        checks.push(Check {
            name: attack.name.clone(),
            status,
            rule: if attack.as_expected() { "expected" } else { "attack" },
            message: format!("the attack {}: {}", attack.end(), attack.outcome),
            catches: None,
            place: None,
            fingerprint: fingerprint(&["attack", attack.kind.word(), &attack.name]),
            seconds: None,
        });
    }
    if let Some(before) = before {
        baseline::compare(before, report, &mut checks);
    }
    let has = |status| checks.iter().any(|check| check.status == status);
    let failed = has(CheckStatus::Failed);
    let inconclusive = has(CheckStatus::Inconclusive) && rules.inconclusive == OnInconclusive::Fail;
    Decision {
        is_red: failed || inconclusive,
        is_inconclusive: inconclusive && !failed,
        false_alarm: report.audits.iter().map(|finding| finding.alpha).sum::<f64>().min(1.0),
        checks,
    }
}

fn of_audit(finding: &Finding) -> Check {
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
    let catches = Some(&finding.power).filter(|_| sampled && !planted);
    let catches = catches.map(|power| match power.detectable {
        Some(loss) => format!("a loss of {} or more", brief(loss)),
        None => "no loss".to_owned(),
    });
    Check {
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
    }
}

/// The SHA-256 of some words, each with its length.
pub(super) fn fingerprint(words: &[&str]) -> String {
    let mut all = Sha256::new();
    for word in words {
        all.update((word.len() as u64).to_le_bytes());
        all.update(word.as_bytes());
    }
    crate::number::hex(all.finalize())
}

#[cfg(test)]
#[path = "../../tests/unit/gate/decide.rs"]
mod tests;
