//! Mechanisms: what is audited.
//!
//! A mechanism is a black box: given a dataset and fresh randomness it releases one
//! [`Outcome`]. [`catalog`] holds mechanisms with known truth, right ones and broken ones; a
//! closure is a mechanism too ([`FromFn`]).

pub mod catalog;
pub mod choice;
mod function;
mod hush;
mod keyed;
mod order;
mod outcome;
mod outcomes;
mod post;
#[cfg(unix)]
pub mod process;
mod query;
pub mod recorded;
mod rounding;
mod spell;
mod trouble;
mod unfold;
mod view;
pub mod wire;

pub use crate::random::Stream;
pub use choice::{ByChoices, ChoiceMechanism, Choices};
pub use function::{Function, FunctionRequest};
pub use keyed::{Entry, Keyed};
pub(crate) use keyed::{beginning, quoted};
pub use order::order;
pub use outcome::{Outcome, OutcomeRef};
pub use outcomes::Outcomes;
pub use post::{PostProcessed, PostProcessing};
pub use query::{Answer, query_of};
pub use recorded::Recordings;
pub(crate) use rounding::rounded;
pub use trouble::{Trouble, WrongCount};
pub(crate) use view::View;

use crate::dataset::Sensitivity;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A randomized function of a dataset of type `D`.
///
/// Given their datasets, its runs must be independent of one another: a mechanism that draws noise
/// once and keeps it, or remembers earlier datasets, is another mechanism than one run of it, and
/// what an audit says of it does not hold for a single release.
pub trait Mechanism<D: ?Sized>: Sync {
    /// Releases one outcome. A panic is an outcome, too: an adversary sees it.
    fn run(&self, dataset: &D, random: &mut Stream) -> Outcome;

    /// Whether it can run on a dataset: a search passes over datasets that it cannot run on.
    ///
    /// # Errors
    /// What is wrong with the dataset and what is wanted, in a sentence.
    fn accepts(&self, dataset: &D) -> Result<(), String> {
        let _ = dataset;
        Ok(())
    }

    /// Releases `runs` outcomes of the same dataset and adds each to `outcomes`. Only called if
    /// [`Mechanism::runs_are_independent`]; the fast way for mechanisms that write columns.
    ///
    /// If it panics, the outcomes added so far count, the panic is the next one, and the rest is
    /// asked for again.
    fn fill(&self, dataset: &D, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        for _ in 0..runs {
            outcomes.push(self.run(dataset, random));
        }
    }

    /// Whether runs share nothing but the dataset, so that many on the same dataset may be asked
    /// for at once. If not (the default), each trial is run in the order of the coins: a call
    /// counter or a clock in the mechanism then cannot tell the datasets apart.
    fn runs_are_independent(&self) -> bool {
        false
    }

    /// [`Mechanism::fill`], for mechanisms that can be broken off or fail to be run at all, such as
    /// programs. Adds `runs` outcomes, or whatever if it fails.
    ///
    /// # Errors
    /// If it cannot be run, or `interrupted` was set.
    fn try_fill(
        &self,
        dataset: &D,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        interrupted: &AtomicBool,
    ) -> Result<(), Trouble> {
        let _ = interrupted;
        self.fill(dataset, runs, random, outcomes);
        Ok(())
    }

