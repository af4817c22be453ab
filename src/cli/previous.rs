//! An earlier report, to compare with.

use super::{Failure, output};
use crate::dataset::sha256_of;
use crate::finding::{Changes, Finding, Report, SCHEMA_VERSION};
use std::path::Path;

/// An earlier report and the SHA-256 of its file.
pub(super) struct Previous {
    report: Box<Report>,
    sha256: String,
}

impl Previous {
    /// Reads it; before anything runs, and before a new report may take its place.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let wrong = |why: &str| {
            let path = output::path(path);
            Failure::Message(format!(
                "cannot compare with `{path}`: {why}; give --previous a report.json that `plaudit audit` wrote"
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

    /// What changed since.
    pub fn changes(self, now: &[Finding]) -> Changes {
        Changes::since(&self.report, self.sha256, now)
    }
}
