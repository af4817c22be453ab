//! Singling out in files.

use super::{SingleOut, single_out};
use crate::attack::coded::{Schema, columns_of};
use crate::attack::limits;
use plaudit_core::visible::visible;
use std::path::PathBuf;

/// Number of guesses, unless it is given.
pub const GUESSES: u64 = 1_000;
/// Conditions of a guess, unless they are given or the table has fewer columns.
pub const CONDITIONS: u64 = 3;
/// Largest number of guesses.
const MOST_GUESSES: u64 = 1_000_000;

/// A release, and the table that it was made from: CSV files whose first row names the columns.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleQuestion {
    pub original: PathBuf,
    pub released: PathBuf,
    /// Rows of the same population that the release was made without.
    pub control: Option<PathBuf>,
    /// Columns of all tables that conditions are on; empty for all of the release.
    pub columns: Vec<String>,
    /// Number of guesses, at least 1.
    pub guesses: u64,
    /// Conditions of a guess, at least 1; up to three unless it is given.
    pub conditions: Option<u64>,
    /// Level of the bound of the excess, in (0, 1).
    pub alpha: f64,
    /// The excess that is allowed, in [0, 1].
    pub at_most: Option<f64>,
}

impl SingleQuestion {
    /// Checks that it can be answered: reads the first row of the release.
    ///
    /// # Errors
    /// A message with the file and, if known, the line.
    pub fn check(&self) -> Result<(), String> {
        self.checked().map(drop)
    }

    /// The columns, and the conditions of a guess.
    fn checked(&self) -> Result<(Vec<String>, usize), String> {
        limits::control_is_another(&self.original, self.control.as_ref())?;
        limits::at_most_is_possible(self.at_most)?;
        if !(1..=MOST_GUESSES).contains(&self.guesses) {
            return Err(format!("{} guesses are invalid: ask for 1 to 1 000 000", self.guesses));
        }
        let columns = columns_of(&self.released, &self.columns)?;
        let most = columns.len() as u64;
        match self.conditions {
            Some(conditions) if !(1..=most).contains(&conditions) => Err(format!(
                "{conditions} conditions are invalid: a guess has 1 to {most}, one for each column"
            )),
            conditions => Ok((columns, conditions.unwrap_or(CONDITIONS).min(most) as usize)),
        }
    }

    /// Guesses from the release, and counts in the other tables. Also returns the columns.
    ///
    /// # Errors
    /// Same as [`check`](Self::check), for any row, and if no condition holds for one released row alone.
    pub fn answer(&self, seed: u64) -> Result<(SingleOut, Vec<String>), String> {
        let (columns, conditions) = self.checked()?;
        let (schema, released) = Schema::read(&self.released, &columns)?;
        let original = schema.read_table(&self.original)?;
        let control = self.control.as_ref().map(|path| schema.read_table(path)).transpose()?;
        let size = (self.guesses as usize, conditions);
        let found =
            single_out(&schema, [&released, &original], control.as_ref(), size, self.alpha, seed);
        let found = found.ok_or_else(|| {
            format!(
                "{}: no guess of {conditions} conditions holds for one released row alone: name more columns, or ask for more conditions",
                visible(&self.released.display().to_string())
            )
        })?;
        Ok((found, columns))
    }
}
