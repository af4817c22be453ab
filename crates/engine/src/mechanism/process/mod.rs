//! Programs as mechanisms: any language, over standard input and output (`docs/external.md`).
//!
//! Each thread has one copy, which answers batches. A copy that fails is killed with all that it
//! has started, and a fresh one is asked once more. [`Process::prepare`] probes a program, which gives a diagnosis
//! (`questions.rs`), plans by it how the program is run (`plan.rs`: batch by batch in living copies, or a fresh copy
//! for every run), and the session (`session.rs`) has the copies and the plan from then on.

mod asking;
mod clean;
mod diagnosis;
mod drift;
mod plan;
mod probe;
mod query;
mod questions;
mod seeds;
mod session;
mod sharing;
mod words;

use super::program::{Copy, Format, ProgramSettings, Request, sweep};
use super::{
    Answer, Capabilities, CatalogMechanism, Function, Mechanism, Outcome, Outcomes, Planned,
    Prepared, Query, Requests, Timer, Trouble, nanoseconds_since,
};
use plan::{Mode, Plan, Subject};
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use session::{Session, lock};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Most runs of a request on both datasets: its setup cost is then small for each of them.
const INTERLEAVED: usize = 256;
/// Half of the trials of a block where runs are requested one by one: small enough for all threads to have some.
const ONE_BY_ONE: usize = 512;
/// Trials of a block where each has a fresh copy.
const FRESH: usize = 16;

/// Copies of a function: processes that speak the protocol of programs, started by the command of the settings, in
/// which it has not been called before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionCopies {
    None,
    /// Some are asked whether they answer as the function does, mostly before an audit.
    Fresh,
    All,
}

/// A program as a mechanism, or a function of this process that is asked like one.
pub struct Process {
    settings: ProgramSettings,
    /// A function of this process: the only living copy, unless `run_in_copies`.
    function: Option<Arc<dyn Function>>,
    /// `true` if copies of the function, one for each thread, answer all requests for it.
    run_in_copies: bool,
    /// The stage whose answer it gets in place of the dataset.
    clean: Option<Box<Process>>,
    session: Session,
}

impl Process {
    /// A program that has not been started yet, with its clean stage, if the settings have one.
    pub fn new(settings: ProgramSettings) -> Self {
        let clean = settings.clean.clone().map(|command| {
            let format = Format::Json;
            Box::new(Self::new(ProgramSettings {
                command,
                clean: None,
                format,
                ..settings.clone()
            }))
        });
        let session = Session::new(true);
        Self { settings, function: None, run_in_copies: false, clean, session }
    }

    /// A function of this process; without copies, the command of the settings is not used.
    pub fn of_function(
        function: Arc<dyn Function>,
        settings: ProgramSettings,
        copies: FunctionCopies,
    ) -> Self {
        Self {
            settings,
            function: Some(function),
            run_in_copies: copies == FunctionCopies::All,
            clean: None,
            session: Session::new(copies != FunctionCopies::None),
        }
    }

    /// `true` if fresh copies can be started.
    fn has_copies(&self) -> bool {
        self.session.has_copies.load(Ordering::Relaxed)
    }

    /// The function, if it answers by itself.
    fn direct(&self) -> Option<&Arc<dyn Function>> {
        self.function.as_ref().filter(|_| !(self.run_in_copies && self.has_copies()))
    }

    /// A dataset in its form for requests: the answer of the clean stage on it, if there is one.
    fn text(&self, dataset: &Dataset, interrupted: &AtomicBool) -> Result<String, Trouble> {
        let text = self.settings.wire(dataset);
        match &self.clean {
            Some(clean) => clean.value(&text, interrupted),
            None => Ok(text),
        }
    }

    fn texts(
        &self,
        [d, d_prime]: [&Dataset; 2],
        interrupted: &AtomicBool,
    ) -> Result<[String; 2], Trouble> {
        Ok([self.text(d, interrupted)?, self.text(d_prime, interrupted)?])
    }

    fn subject(&self) -> Subject {
        let is_direct = self.direct().is_some();
        Subject {
            has_copies: self.has_copies(),
            // A function answers one request after another.
            threads: if is_direct { 1.0 } else { rayon::current_num_threads() as f64 },
            patience: self.settings.patience,
            is_asked_singly: self.settings.batch == Some(1),
        }
    }

    /// Most runs of a request by its settings.
    fn most_runs(&self) -> usize {
        self.settings.batch.unwrap_or(self.settings.format.batch())
    }
}

