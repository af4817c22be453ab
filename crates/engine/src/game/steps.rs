//! The steps of explore, of which each shard plays a part where explore is dealt out.

use super::block::Block;
use super::dealt::{DealtExplore, PlayedPart, PlayedParts, StepPart};
use super::play::{Control, Game, GameError};
use super::shard::ShardNumber;
use super::undeclared::UndeclaredOutcomes;
use crate::mechanism::Outcomes;
use crate::mechanism::wire::{push_line, write_line};
use crate::random::Phase;
use crate::tally::Tally;
use crate::witness::Counter;
use crate::witness::choose::Glance;
use std::collections::BTreeMap;

/// Fewest blocks of trials of a built-in mechanism that are dealt out: they take some milliseconds, and fewer are sooner played
/// by each shard than by a run more of all.
const LEAST_BLOCKS: u64 = 16;

/// What came of a part; `None` if somebody interrupted it.
fn part(
    block: u64,
    played: Result<PlayedPart, (u64, GameError)>,
    undeclared: Option<UndeclaredOutcomes>,
) -> Option<StepPart> {
    let (found, broken) = match played {
        Ok(found) => (found, None),
        Err((_, GameError::Interrupted)) => return None,
        Err((block, GameError::Broken(why))) => (PlayedPart::Nothing, Some((block, why))),
    };
    let undeclared = undeclared.map(|seen| seen.found()).unwrap_or_default();
    Some(StepPart { block, found, undeclared, broken })
}

