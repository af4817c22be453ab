//! Explore: on a small share of the trials, find the pair of datasets, the witness and the test
//! that the rest will confirm. Nothing here can raise a false alarm; it can only miss.
//!
//! Every step keeps what promises most and tries it on trials that nothing was tried on before:
//! pairs by successive halving, then scorers.

use super::Audit;
use crate::game::{Block, Control, Game, GameError, Phase, Runs, Streams, explore_trials};
use crate::inference::Test;
use crate::tally::Tally;
use crate::witness::choose::{Candidate, Goal, Sample, candidates};
use crate::witness::{Counter, Witness};
use rayon::prelude::*;

/// What the confirm trials will play.
pub struct Frozen {
    /// Number of the pair.
    pub pair_index: usize,
    /// Pairs that were looked at.
    pub surveyed: usize,
    /// Trials that were used; the others are for confirm.
    pub explored: u64,
    /// The witness.
    pub witness: Witness,
    /// The test.
    pub test: Test,
}

/// Trials whose outcomes are kept, to propose scorers from.
const MOST_KEPT: u64 = 1 << 15;
/// Trials whose outcomes classifiers are trained on, and fewest that are worth it.
const MOST_TRAINING: u64 = 1 << 18;
/// See [`MOST_TRAINING`].
const LEAST_TRAINING: u64 = 1 << 12;
/// Bytes of outcomes that are kept, about.
const MOST_BYTES: u64 = 64 << 20;
/// Trials that show how large outcomes are.
const PILOT: u64 = 16;
/// Trials to judge one pair among several.
const MOST_PER_PAIR: u64 = 1 << 14;
/// Fewest trials that say anything of a pair; with less, not all pairs are looked at.
const LEAST_PER_PAIR: u64 = 32;
/// Candidates that are judged on the last of the explore trials.
const FINALISTS: usize = 3;
/// Candidates of which the finalists are the best on trials before these, where outcomes are lists
/// and there is much to look at.
const QUALIFIED: usize = 10;
/// Explore may go on to so many of a hundred trials.
const MOST_SHARE: u64 = 30;
/// It does while the best candidate's log-odds are known no better than by this share of what it
/// promises.
const DOUBT: f64 = 0.1;
/// Standard deviations by which counts are lowered that judge the last candidates, and pairs. Other
/// candidates that are known badly are tried on, not left out.
const CAUTION: f64 = 1.0;
/// See [`CAUTION`].
const CAUTION_WITH_PAIRS: f64 = 0.5;
/// Candidates of each pair, while there are several.
const CANDIDATES_PER_PAIR: usize = 6;

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
    let mut left = explore_trials(trials);
    if audit.pairs.len() > 1 {
        left += trials / 10;
    }
    let mut goal = Goal::new(audit.claim.clone(), audit.alpha, trials - left);
    if runs != Runs::Independent {
        goal = goal.by_betting();
    }
    let mut search = Search {
        audit,
        runs,
        streams,
        control,
        goal,
        left,
        bytes: 8,
        lists: false,
        rounds: 0,
        trials,
        explored: 0,
    };
    search.pilot()?;
    let (pair, surveyed) = search.survey()?;
    let best = search.witness(&pair)?;
    let explored = search.explored;
    let (witness, test) = best.freeze(&search.goal);
    let test = if runs == Runs::Independent { test } else { Test::Betting };
    Ok(Frozen { pair_index: pair.index, surveyed, explored, witness, test })
}

/// A pair of datasets with what was found to look at.
struct Promising {
    index: usize,
    candidates: Vec<Candidate>,
}

