//! From a report to its statement.

use plaudit_core::finding::{ClaimSummary, Finding, Report, Tool, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// `_type` of a statement.
pub const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";
/// `predicateType` of the statements of plaudit.
pub const PREDICATE_TYPE: &str = "https://plaudit.dev/attestation/v1";

/// An in-toto statement about a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// [`STATEMENT_TYPE`].
    #[serde(rename = "_type")]
    pub statement_type: String,
    /// The files that it is about.
    pub subject: Vec<Subject>,
    /// [`PREDICATE_TYPE`].
    #[serde(rename = "predicateType")]
    pub predicate_type: String,
    /// Results of the audits, and under which conditions they hold.
    pub predicate: Predicate,
}

/// A file with its digest: a `ResourceDescriptor` of in-toto.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// Its path: of a report's file within the report's folder, of a program's file as the report records it.
    pub name: String,
    /// Its digest.
    pub digest: Digest,
    /// Its part in the attestation.
    pub annotations: Annotations,
}

impl Subject {
    /// A file of this name, digest and role.
    pub fn new(name: String, sha256: String, role: Role) -> Self {
        Self { name, digest: Digest { sha256 }, annotations: Annotations { role } }
    }
}

/// Digest of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Digest {
    /// SHA-256 in hexadecimal digits.
    pub sha256: String,
}

/// Annotations of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Annotations {
    /// Its part in the attestation.
    pub role: Role,
}

/// Part of a file in an attestation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The report, `report.json`.
    Report,
    /// A certificate of a violation.
    Certificate,
    /// A file of an audited program.
    Program,
}

/// Results of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predicate {
    /// The program that audited.
    pub tool: Tool,
    /// Seed that the run was given.
    pub seed: u64,
    /// False-alarm level that the run was given.
    pub alpha: f64,
    /// The audits, in the order of the report.
    pub audits: Vec<AttestedAudit>,
    /// Names of the audits and attacks that were not run, if the report is a part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// Result of an audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttestedAudit {
    /// Its name.
    pub name: String,
    /// The claim under test.
    pub claim: ClaimSummary,
    /// The verdict.
    pub verdict: Verdict,
    /// The verdict in a sentence.
    pub reason: String,
    /// False-alarm level of the verdict.
    pub alpha: f64,
    /// Seed of its random streams.
    pub seed: u64,
    /// The conditions under which the verdict holds.
    pub range: OperatingRange,
}

/// Conditions of a verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperatingRange {
    /// Neighboring relation, in words.
    pub relation: String,
    /// Unit of privacy; `null` if the relation has none.
    pub unit: Option<String>,
    /// Where pairs of datasets were searched; `null` if they were given.
    pub domain: Option<String>,
    /// The pairs of datasets.
    pub pairs: AttestedPairs,
    /// The mechanism.
    pub mechanism: AttestedMechanism,
}

/// Pairs of datasets of an audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttestedPairs {
    /// Number of pairs that were given or that the search made.
    pub given: usize,
    /// Number of pairs that were looked at.
    pub surveyed: usize,
    /// Name of the pair on which runs were counted.
    pub confirmed: String,
    /// Difference between its datasets, in words.
    pub difference: String,
}

/// Mechanism of an audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttestedMechanism {
    /// Its kind, as the report has it.
    pub kind: String,
    /// Its parameters, as the spec has them.
    pub parameters: Value,
    /// Post-processing of its outcomes, as the spec has it.
    pub post: Vec<String>,
}

/// A program file had two contents in one run.
#[derive(Debug, thiserror::Error)]
#[error(
    "the program file `{}` changed while the audits ran; run them again without changing it",
    plaudit_core::visible::visible(.0)
)]
pub struct ProgramChanged(String);

impl Statement {
    /// The statement about a report and files of its folder.
    ///
    /// # Errors
    /// If a program file changed while the audits ran.
    pub fn of(report: &Report, mut files: Vec<Subject>) -> Result<Self, ProgramChanged> {
        files.extend(programs(report)?);
        Ok(Self {
            statement_type: STATEMENT_TYPE.into(),
            subject: files,
            predicate_type: PREDICATE_TYPE.into(),
            predicate: Predicate::of(report),
        })
    }
}

/// The program files of a report, each once, by path. Those without a digest are left out: packages and files that could
/// not be read.
///
/// # Errors
/// If a program file changed while the audits ran.
pub fn programs(report: &Report) -> Result<Vec<Subject>, ProgramChanged> {
    let mut found: BTreeMap<&str, &str> = BTreeMap::new();
    let origins = report.provenance.iter().flat_map(|provenance| &provenance.audits);
    for file in origins.flat_map(|origin| &origin.program) {
        let Some(sha256) = &file.sha256 else { continue };
        if found.insert(&file.path, sha256).is_some_and(|before| before != sha256) {
            return Err(ProgramChanged(file.path.clone()));
        }
    }
    let subject = |(path, sha256): (&str, &str)| {
        Subject::new(path.to_owned(), sha256.to_owned(), Role::Program)
    };
    Ok(found.into_iter().map(subject).collect())
}

impl Predicate {
    /// Results of a report.
    pub fn of(report: &Report) -> Self {
        Self {
            tool: report.tool.clone(),
            seed: report.run.seed,
            alpha: report.run.alpha,
            audits: report.audits.iter().map(AttestedAudit::of).collect(),
            left_out: report.left_out.iter().map(|left| left.audit.clone()).collect(),
        }
    }
}

impl AttestedAudit {
    fn of(finding: &Finding) -> Self {
        let (pair, mechanism) = (&finding.pair, &finding.mechanism);
        let range = OperatingRange {
            relation: finding.relation.clone(),
            unit: finding.scope.unit.clone(),
            domain: finding.scope.domain.clone(),
            pairs: AttestedPairs {
                given: pair.given,
                surveyed: pair.surveyed,
                confirmed: pair.name.clone(),
                difference: pair.difference.clone(),
            },
            mechanism: AttestedMechanism {
                kind: mechanism.kind.to_string(),
                parameters: mechanism.parameters.clone(),
                post: mechanism.post.clone(),
            },
        };
        Self {
            name: finding.name.clone(),
            claim: finding.claim.clone(),
            verdict: finding.verdict,
            reason: finding.reason(),
            alpha: finding.alpha_of_all_looks(),
            seed: finding.seed,
            range,
        }
    }
}
