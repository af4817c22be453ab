//! Linkage of two files.

use super::{Linkage, Published, ReleasedRows};
use crate::attack::people::PeopleTable;
use plaudit_core::random::{Phase, Streams};
use plaudit_core::visible::excerpt;
use std::path::PathBuf;

/// Two tables, and what they are joined on.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkQuestion {
    /// The table that was released: a CSV file whose first row names the columns.
    pub released: PathBuf,
    pub known: PathBuf,
    /// Columns of both, each named once.
    pub on: Vec<String>,
    /// Column of both tables that identifies the person of a row.
    pub truth: Option<String>,
    /// ε and δ of noisy counts that are published instead, if wanted.
    pub counts: Option<(f64, f64)>,
    /// Level of the interval for the share of correct links.
    pub alpha: f64,
}

impl LinkQuestion {
    /// Checks that it can be answered: reads the first row of each table.
    ///
    /// # Errors
    /// A message with the file and, if known, the line.
    pub fn check(&self) -> Result<(), String> {
        for (place, name) in self.on.iter().enumerate() {
            let shown = excerpt(name.as_bytes());
            if self.on[..place].contains(name) {
                return Err(format!("`{shown}` is listed twice among the columns to join on"));
            }
            if self.truth.as_ref() == Some(name) {
                return Err(format!(
                    "`{shown}` is both a join column and the truth: rows joined on the truth always match correctly"
                ));
            }
        }
        if crate::attack::is_one_file([&self.released, &self.known]) {
            let path = plaudit_core::visible::visible(&self.released.display().to_string());
            return Err(format!(
                "the released and the known table are the same file: give a table from another source {path}: nothing was computed"
            ));
        }
        if let Some((epsilon, delta)) = self.counts {
            let mut random = Streams::new(0, "attack link").block(0, Phase::Publish)(0);
            let published = ReleasedRows::new().join(false).publish(epsilon, delta, &mut random);
            published.map_err(|error| error.to_string())?;
        }
        self.open().map(drop)
    }

    fn open(&self) -> Result<[PeopleTable<'_>; 2], String> {
        let open = |file| PeopleTable::open(file, &self.on, self.truth.as_deref());
        Ok([open(&self.released)?, open(&self.known)?])
    }

    /// Joins the tables; also returns what noisy counts show instead.
    ///
    /// # Errors
    /// Same as [`check`](Self::check), and for any row.
    pub fn answer(&self, seed: u64) -> Result<(Linkage, Option<Published>), String> {
        let [released, known] = self.open()?;
        let mut rows = ReleasedRows::new();
        released.rows(|values, id| {
            rows.add(values, id);
            Ok(())
        })?;
        let mut join = rows.join(self.truth.is_some());
        known.rows(|values, id| {
            join.add(values, id);
            Ok(())
        })?;
        let mut random = Streams::new(seed, "attack link").block(0, Phase::Publish)(0);
        let publish = |(epsilon, delta)| join.publish(epsilon, delta, &mut random);
        let published = self.counts.map(publish).transpose().map_err(|error| error.to_string())?;
        Ok((join.linkage(self.alpha), published))
    }
}
