//! Lines about tables and guesses.

use plaudit_accountant::number::grouped;
use plaudit_attacks::attack::Guessed;
use plaudit_attacks::attack::anonymity::interval;

/// A line for each table that is given: its name, its file, and its number of rows.
pub(super) fn of_tables(tables: &[(&str, Option<(&String, u64)>)]) -> String {
    let line = |(name, given): &(&str, Option<(&String, u64)>)| {
        given.map(|(file, rows)| {
            let unit = if rows == 1 { "row" } else { "rows" };
            format!("{:<9} {file}: {} {unit}\n", format!("{name}:"), grouped(rows))
        })
    };
    tables.iter().filter_map(line).collect()
}

/// Line of a table of guesses: who they are about, right ones, all, and the share with its interval.
pub(super) fn of_guesses(about: &str, guessed: &Guessed) -> String {
    let [right, of] = [guessed.right, guessed.of].map(grouped);
    format!("{about:<47} {right:>7} {of:>8}  {}\n", interval(guessed))
}
