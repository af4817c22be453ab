//! Mechanisms: the subjects of audits.
//!
//! A mechanism is a black box: given a dataset and fresh randomness it releases one
//! [`Outcome`]. `plaudit-catalog` holds mechanisms with known truth, right ones and broken ones; a
//! closure is also a mechanism ([`FromFn`]).

mod audited;
mod capabilities;
pub mod choice;
mod drawn;
#[cfg(unix)]
mod exchange;
mod function;
mod hush;
mod keyed;
mod order;
mod outcome;
mod outcomes;
mod post;
#[cfg(unix)]
pub mod process;
#[cfg(unix)]
pub mod program;
pub mod recorded;
mod rounding;
mod runs;
mod seen;
mod spell;
mod trouble;
mod unfold;
mod view;
pub mod wire;

pub use audited::{CatalogMechanism, Releases};
pub use capabilities::{AddedNoise, Answer, Capabilities, Query, Release, Requests, Timer};
pub use choice::{ByChoices, ChoiceMechanism, Choices};
pub use drawn::ByDraws;
pub use function::{Function, FunctionRequest};
pub use keyed::{Entry, Keyed};
pub(crate) use keyed::{beginning, quoted};
pub use order::order;
pub use outcome::{Outcome, OutcomeRef};
pub use outcomes::Outcomes;
pub use plaudit_core::random::Stream;
pub use post::{PostProcessed, PostProcessing};
pub use recorded::Recordings;
pub(crate) use rounding::rounded;
pub(crate) use runs::nanoseconds_since;
pub use runs::{query_of, release, release_in_turn, release_unless, run};
pub(crate) use spell::large;
pub use trouble::{Trouble, WrongCount};
pub(crate) use view::View;

use std::ops::Deref;
use std::sync::atomic::AtomicBool;

/// A randomized function of a dataset of type `D`.
///
/// Given their datasets, its runs must be independent: a mechanism that draws noise once and keeps
/// it, or remembers earlier datasets, differs from a single run of it, and the results of an audit
/// do not hold for a single release.
pub trait Mechanism<D: ?Sized>: Sync {
    /// Releases `runs` outcomes of the same dataset and adds each to `outcomes`, in an undefined
    /// state on failure.
    ///
    /// A panic is also an outcome: an adversary sees it. The outcomes added so far count, the panic
    /// is the next one, and the rest is requested again.
    ///
    /// # Errors
    /// If it cannot be run, or `interrupted` was set: both only for mechanisms that run elsewhere,
    /// such as programs.
    fn fill(
        &self,
        dataset: &D,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        interrupted: &AtomicBool,
    ) -> Result<(), Trouble>;

    /// Checks that it can run on a dataset: a search skips datasets that it cannot run on.
    ///
    /// # Errors
    /// A sentence with the problem of the dataset and the requirement.
    fn accepts(&self, dataset: &D) -> Result<(), String> {
        let _ = dataset;
        Ok(())
    }

    /// Capabilities besides being run, and the preferred way to be run. By default none, and one
    /// run after another in the order of the coins.
    fn capabilities(&self) -> Capabilities<'_, D> {
        Capabilities::default()
    }

    /// Called before each look of an audit, with the first pair of datasets, to find out how the
    /// mechanism must be run. Runs made here are not counted. What was found out for one look need
    /// not be found out again for the next.
    ///
    /// # Errors
    /// If it cannot be run.
    fn prepare(
        &self,
        pair: [&D; 2],
        planned: Planned,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Prepared, Trouble> {
        let _ = (pair, random, interrupted);
        Ok(Prepared::independent(planned.trials))
    }

    /// Breakdowns on each of two datasets while trials were played, after which it was asked again and answered: no
    /// count has them.
    fn breakdowns(&self, pair: [&D; 2]) -> [u64; 2] {
        let _ = pair;
        [0, 0]
    }

    /// Called at the end of an audit, whatever its result: background processes may end.
    fn finish(&self) {}

    /// Notes on how it was run, in sentences; requested after an audit.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Trials for which a mechanism is prepared.
#[derive(Clone, Copy, Debug)]
pub struct Planned {
    /// Of the look that comes next.
    pub trials: u64,
    /// Trials of the largest look of the audit: the number of runs to check for late failures.
    pub most: u64,
    /// `true` if each run needs a request of its own, in the order of the coins, because the test allows for state and
    /// not for what the runs of a request share.
    pub one_by_one: bool,
    /// Seconds that the audit may take, if they are given: questions should take a small part of them.
    pub seconds: Option<f64>,
}

/// How a mechanism must be run.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Affordable number of trials, at most the requested one.
    pub trials: u64,
    /// `true` if its runs depend on earlier ones, so that only a test that allows for it is valid.
    pub stateful: bool,
    /// Outcomes of the preparation: not counted, but among those that the mechanism can have.
    pub seen: Outcomes,
    /// Seconds that each run takes of an audit's time, and the runs that this was measured on, if it was.
    pub pace: Option<(f64, u64)>,
}

impl Prepared {
    /// For independent runs; nothing was run.
    pub fn independent(trials: u64) -> Self {
        Self { trials, stateful: false, seen: Outcomes::new(), pace: None }
    }

    /// For runs that depend on earlier ones; nothing was run.
    pub fn stateful(trials: u64) -> Self {
        Self { trials, stateful: true, seen: Outcomes::new(), pace: None }
    }
}

/// Pointers to a mechanism (`&M`, `Box<M>`, `Arc<M>`) are mechanisms.
impl<D: ?Sized, P: Deref<Target: Mechanism<D>> + Sync> Mechanism<D> for P {
    fn fill(
        &self,
        dataset: &D,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        interrupted: &AtomicBool,
    ) -> Result<(), Trouble> {
        (**self).fill(dataset, runs, random, outcomes, interrupted)
    }

    fn accepts(&self, dataset: &D) -> Result<(), String> {
        (**self).accepts(dataset)
    }

    fn capabilities(&self) -> Capabilities<'_, D> {
        (**self).capabilities()
    }

    fn prepare(
        &self,
        pair: [&D; 2],
        planned: Planned,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Prepared, Trouble> {
        (**self).prepare(pair, planned, random, interrupted)
    }

    fn breakdowns(&self, pair: [&D; 2]) -> [u64; 2] {
        (**self).breakdowns(pair)
    }

    fn finish(&self) {
        (**self).finish();
    }

    fn notes(&self) -> Vec<String> {
        (**self).notes()
    }
}

/// A closure as a mechanism.
pub struct FromFn<F>(pub F);

impl<D: ?Sized, O: Into<Outcome>, F: Fn(&D, &mut Stream) -> O + Sync> Mechanism<D> for FromFn<F> {
    fn fill(
        &self,
        dataset: &D,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        for _ in 0..runs {
            outcomes.push((self.0)(dataset, random).into());
        }
        Ok(())
    }
}
