//! One question to one copy, and what all answers have in common: the outcomes that were seen.

use super::diagnosis::FirstAnswer;
use super::{Process, seed};
use crate::mechanism::program::{Broken, Copy, ProgramFailure};
use crate::mechanism::{Outcome, Outcomes, Planned};
use plaudit_core::random::Stream;
use std::sync::atomic::AtomicBool;

/// The questions before an audit of two datasets.
pub(super) struct Probe<'a> {
    pub process: &'a Process,
    pub datasets: [&'a str; 2],
    pub planned: Planned,
    pub random: &'a mut Stream,
    pub interrupted: &'a AtomicBool,
    /// All outcomes of the questions.
    pub seen: Outcomes,
    pub first: Option<FirstAnswer>,
}

/// Answers of a copy to a question: one for each request.
pub(super) type CopyAnswers = Vec<Outcomes>;

impl Probe<'_> {
    pub fn seed(&mut self) -> u64 {
        seed(self.random)
    }

    pub fn started(&self, dataset: &str) -> Result<Copy, Broken> {
        let process = self.process;
        let words = |failure| Broken::new(failure, &process.request(dataset, 0, 0), "");
        process.start().map_err(words)
    }

    /// Asks a copy; after a breakdown, a fresh one, which then takes its place.
    pub fn question(
        &mut self,
        copy: &mut Copy,
        dataset: &str,
        asked: (usize, u64),
    ) -> Result<Outcomes, Broken> {
        let answer = self.answer(copy, dataset, asked)?;
        self.saw(&answer);
        Ok(answer)
    }

    /// An answer that does not count as seen yet.
    pub fn answer(
        &self,
        copy: &mut Copy,
        dataset: &str,
        (runs, seed): (usize, u64),
    ) -> Result<Outcomes, Broken> {
        let process = self.process;
        let request = process.request(dataset, runs, seed);
        let mut outcomes = Outcomes::new();
        let ask = |copy: &mut Copy| process.ask(copy, &request, &mut outcomes, self.interrupted);
        // What was always silent stays so.
        let again = |failure: &ProgramFailure| match failure {
            ProgramFailure::Timeout(_) => !self.seen.is_empty(),
            other => other.is_breakdown(),
        };
        let (_, failed) = process.ask_twice(copy, &request, again, ask)?;
        if let Some(failure) = failed {
            process.note_breakdown(&failure, &request, false);
        }
        Ok(outcomes)
    }

    pub fn saw(&mut self, outcomes: &Outcomes) {
        outcomes.iter().for_each(|outcome| self.seen.push_ref(outcome));
    }

    /// Asks a copy in several requests, each with this number of runs and such a seed.
    pub fn questions(
        &mut self,
        copy: &mut Copy,
        dataset: &str,
        requests: &[(usize, u64)],
    ) -> Result<CopyAnswers, Broken> {
        requests.iter().map(|asked| self.question(copy, dataset, *asked)).collect()
    }

    /// Asks a copy for one run with a seed of its own.
    pub fn one_run(&mut self, copy: &mut Copy, dataset: &str) -> Result<Outcome, Broken> {
        let seed = self.seed();
        Ok(self.question(copy, dataset, (1, seed))?.get(0).to_owned())
    }
}
