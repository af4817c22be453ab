//! Code quality as GitLab reads it.

use super::check::CheckStatus;
use super::decide::GateDecision;
use crate::visible::visible;
use serde_json::{Value, json};

/// An entry for all that did not pass.
pub fn code_quality(decision: &GateDecision) -> Value {
    let failed = decision.checks.iter().filter(|check| check.status != CheckStatus::Passed);
    let entry = |check: &super::GateCheck| {
        let (file, line) = check.place.clone().unwrap_or_else(|| ("plaudit".into(), 1));
        json!({
            "description": visible(&format!("{}: {}", check.name, check.message)),
            "check_name": check.rule,
            "fingerprint": check.fingerprint,
            "severity": if check.status == CheckStatus::Failed { "blocker" } else { "major" },
            "location": { "path": file, "lines": { "begin": line.max(1) } },
        })
    };
    failed.map(entry).collect()
}