/// A seed below 2⁶³, which every language can hold.
fn seed(random: &mut Stream) -> u64 {
    rand::Rng::next_u64(random) >> 1
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
        let dataset = self.text(dataset, interrupted)?;
        match self.session.plan().mode {
            Mode::Batches => {
                let (asked, before) = ((runs, seed(random)), outcomes.len());
                self.ask_any(&dataset, asked, outcomes, interrupted)?;
                self.still_like_fresh(&dataset, asked, (before, outcomes), interrupted)
            }
            Mode::OneByOne => (0..runs)
                .try_for_each(|_| self.ask_any(&dataset, (1, seed(random)), outcomes, interrupted)),
            mode @ (Mode::Fresh | Mode::InTurn) => (0..runs).try_for_each(|_| {
                let timed =
                    self.run_one(mode == Mode::Fresh, &dataset, seed(random), interrupted)?;
                outcomes.push(timed.0);
                Ok(())
            }),
        }
    }

    fn accepts(&self, dataset: &Dataset) -> Result<(), String> {
        dataset.file().map_or(Ok(()), |file| self.settings.unchanged(file))
    }

    fn capabilities(&self) -> Capabilities<'_, Dataset> {
        let plan = self.session.plan();
        let batch = match plan.mode {
            Mode::Fresh => FRESH,
            Mode::OneByOne => ONE_BY_ONE,
            Mode::Batches | Mode::InTurn => {
                self.most_runs().min(usize::try_from(plan.most_runs).unwrap_or(usize::MAX))
            }
        };
        Capabilities {
            independent: !matches!(plan.mode, Mode::InTurn | Mode::OneByOne),
            batch: Some(batch),
            slow: plan.slow,
            query: Some(self),
            timer: Some(self),
            requests: if self.function.is_some() { None } else { Some(self) },
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
                clean.is_deterministic(&self.settings.wire(dataset), random, interrupted)?;
            }
        }
        let datasets = self.texts(pair, interrupted)?;
        let datasets = datasets.each_ref().map(String::as_str);
        let known = self.session.begin().filter(|known| known.serves(datasets, planned));
        let diagnosis = match known {
            Some(known) => known,
            None => Arc::new(self.probe(datasets, planned, random, interrupted)?),
        };
        let subject = self.subject();
        let plan = Plan::of(&diagnosis, planned, &subject);
        self.session.known().diagnosis = Some(diagnosis.clone());
        let plan = plan.map_err(|note| Trouble::Broken(self.note(&note)))?;
        let seen = diagnosis.seen.clone();
        let pace = plan.seconds_of_a_run(&diagnosis, subject.threads);
        let pace = pace.map(|each| (each, seen.len() as u64));
        let prepared = Prepared { trials: plan.trials, stateful: plan.stateful, seen, pace };
        self.session.known().plan = Arc::new(plan);
        Ok(prepared)
    }

    fn breakdowns(&self, pair: [&Dataset; 2]) -> [u64; 2] {
        let texts = pair.map(|dataset| self.text(dataset, &AtomicBool::new(false)).ok());
        let known = self.session.known();
        texts.map(|text| text.and_then(|text| known.breakdowns.on.get(&text).copied()).unwrap_or(0))
    }

    fn finish(&self) {
        self.clean.iter().for_each(|clean| clean.finish());
        let mut children = std::mem::take(&mut *lock(&self.session.idle));
        // All together, so that they can end by themselves at the same time.
        children.iter_mut().for_each(Copy::close);
        children.iter_mut().for_each(Copy::stop);
        drop(children);
        if self.session.requests.swap(0, Ordering::Relaxed) > 0 && self.has_copies() {
            sweep(&self.session.word);
        }
    }

    fn notes(&self) -> Vec<String> {
        self.all_notes()
    }
}

impl Query<Dataset> for Process {
    fn answer(
        &self,
        dataset: &Dataset,
        interrupted: &AtomicBool,
    ) -> Result<Option<Answer>, Trouble> {
        self.query(&self.settings.wire(dataset), interrupted)
    }
}

impl Timer<Dataset> for Process {
    fn at_once(&self) -> usize {
        match self.session.plan().mode {
            Mode::Fresh => 1,
            _ if self.settings.interleaved || self.function.is_some() => {
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
            let datasets = self.texts(datasets, interrupted)?;
            let datasets = datasets.each_ref().map(String::as_str);
            return self.run_interleaved(datasets, coins, random, interrupted);
        }
        let dataset = if coins[0] { datasets[0] } else { datasets[1] };
        let is_fresh = self.session.plan().mode == Mode::Fresh;
        let start = Instant::now();
        let dataset = self.text(dataset, interrupted)?;
        let (outcome, nanoseconds) = self.run_one(is_fresh, &dataset, seed(random), interrupted)?;
        let measured = nanoseconds_since(start);
        Ok(vec![(outcome, nanoseconds.unwrap_or(measured))])
    }
}

impl Requests<Dataset> for Process {
    fn example(&self, dataset: &Dataset) -> String {
        let dataset = self.settings.wire(dataset);
        let format = if self.clean.is_some() { Format::Json } else { self.settings.format };
        Request { id: 0, dataset: &dataset, interleaved: None, runs: 1, seed: 0, format }.line()
    }
}

impl CatalogMechanism for Process {
    fn describe(&self) -> String {
        let command = self.settings.command.join(" ");
        match (&self.function, &self.settings.clean) {
            (Some(_), _) => "Calls a function of the process that plaudit runs in.".into(),
            (None, None) => format!("Runs `{command}`."),
            (None, Some(clean)) => format!(
                "Runs `{}` once for each dataset, and `{command}` on its answer for each run. That assumes that the first, \
                 the clean stage, draws nothing, and that the second, the noise stage, sees of the dataset only this answer.",
                clean.join(" ")
            ),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.finish();
    }
}
