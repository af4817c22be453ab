//! Files of canaries: a row each, with scores and whether it was in.

use super::canary::Canary;
use super::versions::VersionedCanary;
use crate::files::{self, Columns, Named, NumberKind, Wanted};
use plaudit_accountant::number::words;
use plaudit_core::visible::visible;
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

/// Canaries of several versions in a file: a column of scores for each version, and the place of the one that was in, from 0
/// in the order of those columns.
///
/// # Errors
/// A message with the file, the line or row, and the remedy.
pub fn read_versions(path: &Path, columns: &CanaryColumns) -> Result<Vec<VersionedCanary>, String> {
    let mut numbers: Vec<Named<'_>> =
        columns.scores.iter().map(|name| Named { name, option: "--score-column" }).collect();
    numbers.push(Named { name: &columns.included, option: "--in-column" });
    let wanted = Wanted { numbers, label: None, kind: NumberKind::CANARIES };
    let Columns { mut numbers, lines, .. } = files::read(path, &wanted)?;
    let places = numbers.pop().unwrap_or_default();
    let versions = numbers.len();
    let row = |(row, place): (usize, f64)| {
        let line = lines.get(row).copied().unwrap_or(row as u64 + 1);
        let version = (0..versions).find(|version| *version as f64 == place).ok_or_else(|| {
            format!(
                "{}:{line}: `{}` does not state which of {versions} versions was in: write its place, 0 to {}, in the \
                 order of --score-column",
                visible(&path.display().to_string()),
                words(place),
                versions - 1
            )
        })?;
        let scores = numbers.iter().map(|scores| scores[row]).collect();
        Ok(VersionedCanary { scores, version, line })
    };
    places.into_iter().enumerate().map(row).collect()
}
