//! The raw arguments, as they are typed.

use super::account::arguments::AccountArguments;
use super::attack::infer_arguments::InferArguments;
use super::attack::link_arguments::LinkArguments;
use super::attack::membership_arguments::MembershipArguments;
use super::attack::names::{DecoderName, DisturbanceName, NoiseName};
use super::attack::single_arguments::SingleArguments;
use super::attest::arguments::AttestArguments;
use super::audit::arguments::{GateArguments, ShardedArguments};
use super::budget::arguments::BudgetArguments;
use super::canaries::arguments::CanariesArguments;
use super::law::arguments::LawArguments;
pub(super) use super::parse::OutputFormat;
use super::parse::{alpha, jobs, number, trials};
use super::shards::arguments::MergeArguments;
use super::sheet::arguments::SheetArguments;
use super::{examples, exit};
use clap::{Args, Parser, Subcommand, ValueEnum};
use regex_lite::Regex;
use std::ffi::OsString;
use std::path::PathBuf;

/// Audits privacy-loss claims: runs mechanisms millions of times on neighboring datasets and
/// reports, with evidence, whether their (epsilon, delta) claims hold.
#[derive(Debug, Parser)]
#[command(name = "plaudit", version, after_help = after_help(examples::ALL, exit::OF_VERDICTS), max_term_width = 100)]
pub(super) struct Arguments {
    /// When to use colors: auto, on a terminal only (NO_COLOR and CLICOLOR_FORCE are honoured)
    #[arg(long, value_enum, default_value_t, value_name = "WHEN", global = true)]
    pub color: Color,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Audit the claims in specs, and write a report
    #[command(after_help = after_help(examples::AUDIT, exit::OF_VERDICTS))]
    Audit(Box<ShardedArguments>),
    /// Audit as a CI gate: red or green, compared with a baseline, in the formats that CI systems read
    #[command(after_help = after_help(examples::GATE, exit::OF_GATE))]
    Gate(Box<GateArguments>),
    /// Merge the counts of a run's shards into one report (`plaudit audit --shard K/N`)
    #[command(after_help = after_help(examples::MERGE, exit::OF_VERDICTS))]
    Merge(MergeArguments),
    /// Show the differences between two reports: audits, claims, verdicts, bounds, power, levels, attacks
    #[command(after_help = after_help(examples::DIFF, exit::OF_DIFF))]
    Diff(DiffArguments),
    /// List the audits in specs without running them
    #[command(after_help = after_help(examples::LIST, exit::OF_SPECS))]
    List(ListArguments),
    /// Print a spec of mutants: the audits of a spec with half the noise, which must be found
    #[command(after_help = after_help(examples::MUTANT, exit::OF_SPECS))]
    Mutant(MutantArguments),
    /// Print evaluation sheets from a report, or records for a public registry of deployments
    #[command(after_help = after_help(examples::SHEET, exit::OF_SHEETS))]
    Sheet(SheetArguments),
    /// Sign the results of a report, or verify such a signature
    #[command(after_help = after_help(examples::ATTEST, exit::OF_ATTESTATIONS))]
    Attest(AttestArguments),
    /// Replay the witness of a certificate with fresh randomness
    #[command(after_help = after_help(examples::REPLAY, exit::OF_REPLAY))]
    Replay(ReplayArguments),
    /// Prove or refute the claims in specs by enumeration, without sampling
    #[command(after_help = after_help(examples::VERIFY, exit::OF_VERDICTS))]
    Verify(VerifyArguments),
    /// Account for a composition of mechanisms: its epsilon at a delta, or its delta at an epsilon
    #[command(after_help = after_help(examples::ACCOUNT, exit::OF_ACCOUNTS))]
    Account(AccountArguments),
    /// Keep a ledger of releases under one budget, where each release may depend on earlier outputs
    #[command(after_help = after_help(examples::BUDGET, exit::OF_BUDGETS))]
    Budget(BudgetArguments),
    /// Attack released data, and report what an adversary provably learns
    #[command(after_help = after_help(examples::ATTACK, exit::OF_ATTACKS))]
    Attack(AttackArguments),
    /// Audit a training in one run, from scores of canaries included by a coin flip: bounds on epsilon and mu
    #[command(after_help = after_help(examples::CANARIES, exit::OF_ATTACKS))]
    Canaries(CanariesArguments),
    /// Audit what a Python library claims of its own mechanism: diffprivlib, opendp, anything with a dp_event
    #[command(after_help = after_help(examples::CHECK, exit::OF_CHECKS))]
    Check(CheckArguments),
    /// Test whether draws of a sampler follow the law that its code intends: too much noise as well as too little
    #[command(after_help = after_help(examples::LAW, exit::OF_LAWS))]
    Law(LawArguments),
    /// Measure the bounds certified for known mechanisms, correct and broken, at several budgets
    #[command(after_help = after_help(examples::BENCHMARK, exit::OF_SPECS))]
    Benchmark(BenchmarkArguments),
    /// Print the JSON Schema of the report
    #[command(after_help = after_help(examples::SCHEMA, exit::OF_ANSWERS))]
    Schema,
    /// Print the settings of `audit` and `gate`, and their source: plaudit.toml, the environment (PLAUDIT_*), or nowhere
    #[command(after_help = after_help(examples::CONFIG, exit::OF_ANSWERS))]
    Config(ConfigArguments),
    /// Write a spec with a planted mistake, and a program for it, to start from
    #[command(after_help = after_help(examples::INIT, exit::OF_ANSWERS))]
    Init(InitArguments),
    /// Print the completions for a shell
    #[command(after_help = after_help(examples::COMPLETIONS, exit::OF_ANSWERS))]
    Completions(CompletionsArguments),
    /// Write manual pages
    #[command(after_help = after_help(examples::MAN, exit::OF_ANSWERS))]
    Man(ManArguments),
}

