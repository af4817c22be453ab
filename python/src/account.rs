//! Compositions: their privacy loss, what attacks on them reach, and values that meet a target.

use plaudit::accountant::{AccountantError, Bracket, Composition, Method, Unknown};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Accounts for a composition: `(lower, upper)` of epsilon at a delta, of delta at an epsilon, or of the true-positive
/// rate of the best attack at a false-positive rate.
#[pyfunction]
#[pyo3(signature = (composition, epsilon, delta, false_positives, method))]
pub fn account(
    py: Python<'_>,
    composition: &str,
    epsilon: Option<f64>,
    delta: Option<f64>,
    false_positives: Option<f64>,
    method: &str,
) -> PyResult<(f64, f64)> {
    let (composition, method) = read(composition, method)?;
    let bracket = py.detach(|| match (epsilon, delta, false_positives) {
        (Some(epsilon), ..) => composition.delta_at(epsilon, method),
        (None, None, Some(rate)) => {
            Ok(composition.curve_around(method, rate.max(1e-9))?.true_positives_at(rate))
        }
        (None, delta, _) => composition.epsilon_at(delta.unwrap_or(0.0), method),
    });
    Ok(ends(bracket.map_err(wrong)?))
}

/// The reach of the best attacks on a composition: `(lower, upper)` of the advantage, of mu over the range, of right
/// guesses with a prior, and of the true-positive rate at each false-positive rate.
#[pyfunction]
#[pyo3(signature = (composition, prior, false_positives, mu_range, method))]
pub fn attack(
    py: Python<'_>,
    composition: &str,
    prior: f64,
    false_positives: Vec<f64>,
    mu_range: (f64, f64),
    method: &str,
) -> PyResult<Vec<(f64, f64)>> {
    let (composition, method) = read(composition, method)?;
    let brackets = py.detach(|| {
        // Sharp over the usual rates.
        let curve = composition.curve_around(method, 1e-3)?;
        let (least, most) = mu_range;
        let mut brackets =
            vec![curve.delta_at(0.0), curve.mu_between(least, most), curve.success_at(prior)];
        brackets.extend(false_positives.iter().map(|&rate| curve.true_positives_at(rate)));
        Ok(brackets)
    });
    Ok(brackets.map_err(wrong)?.into_iter().map(ends).collect())
}

/// The value of an unknown that meets a target; of a count, that of the event at this place or of the only event.
#[pyfunction]
#[pyo3(signature = (composition, unknown, event, epsilon, delta, method))]
pub fn solve(
    py: Python<'_>,
    composition: &str,
    unknown: &str,
    event: Option<usize>,
    epsilon: f64,
    delta: f64,
    method: &str,
) -> PyResult<f64> {
    let (composition, method) = read(composition, method)?;
    let unknown = match (unknown, event, composition.events().len()) {
        ("sigma", ..) => Unknown::Sigma,
        ("scale", ..) => Unknown::Scale,
        ("rate", ..) => Unknown::Rate,
        ("count", Some(event), _) => Unknown::Count(event),
        ("count", None, 1) => Unknown::Count(0),
        ("count", None, events) => {
            let why = format!("the composition has {events} events: name one, such as event=0");
            return Err(PyValueError::new_err(why));
        }
        (unknown, ..) => {
            let why = format!("the unknown {unknown:?} is not one of sigma, scale, rate and count");
            return Err(PyValueError::new_err(why));
        }
    };
    py.detach(|| composition.solve(unknown, epsilon, delta, method)).map_err(wrong)
}

fn read(composition: &str, method: &str) -> PyResult<(Composition, Method)> {
    let found = Method::of_name(method).ok_or_else(|| {
        let names = Method::ALL.map(Method::name).join(", ");
        PyValueError::new_err(format!("the method {method:?} is unknown: it is one of {names}"))
    })?;
    Ok((composition.parse().map_err(wrong)?, found))
}

fn wrong(error: AccountantError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn ends(bracket: Bracket) -> (f64, f64) {
    (bracket.lower, bracket.upper)
}
