//! Values of options that many subcommands have.

use crate::spec::{check_alpha, check_trials};
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

pub(super) fn trials(word: &str) -> Result<u64, String> {
    let plain = word.replace('_', "");
    let whole = plain.parse::<u64>().ok().or_else(|| {
        let x: f64 = plain.parse().ok()?;
        // Whole and below 2^53: the conversion is exact.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        (x.fract() == 0.0 && (0.0..9e15).contains(&x)).then_some(x as u64)
    });
    check_trials(whole.ok_or("not a whole number, such as 1000000, 1_000_000 or 1e6")?)
}

pub(super) fn jobs(word: &str) -> Result<usize, String> {
    const MOST: usize = 1024;
    let jobs = word.parse().map_err(|_| "not a whole number")?;
    if (1..=MOST).contains(&jobs) { Ok(jobs) } else { Err(format!("must be between 1 and {MOST}")) }
}
