//! Requests to copies of the program: for a batch, for one run, and for runs on both datasets.

use super::seeds::same;
use super::session::lock;
use super::{Process, seed};
use crate::mechanism::program::{Broken, Child, Copy, ProgramFailure, Request, until};
use crate::mechanism::{Outcome, Outcomes, Trouble, nanoseconds_since, order};
use plaudit_core::random::Stream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Age in requests at which a living copy is first compared with a fresh one.
const FIRST_AGE: u64 = 16;
/// Microseconds of such comparisons after which only every second one is made.
const QUICK_MICROS: u64 = 1_000_000;

impl Process {
    /// A fresh copy; for a function without copies, the function itself.
    pub(super) fn start(&self) -> Result<Copy, ProgramFailure> {
        match &self.function {
            Some(function) if !self.has_copies() => Ok(Copy::Function(function.clone())),
            _ => {
                let (settings, word) = (&self.settings, &self.session.word);
                Child::start(&settings.command, &settings.folder, word).map(Copy::Program)
            }
        }
    }

    /// A living copy: one that has already answered, if there is one.
    pub(super) fn living(&self) -> Result<Copy, ProgramFailure> {
        if let Some(function) = self.direct() {
            return Ok(Copy::Function(function.clone()));
        }
        let idle = lock(&self.session.idle).pop();
        idle.map_or_else(|| self.start(), Ok)
    }

    /// Keeps a copy for later; not needed for a function that answers by itself.
    pub(super) fn keep(&self, mut copy: Copy) {
        match self.direct() {
            Some(_) => copy.stop(),
            None => lock(&self.session.idle).push(copy),
        }
    }

