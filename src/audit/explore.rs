//! Explore: on a small share of the trials, find the pair of datasets, the witness and the test
//! that the rest will confirm. Nothing here can raise a false alarm; it can only miss.

use super::Audit;
use crate::game::{Block, Control, Game, GameError, Phase, Runs, Streams, explore_trials};
use crate::inference::Test;
use crate::witness::choose::{Candidate, Goal, Sample, candidates};
use crate::witness::{Counter, Witness};

/// What the confirm trials will play.
pub struct Frozen {
    /// Number of the pair.
    pub pair_index: usize,
    /// Pairs that were looked at.
    pub surveyed: usize,
    /// The witness.
    pub witness: Witness,
    /// The test.
    pub test: Test,
}

/// Trials whose outcomes are kept, to propose scorers from.
const MOST_KEPT: u64 = 1 << 15;
/// Bytes of outcomes that are kept, about.
const MOST_BYTES: u64 = 64 << 20;
/// Trials that show how large outcomes are.
const PILOT: u64 = 16;
/// Trials to judge one pair among several.
const MOST_PER_PAIR: u64 = 1 << 14;
/// Fewest trials that say anything of a pair; with less, not all pairs are looked at.
const LEAST_PER_PAIR: u64 = 32;
/// Candidates that are judged on the rest of the explore trials.
const FINALISTS: usize = 3;

/// Looks for the most telling pair, witness and test, of an audit with so many trials, whose runs
/// relate like this.
///
/// # Errors
/// If it is interrupted or the mechanism breaks its contract.
pub fn explore<D: Sync>(
    audit: &Audit<D>,
    (trials, runs): (u64, Runs),
    streams: &Streams,
    control: Control<'_>,
) -> Result<Frozen, GameError> {
    let mut budget = explore_trials(trials);
    let mut goal = Goal::new(audit.claim.clone(), audit.alpha, trials - budget);
    if runs != Runs::Independent {
        goal = goal.by_betting();
    }
    let game = |pair_index: usize| Game {
        mechanism: &*audit.mechanism,
        pair: &audit.pairs[pair_index],
        pair_index,
        runs,
        streams,
        control,
    };
    let (mut pair_index, mut surveyed) = (0, audit.pairs.len());
    let mut most_kept = MOST_KEPT;
    if budget >= 4 * PILOT {
        let pilot = game(0).sample(Phase::Pilot, PILOT)?;
        let each = pilot.iter().map(Block::bytes).sum::<usize>() as u64 / PILOT;
        most_kept = most_kept.min(MOST_BYTES / (each + 1)).max(PILOT);
        budget -= PILOT;
    }
    if audit.pairs.len() > 1 {
        let worth_it = (budget / 2 / LEAST_PER_PAIR).max(1);
        surveyed = surveyed.min(usize::try_from(worth_it).unwrap_or(usize::MAX));
        let each = (budget / 2 / surveyed as u64).min(MOST_PER_PAIR).min(most_kept);
        budget -= each * surveyed as u64;
        let mut most = f64::NEG_INFINITY;
        for index in 0..surveyed {
            let blocks = game(index).sample(Phase::Survey, each)?;
            let best = candidates(&as_sample(&blocks), 1, false, &goal)
                .first()
                .map_or(0.0, Candidate::predicted);
            if best > most {
                (most, pair_index) = (best, index);
            }
        }
    }
    let game = game(pair_index);
    let kept = budget.min(most_kept);
    let blocks = game.sample(Phase::Explore, kept)?;
    let mut finalists = candidates(&as_sample(&blocks), FINALISTS, budget > kept, &goal);
    drop(blocks);
    if budget > kept {
        let counters: Vec<_> = finalists.iter().map(|c| Counter::new(&c.scorer)).collect();
        let half = (budget - kept) / 2;
        let a = game.count(Phase::RehearseA, half, &counters)?;
        let b = game.count(Phase::RehearseB, budget - kept - half, &counters)?;
        let judged = finalists.into_iter().zip(a.iter().zip(&b));
        finalists = judged.map(|(candidate, (a, b))| candidate.with(a, b, &goal)).collect();
        finalists.sort_by(|a, b| b.standing().total_cmp(&a.standing()));
    }
    let best = finalists.into_iter().next().expect("there is always the shape scorer");
    let (witness, test) = best.freeze(&goal);
    let test = if runs == Runs::Independent { test } else { Test::Betting };
    Ok(Frozen { pair_index, surveyed, witness, test })
}

fn as_sample(blocks: &[Block]) -> Sample<'_> {
    Sample {
        d: blocks.iter().map(|block| &block.d).collect(),
        d_prime: blocks.iter().map(|block| &block.d_prime).collect(),
    }
}
