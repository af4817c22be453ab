//! Red checks, with their reasons.

use super::accepted::{Acceptance, accept};
use super::baseline;
use super::check::{CheckBound, CheckStatus, GateCheck, fingerprint};
use super::family::{self, ClaimFamily};
use super::ledger::{LedgerLine, LedgerTotal};
use super::note::{GateNote, NoteLevel};
use super::rule::GateRule;
use crate::report::{Telling, slugs};
use plaudit_accountant::number::{brief, upper};
use plaudit_core::finding::{
    Expectation, Finding, Identity, IdentityPart, LeftOut, Report, Verdict, certified_loss,
};
use plaudit_core::visible::visible;

/// Treatment of a claim that could not be tested properly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnInconclusive {
    #[default]
    Fail,
    Warn,
    Pass,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct GateRules {
    /// A claim that could not be tested properly.
    pub inconclusive: OnInconclusive,
    /// `true` if audits of running times count as others do; else they are advisory.
    pub clock_fails: bool,
    /// Attacks that an interruption left, which the report does not have: they are not gone.
    pub not_reached: Vec<String>,
    pub accepted: Vec<Acceptance>,
    /// The day on which that is asked: "2026-11-30".
    pub today: String,
    /// Lines of the ledger after this run, if one is kept.
    pub ledger: Option<Vec<LedgerLine>>,
}

#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct GateDecision {
    /// `true` if the change should not be merged.
    pub is_red: bool,
    /// `true` if the only failures are claims that could not be tested properly.
    pub is_inconclusive: bool,
    /// All that was looked at, in the order of the report, then what is gone.
    pub checks: Vec<GateCheck>,
    /// Changes since the baseline that do not weaken it, and entries that are out of date.
    pub notes: Vec<GateNote>,
    /// Upper bound on the chance of any false alarm: the levels of all audits and attacks together, and of the
    /// ledger.
    pub false_alarm: f64,
    pub family: ClaimFamily,
    /// Audits and attacks that were left out.
    pub left_out: Vec<LeftOut>,
    /// The evidence over many runs, if it is kept.
    pub ledger: Option<LedgerTotal>,
}

impl GateDecision {
    pub fn with(&self, status: CheckStatus) -> impl Iterator<Item = &GateCheck> {
        self.checks.iter().filter(move |check| check.status == status)
    }

    pub(super) fn open(&self) -> impl Iterator<Item = &GateCheck> {
        let is_open = |status| matches!(status, CheckStatus::Failed | CheckStatus::Inconclusive);
        self.checks.iter().filter(move |check| is_open(check.status))
    }

    /// All that did not pass: what is open, then what is advisory, then what was accepted.
    pub(super) fn told(&self) -> impl Iterator<Item = &GateCheck> {
        self.open().chain(self.with(CheckStatus::Advisory)).chain(self.with(CheckStatus::Accepted))
    }

    /// In a line: "gate: red: 1 failed, 2 inconclusive, 40 passed; …".
    pub fn words(&self) -> String {
        let count = |status| self.with(status).count();
        let color = match (self.is_red, self.is_inconclusive) {
            (true, false) => "red",
            (true, true) => "inconclusive",
            (false, _) => "green",
        };
        let [accepted, advisory] =
            [(CheckStatus::Accepted, "accepted"), (CheckStatus::Advisory, "advisory")].map(
                |(status, word)| match count(status) {
                    0 => String::new(),
                    many => format!("{many} {word}, "),
                },
            );
        format!(
            "gate: {color}: {} failed, {accepted}{advisory}{} inconclusive, {} passed; at most {} false alarms in 1000 runs",
            count(CheckStatus::Failed),
            count(CheckStatus::Inconclusive),
            count(CheckStatus::Passed),
            upper(1000.0 * self.false_alarm)
        )
    }
}

/// Decision on a change from its report, compared with an earlier one if given.
pub fn decide(report: &Report, before: Option<&Report>, rules: &GateRules) -> GateDecision {
    let (family, adjusted) = family::together(report);
    let origins = report.provenance.as_ref().map(|provenance| &provenance.audits[..]);
    let slugs = slugs(report);
    let mut checks: Vec<GateCheck> = Vec::new();
    for (at, finding) in report.audits.iter().enumerate() {
        let origin = origins.and_then(|origins| origins.get(at));
        let place = origin.map(|origin| (origin.spec.file.clone(), origin.spec.line));
        let mut check = of_audit(finding, Telling::of(finding, &slugs[at]));
        if let (Some(p_value), CheckStatus::Failed) = (adjusted[at], check.status) {
            check.message.push_str(&family.words_of(p_value));
        }
        let is_open = matches!(check.status, CheckStatus::Failed | CheckStatus::Inconclusive);
        if is_open && finding.rests_on_time() && !rules.clock_fails {
            check.status = CheckStatus::Advisory;
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
            rule: if attack.as_expected() { GateRule::Expected } else { GateRule::Attack },
            message: format!("the attack {}: {}", attack.end(), attack.outcome),
            catches: None,
            place: None,
            fingerprint: of_identity("attack", &attack.name, attack.identity.as_ref(), || {
                vec![attack.kind.word().to_owned()]
            }),
            alert: fingerprint(&["attack", &attack.name, attack.kind.word()]),
            seconds: None,
            telling: None,
            accepted: None,
            bound: None,
        });
    }
    let mut notes = Vec::new();
    let lines = rules.ledger.as_deref();
    let ledger_levels: f64 = lines.unwrap_or_default().iter().map(|line| line.alpha).sum();
    lines.unwrap_or_default().iter().for_each(|line| hold(line, &mut checks, &mut notes));
    if let Some(before) = before {
        baseline::hold(before, report, &mut checks, &mut notes);
        let is_there = |name: &String| {
            rules.not_reached.contains(name) || report.left_out.iter().any(|it| it.audit == *name)
        };
        checks.retain(|check| check.rule != GateRule::RemovedAudit || !is_there(&check.name));
    }
    checks.extend(rules.not_reached.iter().map(|name| GateCheck {
        name: name.clone(),
        status: CheckStatus::Inconclusive,
        rule: GateRule::NotReached,
        message: "the attack was not reached".into(),
        catches: None,
        place: None,
        fingerprint: fingerprint(&["not-reached", name]),
        alert: fingerprint(&["not-reached", name]),
        seconds: None,
        telling: None,
        accepted: None,
        bound: None,
    }));
    accept(&rules.accepted, &rules.today, &mut checks, &mut notes);
    notes.sort_by_key(|note| note.level);
    let has = |status| checks.iter().any(|check| check.status == status);
    let failed = has(CheckStatus::Failed);
    let inconclusive = has(CheckStatus::Inconclusive) && rules.inconclusive == OnInconclusive::Fail;
    GateDecision {
        is_red: failed || inconclusive,
        is_inconclusive: inconclusive && !failed,
        // The ledger spends its own level, once for all nights.
        false_alarm: (levels(report).sum::<f64>() + ledger_levels).min(1.0),
        checks,
        notes,
        family,
        left_out: report.left_out.clone(),
        ledger: lines.map(LedgerTotal::of),
    }
}