#[derive(Debug, Args)]
pub(super) struct InitArguments {
    /// Folder of the spec
    #[arg(value_name = "DIR", default_value = "audits")]
    pub folder: PathBuf,
    /// Language of the program [default: python where there are Python files, else rust where there is a
    /// Cargo.toml, else other]
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub language: Option<StarterLanguage>,
}

/// Language of a starter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StarterLanguage {
    /// Python 3, no packages needed
    Python,
    /// A separate package, run by cargo
    Rust,
    /// A placeholder shell script with awk
    Other,
}

#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// The object, as MODULE:NAME
    #[arg(value_name = "OBJECT")]
    pub object: OsString,
    /// Parameters of the object (--epsilon 1), datasets (--d 0 --d-prime 1, in Python), --d-in, --delta, --trials,
    /// --alpha, --seed, --relation, --out, --format: `python3 -m plaudit check --help` explains them
    #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub options: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(super) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(super) struct ManArguments {
    /// Folder of the pages
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct ConfigArguments {
    /// Output on standard output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
}

#[derive(Debug, Args)]
pub(super) struct DiffArguments {
    /// The earlier report.json
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The later report.json
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// Format: lines for people, a table in Markdown, a page, or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: DiffFormat,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Exit with 1 if anything differs
    #[arg(long)]
    pub exit_code: bool,
}

/// Format of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum DiffFormat {
    #[default]
    Human,
    Markdown,
    Html,
    Json,
}

#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// Spec files (TOML), or folders of them
    #[arg(value_name = "PATH", default_value = "audits")]
    pub paths: Vec<PathBuf>,
    /// Output on standard output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
}

