//! A mechanism whose outcomes are processed.

use super::PostProcessing;
use crate::mechanism::CatalogMechanism;
use crate::mechanism::{
    Capabilities, ChoiceMechanism, Choices, Mechanism, Outcome, Outcomes, Planned, Prepared,
    Stream, Timer, Trouble,
};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::AtomicBool;

/// A mechanism with post-processed outcomes.
///
/// The mechanism's declared noise no longer describes the outcomes, so it is omitted; its law is
/// kept, if it can be enumerated, and so are its query and that query's sensitivity. A mechanism
/// with outcomes recorded elsewhere cannot be run: process the records instead.
pub struct PostProcessed<M> {
    inner: M,
    post: PostProcessing,
}

impl<M> PostProcessed<M> {
    pub fn new(inner: M, post: PostProcessing) -> Self {
        Self { inner, post }
    }

    pub fn post(&self) -> &PostProcessing {
        &self.post
    }

    /// Fills a batch with `fill`, and adds its processed outcomes; after a panic, those added
    /// before, as without post-processing.
    fn filled<T>(&self, to: &mut Outcomes, fill: impl FnOnce(&mut Outcomes) -> T) -> T {
        let mut batch = Outcomes::new();
        let result = catch_unwind(AssertUnwindSafe(|| fill(&mut batch)));
        batch.settle();
        self.post.apply_all(&batch, to);
        result.unwrap_or_else(|panic| resume_unwind(panic))
    }
}

impl<D: ?Sized, M: Mechanism<D>> Mechanism<D> for PostProcessed<M> {
    fn fill(
        &self,
        dataset: &D,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        interrupted: &AtomicBool,
    ) -> Result<(), Trouble> {
        self.filled(outcomes, |batch| self.inner.fill(dataset, runs, random, batch, interrupted))
    }

    fn accepts(&self, dataset: &D) -> Result<(), String> {
        self.inner.accepts(dataset)
    }

    fn capabilities(&self) -> Capabilities<'_, D> {
        let inner = self.inner.capabilities();
        Capabilities {
            choices: inner.choices.map(|_| self as &dyn ChoiceMechanism<D>),
            timer: inner.timer.map(|_| self as &dyn Timer<D>),
            releases: None,
            recordings: None,
            ..inner
        }
    }

    fn prepare(
        &self,
        pair: [&D; 2],
        planned: Planned,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Prepared, Trouble> {
        let prepared = self.inner.prepare(pair, planned, random, interrupted)?;
        let mut seen = Outcomes::new();
        self.post.apply_all(&prepared.seen, &mut seen);
        Ok(Prepared { seen, ..prepared })
    }

    fn breakdowns(&self, pair: [&D; 2]) -> [u64; 2] {
        self.inner.breakdowns(pair)
    }

    fn finish(&self) {
        self.inner.finish();
    }

    fn notes(&self) -> Vec<String> {
        self.inner.notes()
    }
}

/// The time is that of the release.
impl<D: ?Sized, M: Mechanism<D>> Timer<D> for PostProcessed<M> {
    fn at_once(&self) -> usize {
        self.inner.capabilities().timer.map_or(1, Timer::at_once)
    }

    fn run_timed(
        &self,
        datasets: [&D; 2],
        coins: &[bool],
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Vec<(Outcome, u64)>, Trouble> {
        let Some(inner) = self.inner.capabilities().timer else { return Ok(Vec::new()) };
        let mut made = inner.run_timed(datasets, coins, random, interrupted)?;
        made.iter_mut().for_each(|(outcome, _)| *outcome = self.post.apply(outcome));
        Ok(made)
    }
}

impl<D: ?Sized, M: Mechanism<D>> ChoiceMechanism<D> for PostProcessed<M> {
    fn release(&self, dataset: &D, choices: &mut Choices<'_>) -> Outcome {
        match self.inner.capabilities().choices {
            Some(inner) => self.post.apply(&inner.release(dataset, choices)),
            None => Outcome::Failure("the mechanism is not a function of choices".into()),
        }
    }
}

impl CatalogMechanism for PostProcessed<Box<dyn CatalogMechanism>> {
    fn describe(&self) -> String {
        format!("{}; post-processing: {}", self.inner.describe(), self.post)
    }
}