impl Promising {
    fn standing(&self) -> f64 {
        self.candidates.iter().map(Candidate::standing).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// The search of one audit.
struct Search<'a, D> {
    audit: &'a Audit<D>,
    runs: Runs,
    streams: &'a Streams,
    control: Control<'a>,
    goal: Goal,
    /// Trials that may still be used.
    left: u64,
    /// Bytes of an outcome, about.
    bytes: u64,
    /// Whether outcomes are lists of several numbers.
    lists: bool,
    /// Rounds that were played.
    rounds: u32,
    /// Trials of the audit.
    trials: u64,
    /// Trials that were used.
    explored: u64,
}

impl<'a, D: Sync> Search<'a, D> {
    fn game<'g>(&'g self, pair_index: usize, streams: &'g Streams) -> Game<'g, D> {
        Game {
            mechanism: &*self.audit.mechanism,
            pair: &self.audit.pairs[pair_index],
            pair_index,
            runs: self.runs,
            streams,
            control: self.control,
        }
    }

    /// Learns how large outcomes are.
    fn pilot(&mut self) -> Result<(), GameError> {
        if self.left < 4 * PILOT {
            return Ok(());
        }
        let pilot = self.game(0, self.streams).sample(Phase::Pilot, PILOT)?;
        self.bytes = pilot.iter().map(Block::bytes).sum::<usize>() as u64 / PILOT + 1;
        self.lists = pilot.iter().any(|block| {
            let vectors = [&block.d, &block.d_prime].map(|outcomes| outcomes.as_vectors());
            vectors.into_iter().flatten().any(|(values, ends)| values.len() > ends.len())
        });
        self.spend(PILOT);
        Ok(())
    }

    /// The most outcomes that are kept at once, at most `most`.
    fn keep(&self, most: u64) -> u64 {
        most.min((MOST_BYTES / self.bytes).max(PILOT))
    }

    /// The most promising pair, by successive halving, and how many were looked at. Half of the
    /// trials are for that.
    fn survey(&mut self) -> Result<(Promising, usize), GameError> {
        let pairs = self.audit.pairs.len();
        if pairs == 1 {
            return Ok((Promising { index: 0, candidates: vec![] }, 1));
        }
        let budget = self.left / 2;
        let worth_it = (budget / LEAST_PER_PAIR).max(1);
        let surveyed = pairs.min(usize::try_from(worth_it).unwrap_or(usize::MAX));
        let most = if budget / 2 / surveyed as u64 >= LEAST_PER_PAIR { budget / 2 } else { budget };
        let each = (most / surveyed as u64).min(self.keep(MOST_PER_PAIR));
        let mut promising = Vec::with_capacity(surveyed);
        for index in 0..surveyed {
            let blocks = self.game(index, self.streams).sample(Phase::Survey, each)?;
            let most = CANDIDATES_PER_PAIR;
            let candidates = candidates(&as_sample(&blocks), None, most, false, &self.goal);
            promising.push(Promising { index, candidates });
        }
        let spent = each * surveyed as u64;
        self.spend(spent);
        let rounds = surveyed.next_power_of_two().trailing_zeros().max(1);
        let round = (budget - spent) / u64::from(rounds);
        loop {
            promising.sort_by(|a, b| b.standing().total_cmp(&a.standing()));
            let each = round / promising.len() as u64;
            if promising.len() == 1 || each < LEAST_PER_PAIR {
                break;
            }
            for pair in &mut promising {
                let candidates = std::mem::take(&mut pair.candidates);
                pair.candidates =
                    self.rehearse(pair.index, candidates, (each, CAUTION_WITH_PAIRS))?;
            }
            promising.sort_by(|a, b| b.standing().total_cmp(&a.standing()));
            promising.truncate(promising.len().div_ceil(2));
        }
        let best = promising.into_iter().next();
        Ok((best.unwrap_or(Promising { index: 0, candidates: vec![] }), surveyed))
    }

