//! What an earlier report had that this one has not, and what else changed since.

use super::check::{CheckStatus, GateCheck, fingerprint};
use super::note::{GateNote, NoteLevel, OLDER};
use plaudit_core::finding::{
    DifferenceKind, Expectation, Finding, Importance, Report, ReportDifference, compare,
};

/// Adds a check that failed for all that makes the gate weaker than it was, and a note for all else that changed.
pub(super) fn hold(
    before: &Report,
    now: &Report,
    checks: &mut Vec<GateCheck>,
    notes: &mut Vec<GateNote>,
) {
    let differences = compare(before, now);
    notes.extend(older(before, now));
    for ReportDifference { audit: name, kind, importance, before, now, message } in differences {
        let place = checks.iter().find(|check| check.name == name).and_then(|it| it.place.clone());
        let level = match importance {
            Importance::Warning => NoteLevel::Warning,
            Importance::Info => NoteLevel::Info,
            Importance::Weaker => {
                let rule = rule(kind, &now);
                checks.push(GateCheck {
                    fingerprint: fingerprint(&[rule, &name, &before, &now]),
                    alert: fingerprint(&[rule, &name, &before]),
                    name,
                    status: CheckStatus::Failed,
                    rule,
                    message,
                    catches: None,
                    place,
                    seconds: None,
                    accepted: None,
                    bound: None,
                });
                continue;
            }
        };
        notes.push(GateNote { name, level, rule: noted(kind), message, place });
    }
}

/// A note where audits of the baseline have no identities to compare.
fn older(before: &Report, now: &Report) -> Option<GateNote> {
    let is_kept = |name: &String| now.audits.iter().any(|finding| finding.name == *name);
    let is_old = |finding: &&Finding| finding.identity.is_none() && is_kept(&finding.name);
    let many = before.audits.iter().filter(is_old).count();
    (many > 0).then(|| GateNote {
        name: "baseline".into(),
        level: NoteLevel::Warning,
        rule: OLDER,
        message: format!(
            "{many} of its audits were written by an older plaudit ({}) and do not say what they are made of: only the fields of the \
             reports were compared; write it anew",
            before.tool.version
        ),
        place: None,
    })
}

/// The rule that a weaker report breaks.
fn rule(kind: DifferenceKind, now: &str) -> &'static str {
    match kind {
        DifferenceKind::Removed => "removed-audit",
        DifferenceKind::Expectation if now == Expectation::NotViolated.words() => "removed-mutant",
        DifferenceKind::Expectation if now == Expectation::Violated.words() => "expects-violation",
        DifferenceKind::Neighbors => "other-neighbors",
        DifferenceKind::Waiver => "waived-check",
        DifferenceKind::Pairs => "other-pairs",
        DifferenceKind::Domain => "other-domain",
        DifferenceKind::Data => "other-data",
        DifferenceKind::Sensitivity => "other-sensitivity",
        DifferenceKind::Floats => "other-floats",
        DifferenceKind::Clock => "other-clock",
        DifferenceKind::Stateful => "other-state",
        DifferenceKind::MinPower => "raised-min-power",
        DifferenceKind::Attack => "other-attack",
        DifferenceKind::Mechanism => "other-mutant",
        // The same verdict, by another leak.
        DifferenceKind::Expectation if now.starts_with(Expectation::Violated.words()) => {
            "other-mutant"
        }
        _ => "loosened-claim",
    }
}

fn noted(kind: DifferenceKind) -> &'static str {
    match kind {
        DifferenceKind::Bound => "changed-bound",
        DifferenceKind::Power => "changed-power",
        DifferenceKind::Trials => "changed-trials",
        DifferenceKind::Level => "changed-level",
        DifferenceKind::Verdict => "changed-verdict",
        DifferenceKind::Witness => "changed-witness",
        DifferenceKind::Mechanism => "changed-mechanism",
        DifferenceKind::Claim => "changed-claim",
        DifferenceKind::Program | DifferenceKind::Watched => "changed-program",
        DifferenceKind::Added => "new-audit",
        _ => "changed",
    }
}
