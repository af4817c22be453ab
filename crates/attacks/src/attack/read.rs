//! Files of attack scores or draws: numbers alone, or scores with labels.

use super::scores::{Scores, ScoresError};
use crate::files::{self, Columns, FileFormat, Named, NumberKind, Wanted};
use plaudit_core::visible::visible;
use std::path::{Path, PathBuf};

/// Arrays of an archive that hold the scores of both groups, in the order of preference.
const GROUPS: [[&str; 2]; 2] = [["members", "others"], ["members", "non_members"]];
/// Arrays of an archive that hold scores and labels.
const LABELED: [&str; 2] = ["scores", "labels"];
const COLUMN: &str = "--column";
const LABEL: &str = "--label";

/// Numbers in a file, in its order; no score is NaN. The formats are those of all score files (docs/attacks.md); `column` names a column
/// of a table. `-` is standard input, for draws.
///
/// # Errors
/// A message with the file, the line or row, and the remedy.
pub fn read_numbers(
    path: &Path,
    column: Option<&str>,
    kind: NumberKind,
) -> Result<Vec<f64>, String> {
    let numbers = column.map(|name| Named { name, option: COLUMN }).into_iter().collect();
    let read = files::read(path, &Wanted { numbers, label: None, kind })?;
    Ok(read.numbers.into_iter().next().unwrap_or_default())
}

/// Files of attack scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScoreFiles {
    /// A file of members and one of others.
    Apart([PathBuf; 2]),
    /// One table with a column of labels: 1, true or member, and 0, false or non-member.
    Labeled { table: PathBuf, label: String },
    /// One archive of `numpy.savez` with the arrays `members` and `others`, or `scores` and `labels`.
    Archive(PathBuf),
}

impl ScoreFiles {
    pub fn paths(&self) -> Vec<&PathBuf> {
        match self {
            Self::Apart([members, others]) => vec![members, others],
            Self::Labeled { table, .. } | Self::Archive(table) => vec![table],
        }
    }

    /// Scores of both groups by each of these columns, or by the only one: with several, each column is an attack of
    /// its own.
    ///
    /// # Errors
    /// A message with the file, the line or row, and the remedy; or the reason for which the scores show nothing.
    pub fn read(&self, columns: &[String]) -> Result<Vec<Scores>, String> {
        let [members, others] = match self {
            Self::Apart([members, others]) => {
                if is_one_file([members, others]) {
                    let file = visible(&members.display().to_string());
                    return Err(format!(
                        "members and non-members are the same file, {file}: give the scores of each in a file of its own, \
                         or name its column of labels with {LABEL}; nothing was computed"
                    ));
                }
                [numbers(members, columns, None)?.numbers, numbers(others, columns, None)?.numbers]
            }
            Self::Labeled { table, label } => by_label(numbers(table, columns, Some(label))?),
            Self::Archive(path) => archived(path, columns)?,
        };
        let both = |(at, (members, others)): (usize, _)| {
            Scores::new(members, others).map_err(|error: ScoresError| match columns {
                [] | [_] => error.to_string(),
                _ => format!("the column `{}`: {error}", visible(&columns[at])),
            })
        };
        members.into_iter().zip(others).enumerate().map(both).collect()
    }
}

fn numbers(path: &Path, columns: &[String], label: Option<&str>) -> Result<Columns, String> {
    let numbers = columns.iter().map(|name| Named { name, option: COLUMN }).collect();
    let label = label.map(|name| Named { name, option: LABEL });
    files::read(path, &Wanted { numbers, label, kind: NumberKind::SCORES })
}

/// The scores of each group, column by column.
fn by_label(columns: Columns) -> [Vec<Vec<f64>>; 2] {
    let Columns { numbers, labels, .. } = columns;
    let (mut members, mut others) = (Vec::new(), Vec::new());
    for scores in numbers {
        let (mut of_members, mut of_others) = (Vec::new(), Vec::new());
        for (score, is_member) in scores.into_iter().zip(&labels) {
            if *is_member { of_members.push(score) } else { of_others.push(score) }
        }
        members.push(of_members);
        others.push(of_others);
    }
    [members, others]
}

/// Both groups of an archive.
fn archived(path: &Path, columns: &[String]) -> Result<[Vec<Vec<f64>>; 2], String> {
    let file = visible(&path.display().to_string());
    let broken = |why: String| format!("cannot read the scores in {file}: {why}");
    if FileFormat::of(path) != FileFormat::Arrays {
        return Err(broken(format!(
            "one file is not enough: give a file of members and one of non-members, or name the column of labels with {LABEL}"
        )));
    }
    let names = files::array_names(path).map_err(broken)?;
    let has = |wanted: &[&str]| wanted.iter().all(|one| names.iter().any(|name| name == one));
    if columns.is_empty()
        && let Some(groups) = GROUPS.iter().find(|groups| has(&groups[..]))
    {
        let [members, others] =
            groups.map(|name| numbers(path, &[name.to_owned()], None).map(|read| read.numbers));
        return Ok([members?, others?]);
    }
    let [scores, labels] = LABELED.map(str::to_owned);
    let columns = if columns.is_empty() { vec![scores] } else { columns.to_vec() };
    if !has(&[LABELED[1]]) {
        let names: Vec<_> = names.iter().map(|name| format!("`{}`", visible(name))).collect();
        return Err(broken(format!(
            "its arrays are {}: save numpy.savez(name, members=..., others=...), or scores=... and labels=..., or name the \
             array of labels with {LABEL}",
            names.join(", ")
        )));
    }
    Ok(by_label(numbers(path, &columns, Some(&labels))?))
}

/// `true` if both are names of the same file.
pub fn is_one_file([one, other]: [&PathBuf; 2]) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    real(one).is_some_and(|one| real(other) == Some(one))
}

#[cfg(test)]
#[path = "../../tests/unit/attack/read.rs"]
mod tests;
