//! Outcomes that were recorded elsewhere: one file for D, one for D'.
//!
//! Nothing can be run here. The game shuffles the contents of the files and plays with those
//! ([`Capabilities::recordings`](crate::mechanism::Capabilities::recordings)); the files are read
//! as streams, from front to end, once for each phase of the game.

mod array;
#[cfg(feature = "parquet")]
mod column;
mod columns;
mod lines;
mod mechanism;
#[cfg(feature = "parquet")]
mod parquet;
mod values;
mod write;

#[cfg(feature = "parquet")]
pub use column::{parquet_columns, read_parquet};
pub use columns::separated;
pub use write::write;

use super::outcomes::Outcomes;
use super::trouble::Trouble;
use serde::{Deserialize, Serialize};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Most outcomes passed on at once.
const BATCH: usize = 8192;
/// Approximate limit on the bytes of outcomes passed on at once.
const BATCH_BYTES: usize = 4 << 20;

#[derive(Debug)]
pub struct Recordings {
    files: [File; 2],
    known: Mutex<KnownOutcomes>,
}

#[derive(Clone, Copy, Debug, Default)]
struct KnownOutcomes {
    runs: Option<[u64; 2]>,
    trials: Option<u64>,
    /// Trials of the explore phases.
    explored: [u64; 4],
    /// Precision of the values, if outcomes are seen as values.
    as_values: Option<values::Precision>,
}

/// Location of recorded outcomes, as in specs and certificates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    pub d: PathBuf,
    pub d_prime: PathBuf,
    /// Columns of CSV files: one for a scalar, several for a vector.
    #[serde(default, skip_serializing_if = "CsvColumns::is_only")]
    pub columns: CsvColumns,
}

/// Columns of a CSV file that hold the outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CsvColumns {
    /// The only column; a scalar.
    #[default]
    Only,
    /// The column of this name; a scalar.
    One(String),
    Several(Vec<String>),
}

impl CsvColumns {
    fn is_only(&self) -> bool {
        *self == Self::Only
    }
}

#[derive(Debug)]
struct File {
    path: PathBuf,
    format: FileFormat,
}

#[derive(Debug)]
enum FileFormat {
    Array,
    Lines,
    Table(CsvColumns),
    /// A table in the columns of Parquet.
    #[cfg(feature = "parquet")]
    Parquet(CsvColumns),
}

impl FileFormat {
    fn has_columns(&self) -> bool {
        !matches!(self, Self::Array | Self::Lines)
    }
}

/// Bytes of both files that are compared at once.
const COMPARED_AT_ONCE: u64 = 1 << 20;

impl Recordings {
    /// From two files with names in `.csv`, `.jsonl`, `.ndjson` or `.npy`, or in `.parquet` where
    /// plaudit is built with that feature. Reads nothing yet.
    ///
    /// # Errors
    /// If a file does not exist, or has an unknown format; in a sentence.
    pub fn new(source: &Source) -> Result<Self, String> {
        let file = |path: &Path| File::new(path, &source.columns);
        let files = [file(&source.d)?, file(&source.d_prime)?];
        if !source.columns.is_only() && !files.iter().any(|file| file.format.has_columns()) {
            return Err("only CSV and Parquet files have columns to choose from".into());
        }
        Ok(Self { files, known: Mutex::default() })
    }

    /// Checks the beginning of each file: the header of an array, the first outcome of a text.
    ///
    /// # Errors
    /// The problem of a file, with the line if it has lines, and the remedy.
    pub fn look(&self) -> Result<(), (String, &'static str)> {
        self.files.iter().try_for_each(|file| match file.first() {
            Ok(0) => Err((file.broken("it holds no outcome").to_string(), file.remedy())),
            Ok(_) => Ok(()),
            Err(trouble) => Err((trouble.to_string(), file.remedy())),
        })
    }

