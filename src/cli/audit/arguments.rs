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
    /// Mechanism runs per audit, over all phases and both datasets, or a time, such as 60s or 5min, converted into a
    /// number of runs by measuring the speed first [default: the spec's, else 1e6]
    #[arg(long, value_name = "N", value_parser = budget)]
    pub trials: Option<TrialBudget>,
    /// Probability of a false alarm, at most, per audit [default: the spec's, else 1e-6]
    #[arg(long, value_name = "A", value_parser = alpha)]
    pub alpha: Option<f64>,
    /// Seed of the randomness; `fresh` draws one from the system, prints it, and writes it to the report
    /// [default: the spec's, else 0]
    #[arg(long, value_name = "S", value_parser = seed)]
    pub seed: Option<SeedChoice>,
    /// Minimum power: a claim that is not refuted is inconclusive if a loss of X times the claim would not
    /// have been refuted either; `false` for none [default: the spec's, else 2]
    #[arg(long, value_name = "X", value_parser = min_power)]
    pub min_power: Option<f64>,
    /// Number of threads; it does not change the report [default: number of cores]
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<usize>,
    /// Audit only the audits whose name matches this regular expression
    #[arg(long, value_name = "REGEX", value_parser = Regex::new)]
    pub filter: Option<Regex>,
    /// Skip audits that a change does not touch: neither their spec nor a file listed in their `watch` differs
    /// between the working tree and its merge base with this git revision, such as origin/main
    #[arg(long, value_name = "REV", value_parser = revision)]
    pub changed_since: Option<String>,
    /// Audit only part M of N, split by the hash of the name: the N parts together cover every audit
    #[arg(long, value_name = "hash:M/N", value_parser = partition)]
    pub partition: Option<ShardNumber>,
    /// Folder of the report
    #[arg(long, value_name = "DIR", default_value = "reports")]
    pub out: PathBuf,
    /// Format of the plots, for papers and slides (the page has its own)
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub plots: Plots,
    /// Write the counted outcomes to files in this folder, for `recorded` in a spec
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    /// Report changes since this earlier report.json: verdicts, claims, bounds, new and missing audits
    #[arg(long, value_name = "FILE")]
    pub previous: Option<PathBuf>,
    /// Neither retry pairs found by earlier searches nor store newly found ones
    #[arg(long)]
    pub no_regressions: bool,
    /// Omit from the report when, where and with which software it was made: the rest is identical
    /// from run to run (or set SOURCE_DATE_EPOCH, which omits only the times)
    #[arg(long)]
    pub no_provenance: bool,
    /// Output on standard output: a table for people, or the report as JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
    /// After the table, show where the time went, slowest audit first: proofs, questions, explore, confirm, shrinking,
    /// judging, and the mechanism itself
    #[arg(long)]
    pub profile: bool,
    /// Trace the programs of violated audits (Python's that call plaudit.serve): the lines at which their runs on both
    /// datasets come apart under the same noise. Shown below the verdict, on the page and in the report
    #[arg(long)]
    pub trace: bool,
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
    /// Run part K of N of the counted trials, and write the counts to shard-K-of-N.json in the folder of --out, for
    /// `plaudit merge`: the report merged from all N parts equals that of a single run. Implies --no-regressions
    #[arg(long, value_name = "K/N", value_parser = shard, conflicts_with_all = ["record", "previous", "format"])]
    pub shard: Option<ShardNumber>,
    /// With --shard: read the frozen pair, witness and test from this file, instead of exploring. `--explore-only FILE` writes it,
    /// with the same specs and arguments; `plaudit merge` also needs it
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub frozen: Option<PathBuf>,
    /// Explore, write the frozen pair, witness and test to this file, for --frozen of every shard, and run no counted trials. Implies
    /// --no-regressions
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shard", "record", "previous", "format"])]
    pub explore_only: Option<PathBuf>,
    /// End each audit as soon as its outcome is clear: its claim is refuted or, if it has no δ, a loss of X times the claim (1.5 unless given)
    /// would have been refuted with probability 0.99; `--until-clear=false`: only when it is refuted. At most --trials. The witness
    /// is rebuilt after each batch of trials, all batches are tested together, and programs receive one request per run
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "1.5", value_name = "X", value_parser = enough,
        conflicts_with_all = ["shard", "explore_only", "record"])]
    pub until_clear: Option<f64>,
    /// Instead of auditing, replay these certificates of violations (the old pair and the old witness) on the mechanisms in the
    /// current specs; from files *.regressions.toml, every stored pair. Exits with 0 if no violation is reproduced, and prints what would
    /// have been detected
    #[arg(long, value_name = "CERT", num_args = 1.., conflicts_with_all = ["record", "previous", "shard", "explore_only", "until_clear", "format"])]
    pub regression: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct GateArguments {
    #[command(flatten)]
    pub audit: AuditArguments,
    /// The report.json of the target branch: a looser claim, a missing audit or planted mistake, different
    /// neighbors or a newly waived check makes the gate red; a higher bound or lower power is only reported
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Failures that are accepted temporarily (TOML): [[accepted]] with audit, rule, reason, expires (a date, inclusive, UTC)
    /// and, optionally, fingerprint
    #[arg(long, value_name = "FILE")]
    pub accepted: Option<PathBuf>,
    /// Accumulate the evidence against each claim in this file (JSON) over the runs of an audit, and turn red when it reaches
    /// 1/α: a correct claim is ever flagged this way with probability at most α, over all runs together, in addition
    /// to α for each run's own verdict. A repeated seed counts only once (see --seed fresh); an audit that changed
    /// starts over. Audits then run all their trials (no --enough)
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// Treatment of a claim that could not be tested properly
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub inconclusive: InconclusiveName,
    /// Treatment of an audit whose outcome includes the running time (`clock = true`)
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub clock: ClockName,
    /// End an audit as soon as a loss of X times its claim would have been refuted with probability 0.99; `false`: only when the
    /// claim is refuted
    #[arg(long, default_value = "1.5", value_name = "X", value_parser = enough)]
    pub enough: f64,
    /// Start no audit after the first unexpected verdict
    #[arg(long)]
    pub fail_fast: bool,
    /// Share this time, such as 90s or 5min, among the audits by their numbers of trials: slower audits get fewer
    /// trials, fixed beforehand; no audit starts after the time is up, and the remaining ones are inconclusive
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time_budget: Option<f64>,
    /// Report failures, but exit with 0
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
    /// Write a GitLab code quality report
    #[arg(long, value_name = "FILE")]
    pub code_quality: Option<PathBuf>,
    /// Write the decision as JSON (less than 50 kB)
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
    /// Print GitHub annotations, at most ten of each kind; if GITHUB_STEP_SUMMARY is set, append the comment to that file
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
    /// It is reported and counted separately, and never turns the gate red: the time depends on the load of the machine
    #[default]
    Advise,
    /// It counts like any other audit
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
