//! Reasons why a mechanism gives no outcomes.

/// Reason why a mechanism gave no outcomes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    #[error("interrupted")]
    Interrupted,
    #[error(transparent)]
    WrongCount(#[from] WrongCount),
    /// It could not be run, with the reason.
    #[error("{0}")]
    Broken(String),
}

/// A mechanism broke its contract with the auditor, so its outcomes have no meaning.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{asked} outcomes were requested from the mechanism, which returned {given}")]
pub struct WrongCount {
    pub asked: usize,
    pub given: usize,
}
