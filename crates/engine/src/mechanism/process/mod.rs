//! Programs as mechanisms: any language, over standard input and output. `docs/external.md`
//! specifies their input and output.
//!
//! Each thread has one copy, which answers batches. A copy that fails is killed with all that it
//! has started, and a fresh one is asked once more. [`Process::prepare`] finds out how to run a
//! program (batch by batch in living copies, or a fresh copy for every run): see `questions.rs`, `plan.rs`.

mod asking;
mod broken;
mod child;
mod clean;
mod diagnosis;
mod drift;
mod exchange;
pub mod find;
mod plan;
mod query;
mod questions;
mod seeds;
mod settings;
mod sharing;
mod stage;
mod sweep;
mod talk;
mod watch;

use super::CatalogMechanism;
use super::{
    Answer, Capabilities, Function, Mechanism, Outcome, Outcomes, Planned, Prepared, Query,
    Requests, Timer, Trouble, nanoseconds_since,
};
pub use child::kill_all;
use plaudit_core::dataset::{Dataset, FileDataset, sha256_of};
use plaudit_core::random::Stream;
pub use settings::{Format, ProgramSettings};

use diagnosis::Diagnosis;
use plan::{Mode, Plan, Subject};
use rand::Rng;
use stage::Stage;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use talk::Copy;

/// Most runs of a request on both datasets: its setup cost is then small for each of them.
const INTERLEAVED: usize = 256;

/// Half of the trials of a block where runs are requested one by one: small enough for all threads
/// to have some.
const ONE_BY_ONE: usize = 512;

/// Available copies of a function: processes that speak the protocol of programs, started by the
/// command of the settings, in which it has not been called before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionCopies {
    None,
    /// Some are asked whether they answer as the function does, mostly before an audit.
    Fresh,
    All,
}

/// Dataset, runs and seed of a request, and its answer.
type FirstAnswer = (String, (usize, u64), Outcomes);

/// Breakdowns after which a fresh copy answered.
#[derive(Default)]
struct Breakdowns {
    all: u64,
    /// The first, in words.
    first: Option<String>,
    /// By dataset, while trials were played.
    on: HashMap<String, u64>,
}

enum Answerer {
    Program,
    /// A function of this process: the only living copy.
    Function {
        function: Arc<dyn Function>,
        /// `true` if fresh copies of it can be started.
        has_copies: AtomicBool,
        /// `true` if copies, one for each thread, answer all requests for the function.
        run_in_copies: bool,
    },
}

/// A program as a mechanism, or a function of this process that is asked like one.
pub struct Process {
    settings: ProgramSettings,
    source: Answerer,
    /// The stage whose answer it gets in place of the dataset.
    clean: Option<Box<dyn Stage>>,
    /// Word in the environment of all processes that it starts.
    word: String,
    mode: AtomicU8,
    /// Most runs of a request of the current audit.
    most_runs: AtomicU64,
    /// `true` if it follows the seed that it is given.
    follows_seed: AtomicBool,
    /// Requests for batches that living copies have answered since then, and microseconds spent on
    /// comparing them with fresh ones.
    lived: AtomicU64,
    compared: AtomicU64,
    idle: Mutex<Vec<Copy>>,
    /// `true` if it answers queries; `None` until it was asked.
    has_query: Mutex<Option<bool>>,
    requests: AtomicU64,
    breakdowns: Mutex<Breakdowns>,
    notes: Mutex<Vec<String>>,
    /// Outcomes of the questions before an audit.
    asked: Mutex<Outcomes>,
    /// Diagnosis of an earlier look.
    diagnosis: Mutex<Option<Diagnosis>>,
    /// For a function, the first question, by dataset, runs and seed, and its answer.
    first_answer: Mutex<Option<FirstAnswer>>,
}

impl Process {
    /// A function of this process; without copies, the command of the settings is not used.
    pub fn of_function(
        function: Arc<dyn Function>,
        settings: ProgramSettings,
        copies: FunctionCopies,
    ) -> Self {
        let has_copies = AtomicBool::new(copies != FunctionCopies::None);
        let run_in_copies = copies == FunctionCopies::All;
        Self::of(settings, Answerer::Function { function, has_copies, run_in_copies }, None)
    }

    fn of(settings: ProgramSettings, source: Answerer, clean: Option<Box<dyn Stage>>) -> Self {
        Self {
            word: sweep::word(),
            clean,
            settings,
            source,
            mode: AtomicU8::new(Mode::Batches as u8),
            most_runs: AtomicU64::new(u64::MAX),
            follows_seed: AtomicBool::new(false),
            lived: AtomicU64::new(0),
            compared: AtomicU64::new(0),
            idle: Mutex::new(Vec::new()),
            has_query: Mutex::new(None),
            requests: AtomicU64::new(0),
            breakdowns: Mutex::default(),
            notes: Mutex::new(Vec::new()),
            asked: Mutex::new(Outcomes::new()),
            diagnosis: Mutex::new(None),
            first_answer: Mutex::new(None),
        }
    }

