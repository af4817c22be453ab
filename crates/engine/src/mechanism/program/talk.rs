//! One request and its answer.

use super::child::{Child, Patience};
use super::failure::ProgramFailure;
use super::request::Request;
use super::settings::Format;
use crate::mechanism::wire::{WireError, npy, push_lines_timed};
use crate::mechanism::{Function, FunctionRequest, Outcomes, Trouble};
use std::io::{Error, ErrorKind, Read};
use std::sync::Arc;
use std::time::Instant;

const MOST_LINE: usize = 16 << 20;
/// Most bytes that are read at once.
const PART: usize = 256 << 10;
/// Most bytes that are read at once, for each requested outcome.
const PART_OF_ONE: usize = 4 << 10;
/// Most bytes of outcomes of one answer.
const MOST_ANSWER: usize = 1 << 30;

pub enum Copy {
    /// A running copy of a program.
    Program(Child),
    /// A function of this process, which has no copies.
    Function(Arc<dyn Function>),
}

impl Copy {
    /// Asks for outcomes, and adds them: the requested number, or a failure. Returns the
    /// nanoseconds of each, if reported.
    pub fn ask(
        &mut self,
        request: &Request<'_>,
        patience: Patience<'_>,
        outcomes: &mut Outcomes,
        timed: &mut dyn FnMut(Option<u64>),
    ) -> Result<(), ProgramFailure> {
        match self {
            Self::Program(child) => ask(child, request, patience, outcomes, timed),
            Self::Function(function) => call(function.as_ref(), request, patience, outcomes, timed),
        }
    }

    pub fn last_words(&mut self) -> String {
        match self {
            Self::Program(child) => child.last_words(),
            Self::Function(_) => String::new(),
        }
    }

    pub fn kill(&mut self) {
        if let Self::Program(child) = self {
            child.kill();
        }
    }

    /// Lets it end by itself, and kills it if it does not.
    pub fn stop(&mut self) {
        if let Self::Program(child) = self {
            child.stop();
        }
    }

    /// Signals that there are no more requests.
    pub fn close(&mut self) {
        if let Self::Program(child) = self {
            child.close();
        }
    }
}

/// Calls a function, as [`ask`] asks a program.
fn call(
    function: &dyn Function,
    request: &Request<'_>,
    patience: Patience<'_>,
    outcomes: &mut Outcomes,
    timed: &mut dyn FnMut(Option<u64>),
) -> Result<(), ProgramFailure> {
    let Request { dataset, interleaved, runs, seed, .. } = *request;
    let asked = FunctionRequest { dataset, interleaved, runs, seed };
    let before = outcomes.len();
    function.ask(&asked, outcomes, patience.interrupted).map_err(failure_of)?;
    let given = outcomes.len() - before;
    if given != runs {
        let message = format!("it gave {given} outcomes, but {runs} were requested");
        return Err(ProgramFailure::Protocol(message));
    }
    for place in before..outcomes.len() {
        timed(outcomes.durations().map(|times| times[place]));
    }
    Ok(())
}

pub fn failure_of(trouble: Trouble) -> ProgramFailure {
    match trouble {
        Trouble::Interrupted => ProgramFailure::Interrupted,
        other => ProgramFailure::Protocol(other.to_string()),
    }
}

/// Asks a program and adds its outcomes: the requested number, or a failure. Returns the
/// nanoseconds of each, if reported.
fn ask(
    child: &mut Child,
    request: &Request<'_>,
    patience: Patience<'_>,
    outcomes: &mut Outcomes,
    timed: &mut dyn FnMut(Option<u64>),
) -> Result<(), ProgramFailure> {
    nothing_before(child)?;
    child.write(request.line().as_bytes(), patience)?;
    match request.format {
        Format::Json => read_lines(child, request.runs, patience, outcomes, timed)?,
        Format::Npy => read_arrays(child, request.runs, patience, outcomes)?,
    }
    nothing_more(child, &format!("{} outcomes", request.runs))
}

/// Asks a program for one line, which is its answer.
pub fn single_line(
    child: &mut Child,
    request: &str,
    patience: Patience<'_>,
) -> Result<Vec<u8>, ProgramFailure> {
    nothing_before(child)?;
    child.write(request.as_bytes(), patience)?;
    let line = read_line(child, patience)?;
    nothing_more(child, "one line")?;
    Ok(line)
}

/// Checks that nothing was written before a request.
fn nothing_before(child: &mut Child) -> Result<(), ProgramFailure> {
    if !child.has_surplus() {
        return Ok(());
    }
    let surplus = excerpt(&child.buffer);
    Err(ProgramFailure::Stray(format!(
        "it wrote more than was requested, or before the request: {surplus}"
    )))
}

fn nothing_more(child: &mut Child, than: &str) -> Result<(), ProgramFailure> {
    if !child.has_surplus() {
        return Ok(());
    }
    let surplus = excerpt(&child.buffer);
    Err(ProgramFailure::Stray(format!("it wrote more than {than}: {surplus}")))
}

