//! The decision as JSON, for scripts.

use super::check::CheckStatus;
use super::decide::GateDecision;
use crate::visible::visible;
use serde_json::{Value, json};

/// Most bytes of it, about: of what passed only the number is told beyond.
const MOST: usize = 50_000;
/// Most characters of a message.
const LONGEST: usize = 300;

/// What did not pass, how much did, and the chance of a false alarm.
pub fn summary(decision: &GateDecision) -> Value {
    let count = |status| decision.with(status).count();
    let mut failed = Vec::new();
    let mut left = 0;
    let mut bytes = 0;
    for check in decision.checks.iter().filter(|check| check.status != CheckStatus::Passed) {
        let message: String = visible(&check.message).chars().take(LONGEST).collect();
        let name: String = visible(&check.name).chars().take(LONGEST).collect();
        let entry = json!({
            "name": name,
            "status": check.status,
            "rule": check.rule,
            "message": message,
            "fingerprint": check.fingerprint,
        });
        bytes += entry.to_string().len();
        if bytes < MOST - 1_000 { failed.push(entry) } else { left += 1 }
    }
    json!({
        "schema_version": "1",
        "red": decision.is_red,
        "inconclusive": decision.is_inconclusive,
        "counts": {
            "failed": count(CheckStatus::Failed),
            "inconclusive": count(CheckStatus::Inconclusive),
            "passed": count(CheckStatus::Passed),
        },
        "false_alarm": decision.false_alarm,
        "not_passed": failed,
        "left_out": left,
    })
}
