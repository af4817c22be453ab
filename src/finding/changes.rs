//! What changed since an earlier report.

use super::value::{Finding, Report};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A bound that moved by less than this, relatively, is not told: other trials give other counts.
const SMALLEST_MOVE: f64 = 0.01;

/// What changed since an earlier report: audits are the same if their names are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Changes {
    /// SHA-256 of the earlier report's file.
    pub sha256: String,
    /// When its run began, if it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// The version of plaudit that wrote it.
    pub version: String,
    /// Audits whose verdict is another one.
    pub verdicts: Vec<Change>,
    /// Audits whose claim is another one.
    pub claims: Vec<Change>,
    /// Audits whose number moved by one part in a hundred or more, or is of another kind.
    pub bounds: Vec<Change>,
    /// Audits that are new.
    pub added: Vec<String>,
    /// Audits that are gone.
    pub removed: Vec<String>,
}

/// What an audit said before and says now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// Name of the audit.
    pub audit: String,
    /// Before.
    pub before: String,
    /// Now.
    pub now: String,
}

impl Changes {
    /// What changed from the findings of a report, whose file has this SHA-256, to these.
    pub fn since(previous: &Report, sha256: String, now: &[Finding]) -> Self {
        let before: BTreeMap<&str, &Finding> =
            previous.audits.iter().map(|finding| (finding.name.as_str(), finding)).collect();
        let both: Vec<(&Finding, &Finding)> = now
            .iter()
            .filter_map(|finding| Some((*before.get(finding.name.as_str())?, finding)))
            .collect();
        let told = |differ: fn(&Finding, &Finding) -> bool, words: fn(&Finding) -> String| {
            let all = both.iter().filter(|(a, b)| differ(a, b));
            let change = |(a, b): &(&Finding, &Finding)| Change {
                audit: b.name.clone(),
                before: words(a),
                now: words(b),
            };
            all.map(change).collect()
        };
        let names = |findings: &[Finding], without: &[Finding]| {
            let is_there = |name: &str| without.iter().any(|finding| finding.name == name);
            let gone = findings.iter().filter(|finding| !is_there(&finding.name));
            gone.map(|finding| finding.name.clone()).collect()
        };
        Self {
            sha256,
            started: previous.provenance.as_ref().map(|provenance| provenance.started.clone()),
            version: previous.tool.version.clone(),
            verdicts: told(|a, b| a.verdict != b.verdict, Finding::verdict_words),
            claims: told(|a, b| a.claim.claim != b.claim.claim, |it| it.claim.words.clone()),
            bounds: told(bound_moved, bound),
            added: names(now, &previous.audits),
            removed: names(&previous.audits, now),
        }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        let Self { verdicts, claims, bounds, added, removed, .. } = self;
        [verdicts, claims, bounds].into_iter().all(Vec::is_empty)
            && [added, removed].into_iter().all(Vec::is_empty)
    }
}

fn bound(finding: &Finding) -> String {
    match finding.numbers().into_iter().next() {
        Some(number) => format!("{} {}", number.words, number.known.word()),
        None => "nothing".into(),
    }
}

fn bound_moved(before: &Finding, now: &Finding) -> bool {
    let first = |finding: &Finding| finding.numbers().into_iter().next();
    let (Some(a), Some(b)) = (first(before), first(now)) else {
        return first(before).is_some() != first(now).is_some();
    };
    if (a.quantity, a.known, &a.at) != (b.quantity, b.known, &b.at) {
        return true;
    }
    let (a, b) = (a.value.unwrap_or(f64::INFINITY), b.value.unwrap_or(f64::INFINITY));
    a != b && (a - b).abs() > SMALLEST_MOVE * a.abs().max(b.abs()) || a.is_finite() != b.is_finite()
}