/// The next line of its output, without its end.
fn read_line(child: &mut Child, patience: Patience<'_>) -> Result<Vec<u8>, ProgramFailure> {
    let mut part = vec![0; PART_OF_ONE];
    let mut looked_at = 0;
    loop {
        if let Some(length) = memchr::memchr(b'\n', &child.buffer[looked_at..]) {
            let mut line: Vec<u8> = child.buffer.drain(..=looked_at + length).collect();
            line.pop();
            return Ok(line);
        }
        looked_at = child.buffer.len();
        if looked_at > MOST_LINE {
            let start = excerpt(&child.buffer);
            let message = format!("a line is longer than {MOST_LINE} bytes: {start}");
            return Err(ProgramFailure::Protocol(message));
        }
        let read = child.read(&mut part, patience)?;
        if read == 0 {
            return Err(ProgramFailure::Died(child.how_it_ended()));
        }
        child.buffer.extend_from_slice(&part[..read]);
    }
}

fn excerpt(bytes: &[u8]) -> String {
    plaudit_core::visible::excerpt(bytes)
}

fn read_lines(
    child: &mut Child,
    runs: usize,
    patience: Patience<'_>,
    outcomes: &mut Outcomes,
    timed: &mut dyn FnMut(Option<u64>),
) -> Result<(), ProgramFailure> {
    let mut left = runs;
    let bytes = outcomes.bytes();
    let mut part = vec![0; PART.min(runs.saturating_mul(PART_OF_ONE))];
    loop {
        let (consumed, lines) =
            push_lines_timed(&child.buffer, left, outcomes, &mut *timed).map_err(no_outcome)?;
        child.buffer.drain(..consumed);
        left -= lines;
        if left == 0 {
            return Ok(());
        }
        if child.buffer.len() > MOST_LINE {
            let start = excerpt(&child.buffer);
            let message = format!("a line is longer than {MOST_LINE} bytes: {start}");
            return Err(ProgramFailure::Protocol(message));
        }
        if outcomes.bytes() - bytes > MOST_ANSWER {
            let message = format!("an answer is larger than {MOST_ANSWER} bytes: lower `batch`");
            return Err(ProgramFailure::Protocol(message));
        }
        let given = runs - left;
        let read =
            child.read(&mut part, patience).map_err(|failure| so_far(failure, given, runs))?;
        if read == 0 {
            let how = child.how_it_ended();
            return Err(ProgramFailure::Died(format!("{how}, after {given} of {runs} outcomes")));
        }
        child.buffer.extend_from_slice(&part[..read]);
    }
}

fn no_outcome(error: WireError) -> ProgramFailure {
    match error {
        WireError::Line { why, excerpt } => ProgramFailure::Stray(format!(
            "it printed a line that is not an outcome, `{excerpt}` ({why}),"
        )),
        WireError::NoArray(words) => {
            ProgramFailure::Stray(format!("its output is not an array: {words},"))
        }
        other => ProgramFailure::Protocol(other.to_string()),
    }
}

/// A timeout, with the number of outcomes that had arrived, if any.
fn so_far(failure: ProgramFailure, given: usize, runs: usize) -> ProgramFailure {
    match failure {
        ProgramFailure::Timeout(None) if given > 0 => ProgramFailure::Timeout(Some((given, runs))),
        other => other,
    }
}

fn read_arrays(
    child: &mut Child,
    runs: usize,
    patience: Patience<'_>,
    outcomes: &mut Outcomes,
) -> Result<(), ProgramFailure> {
    let mut given = 0;
    while given < runs {
        let mut answer = AnswerReader { child, patience, failure: None };
        match npy::read_array(&mut answer, runs - given, outcomes) {
            Ok(0) => {
                return Err(ProgramFailure::Protocol("it wrote an array without outcomes".into()));
            }
            Ok(more) => given += more,
            Err(error) => {
                let failure = answer.failure.take();
                return Err(match (failure, error) {
                    (Some(failure), _) => so_far(failure, given, runs),
                    (None, WireError::Truncated { .. }) => {
                        let how = child.how_it_ended();
                        ProgramFailure::Died(format!("{how}, after {given} of {runs} outcomes"))
                    }
                    (None, error) => no_outcome(error),
                });
            }
        }
    }
    Ok(())
}

/// The output of a program as a reader.
struct AnswerReader<'a> {
    child: &'a mut Child,
    patience: Patience<'a>,
    failure: Option<ProgramFailure>,
}

impl Read for AnswerReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let ready = self.child.buffer.len().min(into.len());
        if ready > 0 {
            into[..ready].copy_from_slice(&self.child.buffer[..ready]);
            self.child.buffer.drain(..ready);
            return Ok(ready);
        }
        self.child.read(into, self.patience).map_err(|failure| {
            self.failure = Some(failure);
            Error::from(ErrorKind::Other)
        })
    }
}

/// Patience for `seconds` from now.
pub fn until<'a>(seconds: f64, interrupted: &'a std::sync::atomic::AtomicBool) -> Patience<'a> {
    let most = std::time::Duration::from_secs_f64(seconds.clamp(1e-3, 1e7));
    Patience { deadline: Instant::now() + most, interrupted }
}