    /// `true` if both files are the same, by name or content. Stops at the first difference.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn are_the_same(&self) -> std::io::Result<bool> {
        let [d, d_prime] = self.files.each_ref().map(|file| &file.path);
        if std::fs::canonicalize(d)? == std::fs::canonicalize(d_prime)? {
            return Ok(true);
        }
        let [mut d, mut d_prime] = [std::fs::File::open(d)?, std::fs::File::open(d_prime)?];
        if d.metadata()?.len() != d_prime.metadata()?.len() {
            return Ok(false);
        }
        let read = |file: &mut std::fs::File| {
            let mut part = Vec::with_capacity(COMPARED_AT_ONCE as usize);
            file.by_ref().take(COMPARED_AT_ONCE).read_to_end(&mut part).map(|_| part)
        };
        loop {
            let (part, other) = (read(&mut d)?, read(&mut d_prime)?);
            if part != other || part.is_empty() {
                return Ok(part == other);
            }
        }
    }

    pub fn words(&self) -> String {
        let [d, d_prime] = self.files.each_ref().map(|file| file.path.display());
        format!("outcomes that were recorded elsewhere, in {d} and {d_prime}")
    }

    /// Upper bound on the trials: exact for arrays, by its length for text.
    pub fn most_trials(&self) -> u64 {
        2 * self.files.iter().map(File::most_runs).min().unwrap_or(0)
    }

    /// Number of outcomes under D and D'. The first call reads and checks both files.
    ///
    /// # Errors
    /// If a file cannot be read or contradicts its format, with file and line; or `interrupted` was
    /// set.
    pub fn runs(&self, interrupted: &AtomicBool) -> Result<[u64; 2], Trouble> {
        if let Some(runs) = self.known().runs {
            return Ok(runs);
        }
        let [d, d_prime] = &self.files;
        let (d, d_prime) = rayon::join(|| d.runs(interrupted), || d_prime.runs(interrupted));
        let runs = [d?, d_prime?];
        self.known.lock().unwrap_or_else(PoisonError::into_inner).runs = Some(runs);
        Ok(runs)
    }

    /// Trials that [`Mechanism::prepare`](crate::mechanism::Mechanism::prepare) allowed.
    pub fn trials(&self) -> Option<u64> {
        self.known().trials
    }

    /// Records the trials of an explore phase, by its index (at most the fourth), and returns those
    /// of the earlier phases.
    pub fn explored(&self, place: usize, trials: u64) -> Vec<u64> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.explored[place] = trials;
        known.explored[..place].to_vec()
    }

    fn known(&self) -> KnownOutcomes {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the file of a side (0: D, 1: D') from front to end, calls `keep` for each outcome, and
    /// passes on the kept ones, in batches.
    ///
    /// # Errors
    /// As [`Recordings::runs`], or if the file has changed since.
    pub fn pass(
        &self,
        side: usize,
        interrupted: &AtomicBool,
        keep: impl FnMut() -> bool,
        mut take: impl FnMut(&mut Outcomes),
    ) -> Result<(), Trouble> {
        let file = &self.files[side];
        let runs = match self.known().as_values {
            None => file.pass(interrupted, keep, take)?,
            Some(precision) => file.pass(interrupted, keep, |outcomes| {
                take(&mut values::of_batch(outcomes, precision));
            })?,
        };
        match self.known().runs {
            Some(known) if known[side] != runs => {
                Err(file.broken("it was changed while it was read"))
            }
            _ => Ok(()),
        }
    }
}

/// Trials that can be played with this number of outcomes on the scarcer side: the coins must not
/// run out of outcomes. Of T coins, more than T/2 + t show one side with probability at most
/// exp(−2t²/T) (Hoeffding 1963); t is chosen so that this is at most 10⁻¹² for both sides together.
fn affordable(scarcer: u64) -> u64 {
    const HALF_LOG: f64 = 14.17;
    /// Outcomes that explore may need beyond its half, because of rounding.
    const ROUNDING: f64 = 8.0;
    let most = 2.0 * (scarcer as f64 - ROUNDING).max(0.0);
    // T + 2·sqrt(T·HALF_LOG) = most, solved for sqrt(T).
    let root = (HALF_LOG + most).sqrt() - HALF_LOG.sqrt();
    (root * root).floor() as u64
}

/// Fewest trials worth playing.
const LEAST_TRIALS: u64 = 100;
const NOT_RUN: &str = "recorded outcomes cannot be run again";

impl File {
    fn new(path: &Path, columns: &CsvColumns) -> Result<Self, String> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let name = path.display();
        let format = match extension.as_str() {
            "npy" => FileFormat::Array,
            "jsonl" | "ndjson" => FileFormat::Lines,
            "csv" => FileFormat::Table(columns.clone()),
            #[cfg(feature = "parquet")]
            "parquet" => FileFormat::Parquet(columns.clone()),
            #[cfg(not(feature = "parquet"))]
            "parquet" => {
                return Err(format!(
                    "{name}: this plaudit was built without Parquet: build it with `cargo install \
                     --features parquet`, or write the column as .npy or .csv"
                ));
            }
            _ => {
                return Err(format!(
                    "{name} has an unknown format: name a file that ends in .csv, .jsonl, .ndjson \
                     or .npy"
                ));
            }
        };
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => Ok(Self { path: path.to_owned(), format }),
            Ok(_) => Err(format!("{name} is not a file (a pipe cannot be read twice)")),
            Err(error) => Err(format!("cannot read {name}: {error}")),
        }
    }

    fn most_runs(&self) -> u64 {
        let length = || std::fs::metadata(&self.path).map_or(0, |metadata| metadata.len());
        match self.format {
            FileFormat::Array => self.array().map_or(0, |(_, header)| header.runs),
            // At least a byte and the end of the line.
            FileFormat::Lines => length().div_ceil(2),
            // A line may be empty.
            FileFormat::Table(_) => length(),
            #[cfg(feature = "parquet")]
            FileFormat::Parquet(_) => self.rows().unwrap_or(0),
        }
    }

    /// Reads at most the first outcome; returns the number of outcomes, where it needs no reading,
    /// else 1, or 0 if the file is empty.
    fn first(&self) -> Result<u64, Trouble> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        match self.format {
            FileFormat::Array => self.array().map(|(_, header)| header.runs),
            _ => self.pass_most(1, &NEVER, || true, |_| ()),
        }
    }

    fn remedy(&self) -> &'static str {
        match self.format {
            FileFormat::Array => {
                "save one array of float64, float32, integers or bools, one row per run: \
                 numpy.save(name, array)"
            }
            FileFormat::Lines => "write one outcome per line, as docs/external.md shows",
            FileFormat::Table(_) => {
                "write one row per run, each with the same number of columns, as docs/recorded.md describes"
            }
            #[cfg(feature = "parquet")]
            FileFormat::Parquet(_) => {
                "write flat columns of floats, integers, bools or strings, one row per run, \
                 uncompressed or compressed by Snappy or ZSTD"
            }
        }
    }

    fn runs(&self, interrupted: &AtomicBool) -> Result<u64, Trouble> {
        match self.format {
            FileFormat::Array => self.array().map(|(_, header)| header.runs),
            _ => self.pass(interrupted, || true, |_| ()),
        }
    }

    /// See [`Recordings::pass`]; returns the number of outcomes read.
    fn pass(
        &self,
        interrupted: &AtomicBool,
        keep: impl FnMut() -> bool,
        take: impl FnMut(&mut Outcomes),
    ) -> Result<u64, Trouble> {
        self.pass_most(u64::MAX, interrupted, keep, take)
    }

    /// The pass over the first outcomes, at most `most` of a text.
    fn pass_most(
        &self,
        most: u64,
        interrupted: &AtomicBool,
        keep: impl FnMut() -> bool,
        take: impl FnMut(&mut Outcomes),
    ) -> Result<u64, Trouble> {
        let kept = Kept { outcomes: Outcomes::new(), most, keep, take, interrupted };
        match &self.format {
            FileFormat::Array => self.pass_array(kept),
            FileFormat::Lines => self.pass_lines(kept),
            FileFormat::Table(columns) => self.pass_table(columns, kept),
            #[cfg(feature = "parquet")]
            FileFormat::Parquet(columns) => self.pass_parquet(columns, kept),
        }
    }

    fn open(&self) -> Result<std::fs::File, Trouble> {
        std::fs::File::open(&self.path)
            .map_err(|error| self.broken(format!("cannot open: {error}")))
    }

    fn broken(&self, why: impl std::fmt::Display) -> Trouble {
        Trouble::Broken(format!("{}: {why}", self.path.display()))
    }

    fn broken_line(&self, line: u64, why: impl std::fmt::Display) -> Trouble {
        Trouble::Broken(format!("{}:{line}: {why}", self.path.display()))
    }
}

/// The kept outcomes of a pass.
struct Kept<'a, K, T> {
    outcomes: Outcomes,
    most: u64,
    keep: K,
    take: T,
    interrupted: &'a AtomicBool,
}

impl<K: FnMut() -> bool, T: FnMut(&mut Outcomes)> Kept<'_, K, T> {
    /// Passes them on if there are many.
    fn hand_on(&mut self) {
        if self.outcomes.len() >= BATCH || self.outcomes.bytes() >= BATCH_BYTES {
            self.finish();
        }
    }

    fn finish(&mut self) {
        (self.take)(&mut self.outcomes);
        self.outcomes.clear();
    }

    fn check_interrupted(&self) -> Result<(), Trouble> {
        match self.interrupted.load(Ordering::Relaxed) {
            true => Err(Trouble::Interrupted),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/mechanism/recorded/mod.rs"]
mod tests;
