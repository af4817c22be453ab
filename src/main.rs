//! The `plaudit` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = plaudit::cli::run(std::env::args_os());
    ExitCode::from(outcome.unwrap_or_else(|failure| failure.tell()))
}
