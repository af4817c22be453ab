//! Runs of mechanisms, with panics as outcomes.

use super::Mechanism;
use super::capabilities::Answer;
use super::hush::{self, panic_words};
use super::outcome::Outcome;
use super::outcomes::Outcomes;
use super::trouble::{Trouble, WrongCount};
use plaudit_core::random::Stream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// One outcome; if the mechanism cannot be run, the reason as a failure.
pub fn run<D: ?Sized>(
    mechanism: &(impl Mechanism<D> + ?Sized),
    dataset: &D,
    random: &mut Stream,
) -> Outcome {
    let mut outcomes = Outcomes::new();
    match release(mechanism, dataset, 1, random, &mut outcomes) {
        Ok(()) => outcomes.get(0).to_owned(),
        Err(trouble) => Outcome::Failure(trouble.to_string()),
    }
}

/// Runs a mechanism `runs` times and adds exactly that many outcomes; panics become
/// [`Outcome::Failure`].
///
/// # Errors
/// [`WrongCount`] if the mechanism gave more or fewer outcomes than requested, or another reason
/// why it could not be run.
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
        let call = || mechanism.fill(dataset, asked, random, outcomes, interrupted);
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
/// in the order of the coins, with its running time if `timed`; panics become [`Outcome::Failure`].
/// Stops early once `full`, and returns the next trial.
///
/// # Errors
/// The reason why it could not be run.
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
    let timer = if timed { mechanism.capabilities().timer } else { None };
    let mut trial = trials.start;
    if let Some(timer) = timer {
        while trial < trials.end && !full(first.1, second.1) {
            let end = trials.end.min(trial + timer.at_once().max(1));
            let coins: Vec<bool> = (trial..end).map(&coin).collect();
            let start = Instant::now();
            let call = || timer.run_timed([first.0, second.0], &coins, random, interrupted);
            let made = match hush::quietly(|| catch_unwind(AssertUnwindSafe(call))) {
                Ok(made) => made?,
                Err(panic) => {
                    let failure = Outcome::Failure(panic_words(panic.as_ref()));
                    vec![(failure, nanoseconds_since(start))]
                }
            };
            if made.is_empty() || made.len() > coins.len() {
                return Err(WrongCount { asked: coins.len(), given: made.len() }.into());
            }
            trial += made.len();
            for (coin, (outcome, nanoseconds)) in coins.into_iter().zip(made) {
                let outcomes = if coin { &mut *first.1 } else { &mut *second.1 };
                outcomes.push_timed(outcome, nanoseconds);
            }
        }
        return Ok(trial);
    }
    let mut start = Instant::now();
    // Outside of the timed run, so that adding to it does not count.
    let mut one = Outcomes::new();
    while trial < trials.end && !full(first.1, second.1) {
        let before = [first.1.len(), second.1.len()];
        let since = trial;
        let turns = || {
            while trial < trials.end {
                let (dataset, outcomes) =
                    if coin(trial) { (first.0, &mut *first.1) } else { (second.0, &mut *second.1) };
                if timed {
                    one.clear();
                    start = Instant::now();
                    mechanism.fill(dataset, 1, random, &mut one, interrupted)?;
                    let nanoseconds = nanoseconds_since(start);
                    exactly_one(one.len())?;
                    outcomes.push_timed(one.get(0).to_owned(), nanoseconds);
                } else {
                    let had = outcomes.len();
                    mechanism.fill(dataset, 1, random, outcomes, interrupted)?;
                    exactly_one(outcomes.len() - had)?;
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
                    outcomes.settle();
                    outcomes.push(failure);
                    let given = first.1.len() + second.1.len() - before[0] - before[1];
                    exactly_one(given + since - trial)?;
                }
                trial += 1;
            }
        }
    }
    Ok(trial)
}

fn exactly_one(given: usize) -> Result<(), WrongCount> {
    if given == 1 { Ok(()) } else { Err(WrongCount { asked: 1, given }) }
}

pub(crate) fn nanoseconds_since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Runs between two checks of the outcomes' memory.
const LOOK: usize = 16;

/// The answer of a mechanism's query, if it has one; a panic is a failure to answer.
///
/// # Errors
/// As [`Query::answer`](super::Query::answer).
pub fn query_of<D: ?Sized>(
    mechanism: &(impl Mechanism<D> + ?Sized),
    dataset: &D,
    interrupted: &AtomicBool,
) -> Result<Option<Answer>, Trouble> {
    let Some(query) = mechanism.capabilities().query else { return Ok(None) };
    let ask = || query.answer(dataset, interrupted);
    let asked = hush::quietly(|| catch_unwind(AssertUnwindSafe(ask)));
    asked.unwrap_or_else(|panic| Ok(Some(Err(panic_words(panic.as_ref())))))
}
