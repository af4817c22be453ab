//! The budget of an enumeration, and why it stops.

/// Budget of an enumeration. Incomplete work becomes unresolved mass, so a smaller budget can only
/// weaken what is proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Runs of the mechanism on one dataset, and of each part for one argument.
    pub runs: u64,
    pub depth: usize,
    /// Beginnings of runs kept for later, and options of one choice: the memory.
    pub pending: usize,
    /// Binary digits of a mass's denominator. A mass with more is rounded down.
    pub digits: usize,
    /// Open mass at which a long enumeration ends.
    pub enough: f64,
}

impl Default for Budget {
    /// 2 million runs, 10 000 choices a run, a million pending, 256 binary digits, 2⁻⁵⁰ open.
    fn default() -> Self {
        Self {
            runs: 2_000_000,
            depth: 10_000,
            pending: 1_000_000,
            digits: 256,
            enough: 1.0 / (1u64 << 50) as f64,
        }
    }
}

/// Reason why a run did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    PutAside,
    /// The budget is exhausted.
    OutOfBudget,
    NotRepeatable,
    /// No caller waits for it any more.
    Halted,
}
