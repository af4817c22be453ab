//! The explorer of mechanisms' laws.

use super::budget::Budget;
use super::choices::{ChoiceMechanism, Choices, enumerate};
use super::law::{Law, OutcomeKey, Parted};
use super::memo::Memo;
use crate::mechanism::outcome::Outcome;
use std::sync::Arc;
use std::sync::atomic::{self, AtomicBool};

/// A mechanism that is not a function of dataset and choices, and cannot be enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the mechanism requested different choices when run again with the same answers: it must depend \
     on nothing but its dataset and its choices"
)]
pub struct NotRepeatable;

/// Enumerates laws. Laws of parts are computed once and reused.
pub struct Explorer(Arc<Memo>);

impl Default for Explorer {
    fn default() -> Self {
        Self::new(Budget::default())
    }
}

impl Explorer {
    pub fn new(budget: Budget) -> Self {
        Self(Arc::new(Memo::new(budget)))
    }

    pub(crate) fn halted(&self) -> &Arc<AtomicBool> {
        &self.0.halted
    }

    pub fn budget(&self) -> Budget {
        self.0.budget
    }

    /// Runs made so far, including those of parts.
    pub fn runs(&self) -> u64 {
        self.0.runs.load(atomic::Ordering::Relaxed)
    }

    /// The law of a mechanism on a dataset.
    ///
    /// # Errors
    /// If the mechanism does not make the same choices again.
    pub fn law<D: ?Sized>(
        &self,
        dataset: &D,
        mechanism: &dyn ChoiceMechanism<D>,
    ) -> Result<Law, NotRepeatable> {
        let run = |choices: &mut Choices<'_>| OutcomeKey(mechanism.release(dataset, choices));
        let law = enumerate(&self.0, run).map_err(|_| NotRepeatable)?;
        self.0.runs.fetch_add(law.runs, atomic::Ordering::Relaxed);
        if self.0.broken.load(atomic::Ordering::Relaxed) {
            return Err(NotRepeatable);
        }
        let failed = |words: String| OutcomeKey(Outcome::Failure(words));
        let Parted { values, unresolved, runs } = law;
        let values = values.into_iter().map(|(value, mass)| (value.unwrap_or_else(failed), mass));
        Ok(Law::new(Parted { values: values.collect(), unresolved, runs }))
    }
}
