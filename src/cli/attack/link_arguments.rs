//! The arguments of `plaudit attack link`, as they are typed.

use crate::cli::parse::{OutputFormat, alpha, number};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct LinkArguments {
    /// The table that was released: a CSV file whose first row names the columns
    #[arg(value_name = "RELEASED")]
    pub released: PathBuf,
    /// A table available to the attacker, with the same column names
    #[arg(value_name = "KNOWN")]
    pub known: PathBuf,
    /// Columns to join both tables on; values must match byte for byte
    #[arg(long, value_name = "COLUMN,..", value_delimiter = ',', required = true)]
    pub on: Vec<String>,
    /// Column that identifies a person in both tables: shows which links are correct
    #[arg(long, value_name = "COLUMN")]
    pub truth: Option<String>,
    /// Also attack noisy counts published instead, at this epsilon
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    pub epsilon: Option<f64>,
    /// Delta of the noisy counts, which sets the smallest count that is published [default: 1e-5]
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true, requires = "epsilon")]
    pub delta: Option<f64>,
    /// Level of the interval for the share of correct links
    #[arg(long, value_name = "A", value_parser = alpha, default_value_t = 0.05)]
    pub alpha: f64,
    /// Seed of the noise
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Output on standard output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
}
