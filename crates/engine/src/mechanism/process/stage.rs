//! What requests have in place of a dataset, where a stage comes before the one that is run.

use crate::mechanism::{Answer, Trouble};
use plaudit_core::random::Stream;
use std::sync::atomic::AtomicBool;

/// The stage before a noise stage. Datasets are as requests have them.
pub(super) trait Stage: Send + Sync {
    /// Its answer on a dataset, in JSON; it is asked once.
    fn value(&self, dataset: &str, interrupted: &AtomicBool) -> Result<String, Trouble>;

    /// Whole runs on a dataset: it answers anew, with other seeds, in copies that live and in fresh ones.
    ///
    /// # Errors
    /// If it does not answer the same every time.
    fn check(
        &self,
        dataset: &str,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<(), Trouble>;

    /// Its answer as numbers, if that is what it is.
    fn numbers(&self, dataset: &str, interrupted: &AtomicBool) -> Result<Option<Answer>, Trouble>;

    /// A request to it for readers.
    fn example(&self, dataset: &str) -> String;

    /// Called at the end of an audit.
    fn finish(&self);
}