#[derive(Debug, Args)]
pub(super) struct MutantArguments {
    /// Spec file (TOML) with correct claims, to check that its audits can turn red
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct VerifyArguments {
    /// Spec files (TOML), or folders of them
    #[arg(value_name = "PATH", default_value = "audits")]
    pub paths: Vec<PathBuf>,
    /// Try all audits, not only those with `verify`
    #[arg(long)]
    pub all: bool,
    /// Prove only the audits whose name matches this regular expression
    #[arg(long, value_name = "REGEX", value_parser = Regex::new)]
    pub filter: Option<Regex>,
    /// Number of threads; it does not change the result [default: number of cores]
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<usize>,
    /// Output on standard output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
}

#[derive(Debug, Args)]
pub(super) struct ReplayArguments {
    /// A certificate that `plaudit audit` wrote
    #[arg(value_name = "CERTIFICATE")]
    pub certificate: PathBuf,
    /// Allow running the program that the certificate names: only if you trust it
    #[arg(long)]
    pub run_program: bool,
    /// Seed of the randomness; the certificate's seed reproduces its counts [default: a fresh one]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Level of the test on the new counts [default: the certificate's, at most 1e-3]
    #[arg(long, value_name = "A", value_parser = alpha)]
    pub alpha: Option<f64>,
    /// Replay only the pair that was found, or only the smallest pair it was shrunk to [default:
    /// both; the found pair sets the exit code]
    #[arg(long, value_enum, value_name = "WHICH")]
    pub pair: Option<Which>,
    /// Number of threads; it does not change the result [default: number of cores]
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<usize>,
    /// Output on standard output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
}

#[derive(Debug, Args)]
pub(super) struct AttackArguments {
    #[command(subcommand)]
    pub attack: Attack,
}

#[derive(Debug, Subcommand)]
pub(super) enum Attack {
    /// Membership inference, from attack scores of members and non-members: bounds on epsilon, delta, mu and the advantage, and the ROC curve
    #[command(after_help = after_help(examples::ATTACK_MEMBERSHIP, exit::OF_ATTACKS))]
    Membership(MembershipArguments),
    /// Averaging: one counting query repeated many times; the error of a guess, and the epsilon of the answers
    #[command(after_help = after_help(examples::ATTACK_AVERAGE, exit::OF_ANSWERS))]
    Average(AverageArguments),
    /// Reconstruction: noisy counts of random subsets; how much of the underlying table can be rebuilt
    #[command(after_help = after_help(examples::ATTACK_RECONSTRUCT, exit::OF_ANSWERS))]
    Reconstruct(ReconstructArguments),
    /// Linkage: a table without names joined with a table with names; how many rows it identifies
    #[command(after_help = after_help(examples::ATTACK_LINK, exit::OF_ANSWERS))]
    Link(LinkArguments),
    /// Singling out: conditions guessed from a release that one row of the original table satisfies, next to a control
    #[command(after_help = after_help(examples::ATTACK_SINGLE_OUT, exit::OF_EXCESS))]
    SingleOut(SingleArguments),
    /// Inference: a secret column guessed from known ones by the nearest released rows, next to a control
    #[command(after_help = after_help(examples::ATTACK_INFER, exit::OF_EXCESS))]
    Infer(InferArguments),
}

impl Attack {
    pub fn format(&self) -> OutputFormat {
        match self {
            Self::Membership(raw) => raw.format,
            Self::Average(raw) => raw.format,
            Self::Reconstruct(raw) => raw.format,
            Self::Link(raw) => raw.format,
            Self::SingleOut(raw) => raw.release.format,
            Self::Infer(raw) => raw.release.format,
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct AverageArguments {
    /// Noise of each fresh answer
    #[arg(long, value_enum, value_name = "NOISE")]
    pub noise: NoiseName,
    /// Its scale; of Gaussian noise its standard deviation
    #[arg(long, value_name = "S", value_parser = number, allow_hyphen_values = true)]
    pub scale: f64,
    /// Largest change of the exact answer by one person
    #[arg(long, value_name = "X", value_parser = number, allow_hyphen_values = true, default_value_t = 1.0)]
    pub sensitivity: f64,
    /// Number of times the query is asked, at most 100000
    #[arg(long, value_name = "K", default_value_t = 1000)]
    pub queries: u64,
    /// Store the first answer and repeat it
    #[arg(long)]
    pub cached: bool,
    /// Alternate queries with and without the person, and average the differences
    #[arg(long)]
    pub differencing: bool,
    /// Stop answering before the accountant's epsilon at --delta exceeds this
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    pub budget: Option<f64>,
    /// Delta at which epsilon is reported
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true, default_value_t = 1e-5)]
    pub delta: f64,
    /// Output on standard output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
}

#[derive(Debug, Args)]
pub(super) struct ReconstructArguments {
    /// Noise of each answer
    #[arg(long, value_enum, value_name = "NOISE")]
    pub noise: DisturbanceName,
    /// Its scale: of gaussian the standard deviation, of bounded and adversarial the largest error, of rounding the multiple
    #[arg(long, value_name = "S,..", value_parser = number, allow_hyphen_values = true, value_delimiter = ',', required_unless_present = "epsilon_per_query")]
    pub scale: Vec<f64>,
    /// Instead of --scale: the epsilon of one answer with laplace or gaussian noise (gaussian: at --delta)
    #[arg(long, value_name = "E,..", value_parser = number, allow_hyphen_values = true, value_delimiter = ',', conflicts_with = "scale")]
    pub epsilon_per_query: Vec<f64>,
    /// People in a table drawn by --seed, half of them 1: at most 24 for exhaustive, else 2000
    #[arg(long, value_name = "N", default_value_t = 100, conflicts_with = "data")]
    pub entries: usize,
    /// Read the table from a file instead: 0 or 1, one per line
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Method to rebuild the table
    #[arg(long, value_enum, value_name = "HOW", default_value = "linear-program")]
    pub decoder: DecoderName,
    /// Number of random subsets to query [default: 4 per person; for exhaustive, each subset once]
    #[arg(long, value_name = "M,..", value_delimiter = ',')]
    pub queries: Vec<u64>,
    /// Delta at which epsilon is reported
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true, default_value_t = 1e-5)]
    pub delta: f64,
    /// Seed of the table, the queries and the noise
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Output on standard output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
}

