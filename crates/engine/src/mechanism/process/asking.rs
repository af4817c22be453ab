//! Requests to copies of the program: for a batch, for one run, in a living or a fresh copy, and
//! for runs on both datasets.

use super::broken::{Broken, failure_words, outcome_words};
use super::child::{Child, ProgramFailure};
use super::talk::{self, Copy, Request};
use super::{Answerer, Mode, Process, lock, seed};
use crate::mechanism::{Outcome, Outcomes, Trouble, nanoseconds_since, order};
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Age in requests at which a living copy is first compared with a fresh one.
const FIRST_AGE: u64 = 16;
/// Microseconds of such comparisons after which only every second one is made.
const QUICK_MICROS: u64 = 1_000_000;

/// Datasets whose breakdowns are counted.
const MOST_DATASETS: usize = 256;

/// An outcome, and its nanoseconds if the program reports them.
pub(super) type TimedOutcome = (Outcome, Option<u64>);

impl Process {
    /// A fresh copy; for a function without copies, the function itself.
    pub(super) fn start(&self) -> Result<Copy, ProgramFailure> {
        match &self.source {
            Answerer::Function { function, .. } if !self.has_copies() => {
                Ok(Copy::Function(function.clone()))
            }
            _ => Child::start(&self.settings.command, &self.settings.folder, &self.word)
                .map(Copy::Program),
        }
    }

    /// A living copy: one that has already answered, if there is one.
    pub(super) fn living(&self) -> Result<Copy, ProgramFailure> {
        if let Some(function) = self.function() {
            return Ok(Copy::Function(function.clone()));
        }
        let idle = lock(&self.idle).pop();
        idle.map_or_else(|| self.start(), Ok)
    }

