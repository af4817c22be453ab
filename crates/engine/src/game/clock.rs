//! Where the time of an audit goes.

use plaudit_core::finding::StepTimes;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A step of an audit whose wall time is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The declared sensitivity is checked, and the claim proved if possible.
    Prove,
    /// The mechanism is started and asked how it behaves.
    Prepare,
    Explore,
    Confirm,
    /// A pair that a search found is made smaller.
    Shrink,
}

const STEPS: usize = 5;

/// Times of one audit, added up from any thread.
#[derive(Debug)]
pub struct Clock {
    start: Instant,
    steps: [AtomicU64; STEPS],
    runs: AtomicU64,
}

impl Clock {
    pub fn start() -> Self {
        Self { start: Instant::now(), steps: Default::default(), runs: AtomicU64::new(0) }
    }

    /// Seconds of wall time since it was started.
    pub fn elapsed(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Does something that belongs to a step.
    pub(crate) fn during<T>(clock: Option<&Self>, step: Step, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = work();
        if let Some(clock) = clock {
            clock.steps[step as usize].fetch_add(nanoseconds(start.elapsed()), Ordering::Relaxed);
        }
        done
    }

    /// Adds the time of some runs of the mechanism, on one thread.
    pub(super) fn ran(&self, time: Duration) {
        self.runs.fetch_add(nanoseconds(time), Ordering::Relaxed);
    }

    pub fn times(&self) -> StepTimes {
        let seconds = |time: &AtomicU64| time.load(Ordering::Relaxed) as f64 * 1e-9;
        let [prove_s, prepare_s, explore_s, confirm_s, shrink_s] =
            self.steps.each_ref().map(seconds);
        let mechanism_s = seconds(&self.runs);
        StepTimes { prove_s, prepare_s, explore_s, confirm_s, shrink_s, mechanism_s }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
