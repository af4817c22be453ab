//! Tests of a sampler's law.

use plaudit::law::{NamedLaw, NoiseLaw, compare_with_law};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::cell::RefCell;

/// Compares draws with a law, named or given by its distribution function: the result as JSON.
#[pyfunction]
#[pyo3(signature = (draws, name, below, is_discrete, alpha))]
pub fn law(
    py: Python<'_>,
    draws: Vec<f64>,
    name: Option<&str>,
    below: Option<Py<PyAny>>,
    is_discrete: bool,
    alpha: f64,
) -> PyResult<String> {
    let found = match (name, below) {
        (Some(name), _) => {
            let law: NamedLaw =
                name.parse().map_err(|error| PyValueError::new_err(format!("{error}")))?;
            py.detach(|| compare_with_law(&law, &draws, alpha))
        }
        (None, Some(below)) => {
            let law = FunctionLaw { py, below, is_discrete, failure: RefCell::new(None) };
            let found = compare_with_law(&law, &draws, alpha);
            if let Some(failure) = law.failure.into_inner() {
                return Err(failure);
            }
            found
        }
        (None, None) => return Err(PyValueError::new_err("a law has a name or a function")),
    };
    serde_json::to_string(&found).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// A law by its distribution function.
struct FunctionLaw<'py> {
    py: Python<'py>,
    /// From a list of numbers to the list of P(X ≤ x).
    below: Py<PyAny>,
    is_discrete: bool,
    /// Its first failure.
    failure: RefCell<Option<PyErr>>,
}

impl NoiseLaw for FunctionLaw<'_> {
    fn tails(&self, at: &[f64], above: bool) -> Vec<f64> {
        let call = || self.below.call1(self.py, (at.to_vec(),))?.extract::<Vec<f64>>(self.py);
        let answer = if self.failure.borrow().is_some() { None } else { Some(call()) };
        match answer {
            Some(Ok(all)) => all.into_iter().map(|p| if above { 1.0 - p } else { p }).collect(),
            Some(Err(failure)) => {
                *self.failure.borrow_mut() = Some(failure);
                vec![0.5; at.len()]
            }
            None => vec![0.5; at.len()],
        }
    }

    fn is_discrete(&self) -> bool {
        self.is_discrete
    }
}