    /// A request with a number of its own.
    pub(super) fn request<'a>(&self, dataset: &'a str, runs: usize, seed: u64) -> Request<'a> {
        let id = self.session.requests.fetch_add(1, Ordering::Relaxed);
        Request { id, dataset, interleaved: None, runs, seed, format: self.settings.format }
    }

    /// Asks this copy; its outcomes are dropped if it fails. Returns the nanoseconds of the last one, if reported.
    pub(super) fn ask(
        &self,
        copy: &mut Copy,
        request: &Request<'_>,
        outcomes: &mut Outcomes,
        interrupted: &AtomicBool,
    ) -> Result<Option<u64>, ProgramFailure> {
        let before = outcomes.len();
        let patience = until(self.settings.timeout, interrupted);
        let mut nanoseconds = None;
        let asked = copy.ask(request, patience, outcomes, &mut |said| nanoseconds = said);
        if asked.is_err() {
            outcomes.truncate(before);
        }
        asked.map(|()| nanoseconds)
    }

    /// Asks a copy, and if it breaks down in a way for which `again` holds, a fresh one, which then takes its place.
    /// Returns the breakdown also.
    pub(super) fn ask_twice<T>(
        &self,
        copy: &mut Copy,
        request: &Request<'_>,
        again: impl Fn(&ProgramFailure) -> bool,
        mut ask: impl FnMut(&mut Copy) -> Result<T, ProgramFailure>,
    ) -> Result<(T, Option<ProgramFailure>), Broken> {
        let mut failed = None;
        loop {
            let failure = match ask(copy) {
                Ok(said) => return Ok((said, failed)),
                Err(failure) => failure,
            };
            let last_words = copy.last_words();
            copy.kill();
            if failed.is_some() || !again(&failure) {
                let is_again = failed.is_some();
                return Err(Broken { is_again, ..Broken::new(failure, request, &last_words) });
            }
            failed = Some(failure);
            *copy = self.start().map_err(|failure| Broken::new(failure, request, ""))?;
        }
    }

    /// Asks a living copy, and if it breaks down, a fresh one.
    pub(super) fn ask_any(
        &self,
        dataset: &str,
        (runs, seed): (usize, u64),
        outcomes: &mut Outcomes,
        interrupted: &AtomicBool,
    ) -> Result<(), Trouble> {
        let request = self.request(dataset, runs, seed);
        let mut copy = self.living().map_err(|failure| self.broken(failure, &request))?;
        let ask = |copy: &mut Copy| self.ask(copy, &request, outcomes, interrupted);
        let asked = self.ask_twice(&mut copy, &request, ProgramFailure::is_breakdown, ask);
        let (_, failed) = asked.map_err(|broken| self.trouble(&broken))?;
        self.keep(copy);
        if let Some(failure) = failed {
            self.note_breakdown(&failure, &request, true);
        }
        Ok(())
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
        let age = self.session.lived.fetch_add(1, Ordering::Relaxed) + 1;
        let quick = self.session.compared.load(Ordering::Relaxed) < QUICK_MICROS;
        let due = age >= FIRST_AGE
            && age.is_power_of_two()
            && (quick || age.trailing_zeros().is_multiple_of(2));
        if !due || !self.session.plan().follows_seed {
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
            return Ok(());
        }
        self.keep(copy);
        self.session.compared.fetch_add(nanoseconds_since(start) / 1000, Ordering::Relaxed);
        let mut both = outcomes.iter().skip(before).zip(fresh.iter());
        if both.all(|(a, b)| order(&a, &b).is_eq()) { Ok(()) } else { Err(self.unlike(age)) }
    }

    /// Checks that a function still answers its first question as it did then.
    fn still_as_at_first(&self, age: u64, interrupted: &AtomicBool) -> Result<(), Trouble> {
        let Some(diagnosis) = self.session.known().diagnosis.clone() else { return Ok(()) };
        let Some(first) = &diagnosis.first else { return Ok(()) };
        for (asked, answer) in first.asked.iter().zip(&first.answers) {
            let mut again = Outcomes::new();
            self.ask_any(&first.dataset, *asked, &mut again, interrupted)?;
            if !same(std::slice::from_ref(answer), &[again]) {
                return Err(self.unlike(age));
            }
        }
        Ok(())
    }

    /// One run, in a fresh copy or a living one, and its nanoseconds if the program reports them; a breakdown is an
    /// outcome, and ends the copy.
    pub(super) fn run_one(
        &self,
        is_fresh: bool,
        dataset: &str,
        seed: u64,
        interrupted: &AtomicBool,
    ) -> Result<(Outcome, Option<u64>), Trouble> {
        let request = self.request(dataset, 1, seed);
        let copy = if is_fresh { self.start() } else { self.living() };
        let mut copy = copy.map_err(|failure| self.broken(failure, &request))?;
        let mut outcomes = Outcomes::new();
        match self.ask(&mut copy, &request, &mut outcomes, interrupted) {
            Ok(nanoseconds) => {
                if is_fresh {
                    copy.stop();
                } else {
                    self.keep(copy);
                }
                Ok((outcomes.get(0).to_owned(), nanoseconds))
            }
            Err(failure) => Ok((self.outcome_of(failure, &mut copy, &request)?, None)),
        }
    }

    /// A breakdown as an outcome.
    fn outcome_of(
        &self,
        failure: ProgramFailure,
        copy: &mut Copy,
        request: &Request<'_>,
    ) -> Result<Outcome, Trouble> {
        if failure.is_breakdown() {
            return Ok(Outcome::Failure(failure.outcome_words()));
        }
        Err(self.trouble(&Broken::new(failure, request, &copy.last_words())))
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
        let mut copy = self.living().map_err(|failure| self.broken(failure, &request))?;
        let (mut outcomes, mut times) = (Outcomes::new(), Vec::with_capacity(coins.len()));
        let patience = until(self.settings.timeout, interrupted);
        let start = Instant::now();
        let asked = copy.ask(&request, patience, &mut outcomes, &mut |said| times.push(said));
        let failed = match asked {
            Ok(()) => None,
            Err(failure) => {
                let nanoseconds = nanoseconds_since(start);
                Some((self.outcome_of(failure, &mut copy, &request)?, nanoseconds))
            }
        };
        let Some(times) = times.into_iter().collect::<Option<Vec<u64>>>() else {
            let what =
                "an outcome lacks its running time (`$ns`), but the program is `interleaved`";
            return Err(self.broken(ProgramFailure::Protocol(what.into()), &request));
        };
        if failed.is_none() {
            self.keep(copy);
        }
        let given = outcomes.iter().map(|outcome| outcome.to_owned()).zip(times);
        Ok(given.chain(failed).collect())
    }
}
