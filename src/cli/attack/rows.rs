//! Lines about tables and guesses.

use crate::cli::output;
use plaudit_accountant::number::grouped;
use plaudit_attacks::attack::Guessed;
use plaudit_attacks::attack::anonymity::interval;
use serde::Serialize;
use std::path::Path;

/// Where nothing is certified.
pub(super) const UNCONTROLLED: &str =
    "Without a control (--control), this does not show whether the release is the reason.";

/// Names of the files of a question about a release.
#[derive(Debug, Serialize)]
pub(super) struct Files {
    pub original: String,
    pub released: String,
    pub control: Option<String>,
}

impl Files {
    pub(super) fn new([original, released]: [&Path; 2], control: Option<&Path>) -> Self {
        Self {
            original: output::path(original),
            released: output::path(released),
            control: control.map(output::path),
        }
    }
}

/// A number of rows in words.
pub(super) fn counted(rows: u64) -> String {
    format!("{} {}", grouped(rows), if rows == 1 { "row" } else { "rows" })
}

/// The first line of a table of guesses.
pub(super) fn head(about: &str) -> String {
    format!("{about:<47} {:>7} {:>8}  share\n", "right", "guesses")
}

/// A line for each table that is given: its name, its file, and its number of rows.
pub(super) fn of_tables(tables: &[(&str, Option<(&String, u64)>)]) -> String {
    let line = |(name, given): &(&str, Option<(&String, u64)>)| {
        given.map(|(file, rows)| format!("{:<9} {file}: {}\n", format!("{name}:"), counted(rows)))
    };
    tables.iter().filter_map(line).collect()
}

/// Line of a table of guesses: who they are about, right ones, all, and the share with its interval.
pub(super) fn of_guesses(about: &str, guessed: &Guessed) -> String {
    let [right, of] = [guessed.right, guessed.of].map(grouped);
    format!("{about:<47} {right:>7} {of:>8}  {}\n", interval(guessed))
}
