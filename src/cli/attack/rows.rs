//! Lines about tables and guesses.

use super::release_arguments::ReleaseArguments;
use crate::cli::{exit, output};
use plaudit_accountant::number::grouped;
use plaudit_attacks::attack::anonymity::interval;
use plaudit_attacks::attack::{Excess, Guessed};
use serde::Serialize;

/// Where nothing is certified.
pub(super) const UNCONTROLLED: &str =
    "Without a control (--control), this does not show whether the release is the reason.";

/// Question about a release, and the exit code of its answer, for `--format json`.
#[derive(Debug, Serialize)]
pub(super) struct Asked {
    pub files: Files,
    pub alpha: f64,
    pub at_most: Option<f64>,
    /// `true` if more is certified than is allowed.
    exceeded: Option<bool>,
}

/// Names of its files.
#[derive(Debug, Serialize)]
pub(super) struct Files {
    pub original: String,
    pub released: String,
    pub control: Option<String>,
}

impl Asked {
    /// With the excess that was found, if there is a control.
    pub(super) fn of(raw: &ReleaseArguments, excess: Option<&Excess>) -> Self {
        Self {
            files: Files {
                original: output::path(&raw.original),
                released: output::path(&raw.released),
                control: raw.control.as_deref().map(output::path),
            },
            alpha: raw.alpha,
            at_most: raw.at_most,
            exceeded: excess.zip(raw.at_most).map(|(excess, most)| excess.lower > most),
        }
    }

    pub(super) fn code(&self) -> u8 {
        if self.exceeded == Some(true) { exit::UNEXPECTED } else { exit::AS_EXPECTED }
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
