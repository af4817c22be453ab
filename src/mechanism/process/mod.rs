//! Programs as mechanisms: any language, over standard input and output. `docs/external.md` has
//! what they must read and write.
//!
//! One copy runs for each thread, and answers batches. A copy that fails is killed with all that it
//! has started, and asked once more in a fresh one. How programs are run (batch by batch in copies
//! that live on, or a fresh copy for every run) is found out before the audit, by
//! [`Process::prepare`]: see `prepare.rs`.

mod child;
mod exchange;
pub mod find;
mod prepare;
mod query;
mod settings;
mod sharing;
mod sweep;
mod talk;
mod watch;

use super::catalog::CatalogMechanism;
use super::{Answer, Mechanism, Outcome, Outcomes, Prepared, Stream, Trouble, nanoseconds_since};
use crate::dataset::{Dataset, FileDataset, sha256_of};
pub use child::kill_all;
pub use settings::{Format, Settings};

use child::{Child, Failure};
use rand::Rng;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use talk::Request;

/// How its runs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Mode {
    /// Batches, in copies that live on.
    Batches,
    /// A fresh copy for every run.
    Fresh,
    /// A request for every run in the order of the coins, in copies that live on: of programs that
    /// do not follow the seed, which may have a state that nobody sees, and of those whose runs of a
    /// request share something.
    OneByOne,
    /// Run by run in the order of the coins, in copies that live on.
    InTurn,
}

/// Most runs of a request on both datasets: what it costs to set one up is little for each of them then.
const INTERLEAVED: usize = 256;

/// Half of the trials of a block where runs are asked for one by one: few enough for all threads to
/// have some.
const ONE_BY_ONE: usize = 512;

/// A program as a mechanism.
pub struct Process {
    settings: Settings,
    /// In the environment of all that it starts.
    word: String,
    mode: AtomicU8,
    /// Most runs of a request of the audit at hand.
    most_runs: AtomicU64,
    idle: Mutex<Vec<Child>>,
    /// Whether it answers queries, once it was asked.
    has_query: Mutex<Option<bool>>,
    requests: AtomicU64,
    retried: AtomicU64,
    first_retry: Mutex<Option<String>>,
    notes: Mutex<Vec<String>>,
    /// Outcomes of the questions before an audit.
    asked: Mutex<Outcomes>,
}

