//! Arguments of `plaudit budget`.

use crate::cli::parse::{OutputFormat, number};
use crate::cli::{examples, exit};
use clap::{Args, Subcommand};
use plaudit_accountant::Filter;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct BudgetArguments {
    /// The ledger, a TOML file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(subcommand)]
    pub command: BudgetCommand,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum BudgetCommand {
    /// Begin a ledger: state the budget, once
    #[command(after_help = after_help(examples::BUDGET_NEW))]
    New(NewArguments),
    /// Add a release before it is made, or refuse it: exit code 1, and the ledger is unchanged
    #[command(after_help = after_help(examples::BUDGET_ADD))]
    Add(AddArguments),
    /// Compute all costs again from the events, and check that they keep the budget
    #[command(after_help = after_help(examples::BUDGET_CHECK))]
    Check,
    /// Print the releases, what each cost, and what is spent and left
    #[command(after_help = after_help(examples::BUDGET_SHOW))]
    Show(ShowArguments),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct NewArguments {
    /// Epsilon of the budget
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    pub epsilon: f64,
    /// Delta of the budget; 0 takes only events that are epsilon-DP
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true)]
    pub delta: f64,
    /// Quantity that adds up: pure (epsilon), zcdp (rho), gdp (mu squared), or renyi:ORDER, such as renyi:16
    /// [default: pure if delta is 0, else zcdp]
    #[arg(long, value_name = "FILTER", value_parser = filter)]
    pub filter: Option<Filter>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct AddArguments {
    /// An expression as for `plaudit account`, such as 'gaussian(sigma=20) x 3'; all of it is added, or nothing
    #[arg(value_name = "EVENTS")]
    pub events: String,
    /// A remark that is kept with the release
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub note: Option<String>,
    /// Longest time to wait for another process that is adding
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub wait: u32,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ShowArguments {
    /// Also bracket the epsilon at the budget's delta if all events had been fixed beforehand, by `plaudit account`
    #[arg(long)]
    pub fixed: bool,
    /// Output on standard output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
}

fn filter(word: &str) -> Result<Filter, String> {
    word.parse()
}

fn after_help(examples: &str) -> String {
    format!("Examples:\n{examples}\n\nExit codes:\n{}", exit::OF_BUDGETS)
}
