//! Mechanisms: what is audited.
//!
//! A mechanism is a black box: given a dataset and fresh randomness it releases one
//! [`Outcome`]. [`catalog`] holds mechanisms with known truth, right ones and broken ones; a
//! closure is a mechanism too ([`FromFn`]).

pub mod catalog;
mod keyed;
mod outcome;

pub use keyed::{Entry, Keyed};
pub(crate) use keyed::{beginning, quoted};
pub use outcome::{Outcome, OutcomeRef, Outcomes};

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The random stream a mechanism draws from: a counter-based generator (ChaCha8). It implements
/// `rand::Rng`, so every distribution of `rand` and `rand_distr` takes it.
pub type Stream = rand::rngs::ChaCha8Rng;

/// A randomized function of a dataset of type `D`.
///
/// Given their datasets, its runs must be independent of one another: a mechanism that draws noise
/// once and keeps it, or remembers earlier datasets, is another mechanism than one run of it, and
/// what an audit says of it does not hold for a single release.
pub trait Mechanism<D: ?Sized>: Sync {
    /// Releases one outcome. A panic is an outcome, too: an adversary sees it.
    fn run(&self, dataset: &D, random: &mut Stream) -> Outcome;

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
}

impl<D: ?Sized, M: Mechanism<D> + ?Sized> Mechanism<D> for &M {
    fn run(&self, dataset: &D, random: &mut Stream) -> Outcome {
        (**self).run(dataset, random)
    }
    fn fill(&self, dataset: &D, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        (**self).fill(dataset, runs, random, outcomes);
    }
    fn runs_are_independent(&self) -> bool {
        (**self).runs_are_independent()
    }
}

impl<D: ?Sized, M: Mechanism<D> + ?Sized + Send> Mechanism<D> for Box<M> {
    fn run(&self, dataset: &D, random: &mut Stream) -> Outcome {
        (**self).run(dataset, random)
    }
    fn fill(&self, dataset: &D, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        (**self).fill(dataset, runs, random, outcomes);
    }
    fn runs_are_independent(&self) -> bool {
        (**self).runs_are_independent()
    }
}

/// A closure as a mechanism.
pub struct FromFn<F>(pub F);

impl<D: ?Sized, O: Into<Outcome>, F: Fn(&D, &mut Stream) -> O + Sync> Mechanism<D> for FromFn<F> {
    fn run(&self, dataset: &D, random: &mut Stream) -> Outcome {
        (self.0)(dataset, random).into()
    }
}

/// A mechanism broke its contract with the auditor, so nothing can be said about its outcomes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the mechanism was asked for {asked} outcomes and gave {given}")]
pub struct WrongCount {
    /// Outcomes asked for.
    pub asked: usize,
    /// Outcomes given.
    pub given: usize,
}

/// Runs a mechanism `runs` times and adds exactly that many outcomes; panics become
/// [`Outcome::Failure`].
///
/// # Errors
/// [`WrongCount`] if the mechanism gave more or fewer outcomes than it was asked for.
pub fn release<D: ?Sized>(
    mechanism: &(impl Mechanism<D> + ?Sized),
    dataset: &D,
    runs: usize,
    random: &mut Stream,
    outcomes: &mut Outcomes,
) -> Result<(), WrongCount> {
    let end = outcomes.len() + runs;
    while outcomes.len() < end {
        let before = outcomes.len();
        let asked = end - before;
        let call = || mechanism.fill(dataset, asked, random, outcomes);
        let result = hush::quietly(|| catch_unwind(AssertUnwindSafe(call)));
        match result {
            Ok(()) if outcomes.len() == end => {}
            Ok(()) => return Err(WrongCount { asked, given: outcomes.len() - before }),
            Err(panic) => {
                outcomes.settle();
                if outcomes.len() >= end {
                    return Err(WrongCount { asked, given: outcomes.len() + 1 - before });
                }
                outcomes.push_failure(panic_words(panic.as_ref()));
            }
        }
    }
    Ok(())
}

/// Runs a mechanism once for each of `trials`, on the side that its coin picks (true: the first),
/// in the order of the coins; panics become [`Outcome::Failure`]. Stops early once `full`, and
/// gives the next trial.
pub fn release_in_turn<D>(
    mechanism: &(impl Mechanism<D> + ?Sized),
    sides: [(&D, &mut Outcomes); 2],
    trials: std::ops::Range<usize>,
    coin: impl Fn(usize) -> bool,
    random: &mut Stream,
    full: impl Fn(&Outcomes, &Outcomes) -> bool,
) -> usize {
    let [first, second] = sides;
    let mut trial = trials.start;
    while trial < trials.end && !full(first.1, second.1) {
        let turns = || {
            while trial < trials.end {
                let (dataset, outcomes) =
                    if coin(trial) { (first.0, &mut *first.1) } else { (second.0, &mut *second.1) };
                let outcome = mechanism.run(dataset, random);
                outcomes.push(outcome);
                trial += 1;
                if trial.is_multiple_of(LOOK) && full(first.1, second.1) {
                    break;
                }
            }
        };
        if let Err(panic) = hush::quietly(|| catch_unwind(AssertUnwindSafe(turns))) {
            let outcomes = if coin(trial) { &mut *first.1 } else { &mut *second.1 };
            outcomes.push_failure(panic_words(panic.as_ref()));
            trial += 1;
        }
    }
    trial
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

/// Keeps the panics of mechanisms, which are outcomes, from being printed by the million.
mod hush {
    use std::cell::Cell;
    use std::sync::Once;

    thread_local!(static QUIET: Cell<bool> = const { Cell::new(false) });
    static INSTALL: Once = Once::new();

    pub fn quietly<T>(work: impl FnOnce() -> T) -> T {
        INSTALL.call_once(|| {
            let previous = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                if !QUIET.get() {
                    previous(info);
                }
            }));
        });
        let before = QUIET.replace(true);
        let result = work();
        QUIET.set(before);
        result
    }
}
