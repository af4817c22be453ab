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
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use std::{panic, thread};

/// How often an attack looks for signals, such as that of Ctrl-C.
const BETWEEN_SIGNALS: Duration = Duration::from_millis(50);

/// Bytes of the stack of an attack: as many as a main thread has on most systems.
const STACK: usize = 8 << 20;

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
    let answer = interruptible(py, move || plaudit::cli::answer(arguments))?;
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

/// Computes on a thread of its own. A signal in Python, such as Ctrl-C, ends the wait with Python's error; the thread then goes on until it,
/// or the process, ends.
fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    compute: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = mpsc::channel();
    let named = thread::Builder::new().name("plaudit".to_owned()).stack_size(STACK);
    // Nobody listens any more after a signal.
    let running = named.spawn(move || drop(sender.send(compute())));
    let running = running.map_err(|error| {
        PyRuntimeError::new_err(format!("no thread could be started for the attack: {error}"))
    })?;
    loop {
        let (back, received) = py.detach(move || {
            let received = receiver.recv_timeout(BETWEEN_SIGNALS);
            (receiver, received)
        });
        receiver = back;
        match received {
            Ok(computed) => return Ok(computed),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            // The thread panicked: so does this one.
            Err(RecvTimeoutError::Disconnected) => {
                let why = running.join().err();
                panic::resume_unwind(why.unwrap_or_else(|| Box::new("the attack gave nothing")));
            }
        }
    }
}

/// What keeps an audit from a verdict.
fn failed(error: &dyn std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}
