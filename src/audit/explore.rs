//! Explore: on a small share of the trials, find the pair of datasets, the witness and the test
//! that the rest will confirm. Nothing here can raise a false alarm; it can only miss.

use super::Audit;
use super::search::{Found, Search, Searcher};
use crate::dataset::Pair;
use crate::game::{Block, Control, Game, GameError, Phase, Runs, Streams};
use crate::inference::Test;
use crate::witness::choose::{Candidate, Goal, Sample, candidates};
use crate::witness::{Counter, Witness};

/// What the confirm trials will play.
pub struct Frozen<'a, D> {
    /// The pair.
    pub pair: Found<'a, D>,
    /// Its number.
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
/// relate like this, beginning with `first`, a pair of it. With neither pairs nor a search, `first` is it.
///
/// # Errors
/// If it is interrupted or the mechanism breaks its contract.
pub fn explore<'a, D: Sync>(
    audit: &'a Audit<D>,
    (search, first): (Option<&Search<D>>, Found<'a, D>),
    (trials, runs): (u64, Runs),
    streams: &Streams,
    control: Control<'_>,
) -> Result<Frozen<'a, D>, GameError> {
    let mut budget = super::explored(search.is_some(), trials);
    let mut goal = Goal::new(audit.claim.clone(), audit.alpha, trials - budget);
    if runs != Runs::Independent {
        goal = goal.by_betting();
    }
    let of = (audit, runs, streams, control);
    let (mut pair_index, mut surveyed) = (0, audit.pairs.len());
    let mut most_kept = MOST_KEPT;
    if budget >= 4 * PILOT {
        let pilot = game(of, &first, 0).sample(Phase::Pilot, PILOT)?;
        let each = pilot.iter().map(Block::bytes).sum::<usize>() as u64 / PILOT;
        most_kept = most_kept.min(MOST_BYTES / (each + 1)).max(PILOT);
        budget -= PILOT;
    }
    let mut pair = first;
    if let Some(search) = search {
        let mut searcher = Searcher::new(audit, search, runs, streams, control);
        if let Some(chosen) = searcher.look_for(budget / 4 * 3, most_kept, &goal)? {
            budget -= chosen.spent;
            (pair_index, surveyed) = (chosen.number, chosen.looked_at);
            pair = Found::Made(chosen.pair, chosen.recipe);
        }
    } else if audit.pairs.len() > 1 {
        let worth_it = (budget / 2 / LEAST_PER_PAIR).max(1);
        surveyed = surveyed.min(usize::try_from(worth_it).unwrap_or(usize::MAX));
        let each = (budget / 2 / surveyed as u64).min(MOST_PER_PAIR).min(most_kept);
        budget -= each * surveyed as u64;
        let mut most = f64::NEG_INFINITY;
        for index in 0..surveyed {
            let blocks = game(of, &audit.pairs[index], index).sample(Phase::Survey, each)?;
            let best = candidates(&as_sample(&blocks), 1, false, &goal)
                .first()
                .map_or(0.0, Candidate::predicted);
            if best > most {
                (most, pair_index) = (best, index);
            }
        }
        pair = Found::Given(&audit.pairs[pair_index]);
    }
    let game = game(of, &pair, pair_index);
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
    Ok(Frozen { pair, pair_index, surveyed, witness, test })
}

/// The game of an audit on a pair.
fn game<'a, D>(
    (audit, runs, streams, control): (&'a Audit<D>, Runs, &'a Streams, Control<'a>),
    pair: &'a Pair<D>,
    pair_index: usize,
) -> Game<'a, D> {
    Game { mechanism: &*audit.mechanism, pair, pair_index, runs, streams, control }
}

/// Blocks of outcomes as what witnesses are proposed from.
pub(super) fn as_sample(blocks: &[Block]) -> Sample<'_> {
    Sample {
        d: blocks.iter().map(|block| &block.d).collect(),
        d_prime: blocks.iter().map(|block| &block.d_prime).collect(),
    }
}