    /// The best witness on a pair.
    fn witness(&mut self, pair: &Promising) -> Result<Candidate, GameError> {
        let (index, recorded) = (pair.index, self.audit.mechanism.recordings().is_some());
        let training = match self.lists && !recorded && self.left / 4 >= LEAST_TRAINING {
            true => self.keep((self.left / 4).min(MOST_TRAINING)),
            false => 0,
        };
        let streams = self.fresh();
        let trained_on = match training {
            0 => None,
            trials => Some(self.game(index, &streams).sample(Phase::Explore, trials)?),
        };
        self.spend(training);
        let kept = self.left.min(self.keep(MOST_KEPT));
        let blocks = self.game(index, self.streams).sample(Phase::Explore, kept)?;
        self.spend(kept);
        let trained_on = trained_on.as_deref().map(as_sample);
        let most = if self.lists && !recorded { QUALIFIED } else { FINALISTS };
        let will_be = self.left > 0;
        let mut found =
            candidates(&as_sample(&blocks), trained_on.as_ref(), most, will_be, &self.goal);
        drop(blocks);
        if self.lists && will_be && !recorded {
            found = self.rehearse(index, found, (self.left / 2, 0.0))?;
            found.truncate(2 * FINALISTS);
        }
        if self.left > 0 {
            let left = self.spend(self.left);
            found = self.play(index, found, (left, CAUTION), self.streams)?;
        }
        let more = self.trials / 50;
        let doubtful = |found: &[Candidate]| found.first().is_some_and(|c| c.doubt() > DOUBT);
        while !recorded
            && more > 0
            && self.explored + more <= self.trials / 100 * MOST_SHARE
            && doubtful(&found)
        {
            self.left = more;
            self.goal.set_trials(self.trials - self.explored - more);
            found = self.rehearse(index, found, (more, CAUTION))?;
        }
        Ok(found.into_iter().next().expect("there is always the shape scorer"))
    }

    fn spend(&mut self, trials: u64) -> u64 {
        self.left -= trials;
        self.explored += trials;
        trials
    }

    /// Streams of a round of its own: the phases of the audit's own streams are each played once,
    /// and the confirm trials are drawn from those.
    fn fresh(&mut self) -> Streams {
        self.rounds += 1;
        Streams::new(self.audit.seed, &format!("{}: round {}", self.audit.name, self.rounds))
    }

    /// Judges candidates on trials more, best first.
    fn rehearse(
        &mut self,
        pair_index: usize,
        candidates: Vec<Candidate>,
        (trials, caution): (u64, f64),
    ) -> Result<Vec<Candidate>, GameError> {
        let streams = self.fresh();
        self.spend(trials);
        self.play(pair_index, candidates, (trials, caution), &streams)
    }

    fn play(
        &self,
        pair_index: usize,
        candidates: Vec<Candidate>,
        (trials, caution): (u64, f64),
        streams: &Streams,
    ) -> Result<Vec<Candidate>, GameError> {
        let game = self.game(pair_index, streams);
        let counters: Vec<_> = candidates.iter().map(|c| Counter::new(&c.scorer)).collect();
        // Recorded outcomes come in two phases.
        let judging = if self.audit.mechanism.recordings().is_some() { 0 } else { trials / 2 };
        let half = (trials - judging) / 2;
        let a = game.count(Phase::RehearseA, half, &counters)?;
        let b = game.count(Phase::RehearseB, trials - judging - half, &counters)?;
        let judge = match judging {
            0 => counters.iter().map(|c| Tally::new(c.scorer().bins())).collect(),
            _ => game.count(Phase::Pilot, judging, &counters)?,
        };
        drop(counters);
        let counted: Vec<_> = candidates.into_iter().zip(a.into_iter().zip(b).zip(judge)).collect();
        let judged = counted
            .into_par_iter()
            .map(|(candidate, ((a, b), judge))| candidate.with([a, b, judge], caution, &self.goal));
        let mut judged: Vec<Candidate> = judged.collect();
        judged.sort_by(|a, b| b.standing().total_cmp(&a.standing()));
        Ok(judged)
    }
}

fn as_sample(blocks: &[Block]) -> Sample<'_> {
    Sample {
        d: blocks.iter().map(|block| &block.d).collect(),
        d_prime: blocks.iter().map(|block| &block.d_prime).collect(),
    }
}
