//! What keeps a mechanism from giving outcomes.

/// Why a mechanism gave no outcomes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// Somebody interrupted it.
    #[error("interrupted")]
    Interrupted,
    /// It gave too many or too few.
    #[error(transparent)]
    WrongCount(#[from] WrongCount),
    /// It could not be run, for this reason.
    #[error("{0}")]
    Broken(String),
}

/// A mechanism broke its contract with the auditor, so nothing can be said about its outcomes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the mechanism was asked for {asked} outcomes and gave {given}")]
pub struct WrongCount {
    /// Outcomes asked for.
    pub asked: usize,
    /// Outcomes given.
    pub given: usize,
}
