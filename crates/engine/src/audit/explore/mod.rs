//! Explore: on a small share of the trials, finds the pair of datasets, the witness and the test
//! that the rest confirm. Errors here cannot raise a false alarm; they can only miss a violation.
//!
//! Every step keeps the most promising items and tries them on unused trials: pairs by successive
//! halving, then scorers.

pub(in crate::audit) mod closer;
pub(in crate::audit) mod degenerate;
pub(in crate::audit) mod floor;
pub(in crate::audit) mod searcher;
pub(in crate::audit) mod shrink;
pub(in crate::audit) mod survey;

use crate::audit::course::Frozen;
use crate::audit::explore::searcher::{Searcher, as_sample};
use crate::audit::judge::leaks;
use crate::audit::search::{FoundPair, PairSearch};
use crate::audit::settings::Audit;
use crate::game::{Block, Control, Game, GameError, Phase, Runs, Streams, tallies};
use crate::mechanism::{Entry, OutcomeRef, Outcomes, View, order};
use crate::witness::Counter;
use crate::witness::choose::{self, Candidate, Folds, Goal, Promised, Sample, Sight, candidates};
use plaudit_core::dataset::Pair;
use plaudit_core::finding::reason::Degenerate;
use plaudit_core::inference::Test;
use rayon::prelude::*;

/// Trials whose outcomes are kept to propose scorers.
const MOST_KEPT: u64 = 1 << 15;
/// Largest number of trials whose outcomes train classifiers, and smallest worthwhile number.
const MOST_TRAINING: u64 = 1 << 18;
/// See [`MOST_TRAINING`].
const LEAST_TRAINING: u64 = 1 << 12;
/// Most trials whose outcomes are kept to grow a partition.
pub(in crate::audit) const MOST_SHAPING: u64 = 1 << 19;
/// Approximate limit on the bytes of kept outcomes.
const MOST_BYTES: u64 = 64 << 20;
/// Trials that measure the size of outcomes.
const PILOT: u64 = 16;
/// Candidates that are judged on the last of the explore trials.
const FINALISTS: usize = 3;
/// Candidates among which earlier trials select the finalists, where outcomes are lists and there
/// is much to examine.
const QUALIFIED: usize = 10;
/// Standard deviations by which counts are lowered when they judge the last candidates, or pairs.
/// Other poorly known candidates are tried on more trials, not dropped.
pub(in crate::audit) const CAUTION: f64 = 1.0;

/// How an audit is explored.
pub struct How {
    /// Trials of the audit.
    pub trials: u64,
    /// How its runs relate.
    pub runs: Runs,
    /// Sight of its witnesses: bits, values or both.
    pub sight: Sight,
    /// `true` if the claim is proved, at least of what the code is meant to do: then no partition is
    /// grown unless the first look at the code contradicts the claim.
    pub proved: bool,
}

