//! The arguments of `plaudit attack infer`, as they are typed.

use super::release_arguments::ReleaseArguments;
use crate::cli::parse::number;
use clap::Args;
use plaudit_attacks::attack::{NEIGHBORS, TOLERANCE};

#[derive(Debug, Args)]
pub(in crate::cli) struct InferArguments {
    #[command(flatten)]
    pub release: ReleaseArguments,
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
}
