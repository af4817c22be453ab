//! Shards: the trials that count, split among several runs of the same audit. The frozen choices
//! and all streams are functions of spec and seed, so each run freezes the same; and counts of
//! disjoint trials add up.

use super::RequestCounts;
use super::undeclared::UndeclaredOutcome;
use plaudit_core::tally::Tally;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Number of a shard, which determines its blocks of trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardNumber {
    pub number: u64,
    pub of: u64,
}

impl ShardNumber {
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// `true` if a block belongs to the shard.
    pub fn has(self, block: u64) -> bool {
        block % self.of == self.number - 1
    }

    /// Number of the first `all` blocks that belong to the shard.
    pub fn blocks(self, all: u64) -> u64 {
        all / self.of + u64::from(all % self.of >= self.number)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardCounts {
    /// SHA-256 of the frozen choices of explore: pair, witnesses, tests, and numbers of trials.
    pub frozen: String,
    pub block: u64,
    pub tallies: Vec<Tally>,
    /// For programs, the guesses of witnesses, request by request.
    pub requests: Vec<(u64, Vec<[RequestCounts; 2]>)>,
    pub undeclared: UndeclaredOutcome,
    /// Breach of the mechanism's contract, if any, and its block.
    pub broken: Option<(u64, String)>,
}

/// The runs that play the trials that count.
#[derive(Clone, Copy, Default)]
pub enum Confirming<'a> {
    #[default]
    Here,
    /// This run plays one shard and keeps its counts; the audit then ends as if interrupted.
    Shard(&'a ShardKept),
    Merged(&'a MergedShards),
}

pub struct ShardKept {
    pub shard: ShardNumber,
    counts: Mutex<Option<ShardCounts>>,
}

impl ShardKept {
    pub fn new(shard: ShardNumber) -> Self {
        Self { shard, counts: Mutex::default() }
    }

    pub fn keep(&self, counts: ShardCounts) {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner) = Some(counts);
    }

    /// Kept counts; `None`: the audit ended before any trial counted.
    pub fn counts(self) -> Option<ShardCounts> {
        self.counts.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Shards by their numbers, possibly thousands: "shard 2", "shards 2, 3, 5, 7, 8 and 40 others".
pub fn shards_in_words(numbers: &[u64]) -> String {
    const NAMED: usize = 5;
    let noun = if numbers.len() == 1 { "shard" } else { "shards" };
    let named: Vec<String> = numbers.iter().take(NAMED).map(u64::to_string).collect();
    let others = match numbers.len().saturating_sub(NAMED) {
        0 => String::new(),
        1 => " and 1 other".into(),
        more => format!(" and {more} others"),
    };
    format!("{noun} {}{others}", named.join(", "))
}

pub struct MergedShards {
    /// By the numbers of the shards.
    counts: BTreeMap<u64, Option<ShardCounts>>,
    /// Number of planned shards: the missing ones were left out on request.
    of: u64,
    problem: Mutex<Option<String>>,
}

impl MergedShards {
    /// Counts of `of` shards, by their numbers. Missing shards are left out.
    pub fn new(counts: BTreeMap<u64, Option<ShardCounts>>, of: u64) -> Self {
        Self { counts, of, problem: Mutex::default() }
    }

    pub fn left_out(&self) -> Vec<u64> {
        (1..=self.of).filter(|number| !self.counts.contains_key(number)).collect()
    }

    /// Reason why they do not belong to this audit, if one is known.
    pub fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn refuse(&self, why: String) -> String {
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = Some(why.clone());
        why
    }

    /// The counts of all shards with their numbers, if each used the choices frozen here and these
    /// blocks; else the reason why not.
    pub fn belonging(
        &self,
        frozen: &str,
        block: u64,
    ) -> Result<Vec<(ShardNumber, &ShardCounts)>, String> {
        let checked = self.counts.iter().map(|(&number, counts)| {
            let Some(counts) = counts else {
                return Err(format!("shard {number} ended before its trials, but this run does not"));
            };
            if counts.frozen != frozen {
                return Err(format!(
                    "shard {number} froze another witness than this run: it had another spec, seed, version or program, or a \
                     program that does not follow its seed"
                ));
            }
            if counts.block != block {
                return Err(format!(
                    "shard {number} requested {} runs at once, but this run {block}: set `batch` in the spec, \
                     so that timing does not decide it",
                    counts.block
                ));
            }
            Ok((ShardNumber { number, of: self.of }, counts))
        });
        let checked: Result<Vec<_>, String> = checked.collect();
        checked.map_err(|why| self.refuse(why))
    }
}
