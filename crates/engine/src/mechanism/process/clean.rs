//! The clean stage of a mechanism in two stages: the noise stage gets its answer in place of the dataset.

use super::broken::Broken;
use super::child::ProgramFailure;
use super::query::answer;
use super::settings::{Format, ProgramSettings};
use super::stage::Stage;
use super::talk::Request;
use super::{Answerer, Process, lock, seed};
use crate::mechanism::wire::push_line;
use crate::mechanism::{Answer, Mechanism as _, Outcome, Outcomes, Trouble};
use plaudit_core::random::Stream;
use plaudit_core::visible;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Answers that are kept.
const KEPT: usize = 256;
/// Most whole runs on a dataset, in which the clean stage answers anew, and the time after which there are no more but one.
const WHOLE_RUNS: (usize, Duration) = (8, Duration::from_secs(1));

/// A clean stage, and its answers.
struct CleanStage {
    program: Process,
    /// Answer in JSON, by dataset.
    known: Mutex<HashMap<String, String>>,
}

impl Process {
    /// A program that has not been started yet, with its clean stage, if the settings have one.
    pub fn new(settings: ProgramSettings) -> Self {
        let clean = settings.clean.as_ref().map(|command| {
            let (command, format) = (command.clone(), Format::Json);
            let clean = ProgramSettings { command, clean: None, format, ..settings.clone() };
            let program = Self::of(clean, Answerer::Program, None);
            Box::new(CleanStage { program, known: Mutex::default() }) as Box<dyn Stage>
        });
        Self::of(settings, Answerer::Program, clean)
    }
}

impl Stage for CleanStage {
    fn value(&self, dataset: &str, interrupted: &AtomicBool) -> Result<String, Trouble> {
        let mut known = lock(&self.known);
        if let Some(value) = known.get(dataset) {
            return Ok(value.clone());
        }
        let value = self.asked(dataset, (0, false), interrupted)?;
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(dataset.to_owned(), value.clone());
        Ok(value)
    }

    fn check(
        &self,
        dataset: &str,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<(), Trouble> {
        let value = self.value(dataset, interrupted)?;
        let (most, time) = WHOLE_RUNS;
        let start = Instant::now();
        // All of them, so that what is drawn next doesn't depend on the time.
        let seeds: Vec<u64> = (0..most).map(|_| seed(random)).collect();
        for (run, seed) in seeds.into_iter().enumerate() {
            if run > 0 && start.elapsed() > time {
                break;
            }
            let again = self.asked(dataset, (seed, run % 2 == 0), interrupted)?;
            if again != value {
                return Err(Trouble::Broken(format!(
                    "The clean stage is not deterministic: on one dataset it answered {}, and in another run {}. Runs \
                     of the noise stage on one of these answers say nothing of whole runs: draw all randomness in the \
                     noise stage, or audit whole runs (`command` in place of `stages`).",
                    visible::excerpt(value.as_bytes()),
                    visible::excerpt(again.as_bytes())
                )));
            }
        }
        Ok(())
    }

    fn numbers(&self, dataset: &str, interrupted: &AtomicBool) -> Result<Option<Answer>, Trouble> {
        Ok(answer(self.value(dataset, interrupted)?.as_bytes()).ok())
    }

    fn example(&self, dataset: &str) -> String {
        Request { id: 0, ..self.program.request(dataset, 1, 0) }.line()
    }

    fn finish(&self) {
        self.program.finish();
    }
}

impl CleanStage {
    fn asked(
        &self,
        dataset: &str,
        (seed, is_fresh): (u64, bool),
        interrupted: &AtomicBool,
    ) -> Result<String, Trouble> {
        let request = self.program.request(dataset, 1, seed);
        let said = self.program.asked_line(&request.line(), is_fresh, interrupted, |line| {
            let mut outcomes = Outcomes::new();
            let no_answer = ProgramFailure::Protocol;
            push_line(line, &mut outcomes).map_err(|error| no_answer(error.to_string()))?;
            if let Outcome::Failure(words) = outcomes.get(0).to_owned() {
                return Err(no_answer(format!(
                    "it failed: {}; where a failure is an outcome, audit whole runs (`command`)",
                    visible::excerpt(words.as_bytes())
                )));
            }
            let text = String::from_utf8_lossy(line);
            Ok(text.trim().to_owned())
        });
        said.map_err(|(failure, words)| {
            match self.program.trouble(&Broken::new(failure, &request, &words)) {
                Trouble::Broken(words) => Trouble::Broken(format!("The clean stage: {words}")),
                other => other,
            }
        })
    }
}