    fn is_function(&self) -> bool {
        matches!(self.source, Answerer::Function { .. })
    }

    /// `true` if fresh copies can be started.
    fn has_copies(&self) -> bool {
        match &self.source {
            Answerer::Program => true,
            Answerer::Function { has_copies, .. } => has_copies.load(Ordering::Relaxed),
        }
    }

    /// The function, if it answers by itself.
    fn function(&self) -> Option<&Arc<dyn Function>> {
        match &self.source {
            Answerer::Function { function, run_in_copies, .. }
                if !(*run_in_copies && self.has_copies()) =>
            {
                Some(function)
            }
            _ => None,
        }
    }

    /// Number of requests answered at once: a function answers one after another.
    fn threads(&self) -> f64 {
        if self.function().is_some() { 1.0 } else { rayon::current_num_threads() as f64 }
    }

    /// Keeps a copy for later; not needed for a function that answers by itself.
    fn keep(&self, mut copy: Copy) {
        if self.function().is_some() {
            copy.stop();
        } else {
            lock(&self.idle).push(copy);
        }
    }

    /// A dataset in its form for requests: the answer of the clean stage on it, if there is one.
    fn text(&self, dataset: &Dataset, interrupted: &AtomicBool) -> Result<String, Trouble> {
        let text = text(&self.settings, dataset);
        match &self.clean {
            Some(clean) => clean.value(&text, interrupted),
            None => Ok(text),
        }
    }

    fn subject(&self) -> Subject {
        Subject {
            noun: self.noun(),
            is_function: self.is_function(),
            has_copies: self.has_copies(),
            threads: self.threads(),
            patience: self.settings.patience,
            is_asked_singly: self.settings.batch == Some(1),
        }
    }