#[derive(Debug, Args)]
pub(super) struct BenchmarkArguments {
    /// Budgets: mechanism runs per audit, over all phases and both datasets
    #[arg(long, value_name = "N,..", value_parser = trials, value_delimiter = ',', default_value = "1e4,1e5,1e6,1e7")]
    pub trials: Vec<u64>,
    /// Number of audits per mechanism and budget; the median is reported
    #[arg(long, value_name = "N", value_parser = seeds, default_value_t = 5)]
    pub seeds: u64,
    /// Level of each certified number by itself
    #[arg(long, value_name = "A", value_parser = alpha, default_value_t = 0.05)]
    pub alpha: f64,
    /// Only mechanisms whose name matches this regular expression
    #[arg(long, value_name = "REGEX", value_parser = Regex::new)]
    pub filter: Option<Regex>,
    /// Folder of benchmark.json and benchmark.md
    #[arg(long, value_name = "DIR", default_value = "reports/benchmark")]
    pub out: PathBuf,
    /// Number of threads; it changes only the times [default: number of cores]
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<usize>,
    /// Output on standard output: the tables, or all as JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
    /// Show no progress (shown only if standard error is a terminal)
    #[arg(long)]
    pub no_progress: bool,
    /// Instead: plaudit and other auditors on the same mechanisms at equal runs, by benchmark/run.py of the repository
    /// (needs Python; benchmark/install.sh installs the others), with --trials runs [default: 1e5]
    #[arg(long, conflicts_with_all = ["seeds", "alpha", "jobs", "format", "no_progress"])]
    pub peers: bool,
}

/// A pair of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Which {
    Found,
    Smallest,
}

/// When to use colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// Value of `--color`, read before the arguments are: their own mistakes are also printed.
pub(super) fn early_color(arguments: &[OsString]) -> Color {
    let words: Vec<&str> = arguments.iter().map(|word| word.to_str().unwrap_or("")).collect();
    let separate = words.windows(2).filter(|two| two[0] == "--color").map(|two| two[1]);
    let joined = words.iter().filter_map(|word| word.strip_prefix("--color="));
    let said = separate.chain(joined).last();
    said.and_then(|word| Color::from_str(word, false).ok()).unwrap_or_default()
}

/// "1000000", "1_000_000" or "1e6".
fn seeds(word: &str) -> Result<u64, String> {
    const MOST: u64 = 10_000;
    let seeds = word.parse().map_err(|_| "not a whole number")?;
    if (1..=MOST).contains(&seeds) {
        Ok(seeds)
    } else {
        Err(format!("must be between 1 and {MOST}"))
    }
}

fn after_help(examples: &str, codes: &str) -> String {
    format!("Examples:\n{examples}\n\nExit codes:\n{codes}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_of_the_arguments_is_sound() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn trials_are_whole_numbers_in_three_spellings() {
        for word in ["1000000", "1_000_000", "1e6", "1E6", "1.0e6"] {
            assert_eq!(trials(word), Ok(1_000_000), "{word}");
        }
        for word in ["", "1.5", "-1", "nan", "inf", "99", "1e13", "1e400", "0x10", "many"] {
            assert!(trials(word).is_err(), "{word}");
        }
    }

    #[test]
    fn the_last_color_counts_before_the_arguments_are_parsed() {
        let early =
            |words: &[&str]| early_color(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(early(&["plaudit", "--color", "never"]), Color::Never);
        assert_eq!(early(&["plaudit", "--color=always", "list"]), Color::Always);
        assert_eq!(early(&["plaudit", "--color=nonsense"]), Color::Auto);
        assert_eq!(early(&["plaudit", "--color"]), Color::Auto);
    }
}
