//! Functions of plaudit's own process, in another language: the interface for bindings.

use super::{Answer, Outcomes, Trouble};
use std::sync::atomic::AtomicBool;

/// A function of this process, such as one in Python. It is asked by requests, as a program is, and
/// the checks of programs before an audit apply to it as well.
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

    /// Answer of the query that noise is added to, exactly as computed; `None` if the function does
    /// not show one.
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
    /// The dataset as a program gets it: JSON in one line.
    pub dataset: &'a str,
    /// The other dataset, and for each run `true` if it is on the first: runs on both, in this
    /// order, each with its time ([`Outcomes::push_timed`]).
    pub interleaved: Option<(&'a str, &'a [bool])>,
    pub runs: usize,
    /// Seed of their randomness, below 2⁶³.
    pub seed: u64,
}
