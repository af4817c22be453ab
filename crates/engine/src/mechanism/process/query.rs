//! Queries: answers of a program without noise, if it declares that it gives them.

use super::Process;
use super::session::lock;
use crate::mechanism::program::{
    Broken, Copy, ProgramFailure, Request, declares_query, failure_of, read_numbers, single_line,
    until,
};
use crate::mechanism::{Answer, Trouble};
use std::sync::atomic::AtomicBool;

impl Process {
    /// The answer of the program's query on a dataset as requests have it; `None` if it does not declare one.
    pub(super) fn query(
        &self,
        dataset: &str,
        interrupted: &AtomicBool,
    ) -> Result<Option<Answer>, Trouble> {
        if let Some(clean) = &self.clean {
            return Ok(read_numbers(clean.value(dataset, interrupted)?.as_bytes()).ok());
        }
        let request = self.request(dataset, 1, 0);
        if let Some(function) = &self.function {
            let answer = function.query(dataset, interrupted);
            return answer.map_err(|trouble| self.broken(failure_of(trouble), &request));
        }
        if !self.has_query(&request, interrupted)? {
            return Ok(None);
        }
        let request = self.request(dataset, 1, 0);
        let said =
            self.asked_line(&request, &request.asking("query"), false, interrupted, read_numbers);
        said.map(Some).map_err(|broken| self.trouble(&broken))
    }

    /// A program's one line in answer to a request, asked of a living copy unless `is_fresh`, and if it breaks down, of
    /// a fresh one.
    pub(super) fn asked_line<T>(
        &self,
        request: &Request<'_>,
        line: &str,
        is_fresh: bool,
        interrupted: &AtomicBool,
        read: impl Fn(&[u8]) -> Result<T, ProgramFailure>,
    ) -> Result<T, Broken> {
        let copy = if is_fresh { self.start() } else { self.living() };
        let mut copy = copy.map_err(|failure| Broken::new(failure, request, ""))?;
        let ask = |copy: &mut Copy| match copy {
            Copy::Program(child) => {
                let patience = until(self.settings.timeout, interrupted);
                read(&single_line(child, line, patience)?)
            }
            Copy::Function(_) => Err(ProgramFailure::Interrupted),
        };
        let (said, _) = self.ask_twice(&mut copy, request, ProgramFailure::is_breakdown, ask)?;
        self.keep(copy);
        Ok(said)
    }

    /// `true` if it declares that it answers queries; asked once.
    fn has_query(&self, request: &Request<'_>, interrupted: &AtomicBool) -> Result<bool, Trouble> {
        let mut known = lock(&self.session.has_query);
        if let Some(known) = *known {
            return Ok(known);
        }
        let copy = self.start().map_err(|failure| self.broken(failure, request))?;
        let Copy::Program(mut child) = copy else { return Ok(false) };
        let patience = until(self.settings.timeout, interrupted);
        let has = match single_line(&mut child, &request.asking("capabilities"), patience) {
            Ok(line) => declares_query(&line),
            Err(ProgramFailure::Interrupted) => return Err(Trouble::Interrupted),
            // A program without support for capabilities may answer with anything.
            Err(_) => false,
        };
        child.stop();
        *known = Some(has);
        Ok(has)
    }
}
