//! The arguments of `plaudit attack membership`, as they are typed.

use crate::cli::parse::{OutputFormat, alpha, number};
use clap::Args;
use plaudit_attacks::attack::Calls;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct MembershipArguments {
    /// Scores of members: one number per line, as text or JSON; or *.csv, *.jsonl, *.npy, *.npz, *.parquet. With --label,
    /// one table of both groups. Infinite scores are valid
    #[arg(value_name = "MEMBERS", required_unless_present = "counts")]
    pub members: Option<PathBuf>,
    /// Scores of non-members; at least 100 scores of each group. Not needed with --label, or if MEMBERS is an archive (*.npz)
    /// of the arrays `members` and `others`, or `scores` and `labels`
    #[arg(value_name = "NON_MEMBERS", conflicts_with = "label")]
    pub non_members: Option<PathBuf>,
    /// Column of the scores in a table; repeated, each column is an attack of its own, at an equal share of the level
    /// [default: the only column]
    #[arg(long, value_name = "NAME")]
    pub column: Vec<String>,
    /// Column of the labels, in one table of both groups: 1, true or member; 0, false or non-member
    #[arg(long, value_name = "NAME")]
    pub label: Option<String>,
    /// In place of scores: TP,FP,N or TP,FP,MEMBERS,OTHERS, the true and false positives of a threshold that was fixed
    /// beforehand, and the number of members and of others (N of each)
    #[arg(long, value_name = "COUNTS", value_parser = counts, conflicts_with_all = ["members", "non_members", "column", "label", "seed", "rows"])]
    pub counts: Option<Calls>,
    /// Tables (*.csv) of the people behind the scores, for a classifier that never sees the model: if it tells members from
    /// others, the attack is refused, since its number would not be about the model
    #[arg(long, num_args = 2, value_names = ["MEMBERS", "OTHERS"])]
    pub rows: Option<Vec<PathBuf>>,
    /// Judge the claim (E, D), and bound delta at this epsilon [default: no claim, and delta at 1]
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    pub epsilon: Option<f64>,
    /// Delta of the claim, and where epsilon is bounded [default: 1e-5]
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true)]
    pub delta: Option<f64>,
    /// Judge the claim of M-Gaussian differential privacy
    #[arg(long, value_name = "M", value_parser = number, allow_hyphen_values = true, conflicts_with = "epsilon")]
    pub mu: Option<f64>,
    /// Level: all certified bounds hold at once with probability at least 1 − A
    #[arg(long, value_name = "A", value_parser = alpha, default_value_t = 0.05)]
    pub alpha: f64,
    /// Seed of the split into scores for choosing events and scores for counting; choose it before you see any result
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Output on standard output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
}

/// `TP,FP,N` or `TP,FP,MEMBERS,OTHERS`.
fn counts(word: &str) -> Result<Calls, String> {
    let parts: Result<Vec<u64>, _> = word.split(',').map(|part| part.trim().parse()).collect();
    let calls = match parts.as_deref() {
        Ok(&[true_positives, false_positives, n]) => {
            Calls { true_positives, false_positives, members: n, non_members: n }
        }
        Ok(&[true_positives, false_positives, members, non_members]) => {
            Calls { true_positives, false_positives, members, non_members }
        }
        _ => {
            return Err(
                "not three or four whole numbers, such as 90,10,1000 (TP,FP,N) or 90,20,1000,2000 (TP,FP,MEMBERS,OTHERS)"
                    .into(),
            );
        }
    };
    calls.check().map_err(|error| error.to_string())?;
    Ok(calls)
}