impl Process {
    /// A program that has not been started yet.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            word: sweep::word(),
            mode: AtomicU8::new(Mode::Batches as u8),
            most_runs: AtomicU64::new(u64::MAX),
            idle: Mutex::new(Vec::new()),
            has_query: Mutex::new(None),
            requests: AtomicU64::new(0),
            retried: AtomicU64::new(0),
            first_retry: Mutex::new(None),
            notes: Mutex::new(Vec::new()),
            asked: Mutex::new(Outcomes::new()),
        }
    }

    fn mode(&self) -> Mode {
        match self.mode.load(Ordering::Relaxed) {
            0 => Mode::Batches,
            1 => Mode::Fresh,
            2 => Mode::OneByOne,
            _ => Mode::InTurn,
        }
    }

    fn start(&self) -> Result<Child, Failure> {
        Child::start(&self.settings.command, &self.settings.folder, &self.word)
    }

    /// A request with a seed of its own.
    fn request<'a>(&self, dataset: &'a str, runs: usize, seed: u64) -> Request<'a> {
        let id = self.requests.fetch_add(1, Ordering::Relaxed);
        Request { id, dataset, interleaved: None, runs, seed, format: self.settings.format }
    }

    /// Asks this copy; what it gave is forgotten if it fails.
    fn ask(
        &self,
        child: &mut Child,
        request: &Request<'_>,
        outcomes: &mut Outcomes,
        interrupted: &AtomicBool,
    ) -> Result<Option<u64>, Failure> {
        let before = outcomes.len();
        let patience = talk::until(self.settings.timeout, interrupted);
        let mut nanoseconds = None;
        let asked = talk::ask(child, request, patience, outcomes, &mut |said| nanoseconds = said);
        if asked.is_err() {
            outcomes.truncate(before);
        }
        asked.map(|()| nanoseconds)
    }

    /// Asks a copy that lives on, and if it breaks down once more a fresh one.
    fn ask_any(
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
            let idle = if attempt == 0 { lock(&self.idle).pop() } else { None };
            let mut child = match idle {
                Some(child) => child,
                None => self.start().map_err(|failure| Broken::new(failure, &request, ""))?,
            };
            match self.ask(&mut child, &request, outcomes, interrupted) {
                Ok(_) => {
                    lock(&self.idle).push(child);
                    if let Some(failure) = failed {
                        self.note_retry(&failure, &request);
                    }
                    return Ok(());
                }
                Err(failure) => {
                    last_words = child.last_words();
                    child.kill();
                    let again = matches!(failure, Failure::Died(_) | Failure::Timeout(_));
                    failed = Some(failure);
                    if !again {
                        break;
                    }
                }
            }
        }
        let failure = failed.unwrap_or(Failure::Interrupted);
        Err(Broken::new(failure, &request, &last_words))
    }

    fn note_retry(&self, failure: &Failure, request: &Request<'_>) {
        self.retried.fetch_add(1, Ordering::Relaxed);
        let words = format!("{} on {}", failure_words(failure, &self.settings), request.words());
        lock(&self.first_retry).get_or_insert(words);
    }

    /// One run in a fresh copy; a breakdown is its outcome.
    fn run_fresh(
        &self,
        dataset: &str,
        seed: u64,
        interrupted: &AtomicBool,
    ) -> Result<Timed, Trouble> {
        let request = self.request(dataset, 1, seed);
        let broken = |failure, words: &str| self.trouble(&Broken::new(failure, &request, words));
        let mut child = self.start().map_err(|failure| broken(failure, ""))?;
        self.run_in(&mut child, &request, interrupted, true).map_err(|(failure, words)| {
            child.kill();
            broken(failure, &words)
        })
    }

    /// One run; a breakdown is its outcome, and ends the copy.
    fn run_in(
        &self,
        child: &mut Child,
        request: &Request<'_>,
        interrupted: &AtomicBool,
        last: bool,
    ) -> Result<Timed, (Failure, String)> {
        let mut outcomes = Outcomes::new();
        match self.ask(child, request, &mut outcomes, interrupted) {
            Ok(nanoseconds) => {
                if last {
                    child.stop();
                }
                Ok((outcomes.get(0).to_owned(), nanoseconds))
            }
            Err(failure @ (Failure::Died(_) | Failure::Timeout(_))) => {
                child.kill();
                Ok((Outcome::Failure(outcome_words(&failure)), None))
            }
            Err(failure) => Err((failure, child.last_words())),
        }
    }

    /// One run, in a copy that lives on or a fresh one.
    fn run_one(
        &self,
        dataset: &Dataset,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Timed, Trouble> {
        let (dataset, seed) = (text(&self.settings, dataset), seed(random));
        if self.mode() == Mode::Fresh {
            return self.run_fresh(&dataset, seed, interrupted);
        }
        let request = self.request(&dataset, 1, seed);
        let broken = |failure, words: &str| self.trouble(&Broken::new(failure, &request, words));
        let idle = lock(&self.idle).pop();
        let mut child = match idle {
            Some(child) => child,
            None => self.start().map_err(|failure| broken(failure, ""))?,
        };
        let timed = self
            .run_in(&mut child, &request, interrupted, false)
            .map_err(|(failure, words)| broken(failure, &words))?;
        if !child.is_gone() {
            lock(&self.idle).push(child);
        }
        Ok(timed)
    }

    /// Runs on both datasets in the order of the coins, by one request. Fewer than there are coins where it breaks
    /// down: that is the last outcome then.
    fn run_interleaved(
        &self,
        datasets: [&str; 2],
        coins: &[bool],
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Vec<(Outcome, u64)>, Trouble> {
        let mut request = self.request(datasets[0], coins.len(), seed(random));
        request.interleaved = Some((datasets[1], coins));
        let broken = |failure, words: &str| self.trouble(&Broken::new(failure, &request, words));
        let idle = lock(&self.idle).pop();
        let mut child = match idle {
            Some(child) => child,
            None => self.start().map_err(|failure| broken(failure, ""))?,
        };
        let (mut outcomes, mut times) = (Outcomes::new(), Vec::with_capacity(coins.len()));
        let patience = talk::until(self.settings.timeout, interrupted);
        let start = Instant::now();
        let asked =
            talk::ask(&mut child, &request, patience, &mut outcomes, &mut |said| times.push(said));
        let failed = match asked {
            Ok(()) => None,
            Err(failure @ (Failure::Died(_) | Failure::Timeout(_))) => {
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
            return Err(broken(Failure::Protocol(what.into()), ""));
        };
        if failed.is_none() {
            lock(&self.idle).push(child);
        }
        let given = outcomes.iter().map(|outcome| outcome.to_owned()).zip(times);
        Ok(given.chain(failed).collect())
    }

    fn trouble(&self, broken: &Broken) -> Trouble {
        if broken.failure == Failure::Interrupted {
            return Trouble::Interrupted;
        }
        let what = failure_words(&broken.failure, &self.settings);
        let mut words = format!("The program broke its contract: {what} on {}.", broken.request);
        if matches!(broken.failure, Failure::Start(_)) {
            words = format!("The program could not be run: {what}.");
        }
        if matches!(broken.failure, Failure::Died(_) | Failure::Timeout(_)) {
            words = format!("The program broke down, twice: {what} on {}.", broken.request);
        }
        if let Some(remedy) = remedy(&broken.failure) {
            words.push_str(&format!(" {remedy}"));
        }
        if !broken.last_words.is_empty() {
            words.push_str(&format!(" Its standard error ends: {}", broken.last_words));
        }
        Trouble::Broken(words)
    }
}

/// An outcome, and the nanoseconds that it took, if the program says so.
type Timed = (Outcome, Option<u64>);

/// A request that failed for good.
struct Broken {
    failure: Failure,
    request: String,
    last_words: String,
}

impl Broken {
    fn new(failure: Failure, request: &Request<'_>, last_words: &str) -> Self {
        Self { failure, request: request.words(), last_words: last_words.to_owned() }
    }
}

fn failure_words(failure: &Failure, settings: &Settings) -> String {
    match failure {
        Failure::Interrupted => "interrupted".into(),
        Failure::Start(words) | Failure::Protocol(words) | Failure::Stray(words) => words.clone(),
        Failure::Died(words) => format!("it broke off ({words})"),
        Failure::Timeout(None) => format!("it gave no answer within {} s", settings.timeout),
        Failure::Timeout(Some((given, runs))) => {
            format!("it gave only {given} of {runs} outcomes within {} s", settings.timeout)
        }
    }
}

/// What mostly helps.
fn remedy(failure: &Failure) -> Option<&'static str> {
    match failure {
        Failure::Stray(_) => Some(
            "All that a program prints on standard output must be outcomes. A banner is what is printed \
             there and is none, such as a greeting, a log or a warning of a library: print it to standard \
             error (in Python: print(.., file=sys.stderr); `serve` of the package plaudit sends all prints \
             there). An outcome that is a text stands in double quotes.",
        ),
        Failure::Timeout(_) => Some(
            "If it did answer, the answer may still be in its buffer: flush standard output after each \
             request (in Python: sys.stdout.flush(); in C: fflush(stdout)), and read \
             its requests line by line, not to the end. If it needs longer, raise `timeout`, or lower `batch`.",
        ),
        _ => None,
    }
}

/// A breakdown as an outcome: the same words for the same kind of end.
fn outcome_words(failure: &Failure) -> String {
    match failure {
        Failure::Died(words) => {
            let how = words.split(',').next().unwrap_or_default();
            format!("the program broke off ({how})")
        }
        _ => "timeout".into(),
    }
}

/// What a thread that panicked left behind is whole: each change is a single push or pop.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the program gets. It may look for files from another folder than it was started in, so their paths
/// are whole.
fn text(settings: &Settings, dataset: &Dataset) -> String {
    match dataset.file() {
        Some(FileDataset { path, sha256 }) => {
            let path = find::full(path, &settings.folder);
            Dataset::of_file(&path, sha256).to_wire()
        }
        None => dataset.to_wire(),
    }
}

/// Whether a file is what it was when its hash was taken.
fn unchanged(settings: &Settings, file: FileDataset<'_>) -> Result<(), String> {
    let FileDataset { path, sha256 } = file;
    let full = settings.folder.join(path);
    let path = path.escape_debug();
    match sha256_of(&full) {
        Err(error) => Err(format!("the file `{path}` cannot be read: {error}")),
        Ok(found) if found != sha256 => Err(format!(
            "the file `{path}` is not the one that was meant: its SHA-256 is {found}, not {}",
            sha256.escape_debug()
        )),
        Ok(_) => Ok(()),
    }
}

/// A seed below 2⁶³, which every language can hold.
fn seed(random: &mut Stream) -> u64 {
    random.next_u64() >> 1
}

impl Mechanism<Dataset> for Process {
    fn run(&self, dataset: &Dataset, random: &mut Stream) -> Outcome {
        let never = AtomicBool::new(false);
        match self.try_run(dataset, random, &never) {
            Ok(outcome) => outcome,
            Err(trouble) => Outcome::Failure(trouble.to_string()),
        }
    }

    fn accepts(&self, dataset: &Dataset) -> Result<(), String> {
        dataset.file().map_or(Ok(()), |file| unchanged(&self.settings, file))
    }

    fn runs_are_independent(&self) -> bool {
        !matches!(self.mode(), Mode::InTurn | Mode::OneByOne)
    }

    fn try_fill(
        &self,
        dataset: &Dataset,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        interrupted: &AtomicBool,
    ) -> Result<(), Trouble> {
        if self.mode() == Mode::Batches {
            let dataset = text(&self.settings, dataset);
            let asked = (runs, seed(random));
            return self
                .ask_any(&dataset, asked, outcomes, interrupted)
                .map_err(|broken| self.trouble(&broken));
        }
        for _ in 0..runs {
            outcomes.push(self.try_run(dataset, random, interrupted)?);
        }
        Ok(())
    }

    fn try_run(
        &self,
        dataset: &Dataset,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Outcome, Trouble> {
        if self.mode() == Mode::OneByOne {
            let mut outcomes = Outcomes::new();
            self.ask_any(
                &text(&self.settings, dataset),
                (1, seed(random)),
                &mut outcomes,
                interrupted,
            )
            .map_err(|broken| self.trouble(&broken))?;
            return Ok(outcomes.get(0).to_owned());
        }
        Ok(self.run_one(dataset, random, interrupted)?.0)
    }

    fn try_run_timed(
        &self,
        dataset: &Dataset,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<(Outcome, u64), Trouble> {
        let start = Instant::now();
        let (outcome, nanoseconds) = self.run_one(dataset, random, interrupted)?;
        let measured = nanoseconds_since(start);
        Ok((outcome, nanoseconds.unwrap_or(measured)))
    }

    fn timed_at_once(&self) -> usize {
        match self.mode() {
            Mode::Fresh => 1,
            _ if self.settings.interleaved => {
                self.settings.batch.unwrap_or(INTERLEAVED).min(INTERLEAVED)
            }
            _ => 1,
        }
    }

    fn try_runs_timed(
        &self,
        datasets: [&Dataset; 2],
        coins: &[bool],
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Vec<(Outcome, u64)>, Trouble> {
        let datasets = datasets.map(|dataset| text(&self.settings, dataset));
        let datasets = [datasets[0].as_str(), datasets[1].as_str()];
        self.run_interleaved(datasets, coins, random, interrupted)
    }

    fn batch(&self) -> Option<usize> {
        Some(match self.mode() {
            Mode::Fresh => 16,
            Mode::OneByOne => ONE_BY_ONE,
            _ => {
                let batch = self.settings.batch.unwrap_or(self.settings.format.batch());
                let most = self.most_runs.load(Ordering::Relaxed);
                batch.min(usize::try_from(most).unwrap_or(usize::MAX))
            }
        })
    }

    fn prepare(
        &self,
        pair: [&Dataset; 2],
        trials: u64,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Prepared, Trouble> {
        self.find_out(pair, trials, random, interrupted)
    }

    fn seen_in_prepare(&self) -> Outcomes {
        std::mem::take(&mut *lock(&self.asked))
    }

    fn query(
        &self,
        dataset: &Dataset,
        interrupted: &AtomicBool,
    ) -> Result<Option<Answer>, Trouble> {
        self.answer(dataset, interrupted)
    }

    fn finish(&self) {
        let mut children = std::mem::take(&mut *lock(&self.idle));
        // All together, so that they can end by themselves at the same time.
        children.iter_mut().for_each(Child::close);
        children.iter_mut().for_each(Child::stop);
        drop(children);
        if self.requests.swap(0, Ordering::Relaxed) > 0 {
            sweep::sweep(&self.word);
        }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = lock(&self.notes).clone();
        let retried = self.retried.load(Ordering::Relaxed);
        if let (Some(first), true) = (lock(&self.first_retry).as_ref(), retried > 0) {
            let times = if retried == 1 { "once".into() } else { format!("{retried} times") };
            notes.push(format!(
                "The program broke down {times} and was asked again in a fresh copy, which \
                 answered; the first time {first}. An adversary may see such breakdowns: what is \
                 said here is said of the runs that were answered."
            ));
        }
        notes
    }
}

impl CatalogMechanism for Process {
    fn describe(&self) -> String {
        format!("Runs `{}`.", self.settings.command.join(" "))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.finish();
    }
}