/// Looks for the most telling pair, witness and test of an audit, beginning with `first`, a pair of
/// it. Without pairs or a search, `first` is the pair.
///
/// # Errors
/// If it is interrupted or the mechanism breaks its contract.
pub fn explore<'a, D: Sync>(
    audit: &'a Audit<D>,
    (search, first): (Option<&PairSearch<D>>, FoundPair<'a, D>),
    How { trials, runs, sight, proved }: How,
    streams: &Streams,
    control: Control<'_>,
) -> Result<Frozen<'a, D>, GameError> {
    let mut left = crate::audit::settings::explored(search.is_some(), trials);
    if audit.pairs.len() > 1 {
        left += trials / 10;
    }
    let mut goal =
        Goal::new(audit.claim.clone(), audit.settings.alpha, trials - left).seeing(sight);
    if runs != Runs::Independent {
        goal = goal.by_betting();
    }
    let made = search.is_some() || matches!(first, FoundPair::Made(..));
    if !made && audit.pairs.len() == 1 {
        goal = goal.on_given_pair();
    }
    let mut exploration = Exploration {
        audit,
        runs,
        streams,
        control,
        goal,
        left,
        bytes: 8,
        lists: false,
        contest: search.is_none() && audit.pairs.len() > 1,
        made,
        proved,
        rounds: 0,
        trials,
        explored: 0,
        degenerate: None,
        keeps: false,
        kept: Vec::new(),
        kept_trials: 0,
    };
    exploration.pilot(&first)?;
    let mut known = vec![];
    let (pair, pair_index, surveyed) = match search {
        Some(search) => exploration.search(search, first)?,
        None if audit.pairs.len() > 1 => {
            let (best, surveyed) = exploration.survey()?;
            known = best.candidates;
            (FoundPair::Given(&audit.pairs[best.index]), best.index, surveyed)
        }
        None => (first, 0, audit.pairs.len()),
    };
    exploration.keeps = audit.mechanism.capabilities().recordings.is_none();
    let (best, bits) = exploration.witnesses((&pair, pair_index), known)?;
    let alpha =
        if bits.is_some() { leaks::levels(audit.settings.alpha)[0] } else { audit.settings.alpha };
    let by_runs =
        |(witness, test)| (witness, if runs == Runs::Independent { test } else { Test::Betting });
    let best = exploration.look_twice((&pair, pair_index), best, (alpha, by_runs))?;
    let Exploration { explored, degenerate, goal, .. } = exploration;
    let counts = best.tally();
    let (mut witness, mut test) = by_runs(best.freeze(&goal));
    let asked = (&audit.claim, audit.settings.min_power);
    let confirm = (trials - explored, alpha);
    let is_kept = match best.promised(&goal) {
        Promised::Violation => true,
        Promised::NearlyOne => {
            floor::is_reached(asked, (&witness, test), &counts, confirm, floor::surely)
        }
        Promised::Nothing => false,
    };
    if !is_kept {
        (witness, test) = floor::widened(asked, (witness, test), &counts, confirm);
    }
    let bits = bits.map(|bits| by_runs(bits.freeze(&goal)));
    Ok(Frozen { pair, pair_index, surveyed, explored, witness, test, bits, degenerate })
}

pub(in crate::audit) struct Exploration<'a, D> {
    pub(in crate::audit) audit: &'a Audit<D>,
    pub(in crate::audit) runs: Runs,
    pub(in crate::audit) streams: &'a Streams,
    pub(in crate::audit) control: Control<'a>,
    pub(in crate::audit) goal: Goal,
    /// Trials that may still be used.
    pub(in crate::audit) left: u64,
    pub(in crate::audit) bytes: u64,
    /// `true` if outcomes are lists of several numbers.
    pub(in crate::audit) lists: bool,
    /// `true` if many pairs, or statistics of lists, compete.
    pub(in crate::audit) contest: bool,
    /// `true` if a search, or a step of shrinking, made the pair: it was chosen for a clear signal,
    /// on which the trials are better spent.
    pub(in crate::audit) made: bool,
    /// See [`How::proved`].
    pub(in crate::audit) proved: bool,
    pub(in crate::audit) rounds: u32,
    pub(in crate::audit) trials: u64,
    pub(in crate::audit) explored: u64,
    /// Reason why the outcomes of the chosen pair show nothing, if they do.
    pub(in crate::audit) degenerate: Option<Degenerate>,
    /// `true` if outcomes that others count are kept: those of the chosen pair.
    pub(in crate::audit) keeps: bool,
    /// Kept outcomes of the chosen pair, and their trials.
    pub(in crate::audit) kept: Vec<Block>,
    pub(in crate::audit) kept_trials: u64,
}

