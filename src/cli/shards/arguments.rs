//! The arguments of shards, as they are typed.

use crate::cli::parse::OutputFormat;
use clap::Args;
use plaudit_engine::game::ShardNumber;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct MergeArguments {
    /// The files that `plaudit audit --shard` wrote, all of one run
    #[arg(value_name = "SHARD", required = true)]
    pub shards: Vec<PathBuf>,
    /// The file that the shards read (`plaudit audit --shard K/N --frozen FILE`), if any: merge also reads the frozen parts
    /// from it, instead of exploring
    #[arg(long, value_name = "FILE")]
    pub frozen: Option<PathBuf>,
    /// Merge although shards are missing: fewer trials count, and the report states this
    #[arg(long)]
    pub allow_missing: bool,
    /// Folder of the report
    #[arg(long, value_name = "DIR", default_value = "reports")]
    pub out: PathBuf,
    /// Omit from the report when, where and with which software it was made
    #[arg(long)]
    pub no_provenance: bool,
    /// Output on standard output: a table for people, or the report as JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
}

/// `K/N`, K from 1 to N.
pub(in crate::cli) fn shard(word: &str) -> Result<ShardNumber, String> {
    let parts = word.split_once('/').and_then(|(number, of)| {
        let number: u64 = number.parse().ok()?;
        let of: u64 = of.parse().ok()?;
        (1..=of).contains(&number).then_some(ShardNumber { number, of })
    });
    parts
        .filter(|shard| shard.of <= 100_000)
        .ok_or_else(|| "not K/N with whole numbers, K from 1 to N, N at most 100000".into())
}

/// `hash:M/N`, M from 1 to N.
pub(in crate::cli) fn partition(word: &str) -> Result<ShardNumber, String> {
    let numbers = word.strip_prefix("hash:").ok_or("not hash:M/N, such as hash:1/4")?;
    shard(numbers).map_err(|_| "not hash:M/N with whole numbers, M from 1 to N".into())
}
