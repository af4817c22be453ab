//! The `plaudit` program: arguments in, exit code out.
//!
//! Raw arguments are parsed first, then resolved by each subcommand into one validated value that
//! is never changed. Results go to standard output, everything else to standard error.

mod account;
mod args;
mod attack;
mod attest;
mod audit;
mod benchmark;
mod budget;
mod canaries;
mod check;
mod columns;
mod config;
mod definitions;
mod diff;
mod examples;
pub mod exit;
mod gate;
mod init;
mod law;
mod list;
mod mutant;
mod output;
mod parse;
mod previous;
mod python;
mod replay;
mod running;
mod schema;
mod shards;
mod sheet;
mod tell;
mod verify;

pub use output::{Answer, Failure};
pub use running::provenance::{AskedProvenance, provenance_of_call};
#[cfg(fuzzing)]
pub use {account::recorded_events, replay::try_certificate, shards::ShardTrial, tell::pages};

use args::{Arguments, Command};
use clap::Parser;
use std::ffi::OsString;

/// The answer of `plaudit attack …` or `plaudit canaries …`, which is not printed; no configuration is read.
///
/// # Errors
/// Any reason for the lack of an answer, and any other command.
pub fn answer(arguments: impl IntoIterator<Item = OsString>) -> Result<Answer, Failure> {
    let arguments = Arguments::try_parse_from(arguments).map_err(Failure::Usage)?;
    match arguments.command {
        Command::Attack(raw) => attack::answer(&raw.attack),
        Command::Canaries(raw) => canaries::answer(&raw),
        _ => Err(Failure::Message("only attacks and canaries answer without printing".into())),
    }
}

/// Runs the program with its arguments (the first one is its own name), and returns the exit code:
/// one of those in [`exit`].
///
/// # Errors
/// Any reason for the lack of an answer; the exit code is the failure's own.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<u8, Failure> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    output::choose_colors(args::early_color(&arguments));
    let arguments = config::layered(arguments)?;
    let arguments = Arguments::try_parse_from(arguments).map_err(Failure::Usage)?;
    output::choose_colors(arguments.color);
    match arguments.command {
        Command::Audit(raw) => audit::run(*raw),
        Command::Merge(raw) => {
            let (asked, merging) = shards::read(&raw)?;
            audit::merged(asked, merging)
        }
        Command::Gate(raw) => gate::run(*raw),
        Command::Diff(raw) => diff::run(&raw),
        Command::List(raw) => list::run(&raw),
        Command::Mutant(raw) => mutant::run(&raw),
        Command::Sheet(raw) => sheet::run(&raw),
        Command::Attest(raw) => attest::run(&raw),
        Command::Replay(raw) => replay::run(&raw),
        Command::Verify(raw) => verify::run(raw),
        Command::Account(raw) => account::run(&raw),
        Command::Budget(raw) => budget::run(&raw),
        Command::Attack(raw) => attack::run(&raw),
        Command::Canaries(raw) => canaries::run(&raw),
        Command::Check(raw) => check::run(&raw),
        Command::Law(raw) => law::run(&raw),
        Command::Benchmark(raw) => benchmark::run(&raw),
        Command::Schema => schema::run(),
        Command::Config(raw) => config::run(&raw),
        Command::Init(raw) => init::run(&raw),
        Command::Completions(raw) => definitions::completions(&raw),
        Command::Man(raw) => definitions::man(&raw),
    }
}
