//! What an enumeration may cost, and why it stops.

/// What an enumeration may cost. Whatever it leaves undone is unresolved mass, so that a smaller
/// budget can only weaken what is proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Runs of the mechanism on one dataset, and of each part for one argument.
    pub runs: u64,
    pub depth: usize,
    /// Beginnings of runs that are kept for later, and options of one choice: the memory.
    pub pending: usize,
    /// Binary digits of a mass's denominator. A mass with more is rounded down.
    pub digits: usize,
    /// Open mass at which an enumeration that would go on for long is ended.
    pub enough: f64,
}

impl Default for Budget {
    /// 2 million runs, 10 000 choices a run, a million pending, 256 binary digits, and 2⁻⁵⁰ of
    /// open mass.
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

/// Why a run did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    PutAside,
    /// The budget has no room for it.
    OutOfBudget,
    NotRepeatable,
    /// Nobody waits for it any more.
    Halted,
}
