//! The arguments of `plaudit attack single-out`, as they are typed.

use super::release_arguments::ReleaseArguments;
use clap::Args;
use plaudit_attacks::attack::GUESSES;

#[derive(Debug, Args)]
pub(in crate::cli) struct SingleArguments {
    #[command(flatten)]
    pub release: ReleaseArguments,
    /// Columns that conditions are on [default: all columns of the release]
    #[arg(long, value_name = "COLUMN,..", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// Number of guesses
    #[arg(long, value_name = "N", default_value_t = GUESSES)]
    pub guesses: u64,
    /// Conditions of a guess; 1 for rare and extreme values [default: 3, or the number of columns if it is less]
    #[arg(long, value_name = "K")]
    pub conditions: Option<u64>,
    /// Seed of the guesses, and of the pairs of rows that are compared
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
}
