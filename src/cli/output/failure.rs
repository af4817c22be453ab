//! Failures that end the program.

use crate::spec::SpecErrors;

/// Reason for the lack of an answer.
#[derive(Debug)]
pub enum Failure {
    /// The arguments are wrong, or ask for help or the version.
    Usage(clap::Error),
    Spec(SpecErrors),
    /// Anything else that went wrong: what it was and what to do.
    Message(String),
    /// The user interrupted it; the consequence for the report.
    Interrupted(String),
    /// Nothing to do: why.
    NothingSelected(String),
}

impl From<SpecErrors> for Failure {
    fn from(errors: SpecErrors) -> Self {
        Self::Spec(errors)
    }
}
