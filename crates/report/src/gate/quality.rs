//! Code quality as GitLab reads it.

use super::check::{CheckStatus, GateCheck};
use super::decide::GateDecision;
use super::note::NoteLevel;
use plaudit_core::visible::visible;
use serde_json::{Value, json};

type GatePlace = Option<(String, usize)>;

/// An entry for each failure and each note.
pub fn code_quality(decision: &GateDecision) -> Value {
    let entry =
        |name: &str, message: &str, rule, fingerprint: &str, severity, place: &GatePlace| {
            let (file, line) = place.clone().unwrap_or_else(|| ("plaudit".into(), 1));
            json!({
                "description": visible(&format!("{name}: {message}")),
                "check_name": rule,
                "fingerprint": fingerprint,
                "severity": severity,
                "location": { "path": visible(&file), "lines": { "begin": line.max(1) } },
            })
        };
    let checks = decision.told().map(|check| {
        let severity = match check.status {
            CheckStatus::Failed => "blocker",
            CheckStatus::Advisory => "minor",
            CheckStatus::Accepted => "info",
            _ => "major",
        };
        let GateCheck { name, alert, place, .. } = check;
        entry(name, &check.words(), check.rule, alert, severity, place)
    });
    let notes = decision.notes.iter().map(|note| {
        let severity = if note.level == NoteLevel::Warning { "minor" } else { "info" };
        entry(&note.name, &note.message, note.rule, &note.fingerprint(), severity, &note.place)
    });
    checks.chain(notes).collect()
}