impl<D: Sync> Exploration<'_, D> {
    pub(in crate::audit) fn game<'g>(
        &'g self,
        (pair, pair_index): (&'g Pair<D>, usize),
        streams: &'g Streams,
    ) -> Game<'g, D> {
        Game {
            mechanism: &*self.audit.mechanism,
            pair,
            pair_index,
            runs: self.runs,
            streams,
            control: self.control,
        }
    }

    fn pilot(&mut self, first: &Pair<D>) -> Result<(), GameError> {
        if self.left < 4 * PILOT {
            return Ok(());
        }
        let pilot = self.game((first, 0), self.streams).sample(Phase::Pilot, PILOT)?;
        // What views show of them is also kept.
        let views = match choose::of_texts(&as_sample(&pilot)) {
            false => &[View::Apart][..],
            true => &[View::Apart, View::Spelled],
        };
        let sides = || pilot.iter().flat_map(|block| [&block.d, &block.d_prime]);
        let seen: Vec<&Outcomes> = sides()
            .flat_map(|side| views.iter().filter_map(|view| side.seen(*view)).chain([side]))
            .collect();
        self.bytes = seen.iter().map(|side| side.bytes()).sum::<usize>() as u64 / PILOT + 1;
        // Only the recorded outcomes of the phases exist.
        if self.audit.mechanism.capabilities().recordings.is_none() {
            self.lists = seen.iter().any(|side| are_lists(side));
            let many = self.lists || seen.iter().any(|side| have_fields(side));
            self.contest |= many && !self.made;
        }
        self.spend(PILOT);
        Ok(())
    }

    /// Number of outcomes kept at once, at most `most`.
    pub(in crate::audit) fn keep(&self, most: u64) -> u64 {
        most.min((MOST_BYTES / self.bytes).max(PILOT))
    }

    /// The most promising pair of a search, its number, and the number of pairs examined.
    fn search<'p>(
        &mut self,
        search: &PairSearch<D>,
        first: FoundPair<'p, D>,
    ) -> Result<(FoundPair<'p, D>, usize, usize), GameError> {
        let most_kept = self.keep(MOST_KEPT);
        let mut searcher = Searcher::new(self.audit, search, self.runs, self.streams, self.control);
        let Some(chosen) = searcher.look_for(self.left / 4 * 3, most_kept, &self.goal)? else {
            return Ok((first, 0, 0));
        };
        self.spend(chosen.spent);
        Ok((FoundPair::Made(chosen.pair, chosen.recipe), chosen.number, chosen.looked_at))
    }

    /// The best witness on a pair, given some known ones; where values and bits are distinguished,
    /// the best by values and the best by bits.
    fn witnesses(
        &mut self,
        on: (&Pair<D>, usize),
        known: Vec<Candidate>,
    ) -> Result<(Candidate, Option<Candidate>), GameError> {
        let mut found =
            if self.contest { self.best_of_many(on, known)? } else { self.best_of_few(on)? };
        let by_values = found.iter().position(|candidate| candidate.scorer.grid().is_some());
        let by_bits = found.iter().position(|candidate| candidate.scorer.sees_fine_structure());
        if let Some((values, bits)) = by_values.zip(by_bits) {
            // The later one first, so that the other keeps its place.
            let (first, second) = (values.min(bits), values.max(bits));
            let [later, earlier] = [second, first].map(|at| found.swap_remove(at));
            let [values, bits] = if values < bits { [earlier, later] } else { [later, earlier] };
            return Ok((values, Some(bits)));
        }
        Ok((found.into_iter().next().expect("there is always the shape scorer"), None))
    }

    /// Candidates for a sample, including those by values where bits tell. Where the claim is not about bits, all others
    /// are by values: a sum whose terms cancel shows the bits, too.
    fn candidates(&self, sample: &Sample<'_>, search: choose::Search<'_>) -> Vec<Candidate> {
        let mut found = candidates(sample, search, &self.goal);
        if let Some(grid) = choose::grid_apart(sample, &found, &self.goal) {
            let remainders: Vec<_> =
                found.iter().filter_map(Candidate::remainder).cloned().collect();
            let by = (grid, &remainders[..]);
            let bits = self.goal.sight == Sight::BothByValues;
            found.retain(|candidate| !bits || candidate.scorer.sees_fine_structure());
            found.extend(choose::candidates_by_values(sample, search, by, &self.goal));
        }
        found
    }

    /// Looks for outcomes that show nothing. A constant mechanism is only believed to be one after half of the trials that
    /// are left.
    fn show_nothing(&mut self, on: (&Pair<D>, usize), blocks: &[Block]) -> Result<(), GameError> {
        self.degenerate = degenerate::of(blocks);
        let mut more = self.left / 2;
        while matches!(self.degenerate, Some(Degenerate::Constant(_))) && more >= PILOT {
            let trials = more.min(self.keep(MOST_KEPT));
            let streams = self.fresh();
            let blocks = self.game(on, &streams).sample(Phase::Explore, trials)?;
            self.spend(trials);
            more -= trials;
            if degenerate::of(&blocks) != self.degenerate {
                self.degenerate = None;
            }
        }
        Ok(())
    }

    /// The best witness on the only pair, of single numbers or words: there is little to choose
    /// from, and a good cut takes all outcomes.
    fn best_of_few(&mut self, on: (&Pair<D>, usize)) -> Result<Vec<Candidate>, GameError> {
        let kept = self.left.min(self.keep(MOST_KEPT));
        let blocks = self.game(on, self.streams).sample(Phase::Explore, kept)?;
        self.spend(kept);
        self.show_nothing(on, &blocks)?;
        let will_be = self.left > 0;
        let search = choose::Search {
            training: None,
            most: FINALISTS,
            judged: false,
            will_be,
            quick: true,
            boxes: true,
        };
        let found = self.candidates(&as_sample(&blocks), search);
        self.hold(blocks, kept);
        if self.left == 0 {
            return self.look_closer(on, found);
        }
        let left = self.spend(self.left);
        let counts = self.count(on, &found, left, self.streams)?;
        let judge = |(candidate, counts): (Candidate, Folds)| candidate.with(&counts, &self.goal);
        let mut judged: Vec<_> = found.into_iter().zip(counts).map(judge).collect();
        judged.sort_by(|a, b| b.ranking_score().total_cmp(&a.ranking_score()));
        self.look_closer(on, judged)
    }

    /// The best witness where many compete: cuts are judged by outcomes that they were not made
    /// from, and while the best is poorly known some more trials are spent on it.
    fn best_of_many(
        &mut self,
        on: (&Pair<D>, usize),
        known: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, GameError> {
        let training_trials = match self.left / 4 {
            trials if self.lists && trials >= LEAST_TRAINING => {
                self.keep(trials.min(MOST_TRAINING))
            }
            _ => 0,
        };
        let streams = self.fresh();
        let trained_on = match training_trials {
            0 => None,
            trials => Some(self.game(on, &streams).sample(Phase::Explore, trials)?),
        };
        self.spend(training_trials);
        // A few trials that are left would judge nothing.
        let most = if self.left > MOST_KEPT { MOST_KEPT / 4 } else { MOST_KEPT };
        let kept = self.left.min(self.keep(most));
        let blocks = self.game(on, self.streams).sample(Phase::Explore, kept)?;
        self.spend(kept);
        self.show_nothing(on, &blocks)?;
        let training = trained_on.as_deref().map(as_sample);
        let (training, will_be) = (training.as_ref(), self.left > 0);
        let most = if self.lists { QUALIFIED } else { FINALISTS };
        let search =
            choose::Search { training, most, judged: true, will_be, quick: false, boxes: true };
        let mut found = self.candidates(&as_sample(&blocks), search);
        self.hold(blocks, kept);
        self.hold(trained_on.unwrap_or_default(), training_trials);
        // The same scorer with fewer counts would win by luck.
        found.retain(|new| known.iter().all(|known| known.scorer != new.scorer));
        found.extend(known);
        found.sort_by(|a, b| b.ranking_score().total_cmp(&a.ranking_score()));
        if will_be && self.lists {
            found = self.rehearse(on, found, (self.left / 2, 0.0))?;
            shortlist(&mut found);
        }
        if will_be {
            found = self.rehearse(on, found, (self.left, CAUTION))?;
        }
        found = self.look_again(on, found)?;
        self.look_closer(on, found)
    }

    pub(in crate::audit) fn spend(&mut self, trials: u64) -> u64 {
        self.left -= trials;
        self.explored += trials;
        trials
    }

    /// Streams of a separate round: the phases of the audit's own streams are each played once, and
    /// provide the confirm trials.
    pub(in crate::audit) fn fresh(&mut self) -> Streams {
        self.rounds += 1;
        Streams::new(
            self.audit.settings.seed,
            &format!("{}: round {}", self.audit.name, self.rounds),
        )
    }

    /// Judges candidates on more trials, each half by the other, best first.
    pub(in crate::audit) fn rehearse(
        &mut self,
        on: (&Pair<D>, usize),
        candidates: Vec<Candidate>,
        (trials, caution): (u64, f64),
    ) -> Result<Vec<Candidate>, GameError> {
        self.spend(trials);
        let [one, other] = [(); 2].map(|()| self.fresh());
        let one = self.count(on, &candidates, trials / 2, &one)?;
        let other = self.count(on, &candidates, trials - trials / 2, &other)?;
        let counted: Vec<_> = candidates.into_iter().zip(one.into_iter().zip(other)).collect();
        let judged = counted.into_par_iter().map(|(candidate, (one, other))| {
            // An unjudged candidate would lose the bound that it promises from rare outcomes if few
            // trials judged it now.
            if candidate.is_judged() || candidate.scorer.grows() {
                candidate.judged_by([one, other], caution, &self.goal)
            } else {
                candidate.with(&one, &self.goal).with(&other, &self.goal)
            }
        });
        let mut judged: Vec<Candidate> = judged.collect();
        judged.sort_by(|a, b| b.ranking_score().total_cmp(&a.ranking_score()));
        Ok(judged)
    }

    /// Counts this number of trials by each candidate.
    fn count(
        &mut self,
        on: (&Pair<D>, usize),
        candidates: &[Candidate],
        trials: u64,
        streams: &Streams,
    ) -> Result<Vec<Folds>, GameError> {
        let counters: Vec<_> = candidates.iter().map(|c| Counter::new(&c.scorer)).collect();
        let half = trials / 2;
        let phases = [(Phase::RehearseA, half), (Phase::RehearseB, trials - half)];
        let all = trials + self.kept_trials;
        let keeps = self.keeps && all <= self.keep(MOST_SHAPING);
        let [a, b] = phases.map(|(phase, trials)| {
            let game = self.game(on, streams);
            if !keeps {
                return game.count(phase, trials, &counters);
            }
            let blocks = game.sample(phase, trials)?;
            let tallies = tallies(&blocks, &counters);
            self.kept.extend(blocks);
            self.kept_trials += trials;
            Ok(tallies)
        });
        Ok(a?.into_iter().zip(b?).map(|(a, b)| Folds { a, b }).collect())
    }
}

