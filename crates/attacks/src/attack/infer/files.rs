//! Inference in files.

use super::{Guessing, Inference, infer};
use crate::attack::coded::{Schema, columns_of};
use crate::attack::limits;
use plaudit_core::visible::{excerpt, visible};
use std::path::PathBuf;

/// A release, and the table that it was made from: CSV files whose first row names the columns.
#[derive(Clone, Debug, PartialEq)]
pub struct InferQuestion {
    pub original: PathBuf,
    pub released: PathBuf,
    /// Rows of the same population that the release was made without.
    pub control: Option<PathBuf>,
    /// Column of all tables that is guessed.
    pub secret: String,
    /// Columns of all tables that the attacker knows, each named once.
    pub known: Vec<String>,
    /// Nearest released rows that make the guess, at least 1.
    pub neighbors: u64,
    /// A number is guessed rightly within this share of the truth, from 0 to 1.
    pub tolerance: f64,
    /// Level of the bound of the excess, in (0, 1).
    pub alpha: f64,
    /// The excess that is allowed, in [0, 1].
    pub at_most: Option<f64>,
}

/// Nearest released rows, unless it is given.
pub const NEIGHBORS: u64 = 1;
/// Tolerance, unless it is given.
pub const TOLERANCE: f64 = 0.05;

impl InferQuestion {
    /// Checks that it can be answered: reads the first row of the release.
    ///
    /// # Errors
    /// A message with the file and, if known, the line.
    pub fn check(&self) -> Result<(), String> {
        limits::control_is_another(&self.original, self.control.as_ref())?;
        limits::at_most_is_possible(self.at_most)?;
        if self.known.contains(&self.secret) {
            let name = excerpt(self.secret.as_bytes());
            return Err(format!(
                "`{name}` is both known and secret: leave it out of the known columns"
            ));
        }
        if self.known.is_empty() {
            return Err("no column is known: name some of them".to_owned());
        }
        if self.neighbors == 0 {
            return Err("0 nearest rows are invalid: a guess needs at least 1".to_owned());
        }
        if !(0.0..=1.0).contains(&self.tolerance) {
            let tolerance = self.tolerance;
            return Err(format!("a tolerance of {tolerance} is invalid: it must be from 0 to 1"));
        }
        columns_of(&self.released, &self.columns()).map(drop)
    }

    /// The known columns and, last, the secret one.
    fn columns(&self) -> Vec<String> {
        self.known.iter().chain([&self.secret]).cloned().collect()
    }

    /// Guesses from the release, and compares with the other tables.
    ///
    /// # Errors
    /// Same as [`check`](Self::check), for any row, and if a table has no secret.
    pub fn answer(&self) -> Result<Inference, String> {
        self.check()?;
        let (schema, released) = Schema::read(&self.released, &self.columns())?;
        let original = schema.read_table(&self.original)?;
        let control = self.control.as_ref().map(|path| schema.read_table(path)).transpose()?;
        let secret = self.known.len();
        let mut tables = vec![(&self.released, &released), (&self.original, &original)];
        tables.extend(self.control.as_ref().zip(control.as_ref()));
        if let Some((path, _)) = tables.into_iter().find(|(_, table)| table.is_empty(secret)) {
            return Err(format!(
                "{}: `{}` is empty in all rows: name another secret column",
                visible(&path.display().to_string()),
                excerpt(self.secret.as_bytes())
            ));
        }
        let how = Guessing {
            known: (0..secret).collect(),
            secret,
            neighbors: self.neighbors as usize,
            tolerance: self.tolerance,
        };
        infer(&schema, [&released, &original], control.as_ref(), &how, self.alpha)
            .ok_or_else(|| "no secret can be guessed: all tables need some".to_owned())
    }
}
