//! Commands that run in Python.

use super::{Failure, exit};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// Variable that names the Python to use.
const PYTHON: &str = "PLAUDIT_PYTHON";
/// Variable that names this program.
const PROGRAM: &str = "PLAUDIT";

/// The Python to use, and its name for messages.
fn python() -> (OsString, String) {
    let python = std::env::var_os(PYTHON).unwrap_or_else(|| OsString::from("python3"));
    let name = python.to_string_lossy().into_owned();
    (python, name)
}

/// Checks that Python has the package plaudit.
///
/// # Errors
/// If Python cannot be started, or does not have it.
pub(super) fn has_plaudit() -> Result<(), Failure> {
    let (python, name) = python();
    let status = Command::new(&python)
        .args(["-c", "import plaudit._native"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|error| not_started(&name, &error))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::Message(format!(
        "{name} cannot import plaudit: install the Python package there (pip install ./python in the \
         repository), or set {PYTHON} to a Python that has it"
    )))
}

/// Runs Python, or `own` if no variable names another one, with these arguments, and returns its exit code. Programs find
/// this program by the variable PLAUDIT.
///
/// # Errors
/// If Python cannot be started.
pub(super) fn run(arguments: &[OsString], own: Option<&Path>) -> Result<u8, Failure> {
    let (mut python, mut name) = python();
    if let (Some(own), None) = (own, std::env::var_os(PYTHON)) {
        (python, name) = (own.into(), own.display().to_string());
    }
    let mut command = Command::new(&python);
    if let (Ok(program), None) = (std::env::current_exe(), std::env::var_os(PROGRAM)) {
        command.env(PROGRAM, program);
    }
    let status = command.args(arguments).status().map_err(|error| not_started(&name, &error))?;
    // Ended by a signal: Ctrl-C reached it as well.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.unwrap_or(exit::INTERRUPTED))
}

fn not_started(name: &str, error: &std::io::Error) -> Failure {
    Failure::Message(format!(
        "cannot start {name}: {error}; install Python 3.9 or later, or set {PYTHON}"
    ))
}
