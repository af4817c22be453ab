//! `plaudit check`: runs in Python, where the libraries are.

use super::args::CheckArguments;
use super::{Failure, exit};
use std::ffi::OsString;
use std::process::{Command, Stdio};

/// Variable that names the Python to use.
const PYTHON: &str = "PLAUDIT_PYTHON";

/// Runs `python3 -m plaudit check`, and returns its exit code.
pub(super) fn run(raw: &CheckArguments) -> Result<u8, Failure> {
    let python = std::env::var_os(PYTHON).unwrap_or_else(|| OsString::from("python3"));
    let name = python.to_string_lossy().into_owned();
    let has_plaudit = Command::new(&python)
        .args(["-c", "import plaudit._native"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|error| {
            Failure::Message(format!(
                "cannot start {name}: {error}; install Python 3.9 or later, or set {PYTHON}"
            ))
        })?;
    if !has_plaudit.success() {
        return Err(Failure::Message(format!(
            "{name} cannot import plaudit: install the Python package there (pip install ./python in the \
             repository), or set {PYTHON} to a Python that has it"
        )));
    }
    let status = Command::new(&python)
        .args(["-m", "plaudit", "check"])
        .arg(&raw.object)
        .args(&raw.options)
        .status()
        .map_err(|error| Failure::Message(format!("cannot start {name}: {error}")))?;
    // Ended by a signal: Ctrl-C reached it as well.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.unwrap_or(exit::INTERRUPTED))
}
