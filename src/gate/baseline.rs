//! What an earlier report had that this one has not, and what else changed since.

use super::check::{CheckStatus, GateCheck, fingerprint};
use super::note::{GateNote, NoteLevel};
use crate::finding::{DifferenceKind, Expectation, Importance, Report, ReportDifference, compare};

/// Adds a check that failed for all that makes the gate weaker than it was, and a note for all else that changed.
pub(super) fn hold(
    before: &Report,
    now: &Report,
    checks: &mut Vec<GateCheck>,
    notes: &mut Vec<GateNote>,
) {
    for ReportDifference { audit: name, kind, importance, now, message, .. } in compare(before, now)
    {
        let place = checks.iter().find(|check| check.name == name).and_then(|it| it.place.clone());
        let level = match importance {
            Importance::Warning => NoteLevel::Warning,
            Importance::Info => NoteLevel::Info,
            Importance::Weaker => {
                let rule = rule(kind, &now);
                checks.push(GateCheck {
                    fingerprint: fingerprint(&[rule, &name]),
                    name,
                    status: CheckStatus::Failed,
                    rule,
                    message,
                    catches: None,
                    place,
                    seconds: None,
                    accepted: None,
                });
                continue;
            }
        };
        notes.push(GateNote { name, level, rule: noted(kind), message, place });
    }
}

/// The rule that a weaker report breaks.
fn rule(kind: DifferenceKind, now: &str) -> &'static str {
    match kind {
        DifferenceKind::Removed => "removed-audit",
        DifferenceKind::Expectation if now == Expectation::NotViolated.words() => "removed-mutant",
        DifferenceKind::Expectation if now == Expectation::Violated.words() => "expects-violation",
        DifferenceKind::Neighbors => "other-neighbors",
        DifferenceKind::Waiver => "waived-check",
        _ => "loosened-claim",
    }
}

/// The rule of a note.
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
        DifferenceKind::Added => "new-audit",
        _ => "changed",
    }
}
