//! The trace of a program that serves a Python function: asked by a variable of its environment, answered by one line.

use super::child::{Child, Patience};
use super::sweep::{sweep, word};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The variable that has the pair and the claim as JSON.
const VARIABLE: &str = "PLAUDIT_TRACE";
/// Bytes of an answer, at most.
const MOST: usize = 4 << 20;

/// Starts a program, has it trace its function as `request` asks, and returns its line of output.
///
/// # Errors
/// In words, if it cannot be started, gives no line in `patience`, more than 4 MiB, or ends without one.
pub fn trace(
    (command, folder): (&[String], &Path),
    request: &str,
    patience: Duration,
    interrupted: &AtomicBool,
) -> Result<String, String> {
    let words = |failure: super::ProgramFailure| failure.words(patience.as_secs_f64());
    let mark = word();
    let found = (|| {
        let variable = Some((VARIABLE, request));
        let mut child = Child::start_with(command, folder, &mark, variable).map_err(words)?;
        child.close();
        let deadline = Instant::now() + patience;
        let mut line = Vec::new();
        let mut part = vec![0; 1 << 16];
        while !line.contains(&b'\n') {
            let read = child.read(&mut part, Patience { deadline, interrupted }).map_err(words)?;
            if read == 0 {
                return Err(format!("it gave no trace ({})", child.how_it_ended()));
            }
            line.extend_from_slice(&part[..read]);
            if line.len() > MOST {
                return Err("its trace is longer than 4 MiB".to_owned());
            }
        }
        child.stop();
        let end = line.iter().position(|byte| *byte == b'\n').unwrap_or(line.len());
        line.truncate(end);
        String::from_utf8(line).map_err(|_| "its trace is not UTF-8 text".to_owned())
    })();
    sweep(&mark);
    found
}
