//! `plaudit check`: runs in Python, where the libraries are.

use super::args::{Arguments, CheckArguments};
use super::{Failure, python};
use clap::Parser as _;

/// Runs `python3 -m plaudit check`, and returns its exit code.
pub(super) fn run(raw: &CheckArguments) -> Result<u8, Failure> {
    if raw.options.iter().any(|option| option == "--help" || option == "-h") {
        // Options after the object are its own: but help needs no Python.
        Arguments::try_parse_from(["plaudit", "check", "--help"]).map_err(Failure::Usage)?;
    }
    python::has_plaudit()?;
    let mut arguments: Vec<_> = ["-m", "plaudit", "check"].map(Into::into).into();
    arguments.push(raw.object.clone());
    arguments.extend(raw.options.iter().cloned());
    python::run(&arguments, None)
}
