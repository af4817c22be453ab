//! The native module of the Python package: the engine, and the program `plaudit`.
//!
//! Everything that a Python user sees is in `python/plaudit`; what is here takes text and callables and gives text back.

mod account;
mod audit;
mod desk;
mod law;
mod outcome;
mod report;
mod verify;

use plaudit::cli::{Answer, Failure};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::ffi::OsString;

/// The engine of plaudit.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(attacked, module)?)?;
    module.add_function(wrap_pyfunction!(audit::audit, module)?)?;
    module.add_function(wrap_pyfunction!(audit::forked, module)?)?;
    module.add_function(wrap_pyfunction!(audit::replay, module)?)?;
    module.add_function(wrap_pyfunction!(report::page, module)?)?;
    module.add_function(wrap_pyfunction!(report::telling, module)?)?;
    module.add_function(wrap_pyfunction!(report::plot, module)?)?;
    module.add_function(wrap_pyfunction!(report::save, module)?)?;
    module.add_function(wrap_pyfunction!(account::account, module)?)?;
    module.add_function(wrap_pyfunction!(account::attack, module)?)?;
    module.add_function(wrap_pyfunction!(account::solve, module)?)?;
    module.add_function(wrap_pyfunction!(law::law, module)?)?;
    module.add_function(wrap_pyfunction!(verify::verify, module)?)?;
    Ok(())
}

/// Runs the program `plaudit` with these arguments, the first of which is its own name, and gives its exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| plaudit::cli::run(arguments).unwrap_or_else(|failure| failure.tell()))
}

/// The answer of an attack, or of canaries, with these arguments, the first of which is the program's own name: in words, as JSON, and its
/// exit code, and remarks.
#[pyfunction]
fn attacked(
    py: Python<'_>,
    arguments: Vec<OsString>,
) -> PyResult<(String, String, u8, Vec<String>)> {
    let answer = py.detach(|| plaudit::cli::answer(arguments));
    let Answer { words, json, code, notes } = answer.map_err(|failure| {
        let why = match failure {
            Failure::Message(why) | Failure::Interrupted(why) | Failure::NothingSelected(why) => {
                why
            }
            Failure::Spec(errors) => errors.to_string(),
            // Its first paragraph: usage is of the program.
            Failure::Usage(error) => {
                error.to_string().split("\n\n").next().unwrap_or("").to_owned()
            }
        };
        PyValueError::new_err(why.strip_prefix("error: ").unwrap_or(&why).to_owned())
    })?;
    Ok((words, json, code, notes))
}

/// What keeps an audit from a verdict.
fn failed(error: &dyn std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}
