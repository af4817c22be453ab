//! Explore dealt out to shards, step by step.
//!
//! What explore does next follows from what it saw, so its steps cannot be dealt out all at once. Each run of a shard goes through
//! explore from the beginning: of a step that all shards have played it takes what they found, and of the first that they have not
//! it plays its own part, and ends. Played again and again, with what all others found, it comes to the end. What a step gives
//! is a function of spec and seed, whoever plays which part, so what is frozen is what one run would have frozen.

use super::shard::ShardNumber;
use super::undeclared::UndeclaredOutcome;
use crate::tally::Tally;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// What a shard found, by the steps of an audit's explore.
pub type StepParts = BTreeMap<String, StepPart>;

/// What a shard found in its part of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepPart {
    /// Trials of a block.
    pub(super) block: u64,
    pub(super) found: PlayedPart,
    /// Outcomes that were not declared.
    pub(super) undeclared: UndeclaredOutcome,
    /// How the mechanism broke its contract, if it did, and in which block.
    pub(super) broken: Option<(u64, String)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PlayedPart {
    /// A tally for each counter.
    Tallies(Vec<Tally>),
    /// The outcomes under D and D' of some blocks, part by part, as lines of JSON.
    Outcomes(Vec<(u64, Vec<[Vec<String>; 2]>)>),
    /// What a pair of a search promises, by the bits of doubles.
    Look([u64; 2]),
    /// Nothing, since the mechanism broke its contract.
    Nothing,
}

/// The steps of an audit's explore, as far as shards have played them.
pub struct DealtExplore {
    /// Which shard plays on; `None`: none, since all have.
    shard: Option<ShardNumber>,
    /// How many shards there are.
    pub(super) of: u64,
    /// What each shard found so far, by its number.
    known: BTreeMap<u64, StepParts>,
    /// What this run found.
    own: Mutex<StepParts>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The steps that were come to.
    seen: BTreeSet<String>,
    /// Those of them that not all shards have played, with the shards that have not.
    waits_for: Vec<(String, Vec<u64>)>,
    problem: Option<String>,
}

/// What a step gave, shard by shard.
pub(super) type PlayedParts<'a> = Vec<(ShardNumber, &'a StepPart)>;

impl DealtExplore {
    /// Explore that one of so many shards plays on, or none, from what each has found so far.
    pub fn new(shard: Option<ShardNumber>, of: u64, known: BTreeMap<u64, StepParts>) -> Self {
        Self { shard, of, known, own: Mutex::default(), state: Mutex::default() }
    }

    /// A step that it came to and that not all shards have played, if there is one.
    pub fn waits_for(&self) -> Option<String> {
        self.state().waits_for.first().map(|(step, _)| step.clone())
    }

    /// Whether another shard came by other steps to the one that it waits for, or to the end: this one waits for a part that the
    /// other never plays. All come by the same steps, so whoever is at one that was not seen here has played all those here.
    pub fn is_apart_from(&self, number: u64, waits_for: Option<&str>) -> bool {
        let state = self.state();
        let is_awaited = state.waits_for.iter().any(|(_, missing)| missing.contains(&number));
        is_awaited && waits_for.is_none_or(|step| !state.seen.contains(step))
    }

    /// Why what shards found does not belong to this audit, if that showed.
    pub fn problem(&self) -> Option<String> {
        self.state().problem.clone()
    }

    /// What the shard that plays on found, now and before.
    pub fn found(self) -> StepParts {
        let mut known = self.known;
        let mut all = self.shard.and_then(|shard| known.remove(&shard.number)).unwrap_or_default();
        all.extend(self.own.into_inner().unwrap_or_else(PoisonError::into_inner));
        all
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses them, for this reason.
    pub(super) fn refuse(&self, why: String) {
        self.state().problem.get_or_insert(why);
    }

    /// The numbers of all shards.
    pub(super) fn shards(&self) -> Vec<u64> {
        (1..=self.of).collect()
    }

    fn part(&self, step: &str, number: u64) -> Option<(ShardNumber, &StepPart)> {
        let part = self.known.get(&number)?.get(step)?;
        Some((ShardNumber { number, of: self.of }, part))
    }

    /// What these shards found in a step; `None`: not all have played it. Then the part of the shard that plays on is played, if it
    /// is not known yet.
    pub(super) fn parts(
        &self,
        step: String,
        shards: &[u64],
        play: impl FnOnce(ShardNumber) -> Option<StepPart>,
    ) -> Option<PlayedParts<'_>> {
        let known: Option<PlayedParts<'_>> =
            shards.iter().map(|number| self.part(&step, *number)).collect();
        self.state().seen.insert(step.clone());
        if known.is_none() {
            let missing = shards.iter().copied().filter(|shard| self.part(&step, *shard).is_none());
            self.state().waits_for.push((step.clone(), missing.collect()));
            let own = self.shard.filter(|shard| shards.contains(&shard.number));
            let not_played = own.filter(|shard| self.part(&step, shard.number).is_none());
            if let Some(part) = not_played.and_then(play) {
                self.own.lock().unwrap_or_else(PoisonError::into_inner).insert(step, part);
            }
        }
        known
    }
}
