//! Files of canaries: a row each, with scores and whether it was in.

use super::canary::Canary;
use super::versions::VersionedCanary;
use crate::files::{self, Columns, Named, NumberKind, Wanted};
use plaudit_core::visible::{excerpt, visible};
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
    let Columns { numbers, labels, lines, .. } = files::read(path, &wanted)?;
    let of_column = |scores: Vec<f64>| {
        let rows = scores.into_iter().zip(labels.iter().zip(&lines));
        rows.map(|(score, (&included, &line))| Canary { score, included, line }).collect()
    };
    Ok(numbers.into_iter().map(of_column).collect())
}

/// Canaries of several versions in a file: a column of scores for each version, and the version that was in, as the name of its
/// column or its place, from 0 in the order of those columns.
///
/// # Errors
/// A message with the file, the line or row, and the remedy.
pub fn read_versions(path: &Path, columns: &CanaryColumns) -> Result<Vec<VersionedCanary>, String> {
    let named = |name, option| Named { name, option };
    let scores = columns.scores.iter();
    let wanted = Wanted {
        numbers: scores.map(|name| named(name.as_str(), "--score-column")).collect(),
        label: Some(named(&columns.included, "--in-column")),
        kind: NumberKind::VERSIONS,
    };
    let Columns { numbers, words, lines, .. } = files::read(path, &wanted)?;
    let row = |(row, (word, line)): (usize, (String, u64))| {
        let version = version(&word, &columns.scores).map_err(|why| {
            let [file, column] =
                [&path.display().to_string(), &columns.included].map(|it| visible(it));
            format!("{file}:{line}: the column `{column}`: {why}")
        })?;
        let scores = numbers.iter().map(|scores| scores[row]).collect();
        Ok(VersionedCanary { scores, version, line })
    };
    words.into_iter().zip(lines).enumerate().map(row).collect()
}

/// The version that a cell states.
fn version(word: &str, names: &[String]) -> Result<usize, String> {
    let shown = excerpt(word.as_bytes());
    let number: Option<f64> = word.parse().ok();
    let place = (0..names.len()).find(|place| number == Some(*place as f64));
    let name = names.iter().position(|name| name.trim() == word);
    match (place, name) {
        (Some(place), Some(name)) if place != name => Err(format!(
            "`{shown}` is the name of one version and the place of another: give the columns of scores names that are not numbers"
        )),
        (Some(version), _) | (None, Some(version)) => Ok(version),
        (None, None) => Err(format!(
            "`{shown}` does not state which of {} versions was in: write its place, 0 to {}, in the order of --score-column, or \
             the name of its column",
            names.len(),
            names.len() - 1
        )),
    }
}
