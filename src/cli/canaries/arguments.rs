//! The arguments of `plaudit canaries`, as they are typed.

use crate::cli::parse::{OutputFormat, alpha, number};
use clap::{Args, ValueEnum};
use plaudit_attacks::learning::canaries::{CalledSides, Guessing};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct CanariesArguments {
    /// One row per canary, with its score and whether it was in (0 or 1): a CSV file (*.csv) with a
    /// header row, *.npz, *.parquet, or one JSON object per line
    #[arg(value_name = "SCORES")]
    pub scores: PathBuf,
    /// Column of the scores; higher means in. Repeated, each column is an attack of its own, at an equal share of the level
    #[arg(long, value_name = "NAME", default_value = "score")]
    pub score_column: Vec<String>,
    /// The columns of scores are those after each step of one training, in order: look k is judged at A/(k (k + 1)), so one
    /// more column can be judged after each step, and the training stopped as soon as the claim is refuted
    #[arg(long)]
    pub in_turn: bool,
    /// Each canary has several versions, of which one, drawn uniformly, was in: a --score-column for each version; the column
    /// of --in-column holds the name of its column, or its place, from 0. Bounds the epsilon of replacing one version by another
    #[arg(long, conflicts_with_all = ["in_turn", "mu", "choose"])]
    pub versions: bool,
    /// Column that states whether a canary was in: 0 or 1, true or false; with --versions, which version was: the name of its
    /// column of scores, or its place, from 0
    #[arg(long, value_name = "NAME", default_value = "in")]
    pub in_column: String,
    /// Judge the claim (E, D)
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    pub epsilon: Option<f64>,
    /// Delta of the claim, and where epsilon is bounded [default: 1e-5]
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true)]
    pub delta: Option<f64>,
    /// Judge the claim of M-Gaussian differential privacy
    #[arg(long, value_name = "M", value_parser = number, allow_hyphen_values = true, conflicts_with = "epsilon")]
    pub mu: Option<f64>,
    /// Method to choose the number of guesses
    #[arg(long, value_enum, default_value_t, value_name = "HOW", conflicts_with = "guesses")]
    pub choose: Choosing,
    /// Instead of --choose: this number of guesses, half in and half out, or IN,OUT (not with --versions); fix it before you see
    /// the scores
    #[arg(long, value_name = "K", value_parser = sides)]
    pub guesses: Option<Guesses>,
    /// Level: all certified bounds hold at once with probability at least 1 − A
    #[arg(long, value_name = "A", value_parser = alpha, default_value_t = 0.05)]
    pub alpha: f64,
    /// Seed of the split, and of the order of equal scores; choose it before you see any result
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Output on standard output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
}

/// Method to choose the number of guesses from the scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Choosing {
    /// Four numbers on all canaries, each at a quarter of the level
    #[default]
    Bonferroni,
    /// On a quarter of the canaries, drawn at random; the others are counted
    Split,
    /// All numbers at once, in the order of the scores, on both sides and on each alone
    Ordered,
}

/// A number of guesses as it is typed.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct Guesses {
    sides: CalledSides,
    /// `true` for a number of each side.
    pub of_sides: bool,
}

impl CanariesArguments {
    pub(super) fn guessing(&self) -> Guessing {
        match (self.guesses, self.choose) {
            (Some(guesses), _) => Guessing::Fixed(guesses.sides),
            (None, Choosing::Split) => Guessing::Split { share: SHARE },
            (None, Choosing::Ordered) => Guessing::Ordered,
            (None, Choosing::Bonferroni) => Guessing::Bonferroni,
        }
    }
}

/// Share of the canaries that the number of guesses is chosen on.
const SHARE: f64 = 0.25;

/// `K`, half of them on each side, or `IN,OUT`.
fn sides(word: &str) -> Result<Guesses, String> {
    let whole = |word: &str| word.parse::<usize>().map_err(|_| "not a whole number, such as 100");
    let typed = word.split_once(',');
    let (called_in, called_out) = match typed {
        Some((called_in, called_out)) => (whole(called_in)?, whole(called_out)?),
        None => {
            let all = whole(word)?;
            (all.div_ceil(2), all / 2)
        }
    };
    match called_in.checked_add(called_out) {
        None => Err("too many".into()),
        Some(0) => Err("must be at least 1".into()),
        Some(_) => {
            Ok(Guesses { sides: CalledSides { called_in, called_out }, of_sides: typed.is_some() })
        }
    }
}
