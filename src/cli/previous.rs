//! An earlier report, to compare with.

use super::{Failure, output};
use crate::dataset::sha256_of;
use crate::finding::{Change, Changes, Finding, Report, SCHEMA_VERSION};
use std::collections::BTreeMap;
use std::path::Path;

/// A bound that moved by less than this, relatively, is not told: other trials give other counts.
const SMALLEST_MOVE: f64 = 0.01;

/// An earlier report and the SHA-256 of its file.
pub(super) struct Previous {
    report: Box<Report>,
    sha256: String,
}

impl Previous {
    /// Reads it; before anything runs, and before a new report may take its place.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        Self::named(path, "--previous")
    }

    /// The same, of another option.
    pub fn named(path: &Path, option: &str) -> Result<Self, Failure> {
        let wrong = |why: &str| {
            let path = output::path(path);
            Failure::Message(format!(
                "cannot compare with `{path}`: {why}; give {option} a report.json that `plaudit audit` wrote"
            ))
        };
        let text = std::fs::read_to_string(path).map_err(|error| wrong(&error.to_string()))?;
        let report: Report = serde_json::from_str(&text)
            .map_err(|error| wrong(&format!("it is no report of plaudit ({error})")))?;
        if report.schema_version != SCHEMA_VERSION {
            let version = &report.schema_version;
            return Err(wrong(&format!(
                "it has the shape of version {version:?}, not {SCHEMA_VERSION:?}"
            )));
        }
        let sha256 = sha256_of(path).map_err(|error| wrong(&error.to_string()))?;
        Ok(Self { report: Box::new(report), sha256 })
    }

    /// The report itself.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// What changed since: audits are the same if their names are.
    pub fn changes(&self, now: &[Finding]) -> Changes {
        let before: BTreeMap<&str, &Finding> =
            self.report.audits.iter().map(|finding| (finding.name.as_str(), finding)).collect();
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
        Changes {
            sha256: self.sha256.clone(),
            started: self.report.provenance.as_ref().map(|provenance| provenance.started.clone()),
            version: self.report.tool.version.clone(),
            verdicts: told(|a, b| a.verdict != b.verdict, Finding::verdict_words),
            claims: told(|a, b| a.claim.claim != b.claim.claim, |it| it.claim.words.clone()),
            bounds: told(bound_moved, bound),
            added: names(now, &self.report.audits),
            removed: names(&self.report.audits, now),
        }
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