    /// [`Mechanism::run`], likewise.
    ///
    /// # Errors
    /// As [`Mechanism::try_fill`].
    fn try_run(
        &self,
        dataset: &D,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Outcome, Trouble> {
        let _ = interrupted;
        Ok(self.run(dataset, random))
    }

    /// [`Mechanism::try_run`], with its running time in nanoseconds. By default it is measured here;
    /// a mechanism that runs elsewhere may measure it there.
    ///
    /// # Errors
    /// As [`Mechanism::try_fill`].
    fn try_run_timed(
        &self,
        dataset: &D,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<(Outcome, u64), Trouble> {
        let start = Instant::now();
        let outcome = self.try_run(dataset, random, interrupted)?;
        Ok((outcome, nanoseconds_since(start)))
    }

    /// How many timed runs it likes to be asked for at once with [`Mechanism::try_runs_timed`]; 1: it is asked for
    /// each by itself.
    fn timed_at_once(&self) -> usize {
        1
    }

    /// [`Mechanism::try_run_timed`] several times in the order of the coins, on the first dataset where a coin is
    /// true, else on the second. It may make fewer runs than there are coins, but one at least.
    ///
    /// # Errors
    /// As [`Mechanism::try_fill`].
    fn try_runs_timed(
        &self,
        datasets: [&D; 2],
        coins: &[bool],
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Vec<(Outcome, u64)>, Trouble> {
        let on = |coin: &bool| if *coin { datasets[0] } else { datasets[1] };
        coins.iter().map(|coin| self.try_run_timed(on(coin), random, interrupted)).collect()
    }

    /// How many runs it likes to be asked for at once, if calling it is dear. `None`: as many as
    /// suit the auditor.
    fn batch(&self) -> Option<usize> {
        None
    }

    /// Called once before an audit, with the first pair of datasets: to find out how the mechanism
    /// must be run. What it runs here is not counted.
    ///
    /// # Errors
    /// If it cannot be run.
    fn prepare(
        &self,
        pair: [&D; 2],
        trials: u64,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Prepared, Trouble> {
        let _ = (pair, random, interrupted);
        Ok(Prepared { trials, stateful: false })
    }

    /// The outcomes that it gave in [`Mechanism::prepare`], if it was run there. They are not counted,
    /// but they are outcomes that it can have.
    fn seen_in_prepare(&self) -> Outcomes {
        Outcomes::new()
    }

    /// The mechanism as a function of its choices, if it is one: then its law can be enumerated.
    fn by_choices(&self) -> Option<&dyn ChoiceMechanism<D>> {
        None
    }

    /// The noise that it adds to each number of its dataset, if that is all it does: then the privacy
    /// profile has a closed form.
    fn added_noise(&self) -> Option<AddedNoise> {
        None
    }

    /// The releases that it consists of, if each is of numbers of its dataset plus noise, whatever was
    /// released before: then the accountant knows its privacy profile.
    fn releases(&self) -> Option<Vec<Release>> {
        self.added_noise().map(|noise| vec![Release { noise, count: 1, of_one_entry: false }])
    }

    /// What it adds noise to, exactly as it computes it, if it shows that; see [`Answer`]. The same
    /// dataset must always get the same answer.
    ///
    /// # Errors
    /// As [`Mechanism::try_fill`].
    fn query(&self, dataset: &D, interrupted: &AtomicBool) -> Result<Option<Answer>, Trouble> {
        let _ = (dataset, interrupted);
        Ok(None)
    }

    /// How far these answers may move between neighbors for its noise to be enough, if it says so.
    fn sensitivity(&self) -> Option<Sensitivity> {
        None
    }

    /// The outcomes, if they were recorded elsewhere and nothing can be run.
    fn recordings(&self) -> Option<&Recordings> {
        None
    }

    /// A request as the mechanism gets it, if it is asked by text: for readers who want to try it by hand.
    fn example_request(&self, dataset: &D) -> Option<String> {
        let _ = dataset;
        None
    }

    /// Called when an audit is over, whatever came of it: what it keeps running may end.
    fn finish(&self) {}

    /// What a reader must know of how it was run, in sentences; asked for after an audit.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Independent noise on each number of a dataset, as its formula has it: real numbers. What is made
/// of the sums (rounding, say) does not matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AddedNoise {
    /// Of density e^(−|x|/scale)/(2 scale).
    Laplace {
        /// Above 0.
        scale: f64,
    },
    /// Of standard deviation sigma.
    Gaussian {
        /// Above 0.
        sigma: f64,
    },
}

/// Numbers of a dataset, released with noise on each, once or several times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Release {
    /// The noise.
    pub noise: AddedNoise,
    /// How many times, at least 1, each time with noise of its own.
    pub count: usize,
    /// Whether it is of one of the numbers, not of all. Which one may depend on earlier releases.
    pub of_one_entry: bool,
}

/// How a mechanism must be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// Trials that can be afforded, at most those asked for.
    pub trials: u64,
    /// Whether its runs depend on earlier ones, so that only a test that allows for it is valid.
    pub stateful: bool,
}

/// What a pointer to a mechanism says is what the mechanism says.
macro_rules! forward {
    () => {
        fn run(&self, dataset: &D, random: &mut Stream) -> Outcome {
            (**self).run(dataset, random)
        }
        fn accepts(&self, dataset: &D) -> Result<(), String> {
            (**self).accepts(dataset)
        }
        fn fill(&self, dataset: &D, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
            (**self).fill(dataset, runs, random, outcomes);
        }
        fn runs_are_independent(&self) -> bool {
            (**self).runs_are_independent()
        }
        fn try_fill(
            &self,
            dataset: &D,
            runs: usize,
            random: &mut Stream,
            outcomes: &mut Outcomes,
            interrupted: &AtomicBool,
        ) -> Result<(), Trouble> {
            (**self).try_fill(dataset, runs, random, outcomes, interrupted)
        }
        fn try_run(
            &self,
            dataset: &D,
            random: &mut Stream,
            interrupted: &AtomicBool,
        ) -> Result<Outcome, Trouble> {
            (**self).try_run(dataset, random, interrupted)
        }
        fn try_run_timed(
            &self,
            dataset: &D,
            random: &mut Stream,
            interrupted: &AtomicBool,
        ) -> Result<(Outcome, u64), Trouble> {
            (**self).try_run_timed(dataset, random, interrupted)
        }
        fn timed_at_once(&self) -> usize {
            (**self).timed_at_once()
        }
        fn try_runs_timed(
            &self,
            datasets: [&D; 2],
            coins: &[bool],
            random: &mut Stream,
            interrupted: &AtomicBool,
        ) -> Result<Vec<(Outcome, u64)>, Trouble> {
            (**self).try_runs_timed(datasets, coins, random, interrupted)
        }
        fn batch(&self) -> Option<usize> {
            (**self).batch()
        }
        fn prepare(
            &self,
            pair: [&D; 2],
            trials: u64,
            random: &mut Stream,
            interrupted: &AtomicBool,
        ) -> Result<Prepared, Trouble> {
            (**self).prepare(pair, trials, random, interrupted)
        }
        fn seen_in_prepare(&self) -> Outcomes {
            (**self).seen_in_prepare()
        }
        fn by_choices(&self) -> Option<&dyn ChoiceMechanism<D>> {
            (**self).by_choices()
        }
        fn added_noise(&self) -> Option<AddedNoise> {
            (**self).added_noise()
        }
        fn releases(&self) -> Option<Vec<Release>> {
            (**self).releases()
        }

        fn query(&self, dataset: &D, interrupted: &AtomicBool) -> Result<Option<Answer>, Trouble> {
            (**self).query(dataset, interrupted)
        }
        fn sensitivity(&self) -> Option<Sensitivity> {
            (**self).sensitivity()
        }
        fn recordings(&self) -> Option<&Recordings> {
            (**self).recordings()
        }
        fn example_request(&self, dataset: &D) -> Option<String> {
            (**self).example_request(dataset)
        }
        fn finish(&self) {
            (**self).finish();
        }
        fn notes(&self) -> Vec<String> {
            (**self).notes()
        }
    };
}

impl<D: ?Sized, M: Mechanism<D> + ?Sized> Mechanism<D> for &M {
    forward!();
}

impl<D: ?Sized, M: Mechanism<D> + ?Sized + Send> Mechanism<D> for Box<M> {
    forward!();
}

/// A closure as a mechanism.
pub struct FromFn<F>(pub F);

impl<D: ?Sized, O: Into<Outcome>, F: Fn(&D, &mut Stream) -> O + Sync> Mechanism<D> for FromFn<F> {
    fn run(&self, dataset: &D, random: &mut Stream) -> Outcome {
        (self.0)(dataset, random).into()
    }
}

/// Runs a mechanism `runs` times and adds exactly that many outcomes; panics become
/// [`Outcome::Failure`].
///
/// # Errors
/// [`WrongCount`] if the mechanism gave more or fewer outcomes than it was asked for, or what else
/// kept it from being run.
pub fn release<D: ?Sized>(
    mechanism: &(impl Mechanism<D> + ?Sized),
    dataset: &D,
    runs: usize,
    random: &mut Stream,
    outcomes: &mut Outcomes,
) -> Result<(), Trouble> {
    let never = AtomicBool::new(false);
    release_unless(&never, mechanism, dataset, runs, random, outcomes)
}

/// [`release`], unless `interrupted` is set.
///
/// # Errors
/// As [`release`].
pub fn release_unless<D: ?Sized>(
    interrupted: &AtomicBool,
    mechanism: &(impl Mechanism<D> + ?Sized),
    dataset: &D,
    runs: usize,
    random: &mut Stream,
    outcomes: &mut Outcomes,
) -> Result<(), Trouble> {
    let end = outcomes.len() + runs;
    while outcomes.len() < end {
        let before = outcomes.len();
        let asked = end - before;
        let call = || mechanism.try_fill(dataset, asked, random, outcomes, interrupted);
        let result = hush::quietly(|| catch_unwind(AssertUnwindSafe(call)));
        match result {
            Ok(Err(trouble)) => return Err(trouble),
            Ok(Ok(())) if outcomes.len() == end => {}
            Ok(Ok(())) => {
                return Err(WrongCount { asked, given: outcomes.len() - before }.into());
            }
            Err(panic) => {
                outcomes.settle();
                if outcomes.len() >= end {
                    let given = outcomes.len() + 1 - before;
                    return Err(WrongCount { asked, given }.into());
                }
                outcomes.push_failure(panic_words(panic.as_ref()));
            }
        }
    }
    Ok(())
}

/// Runs a mechanism once for each of `trials`, on the side that its coin picks (true: the first),
/// in the order of the coins; panics become [`Outcome::Failure`]. With its running time, if `timed`.
/// Stops early once `full`, and gives the next trial.
///
/// # Errors
/// What kept it from being run.
pub fn release_in_turn<D>(
    mechanism: &(impl Mechanism<D> + ?Sized),
    sides: [(&D, &mut Outcomes); 2],
    trials: std::ops::Range<usize>,
    coin: impl Fn(usize) -> bool,
    random: &mut Stream,
    (timed, full): (bool, impl Fn(&Outcomes, &Outcomes) -> bool),
    interrupted: &AtomicBool,
) -> Result<usize, Trouble> {
    let [first, second] = sides;
    let mut trial = trials.start;
    let mut start = Instant::now();
    let at_once = if timed { mechanism.timed_at_once() } else { 1 };
    while at_once > 1 && trial < trials.end && !full(first.1, second.1) {
        let coins: Vec<bool> = (trial..trials.end.min(trial + at_once)).map(&coin).collect();
        let made = mechanism.try_runs_timed([first.0, second.0], &coins, random, interrupted)?;
        if made.is_empty() || made.len() > coins.len() {
            return Err(WrongCount { asked: coins.len(), given: made.len() }.into());
        }
        trial += made.len();
        for (coin, (outcome, nanoseconds)) in coins.into_iter().zip(made) {
            let outcomes = if coin { &mut *first.1 } else { &mut *second.1 };
            outcomes.push_timed(outcome, nanoseconds);
        }
    }
    while trial < trials.end && !full(first.1, second.1) {
        let turns = || {
            while trial < trials.end {
                let (dataset, outcomes) =
                    if coin(trial) { (first.0, &mut *first.1) } else { (second.0, &mut *second.1) };
                if timed {
                    start = Instant::now();
                    let (outcome, nanoseconds) =
                        mechanism.try_run_timed(dataset, random, interrupted)?;
                    outcomes.push_timed(outcome, nanoseconds);
                } else {
                    outcomes.push(mechanism.try_run(dataset, random, interrupted)?);
                }
                trial += 1;
                if trial.is_multiple_of(LOOK) && full(first.1, second.1) {
                    break;
                }
            }
            Ok(())
        };
        match hush::quietly(|| catch_unwind(AssertUnwindSafe(turns))) {
            Ok(Ok(())) => {}
            Ok(Err(trouble)) => return Err(trouble),
            Err(panic) => {
                let nanoseconds = nanoseconds_since(start);
                let outcomes = if coin(trial) { &mut *first.1 } else { &mut *second.1 };
                let failure = Outcome::Failure(panic_words(panic.as_ref()));
                if timed {
                    outcomes.push_timed(failure, nanoseconds);
                } else {
                    outcomes.push(failure);
                }
                trial += 1;
            }
        }
    }
    Ok(trial)
}

pub(crate) fn nanoseconds_since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Runs between two looks at how much memory the outcomes take.
const LOOK: usize = 16;

fn panic_words(panic: &(dyn std::any::Any + Send)) -> String {
    let words = panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    words.map_or_else(|| "panic".to_owned(), |words| format!("panic: {words}"))
}
