//! Records of audits for a public registry: that of OpenDP, "Differential Privacy Deployments Registry".
//!
//! The schema of the registry and its source are in the README.md of this folder. The idea of such a registry is that of
//! Dwork, Kohli and Mulligan, "Differential Privacy in Practice: Expose your Epsilons!" (2019).

mod field;
mod record;
mod schema;
mod yaml;

pub use schema::{schema, violations};

use field::Field;
use plaudit_core::finding::{Finding, Report};
use serde_json::Value;

/// Record of an audit: a draft that a person completes.
#[derive(Clone, Debug, PartialEq)]
pub struct RegistryRecord {
    /// Name of the audit.
    pub audit: String,
    /// The record in YAML, with comments at the fields that have to be filled in.
    pub yaml: String,
    /// The same record as a value, without the comments.
    pub value: Value,
    /// Paths of the fields to fill in: those that the registry requires.
    pub required: Vec<String>,
    /// Paths of the other fields that the audit does not answer.
    pub optional: Vec<String>,
}

/// A record does not meet the schema of the registry.
#[derive(Debug, thiserror::Error)]
#[error("the record of the audit `{audit}` does not meet the schema of the registry: {violation}")]
pub struct InvalidRecord {
    audit: String,
    violation: String,
}

/// Record of an audit of this report.
///
/// # Errors
/// If the record does not meet the schema of the registry.
pub fn record(report: &Report, finding: &Finding) -> Result<RegistryRecord, InvalidRecord> {
    let root = record::root(report, finding);
    let value = root.value();
    if let Some(violation) = violations(schema(), &value).into_iter().next() {
        let audit = super::words::visible(&finding.name);
        return Err(InvalidRecord { audit, violation });
    }
    let (mut required, mut optional) = (Vec::new(), Vec::new());
    blanks(&root, "", &mut required, &mut optional);
    let yaml = yaml::written(&root, schema());
    Ok(RegistryRecord { audit: finding.name.clone(), yaml, value, required, optional })
}

/// Collects the paths of the fields that are not filled in.
fn blanks(field: &Field, path: &str, required: &mut Vec<String>, optional: &mut Vec<String>) {
    match field {
        Field::Parts(parts) => {
            for (name, part) in parts {
                let path = if path.is_empty() { (*name).into() } else { format!("{path}.{name}") };
                blanks(part, &path, required, optional);
            }
        }
        Field::Required(_) => required.push(path.into()),
        Field::Optional => optional.push(path.into()),
        Field::Known(_) => {}
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/report/registry.rs"]
mod tests;
