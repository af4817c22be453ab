//! Values of options that many subcommands have.

use crate::spec::check_alpha;
use clap::ValueEnum;

/// For whom standard output is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum OutputFormat {
    #[default]
    Human,
    Json,
}

pub(super) fn alpha(word: &str) -> Result<f64, String> {
    check_alpha(word.parse().map_err(|_| "not a number, such as 1e-6")?)
}

pub(super) fn number(word: &str) -> Result<f64, String> {
    word.parse().map_err(|_| "not a number, such as 1e-6".to_owned())
}
