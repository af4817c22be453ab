//! Audits that end as soon as it is clear: one betting test over batches of trials.
//!
//! Each batch is counted by a witness that was frozen before it; then its outcomes are added to those from which the next
//! witness is made. The gambler's wealth over all batches is a nonnegative supermartingale if the claim is true
//! (`plaudit_core::inference::betting`), so the audit may end after any batch: when the wealth reaches 1/α, when what
//! could have been missed is small enough, or when there are no trials left. Runs may depend on earlier ones: programs are
//! asked for each run by itself, in the order of the coins.

use crate::audit::certificate::batch_streams;
use crate::audit::course::{Ending, Played};
use crate::audit::explore::degenerate;
use crate::audit::explore::searcher::as_sample;
use crate::audit::find::Audited;
use crate::audit::judge::alphabet::Upper;
use crate::audit::judge::bets::Batch;
use crate::audit::judge::{JudgedWitness, leaks};
use crate::audit::looks;
use crate::audit::search::FoundPair;
use crate::audit::settings::{Audit, AuditError, Settings};
use crate::game::{Block, Clock, Control, Game, Phase, Runs, Step, Streams, tallies};
use crate::witness::choose::{self, Candidate, Goal, Sight};
use crate::witness::{Counter, Witness};
use plaudit_core::dataset::Pair;
use plaudit_core::finding::Trials;
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::Instant;

/// Trials from which the first witness is made (`cargo test --release --test suite -- audit::clear`: of 12, 16 and 32 the
/// mean numbers of runs differ by at most a tenth).
const FIRST: u64 = 24;
/// Share of all trials so far that the next batch adds, while they are few: each batch costs a search for a witness, and
/// an audit ends at the end of one.
const GROWTH: f64 = 0.25;
/// Trials from which batches double.
const MANY: u64 = 1 << 12;
/// Trials, or seconds, after which outcomes that are all the same, or all failures, are believed to show nothing: the audit
/// ends as inconclusive.
const NOTHING: (u64, f64) = (1 << 12, 3.0);
/// Bytes of outcomes that are kept to make witnesses from; outcomes of a batch for which there is no room are only counted.
const MOST_BYTES: usize = 64 << 20;
/// Trials from which a partition is worth its price.
const LEAST_SHAPING: u64 = 1 << 11;
/// Trials for which a witness is chosen, as a multiple of those so far: it should end the audit soon, not at its end (the
/// same test: with 2 and 8 they differ by at most a sixth).
const HORIZON: u64 = 4;

impl<D: Serialize + Sync> Audit<D> {
    /// As [`Audit::run`], but accepts a proof of the code, and ends as soon as it is clear: the claim is refuted, or
    /// nothing is wrong and a loss of `enough` times the claim, of ε alone, would have been refuted with probability 0.99.
    /// For other claims, or `None`, it ends early only when refuted: with a δ, the best witness guesses the more seldom the
    /// more trials there are, so that a few say little of what more would show. An audit that has to choose among pairs, or
    /// reads recorded outcomes, is run in looks instead ([`Audit::run_in_looks`]).
    ///
    /// # Errors
    /// As [`Audit::run`].
    pub fn run_until_clear(
        &mut self,
        enough: Option<f64>,
        control: Control<'_>,
    ) -> Result<Audited, AuditError> {
        let is_recorded = self.mechanism.capabilities().recordings.is_some();
        if self.search.is_some() || self.pairs.len() > 1 || is_recorded {
            return self.run_in_looks(enough, control);
        }
        let clock = Clock::start();
        let control = Control { clock: Some(&clock), ..control };
        let before = match self.begin(&clock, control)? {
            ControlFlow::Continue(before) => before,
            ControlFlow::Break(audited) => return Ok(*audited),
        };
        let ending = match self.first_pair().map_err(Ending::Failed) {
            Ok(pair) => self.play_until_clear(pair, enough, control),
            Err(failed) => Err(failed),
        };
        self.mechanism.finish();
        let ending = ending.map_or_else(|early| early, |played| Ending::Played(Box::new(played)));
        self.ended(ending, before, &clock)
    }

