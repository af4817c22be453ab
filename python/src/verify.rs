//! Proofs of functions that were followed path by path.

use plaudit::aligned::{Affine, Cell, Draw, Noise, Path, Row, Unknown};
use plaudit::mechanism::choice::Rational;
use plaudit::verify::prove_paths;
use plaudit::{Claim, Relation};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A path, as the package writes it: laws and scales of its draws; sums that are at least 0, or above it; what is known
/// of the outcome, and the numbers that are not.
type Written = (Vec<(String, String)>, Vec<(Sum, bool)>, String, Vec<Sum>);

/// A constant, and factors of `"answer"` or `"draw"` by place.
type Sum = (String, Vec<(String, usize, String)>);

/// Proves a claim for a function with these paths, on pairs of lists: the proof as JSON.
#[pyfunction]
pub fn verify(
    py: Python<'_>,
    paths: &str,
    pairs: Vec<[Vec<f64>; 2]>,
    relation: &str,
    far: f64,
    epsilon: f64,
    delta: f64,
) -> PyResult<String> {
    let wrong = |error: String| PyValueError::new_err(format!("verify: {error}"));
    let claim = Claim::approximate(epsilon, delta).map_err(|error| wrong(error.to_string()))?;
    let relation = match relation {
        "l1" => Relation::L1(far),
        "l2" => Relation::L2(far),
        "linf" => Relation::Linf(far),
        _ => Relation::Histogram,
    };
    let read = || -> Result<Vec<Path>, String> {
        let paths: Vec<Written> = serde_json::from_str(paths).map_err(|error| error.to_string())?;
        paths.into_iter().map(path).collect()
    };
    let proof = py.detach(|| prove_paths(|_| read(), &pairs, Some(&relation), &claim));
    let proof = proof.map_err(wrong)?;
    serde_json::to_string(&proof).map_err(|error| wrong(error.to_string()))
}

fn path((draws, rows, words, numbers): Written) -> Result<Path, String> {
    let draw = |(law, scale): (String, String)| {
        let law = match law.as_str() {
            "laplace" => Noise::Laplace,
            "exponential" => Noise::Exponential,
            "gumbel" => Noise::Gumbel,
            "gaussian" => Noise::Gaussian,
            "uniform" => Noise::Uniform,
            other => return Err(format!("{other} is unknown noise")),
        };
        Ok(Draw { law, scale: rational(&scale)? })
    };
    let row = |(value, strict): (Sum, bool)| Ok::<_, String>(Row { value: sum(value)?, strict });
    let mut outcome = vec![Cell::Named(words)];
    for number in numbers {
        outcome.push(Cell::Real(sum(number)?));
    }
    Ok(Path {
        draws: draws.into_iter().map(draw).collect::<Result<_, _>>()?,
        rows: rows.into_iter().map(row).collect::<Result<_, _>>()?,
        outcome,
    })
}

fn sum((constant, terms): Sum) -> Result<Affine, String> {
    let term = |(kind, at, factor): (String, usize, String)| {
        let unknown = if kind == "draw" { Unknown::Draw(at) } else { Unknown::Answer(at) };
        Ok::<_, String>((unknown, rational(&factor)?))
    };
    let mut terms = terms.into_iter().map(term).collect::<Result<Vec<_>, _>>()?;
    terms.sort_by_key(|(unknown, _)| *unknown);
    Ok(Affine { constant: Some(rational(&constant)?), terms })
}

fn rational(text: &str) -> Result<Rational, String> {
    text.parse().map_err(|_| format!("{text:?} is not a fraction"))
}
