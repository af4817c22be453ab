//! The arguments of attacks on a released table that are the same for all of them.

use crate::cli::parse::{OutputFormat, alpha, number};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct ReleaseArguments {
    /// The table that the release was made from: a CSV file whose first row names the columns
    #[arg(value_name = "ORIGINAL")]
    pub original: PathBuf,
    /// The table that was released, with the same column names
    #[arg(value_name = "RELEASED")]
    pub released: PathBuf,
    /// Rows of the same population that the release was made without, best as many as the original has
    #[arg(long, value_name = "FILE")]
    pub control: Option<PathBuf>,
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
