//! Functions of the process that plaudit runs in, in another language: what a binding hands over.

use super::{Answer, Outcomes, Trouble};
use std::sync::atomic::AtomicBool;

/// A function of this process, such as one in Python. It is asked as a program is, by requests, and what is found
/// out of a program before an audit is found out of it, too.
pub trait Function: Send + Sync {
    /// Adds the outcomes that a request asks for, in order. An exception is an outcome
    /// ([`Outcomes::push_failure`]).
    ///
    /// # Errors
    /// If it cannot be called, or `interrupted` was set.
    fn ask(
        &self,
        request: &FunctionRequest<'_>,
        outcomes: &mut Outcomes,
        interrupted: &AtomicBool,
    ) -> Result<(), Trouble>;

    /// What it adds noise to, exactly as it computes it; `None` if it shows no such thing.
    ///
    /// # Errors
    /// As [`Function::ask`].
    fn query(&self, dataset: &str, interrupted: &AtomicBool) -> Result<Option<Answer>, Trouble> {
        let _ = (dataset, interrupted);
        Ok(None)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct FunctionRequest<'a> {
    /// The dataset, as a program gets it: JSON in one line.
    pub dataset: &'a str,
    /// The other dataset, and for each run whether it is on the first: runs on both, in this order, each with its time
    /// ([`Outcomes::push_timed`]).
    pub interleaved: Option<(&'a str, &'a [bool])>,
    pub runs: usize,
    /// Seed of their randomness, below 2⁶³.
    pub seed: u64,
}