/// The levels of all audits, and of all attacks that certify something.
fn levels(report: &Report) -> impl Iterator<Item = f64> {
    let attacks = report.attacks.iter().filter_map(|attack| attack.alpha);
    report.audits.iter().map(Finding::level).chain(attacks)
}

/// Adds a check that failed where the evidence of all nights refutes the claim, and a note of what the run did to it.
fn hold(line: &LedgerLine, checks: &mut Vec<GateCheck>, notes: &mut Vec<GateNote>) {
    let place = checks.iter().find(|it| it.name == line.name).and_then(|it| it.place.clone());
    let name = line.name.clone();
    if let Some(message) = line.note() {
        let (level, place) = (NoteLevel::Info, place.clone());
        notes.push(GateNote {
            name: name.clone(),
            level,
            rule: GateRule::LedgerNote,
            message,
            place,
        });
    }
    if line.is_flagged() {
        let message = format!("{}, at level {}", line.words(), brief(line.alpha));
        checks.push(GateCheck {
            fingerprint: fingerprint(&[GateRule::Ledger.id(), &name]),
            alert: fingerprint(&[GateRule::Ledger.id(), &name]),
            name,
            status: CheckStatus::Failed,
            rule: GateRule::Ledger,
            message,
            catches: None,
            place,
            seconds: None,
            telling: None,
            accepted: None,
            bound: None,
        });
    }
}

/// Fingerprint of the subject of a check; for reports without identities, of the words that replace it.
fn of_identity(
    rule: &str,
    name: &str,
    identity: Option<&Identity>,
    words: impl FnOnce() -> Vec<String>,
) -> String {
    let words = match identity {
        Some(identity) => vec![identity.digest_of(IdentityPart::is_of_content)],
        None => words(),
    };
    let all = [rule, name].into_iter().chain(words.iter().map(String::as_str));
    fingerprint(&all.collect::<Vec<_>>())
}

fn of_audit(finding: &Finding, telling: Telling) -> GateCheck {
    let planted = finding.expected == Expectation::Violated;
    let (status, rule) = match (finding.verdict, finding.as_expected) {
        _ if finding.interrupted => (CheckStatus::Inconclusive, GateRule::NotReached),
        (Verdict::Inconclusive, _) => (CheckStatus::Inconclusive, GateRule::Inconclusive),
        (_, true) => (CheckStatus::Passed, GateRule::Expected),
        (_, false) if planted => (CheckStatus::Failed, GateRule::MissedMistake),
        (_, false) => (CheckStatus::Failed, GateRule::Violated),
    };
    let reason = match rule {
        GateRule::NotReached => "it was not reached".to_owned(),
        GateRule::MissedMistake => {
            format!("a planted mistake was not caught ({}): {}", telling.verdict, telling.reason)
        }
        _ => format!("{}: {}", telling.verdict, telling.reason),
    };
    let sampled = finding.tally.trials() > 0;
    let catches = (sampled && !planted).then(|| match finding.catches() {
        Some(loss) => finding.power.unit.at_least(&brief(loss)),
        None => "no loss".to_owned(),
    });
    GateCheck {
        name: finding.name.clone(),
        status,
        rule,
        message: visible(&format!("the claim {}: {reason}", finding.claim.words)),
        catches,
        place: None,
        fingerprint: of_identity(rule.id(), &finding.name, finding.identity.as_ref(), || {
            vec![
                finding.mechanism.kind.to_string(),
                finding.mechanism.description.clone(),
                finding.claim.words.clone(),
                finding.scope.neighbors.clone(),
            ]
        }),
        alert: fingerprint(&[rule.id(), &finding.name, &finding.claim.words]),
        telling: Some(telling),
        seconds: Some(finding.wall_s).filter(|seconds| *seconds > 0.0),
        accepted: None,
        bound: certified_loss(finding).map(|(lower, margin)| CheckBound { lower, margin }),
    }
}

#[cfg(test)]
#[path = "../../tests/unit/gate/decide.rs"]
mod tests;
