//! The arguments of `plaudit attack infer`, as they are typed.

use crate::cli::parse::{OutputFormat, alpha, number};
use clap::Args;
use plaudit_attacks::attack::{NEIGHBORS, TOLERANCE};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct InferArguments {
    /// The table that the release was made from: a CSV file whose first row names the columns
    #[arg(value_name = "ORIGINAL")]
    pub original: PathBuf,
    /// The table that was released, with the same column names
    #[arg(value_name = "RELEASED")]
    pub released: PathBuf,
    /// Rows of the same population that the release was made without
    #[arg(long, value_name = "FILE")]
    pub control: Option<PathBuf>,
    /// Column that is guessed
    #[arg(long, value_name = "COLUMN")]
    pub secret: String,
    /// Columns that the attacker knows
    #[arg(long, value_name = "COLUMN,..", value_delimiter = ',', required = true)]
    pub known: Vec<String>,
    /// Nearest released rows that make the guess: the most frequent secret of them
    #[arg(long, value_name = "K", default_value_t = NEIGHBORS)]
    pub neighbors: u64,
    /// Share of the true number within which a guess is right, from 0 to 1; words must be the same
    #[arg(long, value_name = "T", value_parser = number, default_value_t = TOLERANCE, allow_hyphen_values = true)]
    pub tolerance: f64,
    /// Excess that is allowed, from 0 to 1: the exit code is 1 if more is certified
    #[arg(long, value_name = "RISK", value_parser = number, allow_hyphen_values = true, requires = "control")]
    pub at_most: Option<f64>,
    /// Level of the bound of the excess
    #[arg(long, value_name = "A", value_parser = alpha, default_value_t = 0.05)]
    pub alpha: f64,
    /// Output on standard output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
}