    fn play_until_clear<'a>(
        &'a self,
        pair: FoundPair<'a, D>,
        enough: Option<f64>,
        control: Control<'_>,
    ) -> Result<Played<'a, D>, Ending<'a, D>> {
        let own = self.undeclared();
        let undeclared = control.undeclared.or(own.as_ref());
        let control = Control { undeclared, ..control };
        let Settings { seed, alpha, .. } = self.settings;
        let during = control.clock;
        let streams = Streams::new(seed, &self.name);
        let prepare = || self.ready(&pair, true, &streams, control);
        let ready = Clock::during(during, Step::Prepare, prepare)?;
        let start = Instant::now();
        let (most, runs) = (ready.trials, ready.runs);
        let failed = |error| Ending::exploring(error, None);
        let on: (&Pair<D>, Runs) = (&pair, runs);
        let is_pure = self.claim.as_epsilon_delta().is_some_and(|(_, delta)| delta == 0.0);
        let explored = FIRST.min(most / 4);
        let mut learner = Learner { audit: self, seen: Vec::new(), bytes: 0, trials: 0 };
        let first = batch_streams(seed, &self.name, 0);
        let explore = || self.game(on, &first, control).sample(Phase::Explore, explored);
        let outcomes = Clock::during(during, Step::Explore, explore).map_err(failed)?;
        learner.add(outcomes, explored);
        let (mut batches, mut total) = (Vec::new(), explored);
        let judged = loop {
            let share = if total >= MANY { 1.0 } else { GROWTH };
            // Less than the trials so far.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let size = ((share * total as f64) as u64).max(FIRST / 2).min(most - total);
            let witness = Clock::during(during, Step::Explore, || learner.witness(most - total));
            let streams = batch_streams(seed, &self.name, batches.len());
            let counter = [Counter::new(&witness.scorer)];
            let mut tally = if learner.has_room(size) {
                let sample = || self.game(on, &streams, control).sample(Phase::Confirm, size);
                let outcomes = Clock::during(during, Step::Confirm, sample).map_err(failed)?;
                let tally = tallies(&outcomes, &counter);
                learner.add(outcomes, size);
                tally
            } else {
                let count =
                    || self.game(on, &streams, control).count(Phase::Confirm, size, &counter);
                Clock::during(during, Step::Confirm, count).map_err(failed)?
            };
            total += size;
            let tally = tally.pop().expect("one tally for one counter");
            batches.push(Batch { witness, tally });
            let judged = JudgedWitness::of_batches(batches, &self.claim, alpha);
            let judged = judged.expect("a batch was counted");
            let is_enough = enough.filter(|_| is_pure).is_some_and(|times| {
                let sufficient = self.sufficient(Some(times), judged.test);
                sufficient.is_some_and(|it| looks::is_enough(&judged.judgement.power, it))
            });
            let may_show_nothing = total >= NOTHING.0 || start.elapsed().as_secs_f64() > NOTHING.1;
            let shows_nothing = || may_show_nothing && learner.show_nothing();
            if judged.refutes() || total >= most || is_enough || shows_nothing() {
                break judged;
            }
            batches = judged.into_batches();
        };
        let confirm = judged.trials();
        let degenerate = degenerate::of(&learner.seen);
        let undeclared = undeclared.and_then(|undeclared| undeclared.words());
        Ok(Played {
            answers: self.answers(&pair, control),
            pair,
            pair_index: 0,
            surveyed: 1,
            degenerate,
            runs,
            own: judged,
            other: None,
            upper: undeclared.map(Upper::UndeclaredOutcomes),
            trials: Trials { explore: explored, confirm, total },
            notes: Vec::from_iter(ready.measured),
            left_out: None,
            values: None,
            shrunk: None,
            interrupted: false,
        })
    }
}

impl<D> Audit<D> {
    fn game<'g>(
        &'g self,
        (pair, runs): (&'g Pair<D>, Runs),
        streams: &'g Streams,
        control: Control<'g>,
    ) -> Game<'g, D> {
        Game { mechanism: &*self.mechanism, pair, pair_index: 0, runs, streams, control }
    }
}

/// All outcomes so far, from which the next witness is made.
struct Learner<'a, D> {
    audit: &'a Audit<D>,
    seen: Vec<Block>,
    bytes: usize,
    /// Trials whose outcomes these are.
    trials: u64,
}

impl<D: Sync> Learner<'_, D> {
    fn add(&mut self, blocks: Vec<Block>, trials: u64) {
        self.trials += trials;
        self.bytes += blocks.iter().map(Block::bytes).sum::<usize>();
        self.seen.extend(blocks);
    }

    /// `true` if the outcomes of this number of further trials can be kept, by the size of those so far.
    fn has_room(&self, trials: u64) -> bool {
        let each = self.bytes as f64 / self.trials.max(1) as f64;
        self.bytes as f64 + each * trials as f64 <= MOST_BYTES as f64
    }

    /// `true` if all outcomes are the same where they may not be, or nearly all are failures.
    fn show_nothing(&self) -> bool {
        !self.audit.settings.may_be_constant && degenerate::of(&self.seen).is_some()
    }

    /// The witness that promises most in the next trials, of which there are at most `left`.
    fn witness(&self, left: u64) -> Witness {
        let Settings { alpha, .. } = self.audit.settings;
        let sample = as_sample(&self.seen);
        let sight = match (leaks::sight(self.audit), choose::grid(&sample)) {
            (Sight::BothByValues, Some(grid)) => Sight::Values(grid),
            (sight, _) => sight,
        };
        let horizon = (HORIZON * self.trials).min(left).max(1);
        let goal = Goal::new(self.audit.claim.clone(), alpha, horizon).seeing(sight);
        let goal = goal.on_given_pair().by_betting();
        let search = choose::Search {
            training: None,
            most: 3,
            judged: false,
            will_be: false,
            quick: true,
            boxes: false,
        };
        let mut found = choose::candidates(&sample, search, &goal);
        if self.trials >= LEAST_SHAPING {
            found.extend(choose::partitions(&sample, &found, &goal));
        }
        let rank = |candidate: &Candidate| candidate.ranking_score_of_pair(&goal);
        let best = found.into_iter().max_by(|a, b| rank(a).total_cmp(&rank(b)));
        best.expect("there is always a scorer").freeze(&goal).0
    }
}
