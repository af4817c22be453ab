//! Queries: what a mechanism adds noise to, without the noise.

use super::{Mechanism, Trouble, hush, panic_words};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

/// What a query answers, without noise: some numbers, or a failure in words.
pub type Answer = Result<Vec<f64>, String>;

/// The answer of a mechanism's query, if it shows one; a panic is a failure to answer.
///
/// # Errors
/// As [`Mechanism::query`].
pub fn query_of<D: ?Sized>(
    mechanism: &(impl Mechanism<D> + ?Sized),
    dataset: &D,
    interrupted: &AtomicBool,
) -> Result<Option<Answer>, Trouble> {
    let ask = || mechanism.query(dataset, interrupted);
    let asked = hush::quietly(|| catch_unwind(AssertUnwindSafe(ask)));
    asked.unwrap_or_else(|panic| Ok(Some(Err(panic_words(panic.as_ref())))))
}
