//! The arguments of subcommands that audit, as they are typed.

use crate::cli::parse::{OutputFormat, alpha, jobs, trials};
use crate::cli::shards::arguments::{partition, shard};
use crate::spec::{Overrides, check_min_power, time_from_words};
use clap::{Args, ValueEnum};
use plaudit_engine::game::ShardNumber;
use regex_lite::Regex;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct AuditArguments {
    /// Spec files (TOML), or folders of them
    #[arg(value_name = "PATH", default_value = "audits")]
    pub paths: Vec<PathBuf>,
    /// Mechanism runs per audit, over all phases and both datasets, or a time, such as 60s or 5min, whose number
    /// of runs is measured beforehand [default: the spec's, else 1e6]
    #[arg(long, value_name = "N", value_parser = budget)]
    pub trials: Option<TrialBudget>,
    /// Level of a false alarm, per audit [default: the spec's, else 1e-6]
    #[arg(long, value_name = "A", value_parser = alpha)]
    pub alpha: Option<f64>,
    /// Seed of the randomness; `fresh` draws one from the system, says it, and writes it into the report
    /// [default: the spec's, else 0]
    #[arg(long, value_name = "S", value_parser = seed)]
    pub seed: Option<SeedChoice>,
    /// Least power: what is not refuted is inconclusive if a loss of X times the claim would not have been
    /// refuted either; `false` for none [default: the spec's, else 2]
    #[arg(long, value_name = "X", value_parser = min_power)]
    pub min_power: Option<f64>,
    /// Threads; they do not change the report [default: the cores there are]
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<usize>,
    /// Audit only those whose name matches this regular expression
    #[arg(long, value_name = "REGEX", value_parser = Regex::new)]
    pub filter: Option<Regex>,
    /// Leave out audits that a change does not touch: neither their spec nor a file that their `watch` names differs
    /// between the working tree and where it left this git revision, such as origin/main
    #[arg(long, value_name = "REV", value_parser = revision)]
    pub changed_since: Option<String>,
    /// Audit only part M of N, dealt out by the hash of the name: the parts of N jobs are all audits
    #[arg(long, value_name = "hash:M/N", value_parser = partition)]
    pub partition: Option<ShardNumber>,
    /// Folder of the report
    #[arg(long, value_name = "DIR", default_value = "reports")]
    pub out: PathBuf,
    /// Format of the plots, for papers and slides (the page has its own)
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub plots: Plots,
    /// Write the outcomes that were counted to files of this folder, for `recorded` in a spec
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    /// Say what changed since this earlier report.json: verdicts, claims, bounds, audits that are new or gone
    #[arg(long, value_name = "FILE")]
    pub previous: Option<PathBuf>,
    /// Neither try pairs that a search found before nor keep those that it finds
    #[arg(long)]
    pub no_regressions: bool,
    /// Leave out of the report when, where and with what it was made: what is left is the same from run
    /// to run (or set SOURCE_DATE_EPOCH, which leaves out the times alone)
    #[arg(long)]
    pub no_provenance: bool,
    /// Output on standard output: a table for people, or the report as JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
    /// After the table, say where the time went, slowest audit first: proofs, questions, explore, confirm, shrinking,
    /// judging, and the mechanism itself
    #[arg(long)]
    pub profile: bool,
    /// Show no progress (shown only if standard error is a terminal)
    #[arg(long)]
    pub no_progress: bool,
}

