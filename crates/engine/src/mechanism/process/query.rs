//! Queries: answers of a program without noise, if it declares that it gives them.

use super::broken::Broken;
use super::child::{Child, Patience, ProgramFailure};
use super::talk::{Copy, failure_of};
use super::{Answerer, Process, lock, talk, text};
use crate::mechanism::wire::push_line;
use crate::mechanism::{Answer, Outcome, Outcomes, Trouble};
use plaudit_core::dataset::Dataset;
use serde_json::Value;
use std::sync::atomic::AtomicBool;

/// Key of a program's declared capabilities: no key of an outcome begins with `$`.
const CAPABILITIES: &str = "$capabilities";

impl Process {
    /// The answer of the program's query; `None` if it does not declare one.
    pub(super) fn query(
        &self,
        dataset: &Dataset,
        interrupted: &AtomicBool,
    ) -> Result<Option<Answer>, Trouble> {
        let dataset = text(&self.settings, dataset);
        if let Some(clean) = &self.clean {
            return clean.numbers(&dataset, interrupted);
        }
        if let Answerer::Function { function, .. } = &self.source {
            let request = self.request(&dataset, 1, 0);
            return function
                .query(&dataset, interrupted)
                .map_err(|trouble| self.trouble(&Broken::new(failure_of(trouble), &request, "")));
        }
        if !self.has_query(&dataset, interrupted)? {
            return Ok(None);
        }
        let said = self.asked_line(&self.line("query", &dataset), false, interrupted, answer);
        said.map(Some).map_err(|(failure, words)| {
            self.trouble(&Broken::new(failure, &self.request(&dataset, 1, 0), &words))
        })
    }

    /// What a program's one line says in answer to a request, asked of a living copy unless `is_fresh`, and if it breaks
    /// down, of a fresh one; or how it failed, with its last words.
    pub(super) fn asked_line<T>(
        &self,
        line: &str,
        is_fresh: bool,
        interrupted: &AtomicBool,
        read: impl Fn(&[u8]) -> Result<T, ProgramFailure>,
    ) -> Result<T, (ProgramFailure, String)> {
        let mut failed = (ProgramFailure::Interrupted, String::new());
        for attempt in 0..2 {
            let idle = if attempt == 0 && !is_fresh { lock(&self.idle).pop() } else { None };
            let copy = idle.map_or_else(|| self.start(), Ok);
            let Copy::Program(mut child) = copy.map_err(|failure| (failure, String::new()))? else {
                break;
            };
            let patience = talk::until(self.settings.timeout, interrupted);
            match ask(&mut child, line, patience).and_then(|line| read(&line)) {
                Ok(said) => {
                    lock(&self.idle).push(Copy::Program(child));
                    return Ok(said);
                }
                Err(failure) => {
                    failed = (failure, child.last_words());
                    child.kill();
                    if !matches!(failed.0, ProgramFailure::Died(_) | ProgramFailure::Timeout(_)) {
                        break;
                    }
                }
            }
        }
        Err(failed)
    }

    /// `true` if it declares that it answers queries; asked once.
    fn has_query(&self, dataset: &str, interrupted: &AtomicBool) -> Result<bool, Trouble> {
        let mut known = lock(&self.has_query);
        if let Some(known) = *known {
            return Ok(known);
        }
        let broken = |failure| Broken::new(failure, &self.request(dataset, 1, 0), "");
        let copy = self.start().map_err(|failure| self.trouble(&broken(failure)))?;
        let Copy::Program(mut child) = copy else { return Ok(false) };
        let patience = talk::until(self.settings.timeout, interrupted);
        let has = match ask(&mut child, &self.line("capabilities", dataset), patience) {
            Ok(line) => says(&line),
            Err(ProgramFailure::Interrupted) => return Err(Trouble::Interrupted),
            // A program without support for capabilities may answer with anything.
            Err(_) => false,
        };
        child.stop();
        *known = Some(has);
        Ok(has)
    }

    /// A request for something other than runs. A program that ignores `ask` takes it for a run.
    fn line(&self, ask: &str, dataset: &str) -> String {
        let id = self.request(dataset, 1, 0).id;
        format!(
            "{{\"plaudit\": 1, \"id\": {id}, \"ask\": \"{ask}\", \"runs\": 1, \"seed\": 0, \
             \"format\": \"json\", \"dataset\": {dataset}}}\n"
        )
    }
}

/// Writes a request, and reads the one line that answers it.
fn ask(
    child: &mut Child,
    request: &str,
    patience: Patience<'_>,
) -> Result<Vec<u8>, ProgramFailure> {
    talk::nothing_before(child)?;
    child.write(request.as_bytes(), patience)?;
    let line = talk::read_line(child, patience)?;
    talk::nothing_more(child, "one line")?;
    Ok(line)
}

/// `true` if a line declares that queries are answered.
fn says(line: &[u8]) -> bool {
    let said = serde_json::from_slice::<Value>(line).ok();
    let listed = said.as_ref().and_then(|said| said.get(CAPABILITIES)?.as_array());
    listed.is_some_and(|listed| listed.iter().any(|word| word == "query"))
}

/// The answer in a line.
pub(super) fn answer(line: &[u8]) -> Result<Answer, ProgramFailure> {
    let protocol =
        |why: String| ProgramFailure::Protocol(format!("its answer to a query is none: {why}"));
    let mut outcomes = Outcomes::new();
    push_line(line, &mut outcomes).map_err(|error| protocol(error.to_string()))?;
    match outcomes.get(0).to_owned() {
        Outcome::Number(x) => Ok(Ok(vec![x])),
        Outcome::Vector(values) => Ok(Ok(values)),
        Outcome::Failure(words) => Ok(Err(words)),
        // Distances are compared exactly, so that no answer may be rounded.
        Outcome::Integer(whole) if i128::from(whole) == (whole as f64) as i128 => {
            Ok(Ok(vec![whole as f64]))
        }
        _ => Err(protocol(format!(
            "it is a number, or a list of numbers (integers beyond 2^53 that no double holds are too \
             large), and this is {}",
            plaudit_core::visible::excerpt(line)
        ))),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/mechanism/process/query.rs"]
mod tests;
