//! Playing: blocks of trials, in parallel, each with its own random stream.

use super::block::{Block, MOST_BYTES, is_full};
use super::shard::{Confirming, ShardNumber};
use super::{ByRequest, Clock, Recorder, Tally, UndeclaredOutcomes};
use crate::mechanism::{Mechanism, Outcomes, Trouble, View, release_in_turn, release_unless};
use crate::witness::Counter;
use plaudit_core::dataset::Pair;
use plaudit_core::random::{Phase, Stream, Streams};
use rand::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Trials in a block: the unit of random streams, of parallel work and of interruption. Small
/// enough for a block of numbers to stay in the processor's cache.
pub const BLOCK: u64 = 4096;

/// Hooks to watch and stop a run from outside.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Stops at the next block of trials when set.
    pub interrupted: &'a AtomicBool,
    /// Called with the number of trials done since the last call, from any thread.
    pub progress: &'a (dyn Fn(u64) + Sync),
    /// Called with what an audit is about to do, in a sentence, where its spec alone does not tell.
    pub told: &'a (dyn Fn(&str) + Sync),
    /// Keeps the outcomes that confirm counts, if the caller wants them.
    pub recorder: Option<&'a Recorder>,
    /// Checks every outcome of every phase, if an alphabet was declared.
    pub undeclared: Option<&'a UndeclaredOutcomes>,
    /// Counts confirm by request, if the mechanism is asked by request.
    pub by_request: Option<&'a ByRequest>,
    /// The run that plays the trials that count.
    pub confirming: Confirming<'a>,
    /// Adds up where the time goes.
    pub clock: Option<&'a Clock>,
}

impl Control<'static> {
    /// Control of a run that is neither watched nor stopped.
    pub fn unattended() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self {
            interrupted: &NEVER,
            progress: &|_| {},
            told: &|_| {},
            recorder: None,
            undeclared: None,
            by_request: None,
            confirming: Confirming::Here,
            clock: None,
        }
    }
}

/// Dependence between the runs of a mechanism, which determines how they are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Runs {
    /// Given their datasets, runs are independent: played in parallel, and by dataset where the
    /// mechanism allows it.
    #[default]
    Independent,
    /// A run may depend on all runs before it (a cached answer, a spent budget): one after another,
    /// in the order of the coins.
    Stateful,
    /// As `Stateful`, and the running time is part of the outcome.
    Timed,
}

/// Reason why a game gave no counts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    #[error("interrupted")]
    Interrupted,
    /// The mechanism broke its contract, or could not be run.
    #[error("{0}")]
    Broken(String),
}

impl From<Trouble> for GameError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Interrupted => Self::Interrupted,
            other => Self::Broken(other.to_string()),
        }
    }
}

/// A mechanism on a pair of datasets, with the randomness of one phase.
pub struct Game<'a, D> {
    pub mechanism: &'a dyn Mechanism<D>,
    pub pair: &'a Pair<D>,
    /// Number of the pair in its audit.
    pub pair_index: usize,
    pub runs: Runs,
    pub streams: &'a Streams,
    pub control: Control<'a>,
}

