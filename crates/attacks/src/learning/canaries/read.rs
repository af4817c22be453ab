//! Files of canaries: a row each, with scores and whether it was in.

use super::canary::Canary;
use crate::files::{self, Columns, Named, NumberKind, Wanted};
use std::path::Path;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanaryColumns {
    /// Columns of scores: each is an attack of its own.
    pub scores: Vec<String>,
    /// Column that holds whether a canary was in.
    pub included: String,
}

/// Canaries in a file, in its order, by each column of scores; no score is NaN. A file that ends in `.csv` is a table
/// whose first row names the columns, `.npz` holds arrays and `.parquet` columns of these names; any other file has one
/// JSON object per line.
///
/// # Errors
/// A message with the file, the line or row, and the remedy.
pub fn read_canaries(path: &Path, columns: &CanaryColumns) -> Result<Vec<Vec<Canary>>, String> {
    let named = |name, option| Named { name, option };
    let scores = columns.scores.iter();
    let wanted = Wanted {
        numbers: scores.map(|name| named(name.as_str(), "--score-column")).collect(),
        label: Some(named(&columns.included, "--in-column")),
        kind: NumberKind::CANARIES,
    };
    let Columns { numbers, labels, lines } = files::read(path, &wanted)?;
    let of_column = |scores: Vec<f64>| {
        let rows = scores.into_iter().zip(labels.iter().zip(&lines));
        rows.map(|(score, (&included, &line))| Canary { score, included, line }).collect()
    };
    Ok(numbers.into_iter().map(of_column).collect())
}