/// What the parts of a step are, if none was broken: what was not declared is taken over.
fn taken<'a>(
    parts: &[(ShardNumber, &'a StepPart)],
    control: Control<'_>,
) -> Result<Vec<(ShardNumber, &'a PlayedPart)>, GameError> {
    if let Some(undeclared) = control.undeclared {
        parts.iter().for_each(|(_, part)| undeclared.add(&part.undeclared));
    }
    let first = parts.iter().filter_map(|(_, part)| part.broken.as_ref()).min();
    match first {
        Some((_, why)) => Err(GameError::Broken(why.clone())),
        None => Ok(parts.iter().map(|(shard, part)| (*shard, &part.found)).collect()),
    }
}

impl<D: Sync> Game<'_, D> {
    /// [`Game::count`] of a step of explore, which is dealt out if explore is and the step is long.
    ///
    /// # Errors
    /// As [`Game::count`], and [`GameError::Interrupted`] if other shards have not played it yet.
    pub fn count_step(
        &self,
        phase: Phase,
        trials: u64,
        counters: &[Counter<'_>],
    ) -> Result<Vec<Tally>, GameError> {
        let Some(dealt) = self.dealt(trials) else {
            return self.count(phase, trials, counters);
        };
        let step = self.step(phase, trials, "count");
        let parts = self.play_step(dealt, (step, &dealt.shards()), |own, shard| {
            own.count_shard(phase, trials, counters, shard).map(PlayedPart::Tallies)
        })?;
        let empty = || counters.iter().map(|counter| Tally::new(counter.scorer().bins()));
        let mut tallies: Vec<Tally> = empty().collect();
        for (shard, found) in taken(&parts, self.control)? {
            let share = self.share(trials, shard);
            let fits = |part: &[Tally]| {
                let whole = |tally: &Tally| tally.checked_trials() == Some(share);
                part.iter().map(Tally::bins).eq(empty().map(|tally| tally.bins()))
                    && part.iter().all(whole)
            };
            let PlayedPart::Tallies(part) = found else { return Err(foreign(dealt, shard)) };
            if !fits(part) {
                return Err(foreign(dealt, shard));
            }
            tallies = tallies.into_iter().zip(part).map(|(a, b)| a.plus(b)).collect();
        }
        (self.control.progress)(trials);
        Ok(tallies)
    }

    /// [`Game::sample`] of a step of explore, which is dealt out if explore is and the mechanism is a program: what others
    /// release is sooner drawn again than read.
    ///
    /// # Errors
    /// As [`Game::sample`], and [`GameError::Interrupted`] if other shards have not played it yet.
    pub fn sample_step(&self, phase: Phase, trials: u64) -> Result<Vec<Block>, GameError> {
        let is_program = self.mechanism.capabilities().batch.is_some();
        let Some(dealt) = self.dealt(trials).filter(|_| is_program) else {
            return self.sample(phase, trials);
        };
        let step = self.step(phase, trials, "sample");
        let parts = self.play_step(dealt, (step, &dealt.shards()), |own, shard| {
            let sampled = own.sample_shard(phase, trials, shard)?;
            let written = sampled.iter().map(|(index, parts)| {
                let parts = parts.iter().map(|part| [&part.d, &part.d_prime].map(lines));
                (*index, parts.collect())
            });
            Ok(PlayedPart::Outcomes(written.collect()))
        })?;
        let size = self.block();
        let mut blocks: BTreeMap<u64, Vec<Block>> = BTreeMap::new();
        for (shard, found) in taken(&parts, self.control)? {
            let PlayedPart::Outcomes(part) = found else { return Err(foreign(dealt, shard)) };
            for (index, parts) in part {
                let read: Option<Vec<Block>> = parts.iter().map(block_of).collect();
                let runs = |blocks: &[Block]| {
                    blocks.iter().map(|block| (block.d.len() + block.d_prime.len()) as u64).sum()
                };
                let expected =
                    trials.checked_sub(index.saturating_mul(size)).map(|left| left.min(size));
                let Some(read) =
                    read.filter(|read| shard.has(*index) && Some(runs(read)) == expected)
                else {
                    return Err(foreign(dealt, shard));
                };
                if blocks.insert(*index, read).is_some() {
                    return Err(foreign(dealt, shard));
                }
            }
        }
        if blocks.len() as u64 != trials.div_ceil(size) {
            let why = "what shards found in explore is not all that was to be played";
            return Err(refused(dealt, why.into()));
        }
        (self.control.progress)(trials);
        Ok(blocks.into_values().flatten().collect())
    }

    /// What a pair of a search promises by so many trials of its own, the look of this number; one shard plays it if explore is
    /// dealt out.
    ///
    /// # Errors
    /// As [`Game::sample`], and [`GameError::Interrupted`] if another shard has not played it yet.
    pub fn look_step(
        &self,
        trials: u64,
        glance: impl Fn(&Game<'_, D>) -> Result<Glance, GameError>,
    ) -> Result<Glance, GameError> {
        let Some(dealt) = self.control.dealt else { return glance(self) };
        let look = self.pair_index;
        let shard = look as u64 % dealt.of + 1;
        let step = format!("look {look} of {trials}");
        let parts = self.play_step(dealt, (step, &[shard]), |own, _| {
            let seen = glance(own).map_err(|error| (0, error))?;
            Ok(PlayedPart::Look(seen.to_bits()))
        })?;
        match taken(&parts, self.control)?[..] {
            [(_, PlayedPart::Look(bits))] => {
                (self.control.progress)(trials);
                Ok(Glance::of_bits(*bits))
            }
            _ => Err(foreign(dealt, ShardNumber { number: shard, of: dealt.of })),
        }
    }

    /// Explore dealt out, if it is and so many trials are worth it.
    fn dealt(&self, trials: u64) -> Option<&DealtExplore> {
        // A block of a program takes as long as the program likes.
        let least = if self.mechanism.capabilities().batch.is_some() { 2 } else { LEAST_BLOCKS };
        let is_long = trials.div_ceil(self.block()) >= least;
        self.control.dealt.filter(|_| is_long && self.can_be_dealt_out())
    }

    /// The name of a step: that of its random streams, and what is done with the outcomes.
    fn step(&self, phase: Phase, trials: u64, what: &str) -> String {
        format!("{what} {trials}: {phase:?} of pair {}: {}", self.pair_index, self.streams.name())
    }

    fn play_step<'d>(
        &self,
        dealt: &'d DealtExplore,
        (step, shards): (String, &[u64]),
        play: impl Fn(&Game<'_, D>, ShardNumber) -> Result<PlayedPart, (u64, GameError)>,
    ) -> Result<PlayedParts<'d>, GameError> {
        let parts = dealt.parts(step, shards, |shard| self.play_part(shard, play));
        let parts = parts.ok_or(GameError::Interrupted)?;
        let size = self.block();
        match parts.iter().find(|(_, part)| part.block != size) {
            Some((shard, part)) => Err(refused(dealt, shard.other_block(part.block, size))),
            None => Ok(parts),
        }
    }

    fn play_part(
        &self,
        shard: ShardNumber,
        play: impl Fn(&Game<'_, D>, ShardNumber) -> Result<PlayedPart, (u64, GameError)>,
    ) -> Option<StepPart> {
        let undeclared = self.control.undeclared.map(UndeclaredOutcomes::anew);
        let played = {
            let control = Control { undeclared: undeclared.as_ref(), dealt: None, ..self.control };
            play(&Game { control, ..*self }, shard)
        };
        part(self.block(), played, undeclared)
    }
}

fn refused(dealt: &DealtExplore, why: String) -> GameError {
    dealt.refuse(why);
    GameError::Interrupted
}

fn foreign(dealt: &DealtExplore, shard: ShardNumber) -> GameError {
    let number = shard.number;
    refused(dealt, format!("what shard {number} found in explore is not what this run looks for"))
}

fn lines(outcomes: &Outcomes) -> Vec<String> {
    outcomes.iter().map(|outcome| write_line(&outcome)).collect()
}

fn block_of([d, d_prime]: &[Vec<String>; 2]) -> Option<Block> {
    let read = |lines: &[String]| {
        let mut outcomes = Outcomes::new();
        let read =
            lines.iter().try_for_each(|line| push_line(line.as_bytes(), &mut outcomes).map(drop));
        read.is_ok().then_some(outcomes)
    };
    Some(Block { d: read(d)?, d_prime: read(d_prime)? })
}