/// Keeps the first candidates by values, by bits, and of all others.
pub(in crate::audit) fn shortlist(found: &mut Vec<Candidate>) {
    let mut kept = [0; 3];
    found.retain(|Candidate { scorer, .. }| {
        let kind = match (scorer.grid(), scorer.sees_fine_structure()) {
            (Some(_), _) => 0,
            (None, true) => 1,
            (None, false) => 2,
        };
        kept[kind] += 1;
        kept[kind] <= 2 * FINALISTS
    });
}

/// `true` if outcomes are vectors, some of several numbers.
fn are_lists(outcomes: &Outcomes) -> bool {
    outcomes.as_vectors().is_some_and(|(values, ends)| values.len() > ends.len())
}

/// `true` if outcomes are maps with several keys and mostly different numbers.
fn have_fields(outcomes: &Outcomes) -> bool {
    let number = |(_, entry): &(String, Entry)| matches!(entry, Entry::Number(_));
    let has_fields = |outcome: &OutcomeRef<'_>| match outcome {
        OutcomeRef::Keyed(map) => map.len() > 1 && map.entries().iter().any(number),
        _ => false,
    };
    let mut maps: Vec<_> = outcomes.iter().filter(has_fields).collect();
    let all = maps.len();
    maps.sort_unstable_by(order);
    maps.dedup_by(|a, b| order(a, b).is_eq());
    all > 0 && 2 * maps.len() > all
}
