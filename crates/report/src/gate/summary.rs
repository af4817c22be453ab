//! The decision as JSON, for scripts.

use super::check::{CheckStatus, GateCheck};
use super::decide::GateDecision;
use super::note::GateNote;
use plaudit_core::visible::visible;
use serde_json::{Value, json};

/// Approximate maximum of its bytes: beyond, checks that passed are only counted.
const MOST: usize = 50_000;
const LONGEST: usize = 300;

/// Failures, advisory and accepted checks, notes, the number of each, and the chance of a false alarm.
pub fn summary(decision: &GateDecision) -> Value {
    let count = |status| decision.with(status).count();
    let short = |text: &str| visible(text).chars().take(LONGEST).collect::<String>();
    let (mut bytes, mut left) = (0, 0);
    let mut list = |entries: Vec<Value>| {
        let all = entries.into_iter().filter(|entry| {
            bytes += entry.to_string().len();
            let fits = bytes < MOST - 1_000;
            left += usize::from(!fits);
            fits
        });
        all.collect::<Vec<_>>()
    };
    let entry = |check: &GateCheck| {
        let mut entry = json!({
            "name": short(&check.name),
            "status": check.status,
            "rule": check.rule,
            "message": short(&check.message),
            "fingerprint": check.fingerprint,
        });
        if let Some(bound) = check.bound {
            entry["bound"] = bound.lower.into();
        }
        if let Some(accepted) = &check.accepted {
            entry["accepted"] = short(accepted).into();
        }
        entry
    };
    let note = |note: &GateNote| {
        json!({
            "name": short(&note.name),
            "level": note.level,
            "rule": note.rule,
            "message": short(&note.message),
        })
    };
    let failed = list(decision.open().map(entry).collect());
    let advisory = list(decision.with(CheckStatus::Advisory).map(entry).collect());
    let accepted = list(decision.with(CheckStatus::Accepted).map(entry).collect());
    let notes = list(decision.notes.iter().map(note).collect());
    let left_out = decision.left_out.iter();
    let left_out = list(
        left_out.map(|it| json!({ "name": short(&it.audit), "why": short(&it.why) })).collect(),
    );
    let ledger = decision.ledger.as_ref().map(|ledger| {
        let name = ledger.largest.as_ref().map(|name| short(name));
        json!({
            "audits": ledger.audits,
            "nights": ledger.nights,
            "flagged": ledger.flagged,
            "reset": ledger.reset,
            "repeated": ledger.repeated,
            "broken_off": ledger.broken_off,
            "largest": { "name": name, "ln_e_value": ledger.ln_e_value },
        })
    });
    let mut summary = json!({
        "schema_version": "1",
        "red": decision.is_red,
        "inconclusive": decision.is_inconclusive,
        "counts": {
            "failed": count(CheckStatus::Failed),
            "accepted": count(CheckStatus::Accepted),
            "advisory": count(CheckStatus::Advisory),
            "inconclusive": count(CheckStatus::Inconclusive),
            "passed": count(CheckStatus::Passed),
            "left_out": decision.left_out.len(),
        },
        "false_alarm": decision.false_alarm,
        "family": decision.family,
        "not_passed": failed,
        "advisory": advisory,
        "accepted": accepted,
        "notes": notes,
        "left_out": left_out,
        "not_listed": left,
    });
    if let Some(ledger) = ledger {
        summary["ledger"] = ledger;
    }
    summary
}
