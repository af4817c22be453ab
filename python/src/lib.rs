//! The native module of the Python package: the engine, and the program `plaudit`.
//!
//! Everything that a Python user sees is in `python/plaudit`; what is here takes text and callables and gives text back.

mod audit;
mod desk;
mod outcome;
mod report;

use plaudit::accountant::{Composition, Method};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::ffi::OsString;

/// The engine of plaudit.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(audit::audit, module)?)?;
    module.add_function(wrap_pyfunction!(audit::forked, module)?)?;
    module.add_function(wrap_pyfunction!(audit::replay, module)?)?;
    module.add_function(wrap_pyfunction!(report::page, module)?)?;
    module.add_function(wrap_pyfunction!(report::telling, module)?)?;
    module.add_function(wrap_pyfunction!(report::plot, module)?)?;
    module.add_function(wrap_pyfunction!(report::save, module)?)?;
    module.add_function(wrap_pyfunction!(account, module)?)?;
    Ok(())
}

/// Runs the program `plaudit` with these arguments, the first of which is its own name, and gives its exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| plaudit::cli::run(arguments).unwrap_or_else(|failure| failure.tell()))
}

/// Accounts for a composition: `(lower, upper)` of epsilon at a delta, or of delta at an epsilon, and the composition as
/// the accountant writes it.
#[pyfunction]
#[pyo3(signature = (composition, epsilon, delta, method))]
fn account(
    py: Python<'_>,
    composition: &str,
    epsilon: Option<f64>,
    delta: Option<f64>,
    method: &str,
) -> PyResult<(f64, f64, String)> {
    let wrong = |error: String| PyValueError::new_err(error);
    let method = Method::of_name(method)
        .ok_or_else(|| wrong(format!("the method {method:?} is unknown: pld, rdp or advanced")))?;
    let composition: Composition =
        composition.parse().map_err(|error: plaudit::AccountantError| wrong(error.to_string()))?;
    let bracket = py.detach(|| match (epsilon, delta) {
        (None, Some(delta)) => composition.epsilon_at(delta, method),
        (Some(epsilon), _) => composition.delta_at(epsilon, method),
        (None, None) => composition.epsilon_at(0.0, method),
    });
    let bracket = bracket.map_err(|error| wrong(error.to_string()))?;
    Ok((bracket.lower, bracket.upper, composition.to_string()))
}

/// What keeps an audit from a verdict.
fn failed(error: &dyn std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}
