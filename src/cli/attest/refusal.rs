//! Reasons for the lack of an attested result.

use crate::cli::Failure;
use std::path::Path;

/// Outcome of a check that is not agreement.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The attestation is refused: what does not agree, where, and what to do.
    Refused(String),
    /// It could not be checked.
    Failed(Failure),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// A file that cannot be read, and what to give.
pub(super) fn unreadable(path: &Path, why: &dyn std::fmt::Display, remedy: &str) -> Failure {
    let path = crate::cli::output::path(path);
    let why = plaudit_core::visible::visible(&why.to_string());
    Failure::Message(format!("cannot read `{path}`: {why}; {remedy}"))
}
