//! An earlier report, to compare with.

use super::{Failure, output};
use plaudit_core::dataset::sha256_of;
use plaudit_core::finding::{Changes, Finding, Report, SCHEMA_VERSION};
use plaudit_core::visible::visible;
use std::path::Path;

/// An earlier report and the SHA-256 of its file.
pub(super) struct Previous {
    report: Box<Report>,
    sha256: String,
}

/// Fields that all versions of a report have.
#[derive(serde::Deserialize)]
struct Versioned {
    schema_version: String,
}

/// Reads a report of this version; an error explains why it is not one.
pub(super) fn parse(text: &str) -> Result<Report, String> {
    let no_report = |error| format!("not a report of plaudit ({error})");
    // The version first: a report of another one may well have another shape.
    let Versioned { schema_version: version } = serde_json::from_str(text).map_err(no_report)?;
    if version != SCHEMA_VERSION {
        return Err(format!(
            "it has schema version {version:?}, but this plaudit reads {SCHEMA_VERSION:?}: audit that code again \
             with this plaudit"
        ));
    }
    serde_json::from_str(text).map_err(no_report)
}

impl Previous {
    /// Reads it; before anything runs, and before a new report may take its place.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        Self::named(path, "--previous")
    }

    /// The baseline of a gate: a whole report, since an audit that is not in it could be taken out unseen.
    pub fn baseline(path: &Path) -> Result<Self, Failure> {
        let previous = Self::named(path, "--baseline")?;
        let Some(first) = previous.report.left_out.first() else { return Ok(previous) };
        let (path, many) = (output::path(path), previous.report.left_out.len());
        Err(Failure::Message(format!(
            "--baseline: `{path}` is a part of a report: {many} audit{s} left out, the first {} ({}); keep the report of a run \
             without --filter, --partition and --changed-since",
            visible(&first.audit),
            visible(&first.why),
            s = if many == 1 { " was" } else { "s were" }
        )))
    }

    pub fn named(path: &Path, option: &str) -> Result<Self, Failure> {
        let wrong = |why: &str| {
            let path = output::path(path);
            Failure::Message(format!(
                "cannot compare with `{path}`: {why}; give {option} a report.json that `plaudit audit` wrote"
            ))
        };
        let text = std::fs::read_to_string(path).map_err(|error| wrong(&error.to_string()))?;
        let report = parse(&text).map_err(|why| wrong(&why))?;
        let sha256 = sha256_of(path).map_err(|error| wrong(&error.to_string()))?;
        Ok(Self { report: Box::new(report), sha256 })
    }

    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Changes since then: audits are the same if their names are.
    pub fn changes(&self, now: &[Finding]) -> Changes {
        Changes::between(&self.report, &self.sha256, now)
    }
}