impl<D: Sync> Game<'_, D> {
    /// Trials in a block. A mechanism that likes large batches gets one batch for each dataset,
    /// with so few trials that the coins rarely (six standard deviations) ask for more of one.
    pub fn block(&self) -> u64 {
        let capabilities = self.mechanism.capabilities();
        let of_batches = |batch: usize| {
            let runs = 2 * batch as u64;
            let trials = runs.saturating_sub(9 * (batch as u64).isqrt()).max(runs / 2);
            match batch == 1 && capabilities.slow {
                true => runs,
                false => trials.next_multiple_of(64),
            }
        };
        capabilities.batch.map_or(BLOCK, of_batches)
    }

    /// `true` if its trials can be split by blocks: neither in order of the coins nor recorded.
    fn can_be_dealt_out(&self) -> bool {
        self.runs == Runs::Independent && self.mechanism.capabilities().recordings.is_none()
    }

    /// Number of `trials` that belong to a shard.
    pub fn share(&self, trials: u64, shard: ShardNumber) -> u64 {
        if !self.can_be_dealt_out() {
            return if shard.number == 1 { trials } else { 0 };
        }
        let size = self.block();
        let (whole, rest) = (trials / size, trials % size);
        size * shard.blocks(whole) + if shard.has(whole) { rest } else { 0 }
    }

    /// `true` if each block is a request to a program, which [`ByRequest`] counts.
    fn counts_requests(&self) -> bool {
        self.control.by_request.is_some()
            && self.mechanism.capabilities().batch.is_some()
            && self.can_be_dealt_out()
    }

    /// Number of counted requests of a shard, out of `trials`.
    pub fn requests(&self, trials: u64, shard: ShardNumber) -> u64 {
        if self.counts_requests() { shard.blocks(trials.div_ceil(self.block())) } else { 0 }
    }

    /// Number of counted runs in a request of a shard; `None`: the request is not the shard's.
    pub fn size_of_request(&self, request: u64, trials: u64, shard: ShardNumber) -> Option<u64> {
        let size = self.block();
        let is_own =
            self.counts_requests() && shard.has(request) && request < trials.div_ceil(size);
        is_own.then(|| size.min(trials - request * size))
    }

    /// Plays `trials` trials and counts the outcomes by the bins of each counter.
    ///
    /// # Errors
    /// If it is interrupted or the mechanism breaks its contract.
    pub fn count(
        &self,
        phase: Phase,
        trials: u64,
        counters: &[Counter<'_>],
    ) -> Result<Vec<Tally>, GameError> {
        self.count_shard(phase, trials, counters, ShardNumber::WHOLE).map_err(|(_, error)| error)
    }

    /// [`Game::count`] for one shard. Trials that cannot be split (runs in the order of the coins,
    /// recorded outcomes) belong to the first.
    ///
    /// # Errors
    /// As [`Game::count`], with the block that failed, if known.
    pub fn count_shard(
        &self,
        phase: Phase,
        trials: u64,
        counters: &[Counter<'_>],
        shard: ShardNumber,
    ) -> Result<Vec<Tally>, (u64, GameError)> {
        let empty = || counters.iter().map(|c| Tally::new(c.scorer().bins())).collect::<Vec<_>>();
        if !self.can_be_dealt_out() && shard.number > 1 {
            return Ok(empty());
        }
        if let Some(recordings) = self.mechanism.capabilities().recordings {
            let counted = self.count_recorded(recordings, phase, trials, counters);
            return counted.map_err(|error| (0, error));
        }
        let streams = self.streams.block(self.pair_index, phase);
        if self.runs != Runs::Independent {
            let mut tallies = empty();
            self.in_turn(phase, trials, |block| tally_up(block, counters, &mut tallies))
                .map_err(|error| (0, error))?;
            return Ok(tallies);
        }
        let size = self.block();
        let own = (0..trials.div_ceil(size)).into_par_iter().filter(|index| shard.has(*index));
        let counted = own.try_fold(
            || (Block::default(), empty()),
            |(mut block, mut tallies), index| {
                let size = size.min(trials - index * size);
                let recorder = self.control.recorder.filter(|_| phase == Phase::Confirm);
                let asked = phase == Phase::Confirm && self.counts_requests();
                let by_request = self.control.by_request.filter(|_| asked);
                let mut of_block = by_request.map(|_| empty());
                let mut part = 0;
                self.trials(streams(index), size, &mut block, |block| {
                    if let Some(recorder) = recorder {
                        recorder.keep(index, part, block);
                        part += 1;
                    }
                    tally_up(block, counters, of_block.as_mut().unwrap_or(&mut tallies));
                })?;
                if let (Some(by_request), Some(of_block)) = (by_request, of_block) {
                    by_request.take(index, &of_block);
                    tallies = sum(tallies, &of_block);
                }
                Ok((block, tallies))
            },
        );
        counted
            .map(|part| part.map(|(_, tallies)| tallies))
            .try_reduce(empty, |a, b| Ok(sum(a, &b)))
            .map_err(|error| self.first_error(phase, trials, shard, error))
    }

    /// Plays `trials` trials and keeps their outcomes.
    ///
    /// # Errors
    /// As [`Game::count`].
    pub fn sample(&self, phase: Phase, trials: u64) -> Result<Vec<Block>, GameError> {
        if let Some(recordings) = self.mechanism.capabilities().recordings {
            return self.sample_recorded(recordings, phase, trials);
        }
        if self.runs != Runs::Independent {
            let mut kept = Vec::new();
            self.in_turn(phase, trials, |part| kept.push(std::mem::take(part)))?;
            return Ok(kept);
        }
        let streams = self.streams.block(self.pair_index, phase);
        let size = self.block();
        let parts = (0..trials.div_ceil(size)).into_par_iter().map(|index| {
            let mut kept = Vec::new();
            let size = size.min(trials - index * size);
            let mut block = Block::default();
            self.trials(streams(index), size, &mut block, |part| {
                kept.push(std::mem::take(part));
            })?;
            Ok(kept)
        });
        let kept = parts.collect::<Result<Vec<_>, _>>();
        let kept =
            kept.map_err(|error| self.first_error(phase, trials, ShardNumber::WHOLE, error).1)?;
        Ok(kept.into_iter().flatten().collect())
    }

    /// Plays one block after another on this thread, so that all runs have one order.
    fn in_turn(
        &self,
        phase: Phase,
        trials: u64,
        mut take: impl FnMut(&mut Block),
    ) -> Result<(), GameError> {
        let streams = self.streams.block(self.pair_index, phase);
        let mut block = Block::default();
        for index in 0..trials.div_ceil(BLOCK) {
            let mut stream = streams(index);
            if self.runs == Runs::Timed {
                let most = if index == 0 { (trials / 8).min(FIRST_WARM_UP) } else { 0 };
                self.warm_up(&mut stream, most.max(WARM_UP) as usize)?;
            }
            let size = BLOCK.min(trials - index * BLOCK);
            self.trials(stream, size, &mut block, &mut take)?;
        }
        Ok(())
    }

    /// Makes uncounted runs, with coins of their own: the first ones after a pause are slower.
    fn warm_up(&self, stream: &mut Stream, runs: usize) -> Result<(), GameError> {
        let mut coins = [0u64; FIRST_WARM_UP.div_ceil(64) as usize];
        coins.fill_with(|| stream.next_u64());
        let mut block = Block::default();
        let coin = |run: usize| coins[run / 64] >> (run % 64) & 1 == 1;
        let sides = [(&self.pair.d, &mut block.d), (&self.pair.d_prime, &mut block.d_prime)];
        let how = (true, |_: &Outcomes, _: &Outcomes| false);
        release_in_turn(
            self.mechanism,
            sides,
            0..runs,
            coin,
            stream,
            how,
            self.control.interrupted,
        )?;
        self.look(&block);
        Ok(())
    }

    /// Checks outcomes of any phase for undeclared ones.
    fn look(&self, block: &Block) {
        if let Some(undeclared) = self.control.undeclared {
            undeclared.look(&block.d);
            undeclared.look(&block.d_prime);
        }
    }

    /// The error of the first block that has one, whichever thread found one first: reports have
    /// the same numbers with any number of threads.
    fn first_error(
        &self,
        phase: Phase,
        trials: u64,
        shard: ShardNumber,
        found: GameError,
    ) -> (u64, GameError) {
        // Asking a program again could take as long as it did before.
        if found == GameError::Interrupted || self.mechanism.capabilities().batch.is_some() {
            return (0, found);
        }
        let streams = self.streams.block(self.pair_index, phase);
        let first =
            (0..trials.div_ceil(BLOCK)).filter(|index| shard.has(*index)).find_map(|index| {
                let size = BLOCK.min(trials - index * BLOCK);
                let error =
                    self.trials(streams(index), size, &mut Block::default(), |_| ()).err()?;
                Some((index, error))
            });
        first.unwrap_or((0, found))
    }

    /// Plays one block: flips the coins, then runs the mechanism, in the order of the coins unless
    /// its runs may be batched by dataset. `take` gets the outcomes, in several parts where they
    /// are large, and each part is dropped afterwards.
    fn trials(
        &self,
        mut stream: Stream,
        trials: u64,
        block: &mut Block,
        mut take: impl FnMut(&mut Block),
    ) -> Result<(), GameError> {
        let start = Instant::now();
        let mut taken = Duration::ZERO;
        let mut take = |block: &mut Block| {
            let start = Instant::now();
            self.look(block);
            take(block);
            taken += start.elapsed();
        };
        let interrupted = || match self.control.interrupted.load(Ordering::Relaxed) {
            true => Err(GameError::Interrupted),
            false => Ok(()),
        };
        interrupted()?;
        block.clear();
        let words = trials.div_ceil(64) as usize;
        let mut coins = vec![0u64; words];
        coins.fill_with(|| stream.next_u64());
        if !trials.is_multiple_of(64) {
            coins[words - 1] &= (1 << (trials % 64)) - 1;
        }
        let capabilities = self.mechanism.capabilities();
        if self.runs == Runs::Independent && capabilities.independent {
            let on_d = coins.iter().map(|word| word.count_ones() as usize).sum::<usize>();
            let mut sides = [(true, on_d), (false, trials as usize - on_d)];
            // A program that lives on may be slower, or another, at first.
            if capabilities.batch.is_some() && stream.next_u64() & 1 == 1 {
                sides.reverse();
            }
            for (is_d, mut left) in sides {
                let most = capabilities.batch;
                let mut runs = left.min(most.unwrap_or(FIRST_RUNS));
                while left > 0 {
                    let (dataset, outcomes) = match is_d {
                        true => (&self.pair.d, &mut block.d),
                        false => (&self.pair.d_prime, &mut block.d_prime),
                    };
                    let before = outcomes.bytes();
                    let stop = self.control.interrupted;
                    let mechanism = self.mechanism;
                    release_unless(stop, mechanism, dataset, runs, &mut stream, outcomes)?;
                    left -= runs;
                    let each = (outcomes.bytes() - before) / runs;
                    if block.is_full() {
                        take(block);
                        block.clear();
                        interrupted()?;
                    }
                    let fitting = most.unwrap_or(MOST_BYTES / (each + 1));
                    runs = fitting.clamp(1, left.max(1));
                }
            }
            take(block);
        } else {
            let coin = |trial: usize| coins[trial / 64] >> (trial % 64) & 1 == 1;
            let mut next = 0;
            while next < trials as usize {
                let sides =
                    [(&self.pair.d, &mut block.d), (&self.pair.d_prime, &mut block.d_prime)];
                let left = next..trials as usize;
                let how = (self.runs == Runs::Timed, is_full);
                let stop = self.control.interrupted;
                next = release_in_turn(self.mechanism, sides, left, coin, &mut stream, how, stop)?;
                take(block);
                block.clear();
                interrupted()?;
            }
        }
        if let Some(clock) = self.control.clock {
            clock.ran(start.elapsed().saturating_sub(taken));
        }
        (self.control.progress)(trials);
        Ok(())
    }
}

/// Uncounted runs before the trials of a block, where runs are timed: at most this number in the
/// first block of a phase, and [`WARM_UP`] in any other.
const FIRST_WARM_UP: u64 = 512;
/// See [`FIRST_WARM_UP`].
const WARM_UP: u64 = 32;

/// Sum of tallies of disjoint trials.
fn sum(a: Vec<Tally>, b: &[Tally]) -> Vec<Tally> {
    a.into_iter().zip(b).map(|(a, b)| a.plus(b)).collect()
}

/// Counts kept outcomes by the bins of each counter.
pub fn tallies(blocks: &[Block], counters: &[Counter<'_>]) -> Vec<Tally> {
    let empty = || counters.iter().map(|c| Tally::new(c.scorer().bins())).collect::<Vec<_>>();
    let count = |mut tallies: Vec<Tally>, block: &Block| {
        tally_up(block, counters, &mut tallies);
        tallies
    };
    blocks.par_iter().fold(empty, count).reduce(empty, |a, b| sum(a, &b))
}

/// Adds the outcomes of a block to the tally of each counter.
fn tally_up(block: &Block, counters: &[Counter<'_>], tallies: &mut [Tally]) {
    for view in [View::Apart, View::Spelled] {
        if counters.iter().filter(|counter| counter.view() == Some(view)).count() > 1 {
            // Once for all of them.
            let _ = (block.d.seen(view), block.d_prime.seen(view));
        }
    }
    for (counter, tally) in counters.iter().zip(tallies) {
        counter.count(&block.d, &mut tally.d);
        counter.count(&block.d_prime, &mut tally.d_prime);
    }
}

/// Runs of a batch that show the size of an outcome.
const FIRST_RUNS: usize = 16;
