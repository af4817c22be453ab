//! A mechanism whose outcomes are processed.

use super::PostProcessing;
use crate::dataset::Sensitivity;
use crate::mechanism::catalog::CatalogMechanism;
use crate::mechanism::{
    Answer, ChoiceMechanism, Choices, Mechanism, Outcome, Outcomes, Prepared, Stream, Trouble,
};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::AtomicBool;

/// A mechanism, and what is done to its outcomes.
///
/// What the mechanism says of its noise is no longer true of what comes out, so it is not said; its law is, if it can be
/// enumerated. Its query and the sensitivity of that are what they were. Of a mechanism whose outcomes were recorded
/// elsewhere there is nothing to run: process the records instead.
pub struct PostProcessed<M> {
    inner: M,
    post: PostProcessing,
}

impl<M> PostProcessed<M> {
    /// `inner`, whose outcomes are processed.
    pub fn new(inner: M, post: PostProcessing) -> Self {
        Self { inner, post }
    }

    /// What is done to the outcomes.
    pub fn post(&self) -> &PostProcessing {
        &self.post
    }

    /// Has `fill` fill a batch, and adds what becomes of that; of one who panics what was added before, as without
    /// post-processing.
    fn filled<T>(&self, to: &mut Outcomes, fill: impl FnOnce(&mut Outcomes) -> T) -> T {
        let mut batch = Outcomes::new();
        let result = catch_unwind(AssertUnwindSafe(|| fill(&mut batch)));
        batch.settle();
        self.post.apply_all(&batch, to);
        result.unwrap_or_else(|panic| resume_unwind(panic))
    }
}

impl<D: ?Sized, M: Mechanism<D>> Mechanism<D> for PostProcessed<M> {
    fn run(&self, dataset: &D, random: &mut Stream) -> Outcome {
        self.post.apply(&self.inner.run(dataset, random))
    }

    fn accepts(&self, dataset: &D) -> Result<(), String> {
        self.inner.accepts(dataset)
    }

    fn fill(&self, dataset: &D, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        self.filled(outcomes, |batch| self.inner.fill(dataset, runs, random, batch));
    }

    fn runs_are_independent(&self) -> bool {
        self.inner.runs_are_independent()
    }

    fn try_fill(
        &self,
        dataset: &D,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        interrupted: &AtomicBool,
    ) -> Result<(), Trouble> {
        self.filled(outcomes, |batch| {
            self.inner.try_fill(dataset, runs, random, batch, interrupted)
        })
    }

    fn try_run(
        &self,
        dataset: &D,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Outcome, Trouble> {
        Ok(self.post.apply(&self.inner.try_run(dataset, random, interrupted)?))
    }

    /// The time is that of the release.
    fn try_run_timed(
        &self,
        dataset: &D,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<(Outcome, u64), Trouble> {
        let (outcome, nanoseconds) = self.inner.try_run_timed(dataset, random, interrupted)?;
        Ok((self.post.apply(&outcome), nanoseconds))
    }

    fn timed_at_once(&self) -> usize {
        self.inner.timed_at_once()
    }

    fn try_runs_timed(
        &self,
        datasets: [&D; 2],
        coins: &[bool],
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Vec<(Outcome, u64)>, Trouble> {
        let mut made = self.inner.try_runs_timed(datasets, coins, random, interrupted)?;
        made.iter_mut().for_each(|(outcome, _)| *outcome = self.post.apply(outcome));
        Ok(made)
    }

    fn batch(&self) -> Option<usize> {
        self.inner.batch()
    }

    fn prepare(
        &self,
        pair: [&D; 2],
        trials: u64,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Prepared, Trouble> {
        self.inner.prepare(pair, trials, random, interrupted)
    }

    fn seen_in_prepare(&self) -> Outcomes {
        let mut seen = Outcomes::new();
        self.post.apply_all(&self.inner.seen_in_prepare(), &mut seen);
        seen
    }

    fn by_choices(&self) -> Option<&dyn ChoiceMechanism<D>> {
        self.inner.by_choices().is_some().then_some(self)
    }

    fn query(&self, dataset: &D, interrupted: &AtomicBool) -> Result<Option<Answer>, Trouble> {
        self.inner.query(dataset, interrupted)
    }

    fn sensitivity(&self) -> Option<Sensitivity> {
        self.inner.sensitivity()
    }

    fn example_request(&self, dataset: &D) -> Option<String> {
        self.inner.example_request(dataset)
    }

    fn finish(&self) {
        self.inner.finish();
    }

    fn notes(&self) -> Vec<String> {
        self.inner.notes()
    }
}

impl<D: ?Sized, M: Mechanism<D>> ChoiceMechanism<D> for PostProcessed<M> {
    fn release(&self, dataset: &D, choices: &mut Choices<'_>) -> Outcome {
        match self.inner.by_choices() {
            Some(inner) => self.post.apply(&inner.release(dataset, choices)),
            None => Outcome::Failure("the mechanism is no function of choices".into()),
        }
    }
}

impl CatalogMechanism for PostProcessed<Box<dyn CatalogMechanism>> {
    fn describe(&self) -> String {
        format!("{}; post-processing: {}", self.inner.describe(), self.post)
    }
}
