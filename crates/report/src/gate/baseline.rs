//! Parts of an earlier report that this one lacks, and other changes since.

use super::check::{CheckStatus, GateCheck, fingerprint};
use super::note::{GateNote, NoteLevel};
use super::rule::GateRule;
use plaudit_core::finding::{
    DifferenceKind, Finding, Importance, Report, ReportDifference, compare,
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
                let rule = rule(kind);
                checks.push(GateCheck {
                    fingerprint: fingerprint(&[rule.id(), &name, &before, &now]),
                    alert: fingerprint(&[rule.id(), &name, &before]),
                    name,
                    status: CheckStatus::Failed,
                    rule,
                    message,
                    catches: None,
                    place,
                    seconds: None,
                    telling: None,
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
        rule: GateRule::OlderBaseline,
        message: format!(
            "{many} of its audits were written by an older plaudit ({}) and do not state their contents: only the fields \
             of the reports were compared; write it again",
            before.tool.version
        ),
        place: None,
    })
}

/// The rule that a weaker report breaks.
fn rule(kind: DifferenceKind) -> GateRule {
    match kind {
        DifferenceKind::Removed => GateRule::RemovedAudit,
        DifferenceKind::ExpectsPass => GateRule::RemovedMutant,
        DifferenceKind::ExpectsViolation => GateRule::ExpectsViolation,
        DifferenceKind::Neighbors => GateRule::OtherNeighbors,
        DifferenceKind::Waiver => GateRule::WaivedCheck,
        DifferenceKind::Pairs => GateRule::OtherPairs,
        DifferenceKind::Domain => GateRule::OtherDomain,
        DifferenceKind::Data => GateRule::OtherData,
        DifferenceKind::Sensitivity => GateRule::OtherSensitivity,
        DifferenceKind::Floats => GateRule::OtherFloats,
        DifferenceKind::Clock => GateRule::OtherClock,
        DifferenceKind::Stateful => GateRule::OtherState,
        DifferenceKind::MinPower => GateRule::RaisedMinPower,
        DifferenceKind::Attack => GateRule::OtherAttack,
        DifferenceKind::Mechanism | DifferenceKind::ExpectedLeak => GateRule::OtherMutant,
        _ => GateRule::LoosenedClaim,
    }
}

fn noted(kind: DifferenceKind) -> GateRule {
    match kind {
        DifferenceKind::Bound => GateRule::ChangedBound,
        DifferenceKind::Power => GateRule::ChangedPower,
        DifferenceKind::Trials => GateRule::ChangedTrials,
        DifferenceKind::Level => GateRule::ChangedLevel,
        DifferenceKind::Verdict => GateRule::ChangedVerdict,
        DifferenceKind::Witness => GateRule::ChangedWitness,
        DifferenceKind::Mechanism => GateRule::ChangedMechanism,
        DifferenceKind::Claim => GateRule::ChangedClaim,
        DifferenceKind::Program | DifferenceKind::Watched => GateRule::ChangedProgram,
        DifferenceKind::Added => GateRule::NewAudit,
        _ => GateRule::Changed,
    }
}
