//! The report as a value. Its JSON form is described by `plaudit schema`.

use super::attack::AttackFinding;
use super::provenance::{LeftOut, Provenance};
use super::review::Changes;
use super::value::Finding;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the report's shape.
pub const SCHEMA_VERSION: &str = "1";

/// Result of a run: one finding for each audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Version of this shape, "1".
    pub schema_version: String,
    /// The program that wrote it.
    pub tool: Tool,
    /// How it was run.
    pub run: Run,
    /// One entry an audit, in the order in which they were given.
    pub audits: Vec<Finding>,
    /// One entry an attack, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attacks: Vec<AttackFinding>,
    /// Audits and attacks that `--filter`, `--partition` or `--changed-since` left out: this report is a part then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// Changes since an earlier report, if one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Changes>,
    /// When, with what and from what; all that differs from run to run. `--no-provenance` leaves it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
}

impl Report {
    /// The report of these findings, by this program.
    pub fn of(run: Run, findings: Vec<Finding>) -> Self {
        Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            tool: Tool::this(),
            run,
            audits: findings.into_iter().map(Finding::with_headline).collect(),
            attacks: Vec::new(),
            left_out: Vec::new(),
            changes: None,
            provenance: None,
        }
    }
}

/// The program that wrote a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    /// "plaudit".
    pub name: String,
    /// Its version.
    pub version: String,
}

impl Tool {
    pub fn this() -> Self {
        Self { name: "plaudit".into(), version: env!("CARGO_PKG_VERSION").into() }
    }
}

/// How a run was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// Seed that the run was given, else the built-in one; an audit or its file may name another.
    pub seed: u64,
    /// False-alarm level that the run was given, else the built-in one; likewise.
    pub alpha: f64,
}
