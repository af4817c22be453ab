//! Where a report comes from: what else would have to be the same for the run to be the same.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When, how and from what a run was made. All that differs from run to run of the same specs, seed
/// and version is in here, unless an audit has a clock.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Provenance {
    /// When it began, in UTC: "2026-11-24T02:05:00Z". The time in `SOURCE_DATE_EPOCH`, if it is set.
    pub started: String,
    /// Seconds of wall time; left out if `SOURCE_DATE_EPOCH` is set, as are `jobs` and the other times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_s: Option<f64>,
    /// Threads; they change nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<usize>,
    /// The command, word by word.
    pub command: Vec<String>,
    /// How the program that wrote the report was built: "release, x86_64-linux, cli html".
    pub build: String,
    /// The git commit that the specs are in, if they are in one and `git` is there to say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git: Option<Commit>,
    /// One entry an audit, in the order of `audits`.
    pub audits: Vec<Origin>,
}

/// An audit or attack of the specs that was not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// Its name.
    pub audit: String,
    /// The option that left it out, and why: "--filter: its name does not match `count`".
    pub why: String,
}

/// A git commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Commit {
    /// Its name.
    pub commit: String,
    /// `true` if no tracked file was changed since; `null` if git did not answer in time.
    pub clean: Option<bool>,
}

/// Where an audit comes from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// Name of the audit.
    pub audit: String,
    /// The spec that names it; left out if none does: the audit of a Python function.
    #[serde(default, skip_serializing_if = "SpecPlace::is_none")]
    pub spec: SpecPlace,
    /// The program that was run, and the files that its command names, if the mechanism is one. Of a Python function its file,
    /// Python, and the packages that it names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub program: Vec<ProgramFile>,
    /// Seconds of wall time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_s: Option<f64>,
    /// How these seconds were spent; left out by older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<StepTimes>,
}

/// Seconds that the steps of an audit took, of wall time except for `mechanism_s`. What is left of the audit's wall time
/// went into judging the counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepTimes {
    /// Check of the declared sensitivity, and proof of the claim.
    pub prove_s: f64,
    /// Start of the mechanism, and questions about how it behaves.
    pub prepare_s: f64,
    /// Explore: runs, and the search for a witness.
    pub explore_s: f64,
    /// Runs that count, and their counting.
    pub confirm_s: f64,
    /// Shrinking of the pair that a search found.
    pub shrink_s: f64,
    /// Runs of the mechanism itself in explore, confirm and shrinking, added over all threads.
    pub mechanism_s: f64,
}

/// A place in a spec.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpecPlace {
    /// The file, as it was named.
    pub file: String,
    /// The line at which the audit begins, from 1.
    pub line: usize,
    /// SHA-256 of the file.
    pub sha256: String,
}

impl SpecPlace {
    fn is_none(&self) -> bool {
        self.file.is_empty()
    }
}

/// A file that a program consists of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramFile {
    /// Where it is.
    pub path: String,
    /// SHA-256 of it; left out if it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Its answer to `--version`: requested only of programs that are installed (named without a path). Of a package its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}
