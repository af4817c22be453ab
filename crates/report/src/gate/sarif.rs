//! SARIF 2.1.0, which code hosts show next to the lines of a spec.

use super::check::{CheckStatus, GateCheck};
use super::decide::GateDecision;
use super::note::{GateNote, NoteLevel};
use plaudit_core::visible::visible;
use serde_json::{Value, json};

const DOCUMENTATION: &str = "https://docs.rs/plaudit";

const RULES: [(&str, &str); 37] = [
    ("violated", "A claim is refuted."),
    ("missed-mistake", "A planted mistake was not caught."),
    ("inconclusive", "A claim could not be tested properly."),
    ("not-reached", "An audit was not reached in time."),
    ("attack", "An attack did not end as expected."),
    ("loosened-claim", "A claim allows more than it did in the baseline."),
    ("other-neighbors", "A claim is about other neighbors than in the baseline."),
    ("removed-audit", "An audit of the baseline is gone."),
    ("removed-mutant", "A planted mistake of the baseline is expected to pass."),
    ("expects-violation", "A claim of the baseline is now expected to be violated."),
    ("waived-check", "An audit does without a check that it had in the baseline."),
    ("other-pairs", "An audit has other pairs than in the baseline."),
    ("other-domain", "An audit searches another domain than in the baseline."),
    ("other-data", "An audit has other data than in the baseline."),
    ("other-sensitivity", "An audit declares another sensitivity than in the baseline, or none."),
    ("other-floats", "A claim is about other doubles than in the baseline."),
    ("other-clock", "The running time counts where it did not in the baseline, or no longer."),
    ("other-state", "Runs depend on one another where they did not in the baseline, or no longer."),
    ("raised-min-power", "An audit has a higher floor of power than in the baseline."),
    ("other-attack", "An attack is another one than in the baseline."),
    ("other-mutant", "A planted mistake is another one than in the baseline."),
    ("changed-program", "A program, or a watched file, is another one than in the baseline."),
    ("open-acceptance", "An acceptance without a fingerprint covers any content."),
    ("older-baseline", "A baseline was written by an older plaudit."),
    ("changed-bound", "A bound is another one than in the baseline."),
    ("changed-power", "The smallest loss that would be seen is another one than in the baseline."),
    ("changed-trials", "The mechanism ran more or less often than in the baseline."),
    ("changed-level", "The level of an audit is another one than in the baseline."),
    ("changed-verdict", "A verdict is another one than in the baseline."),
    ("changed-witness", "A violation is seen in another way than in the baseline."),
    ("changed-mechanism", "A mechanism is another one than in the baseline."),
    ("changed-claim", "A claim allows less than in the baseline."),
    ("new-audit", "An audit is not in the baseline."),
    ("changed", "Something else is not as in the baseline."),
    ("stale-acceptance", "An accepted finding no longer occurs."),
    ("ledger", "The evidence of many runs together refutes a claim."),
    ("ledger-note", "A run added nothing to the evidence of earlier ones, or began it anew."),
];

/// A log of all failures and notes.
pub fn sarif(decision: &GateDecision) -> Value {
    let rule =
        |(id, text): &(&str, &str)| json!({ "id": id, "shortDescription": { "text": text } });
    let rules: Vec<Value> = RULES.iter().map(rule).collect();
    let checks = decision.told().map(of_check);
    // Information alone is not a finding, nor is a changed program, which is the purpose of the
    // change.
    let is_told =
        |note: &&GateNote| note.level == NoteLevel::Warning && note.rule != "changed-program";
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
    rule: &'a str,
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