    /// A request with a seed of its own.
    pub(super) fn request<'a>(&self, dataset: &'a str, runs: usize, seed: u64) -> Request<'a> {
        let id = self.requests.fetch_add(1, Ordering::Relaxed);
        Request { id, dataset, interleaved: None, runs, seed, format: self.settings.format }
    }

    /// Asks this copy; its outcomes are dropped if it fails.
    pub(super) fn ask(
        &self,
        child: &mut Copy,
        request: &Request<'_>,
        outcomes: &mut Outcomes,
        interrupted: &AtomicBool,
    ) -> Result<Option<u64>, ProgramFailure> {
        let before = outcomes.len();
        let patience = talk::until(self.settings.timeout, interrupted);
        let mut nanoseconds = None;
        let asked = child.ask(request, patience, outcomes, &mut |said| nanoseconds = said);
        if asked.is_err() {
            outcomes.truncate(before);
        }
        asked.map(|()| nanoseconds)
    }

    /// Asks a living copy, and if it breaks down, a fresh one.
    pub(super) fn ask_any(
        &self,
        dataset: &str,
        (runs, seed): (usize, u64),
        outcomes: &mut Outcomes,
        interrupted: &AtomicBool,
    ) -> Result<(), Broken> {
        let request = self.request(dataset, runs, seed);
        let mut last_words = String::new();
        let mut failed = None;
        for attempt in 0..2 {
            let started = if attempt == 0 { self.living() } else { self.start() };
            let mut child = started.map_err(|failure| Broken::new(failure, &request, ""))?;
            match self.ask(&mut child, &request, outcomes, interrupted) {
                Ok(_) => {
                    self.keep(child);
                    if let Some(failure) = failed {
                        self.note_retry(&failure, &request);
                    }
                    return Ok(());
                }
                Err(failure) => {
                    last_words = child.last_words();
                    child.kill();
                    let again =
                        matches!(failure, ProgramFailure::Died(_) | ProgramFailure::Timeout(_));
                    failed = Some(failure);
                    if !again {
                        break;
                    }
                }
            }
        }
        let failure = failed.unwrap_or(ProgramFailure::Interrupted);
        Err(Broken::new(failure, &request, &last_words))
    }

    /// While trials are played: checks that a fresh copy answers a request as the living one did.
    /// Asked at ages that double from 16 requests on, or quadruple where copies take long to start:
    /// a cache that fills shows the later the more it holds.
    pub(super) fn still_like_fresh(
        &self,
        dataset: &str,
        (runs, seed): (usize, u64),
        (before, outcomes): (usize, &Outcomes),
        interrupted: &AtomicBool,
    ) -> Result<(), Trouble> {
        let age = self.lived.fetch_add(1, Ordering::Relaxed) + 1;
        let quick = self.compared.load(Ordering::Relaxed) < QUICK_MICROS;
        let due = age >= FIRST_AGE
            && age.is_power_of_two()
            && (quick || age.trailing_zeros().is_multiple_of(2));
        if !due || !self.follows_seed.load(Ordering::Relaxed) {
            return Ok(());
        }
        if !self.has_copies() {
            return self.still_as_at_first(age, interrupted);
        }
        let start = Instant::now();
        let mut fresh = Outcomes::new();
        let request = self.request(dataset, runs, seed);
        // A failure here does not concern the other copy.
        let Ok(mut copy) = self.start() else { return Ok(()) };
        if self.ask(&mut copy, &request, &mut fresh, interrupted).is_err() {
            copy.kill();
            return Ok(());
        }
        self.keep(copy);
        self.compared.fetch_add(nanoseconds_since(start) / 1000, Ordering::Relaxed);
        let lived = outcomes.iter().skip(before);
        if lived.zip(fresh.iter()).all(|(a, b)| order(&a, &b).is_eq()) {
            return Ok(());
        }
        Err(Trouble::Broken(format!(
            "The program does not behave like a fresh copy of it: after {age} requests it answered one otherwise than a \
             fresh copy that was given the same seed. So its runs depend on those before, and counts of them say \
             nothing. Keep nothing from one request to the next, or say `stateful = true` in the spec: each run is \
             tested given all before it then."
        )))
    }

    /// Checks that a function still answers its first question as it did then.
    fn still_as_at_first(&self, age: u64, interrupted: &AtomicBool) -> Result<(), Trouble> {
        let first = lock(&self.first_answer).clone();
        let Some((dataset, asked, said)) = first else { return Ok(()) };
        let mut again = Outcomes::new();
        self.ask_any(&dataset, asked, &mut again, interrupted)
            .map_err(|broken| self.trouble(&broken))?;
        if said.len() == again.len()
            && said.iter().zip(again.iter()).all(|(a, b)| order(&a, &b).is_eq())
        {
            return Ok(());
        }
        Err(Trouble::Broken(format!(
            "The function does not behave as it did at first: after {age} requests it answered the first one otherwise, \
             with the same seed. So its runs depend on those before, and counts of them say nothing. Keep nothing from \
             one call to the next, or say that it is stateful (stateful=True): each run is tested given all before it \
             then."
        )))
    }

    pub(super) fn note_retry(&self, failure: &ProgramFailure, request: &Request<'_>) {
        let mut breakdowns = lock(&self.breakdowns);
        breakdowns.all += 1;
        breakdowns.first.get_or_insert_with(|| {
            format!("{} on {}", failure_words(failure, &self.settings), request.words())
        });
        if breakdowns.on.len() < MOST_DATASETS || breakdowns.on.contains_key(request.dataset) {
            *breakdowns.on.entry(request.dataset.to_owned()).or_default() += 1;
        }
    }

    /// One run in a fresh copy; a breakdown is its outcome.
    pub(super) fn run_fresh(
        &self,
        dataset: &str,
        seed: u64,
        interrupted: &AtomicBool,
    ) -> Result<TimedOutcome, Trouble> {
        let request = self.request(dataset, 1, seed);
        let broken = |failure, words: &str| self.trouble(&Broken::new(failure, &request, words));
        let mut child = self.start().map_err(|failure| broken(failure, ""))?;
        self.run_in(&mut child, &request, interrupted, true).map_err(|(failure, words)| {
            child.kill();
            broken(failure, &words)
        })
    }

    /// One run; a breakdown is its outcome, and ends the copy.
    pub(super) fn run_in(
        &self,
        child: &mut Copy,
        request: &Request<'_>,
        interrupted: &AtomicBool,
        last: bool,
    ) -> Result<TimedOutcome, (ProgramFailure, String)> {
        let mut outcomes = Outcomes::new();
        match self.ask(child, request, &mut outcomes, interrupted) {
            Ok(nanoseconds) => {
                if last {
                    child.stop();
                }
                Ok((outcomes.get(0).to_owned(), nanoseconds))
            }
            Err(failure @ (ProgramFailure::Died(_) | ProgramFailure::Timeout(_))) => {
                child.kill();
                Ok((Outcome::Failure(outcome_words(&failure)), None))
            }
            Err(failure) => Err((failure, child.last_words())),
        }
    }

    /// One run, in a living copy or a fresh one.
    pub(super) fn run_one(
        &self,
        dataset: &Dataset,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<TimedOutcome, Trouble> {
        let (dataset, seed) = (self.text(dataset, interrupted)?, seed(random));
        if self.mode() == Mode::Fresh {
            return self.run_fresh(&dataset, seed, interrupted);
        }
        let request = self.request(&dataset, 1, seed);
        let broken = |failure, words: &str| self.trouble(&Broken::new(failure, &request, words));
        let mut child = self.living().map_err(|failure| broken(failure, ""))?;
        let timed = self
            .run_in(&mut child, &request, interrupted, false)
            .map_err(|(failure, words)| broken(failure, &words))?;
        if !child.is_gone() {
            self.keep(child);
        }
        Ok(timed)
    }

    /// Runs on both datasets in the order of the coins, by one request. A breakdown ends them early
    /// and is then the last outcome.
    pub(super) fn run_interleaved(
        &self,
        datasets: [&str; 2],
        coins: &[bool],
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Vec<(Outcome, u64)>, Trouble> {
        let mut request = self.request(datasets[0], coins.len(), seed(random));
        request.interleaved = Some((datasets[1], coins));
        let broken = |failure, words: &str| self.trouble(&Broken::new(failure, &request, words));
        let mut child = self.living().map_err(|failure| broken(failure, ""))?;
        let (mut outcomes, mut times) = (Outcomes::new(), Vec::with_capacity(coins.len()));
        let patience = talk::until(self.settings.timeout, interrupted);
        let start = Instant::now();
        let asked = child.ask(&request, patience, &mut outcomes, &mut |said| times.push(said));
        let failed = match asked {
            Ok(()) => None,
            Err(failure @ (ProgramFailure::Died(_) | ProgramFailure::Timeout(_))) => {
                child.kill();
                Some((Outcome::Failure(outcome_words(&failure)), nanoseconds_since(start)))
            }
            Err(failure) => {
                let words = child.last_words();
                child.kill();
                return Err(broken(failure, &words));
            }
        };
        let Some(times) = times.into_iter().collect::<Option<Vec<u64>>>() else {
            child.kill();
            let what = "an outcome does not say what time it took (`$ns`), and the program is `interleaved`";
            return Err(broken(ProgramFailure::Protocol(what.into()), ""));
        };
        if failed.is_none() {
            self.keep(child);
        }
        let given = outcomes.iter().map(|outcome| outcome.to_owned()).zip(times);
        Ok(given.chain(failed).collect())
    }
}