    fn noun(&self) -> &'static str {
        if self.is_function() { "function" } else { "program" }
    }

    /// Number of runs of a request.
    fn batch(&self) -> usize {
        match self.mode() {
            Mode::Fresh => 16,
            Mode::OneByOne => ONE_BY_ONE,
            _ => {
                let batch = self.settings.batch.unwrap_or(self.settings.format.batch());
                let most = self.most_runs.load(Ordering::Relaxed);
                batch.min(usize::try_from(most).unwrap_or(usize::MAX))
            }
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
}

/// Locks a mutex, even after a panic, as each change is a single push or pop.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The dataset in its form for the program. The program may run in another folder than plaudit, so
/// paths of files are absolute.
fn text(settings: &ProgramSettings, dataset: &Dataset) -> String {
    match dataset.file() {
        Some(FileDataset { path, sha256 }) => {
            let path = find::full(path, &settings.folder);
            Dataset::of_file(&path, sha256).to_wire()
        }
        None => dataset.to_wire(),
    }
}

/// Checks that a file still has its hash.
fn unchanged(settings: &ProgramSettings, file: FileDataset<'_>) -> Result<(), String> {
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
    fn fill(
        &self,
        dataset: &Dataset,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        interrupted: &AtomicBool,
    ) -> Result<(), Trouble> {
        match self.mode() {
            Mode::Batches => {
                let dataset = self.text(dataset, interrupted)?;
                let (asked, before) = ((runs, seed(random)), outcomes.len());
                self.ask_any(&dataset, asked, outcomes, interrupted)
                    .map_err(|broken| self.trouble(&broken))?;
                self.still_like_fresh(&dataset, asked, (before, outcomes), interrupted)
            }
            Mode::OneByOne => {
                let dataset = self.text(dataset, interrupted)?;
                for _ in 0..runs {
                    self.ask_any(&dataset, (1, seed(random)), outcomes, interrupted)
                        .map_err(|broken| self.trouble(&broken))?;
                }
                Ok(())
            }
            Mode::Fresh | Mode::InTurn => {
                for _ in 0..runs {
                    outcomes.push(self.run_one(dataset, random, interrupted)?.0);
                }
                Ok(())
            }
        }
    }

    fn accepts(&self, dataset: &Dataset) -> Result<(), String> {
        dataset.file().map_or(Ok(()), |file| unchanged(&self.settings, file))
    }

    fn capabilities(&self) -> Capabilities<'_, Dataset> {
        Capabilities {
            independent: !matches!(self.mode(), Mode::InTurn | Mode::OneByOne),
            batch: Some(self.batch()),
            query: Some(self),
            timer: Some(self),
            requests: if self.is_function() { None } else { Some(self) },
            ..Capabilities::default()
        }
    }

    fn prepare(
        &self,
        pair: [&Dataset; 2],
        planned: Planned,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Prepared, Trouble> {
        if let Some(clean) = &self.clean {
            for dataset in pair {
                clean.check(&text(&self.settings, dataset), random, interrupted)?;
            }
        }
        let datasets = [self.text(pair[0], interrupted)?, self.text(pair[1], interrupted)?];
        let datasets = [datasets[0].as_str(), datasets[1].as_str()];
        self.mode.store(Mode::Batches as u8, Ordering::Relaxed);
        self.most_runs.store(u64::MAX, Ordering::Relaxed);
        self.follows_seed.store(false, Ordering::Relaxed);
        self.lived.store(0, Ordering::Relaxed);
        lock(&self.notes).clear();
        let while_playing = std::mem::take(&mut lock(&self.breakdowns).on);
        let known = lock(&self.diagnosis).take().filter(|it| it.serves(datasets, planned));
        let diagnosis = match known {
            Some(known) => known,
            None => self.diagnose(datasets, planned, random, interrupted)?,
        };
        lock(&self.breakdowns).on = while_playing;
        let plan = Plan::of(&diagnosis, planned, &self.subject());
        let seen = diagnosis.seen.clone();
        let each =
            plan.as_ref().ok().and_then(|plan| plan.seconds_of_a_run(&diagnosis, self.threads()));
        let pace = each.map(|each| (each, seen.len() as u64));
        *lock(&self.diagnosis) = Some(diagnosis);
        let Plan { mode, trials, stateful, follows_seed, most_runs, notes } = plan?;
        self.mode.store(mode as u8, Ordering::Relaxed);
        self.most_runs.store(most_runs, Ordering::Relaxed);
        self.follows_seed.store(follows_seed, Ordering::Relaxed);
        *lock(&self.notes) = notes;
        Ok(Prepared { trials, stateful, seen, pace })
    }

    fn breakdowns(&self, pair: [&Dataset; 2]) -> [u64; 2] {
        let breakdowns = lock(&self.breakdowns);
        let on = |dataset| {
            let text = self.text(dataset, &AtomicBool::new(false)).ok();
            text.and_then(|text| breakdowns.on.get(&text).copied()).unwrap_or(0)
        };
        pair.map(on)
    }

    fn finish(&self) {
        self.clean.iter().for_each(|clean| clean.finish());
        let mut children = std::mem::take(&mut *lock(&self.idle));
        // All together, so that they can end by themselves at the same time.
        children.iter_mut().for_each(Copy::close);
        children.iter_mut().for_each(Copy::stop);
        drop(children);
        if self.requests.swap(0, Ordering::Relaxed) > 0 && self.has_copies() {
            sweep::sweep(&self.word);
        }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = lock(&self.notes).clone();
        let Breakdowns { all, first, .. } = &*lock(&self.breakdowns);
        if let Some(first) = first {
            let times = if *all == 1 { "once".into() } else { format!("{all} times") };
            notes.push(format!(
                "The program broke down {times} and was asked again in a fresh copy, which \
                 answered; the first time {first}. An adversary may see such breakdowns: what is \
                 said here is said of the runs that were answered."
            ));
        }
        notes
    }
}

impl Query<Dataset> for Process {
    fn answer(
        &self,
        dataset: &Dataset,
        interrupted: &AtomicBool,
    ) -> Result<Option<Answer>, Trouble> {
        self.query(dataset, interrupted)
    }
}

impl Timer<Dataset> for Process {
    fn at_once(&self) -> usize {
        match self.mode() {
            Mode::Fresh => 1,
            _ if self.settings.interleaved || self.is_function() => {
                self.settings.batch.unwrap_or(INTERLEAVED).min(INTERLEAVED)
            }
            _ => 1,
        }
    }

    fn run_timed(
        &self,
        datasets: [&Dataset; 2],
        coins: &[bool],
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Vec<(Outcome, u64)>, Trouble> {
        if self.at_once() > 1 {
            let [d, d_prime] = datasets;
            let datasets = [self.text(d, interrupted)?, self.text(d_prime, interrupted)?];
            let datasets = [datasets[0].as_str(), datasets[1].as_str()];
            return self.run_interleaved(datasets, coins, random, interrupted);
        }
        let dataset = if coins[0] { datasets[0] } else { datasets[1] };
        let start = Instant::now();
        let (outcome, nanoseconds) = self.run_one(dataset, random, interrupted)?;
        let measured = nanoseconds_since(start);
        Ok(vec![(outcome, nanoseconds.unwrap_or(measured))])
    }
}

impl Requests<Dataset> for Process {
    fn example(&self, dataset: &Dataset) -> String {
        let dataset = text(&self.settings, dataset);
        if let Some(clean) = &self.clean {
            return clean.example(&dataset);
        }
        let (runs, seed, format) = (1, 0, self.settings.format);
        talk::Request { id: 0, dataset: &dataset, interleaved: None, runs, seed, format }.line()
    }
}

impl CatalogMechanism for Process {
    fn describe(&self) -> String {
        let command = self.settings.command.join(" ");
        match (&self.source, &self.settings.clean) {
            (Answerer::Program, None) => format!("Runs `{command}`."),
            (Answerer::Program, Some(clean)) => format!(
                "Runs `{}` once for each dataset, and `{command}` on its answer for each run. That assumes that the first, \
                 the clean stage, draws nothing, and that the second, the noise stage, sees of the dataset only this answer.",
                clean.join(" ")
            ),
            (Answerer::Function { .. }, _) => {
                "Calls a function of the process that plaudit runs in.".into()
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.finish();
    }
}
