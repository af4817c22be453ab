//! The arguments of `plaudit law`, as they are typed.

use crate::cli::parse::{OutputFormat, alpha, number};
use clap::Args;
use plaudit_core::law::NamedLaw;
use regex_lite::Regex;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct LawArguments {
    /// The law, with the size of its noise: laplace(scale=2), gaussian(sigma=1), discrete-laplace(scale=1),
    /// discrete-gaussian(sigma=2), exponential(scale=1), gumbel(scale=1), logistic(scale=1), uniform(low=0, high=1),
    /// cauchy(scale=1), student-t(freedom=3, scale=1), geometric(p=0.5), bernoulli(p=0.3), binomial(n=10, p=0.5),
    /// poisson(mean=4), discrete-uniform(low=0, high=9)
    #[arg(value_name = "LAW", required_unless_present = "spec")]
    pub law: Option<NamedLaw>,
    /// The draws, in the order in which they were drawn: one number per line, a column of a CSV file (*.csv), or - for
    /// standard input
    #[arg(value_name = "DRAWS", required_unless_present = "spec")]
    pub draws: Option<PathBuf>,
    /// Instead of draws: the mechanisms of the audits that have a `law` in these specs (TOML files, or folders of them)
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with_all = ["law", "draws", "column", "answer"])]
    pub spec: Vec<PathBuf>,
    /// With --spec: only the audits whose name matches this regular expression
    #[arg(long, value_name = "REGEX", value_parser = Regex::new, requires = "spec")]
    pub filter: Option<Regex>,
    /// With --spec: seed of the randomness
    #[arg(long, value_name = "S", requires = "spec", default_value_t = 0)]
    pub seed: u64,
    /// Column of the draws, if the file ends in .csv and has several
    #[arg(long, value_name = "NAME")]
    pub column: Option<String>,
    /// Number that the noise was added to: it is subtracted from each draw
    #[arg(long, value_name = "X", value_parser = number, allow_hyphen_values = true, default_value_t = 0.0)]
    pub answer: f64,
    /// Level: a right sampler is refuted with probability at most A
    #[arg(long, value_name = "A", value_parser = alpha, default_value_t = 1e-6)]
    pub alpha: f64,
    /// Output on standard output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
}
