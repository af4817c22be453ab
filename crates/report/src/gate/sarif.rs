//! SARIF 2.1.0, which code hosts show next to the lines of a spec.

use super::check::{CheckStatus, GateCheck};
use super::decide::GateDecision;
use super::note::{GateNote, NoteLevel};
use super::rule::GateRule;
use plaudit_core::visible::visible;
use serde_json::{Value, json};

const DOCUMENTATION: &str = "https://docs.rs/plaudit";

/// A log of all failures and notes.
pub fn sarif(decision: &GateDecision) -> Value {
    let rule = |rule: GateRule| {
        json!({
            "id": rule.id(),
            "shortDescription": { "text": rule.text() },
            "help": { "text": rule.help() },
            "helpUri": DOCUMENTATION,
        })
    };
    let rules: Vec<Value> =
        GateRule::ALL.into_iter().filter(|it| *it != GateRule::Expected).map(rule).collect();
    let checks = decision.told().map(of_check);
    // Information alone is not a finding, nor is a changed program, which is the purpose of the
    // change.
    let is_told = |note: &&GateNote| {
        note.level == NoteLevel::Warning && note.rule != GateRule::ChangedProgram
    };
    let warnings = decision.notes.iter().filter(is_told);
    let notes = warnings.map(|note| {
        let told = SarifResult {
            rule: note.rule,
            level: note.level.word(),
            text: format!("{}: {}", note.name, note.message),
            fingerprint: &note.fingerprint(),
            place: &note.place,
        };
        told.value()
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "plaudit",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": DOCUMENTATION,
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": checks.chain(notes).collect::<Vec<_>>(),
        }],
    })
}

fn of_check(check: &GateCheck) -> Value {
    // The reason for an acceptance is in its suppression.
    let text = if check.accepted.is_some() { check.message.clone() } else { check.words() };
    let told = SarifResult {
        rule: check.rule,
        level: match check.status {
            CheckStatus::Inconclusive | CheckStatus::Advisory => "warning",
            _ => "error",
        },
        text: format!("{}: {text}", check.name),
        fingerprint: &check.alert,
        place: &check.place,
    };
    let mut value = told.value();
    if let Some(accepted) = &check.accepted {
        value["suppressions"] = json!([{
            "kind": "external",
            "status": "accepted",
            "justification": visible(accepted),
        }]);
    }
    value
}

/// A result, before it is JSON.
struct SarifResult<'a> {
    rule: GateRule,
    level: &'a str,
    text: String,
    fingerprint: &'a str,
    place: &'a Option<(String, usize)>,
}

impl SarifResult<'_> {
    fn value(self) -> Value {
        let mut result = json!({
            "ruleId": self.rule,
            "level": self.level,
            "message": { "text": visible(&self.text) },
            "partialFingerprints": { "plaudit/v1": self.fingerprint },
        });
        if let Some((file, line)) = self.place {
            result["locations"] = json!([{ "physicalLocation": {
                "artifactLocation": { "uri": uri(file) },
                "region": { "startLine": (*line).max(1) },
            } }]);
        }
        result
    }
}

/// A path as a relative reference (RFC 3986): all but letters, digits and `-._~/` in percents.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