impl AuditArguments {
    /// Settings that override the specs, with this seed.
    pub fn overrides(&self, seed: Option<u64>) -> Overrides {
        let (trials, seconds) = match self.trials {
            Some(TrialBudget::Trials(trials)) => (Some(trials), None),
            Some(TrialBudget::Seconds(seconds)) => (None, Some(seconds)),
            None => (None, None),
        };
        Overrides { trials, seconds, alpha: self.alpha, seed, min_power: self.min_power }
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ShardedArguments {
    #[command(flatten)]
    pub audit: AuditArguments,
    /// Play part K of N of the trials that count, and write their counts to shard-K-of-N.json in the folder of --out, for
    /// `plaudit merge`: the report of all N parts is that of one run. Implies --no-regressions
    #[arg(long, value_name = "K/N", value_parser = shard, conflicts_with_all = ["record", "previous", "format"])]
    pub shard: Option<ShardNumber>,
    /// With --shard: take from this file what is frozen (pair, witness, test), instead of exploring. `--explore-only FILE` writes it,
    /// with the same specs and arguments; `plaudit merge` needs it, too
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub frozen: Option<PathBuf>,
    /// Explore, write what is frozen to this file, for the --frozen of all shards, and play no trials that count. Implies
    /// --no-regressions
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shard", "record", "previous", "format"])]
    pub explore_only: Option<PathBuf>,
    /// End each audit as soon as it is clear: its claim is refuted or, if it has no δ, a loss of X times the claim (1.5 unless given)
    /// would have been refuted with probability 0.99; `--until-clear=false`: only when it is refuted. At most --trials. The witness
    /// is made anew after each batch of trials, all batches are judged together, and programs are asked for each run by itself
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "1.5", value_name = "X", value_parser = enough,
        conflicts_with_all = ["shard", "explore_only", "record"])]
    pub until_clear: Option<f64>,
    /// Play these certificates of violations on the mechanisms that the specs name now, instead of auditing: the old pair and the
    /// old witness; of files *.regressions.toml each stored pair. Ends with 0 if no violation shows again, and prints what would have
    /// been seen
    #[arg(long, value_name = "CERT", num_args = 1.., conflicts_with_all = ["record", "previous", "shard", "explore_only", "until_clear", "format"])]
    pub regression: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct GateArguments {
    #[command(flatten)]
    pub audit: AuditArguments,
    /// The report.json of the branch that the change goes to: a claim that is looser, an audit or a planted mistake that is
    /// gone, other neighbors or a check that is newly waived makes the gate red; a bound that rose or power that fell is said
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Failures that are accepted for a time (TOML): [[accepted]] with audit, rule, reason, expires (a date, inclusive, UTC)
    /// and, if wanted, fingerprint
    #[arg(long, value_name = "FILE")]
    pub accepted: Option<PathBuf>,
    /// Keep the evidence against each claim in this file (JSON), from run to run of the same audit, and be red where it adds
    /// up to 1/α: a right audit is ever flagged so with probability α at most, over all runs together, beside α of
    /// each run's own verdict. A seed that it has seen counts once (see --seed fresh); an audit that changed begins
    /// anew. Audits then play all their trials (no --enough)
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// Treatment of a claim that could not be tested properly
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub inconclusive: InconclusiveName,
    /// Treatment of an audit whose outcome has the running time in it (`clock = true`)
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub clock: ClockName,
    /// End an audit as soon as a loss of X times its claim would have been refuted with probability 0.99; `false`: only when the
    /// claim is refuted
    #[arg(long, default_value = "1.5", value_name = "X", value_parser = enough)]
    pub enough: f64,
    /// Begin no audit after the first verdict that was not expected
    #[arg(long)]
    pub fail_fast: bool,
    /// Share this time, such as 90s or 5min, among the audits by their numbers of trials: those that take longer get
    /// fewer trials, fixed beforehand, and none is begun after it: those that are left are inconclusive
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time_budget: Option<f64>,
    /// Say what is wrong, and end with 0
    #[arg(long)]
    pub exit_zero: bool,
    /// Write JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Write a comment for a merge request
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Write code quality as GitLab reads it
    #[arg(long, value_name = "FILE")]
    pub code_quality: Option<PathBuf>,
    /// Write the decision as JSON, below 50 kB
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
    /// Print annotations as GitHub reads them, ten of a kind at most; where GITHUB_STEP_SUMMARY is set, add the comment there
    #[arg(long)]
    pub annotations: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum InconclusiveName {
    /// The gate is not passed: exit code 3
    #[default]
    Fail,
    /// It is said
    Warn,
    /// It is counted
    Pass,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ClockName {
    /// It is said and counted apart, and makes no gate red: the time depends on what else the machine does
    #[default]
    Advise,
    /// It counts as other audits do
    Fail,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum SeedChoice {
    Given(u64),
    /// One that the system draws.
    Fresh,
}

/// How much an audit may run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::cli) enum TrialBudget {
    Trials(u64),
    Seconds(f64),
}

/// Format of plots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Plots {
    #[default]
    Svg,
    Png,
}

fn budget(word: &str) -> Result<TrialBudget, String> {
    match time_from_words(word) {
        Some(seconds) => seconds.map(TrialBudget::Seconds),
        None => trials(word)
            .map(TrialBudget::Trials)
            .map_err(|why| format!("{why}; or a time, such as 60s or 5min")),
    }
}

fn seed(word: &str) -> Result<SeedChoice, String> {
    match word {
        "fresh" => Ok(SeedChoice::Fresh),
        _ => {
            let seed =
                word.parse().map_err(|_| "not a whole number from 0 to 2^64 - 1, nor `fresh`")?;
            Ok(SeedChoice::Given(seed))
        }
    }
}

fn min_power(word: &str) -> Result<f64, String> {
    match word {
        "false" => Ok(f64::INFINITY),
        _ => check_min_power(word.parse().map_err(|_| "not a number, such as 2, nor `false`")?),
    }
}

/// A revision that git cannot take for an option.
fn revision(word: &str) -> Result<String, String> {
    match word {
        "" => Err("no revision: name a branch, a tag or a commit, such as origin/main".into()),
        _ if word.starts_with('-') => Err("no revision of git starts with `-`".into()),
        _ => Ok(word.to_owned()),
    }
}

fn enough(word: &str) -> Result<f64, String> {
    match word.parse() {
        _ if word == "false" => Ok(f64::INFINITY),
        Ok(times) if times >= 1.0 && f64::is_finite(times) => Ok(times),
        _ => Err("not a multiple of the claim, such as 1.5, from 1 up, nor `false`".into()),
    }
}

fn time(word: &str) -> Result<f64, String> {
    match time_from_words(word) {
        Some(Ok(seconds)) => Ok(seconds),
        _ => Err("not a time from 1 s to 1000 h, such as 90s or 5min".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_enough_is_a_multiple_of_the_claim() {
        assert_eq!(enough("1.5"), Ok(1.5));
        assert_eq!(enough("false"), Ok(f64::INFINITY));
        for word in ["0.99", "nan", "inf", "-2", "true", ""] {
            assert!(enough(word).is_err(), "{word}");
        }
    }

    #[test]
    fn a_budget_is_a_number_or_a_time() {
        assert_eq!(budget("1e6"), Ok(TrialBudget::Trials(1_000_000)));
        for (word, seconds) in [("60s", 60.0), ("60 s", 60.0), ("5min", 300.0), ("1.5 h", 5400.0)] {
            assert_eq!(budget(word), Ok(TrialBudget::Seconds(seconds)), "{word}");
        }
        for word in ["0s", "60m", "s", "1001h", "nans", "-5s", "6 0s", "1.2.3s"] {
            assert!(budget(word).is_err(), "{word}");
        }
    }
}
