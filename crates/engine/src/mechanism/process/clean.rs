//! The clean stage of a mechanism in two stages: the noise stage gets its answer in place of the dataset. Datasets are as
//! requests have them.

use super::session::lock;
use super::{Process, seed};
use crate::mechanism::program::ProgramFailure;
use crate::mechanism::wire::push_line;
use crate::mechanism::{Outcome, Outcomes, Trouble};
use plaudit_core::random::Stream;
use plaudit_core::visible;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Answers that are kept.
const KEPT: usize = 256;
/// Most whole runs on a dataset, in which the clean stage answers again, and the time after which only one more is made.
const WHOLE_RUNS: (usize, Duration) = (8, Duration::from_secs(1));

impl Process {
    /// The answer of a clean stage on a dataset, in JSON; it is asked once.
    pub(super) fn value(&self, dataset: &str, interrupted: &AtomicBool) -> Result<String, Trouble> {
        let mut known = lock(&self.session.values);
        if let Some(value) = known.get(dataset) {
            return Ok(value.clone());
        }
        let value = self.clean_answer(dataset, (0, false), interrupted)?;
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(dataset.to_owned(), value.clone());
        Ok(value)
    }

    /// Whole runs on a dataset: a clean stage answers again, with other seeds, in copies that live and in fresh ones.
    ///
    /// # Errors
    /// If it does not answer the same every time.
    pub(super) fn is_deterministic(
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
            let again = self.clean_answer(dataset, (seed, run % 2 == 0), interrupted)?;
            if again != value {
                return Err(Self::not_deterministic(&value, &again));
            }
        }
        Ok(())
    }

    fn clean_answer(
        &self,
        dataset: &str,
        (seed, is_fresh): (u64, bool),
        interrupted: &AtomicBool,
    ) -> Result<String, Trouble> {
        let request = self.request(dataset, 1, seed);
        let said = self.asked_line(&request, &request.line(), is_fresh, interrupted, |line| {
            let mut outcomes = Outcomes::new();
            let no_answer = ProgramFailure::Protocol;
            push_line(line, &mut outcomes).map_err(|error| no_answer(error.to_string()))?;
            if let Outcome::Failure(words) = outcomes.get(0).to_owned() {
                return Err(no_answer(format!(
                    "it failed: {}; where a failure is an outcome, audit whole runs (`command`)",
                    visible::excerpt(words.as_bytes())
                )));
            }
            Ok(String::from_utf8_lossy(line).trim().to_owned())
        });
        said.map_err(|broken| match self.trouble(&broken) {
            Trouble::Broken(words) => Trouble::Broken(format!("The clean stage: {words}")),
            other => other,
        })
    }
}
