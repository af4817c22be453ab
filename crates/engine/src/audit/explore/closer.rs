//! A closer look: where the best witness is poorly known, a partition is grown from more outcomes,
//! or more trials judge it.

use crate::audit::explore::searcher::as_sample;
use crate::audit::explore::{CAUTION, Exploration, MOST_SHAPING, floor, shortlist};
use crate::game::{Block, GameError, Phase, Runs};
use crate::witness::Witness;
use crate::witness::choose::{self, Candidate, Promised};
use plaudit_core::dataset::Pair;
use plaudit_core::inference::Test;

/// Largest percentage of the trials for explore, on an only pair and where pairs compete.
const MOST_SHARE: [u64; 2] = [30, 40];
/// Explore continues while the error of the best log-odds exceeds this share of the promise.
pub(in crate::audit) const DOUBT: f64 = 0.15;
/// A partition of lists, which has more leaves the more it is grown from, deserves a closer look if
/// it promises this share of the best bound; one of a number, whose intervals other scorers also
/// know, only if it is the best (`cargo bench --bench random`, even seeds: at 1 for both mixed
/// cells in four dimensions fall from .89 to .78).
const NEARLY: f64 = 0.8;
/// So does a candidate that promises less than this share of what the claim allows: a tight claim
/// promises more, and a part too rare to have shown up yet may reveal more (`cargo bench --bench
/// random`, even seeds: at .5 the least ratio of smooth losses in one dimension is .47, at .8 and
/// .95 it is .57).
const LITTLE: f64 = 0.8;
/// Share of the largest certifiable bound from which nothing is left to learn.
const SURE: f64 = 0.8;
/// Percentage of trials from whose outcomes a closer look grows a partition. Twice as many would
/// make it finer, and leave fewer trials to confirm it.
const SHAPING: u64 = 20;
/// Percentages of trials that judge a partition with few and with many leaves, and their minimum
/// (`cargo bench --bench random` at 10^6, even seeds: with 5 for both the least ratio of smooth
/// losses in two dimensions is .65, and .84 with 10).
const JUDGING: [u64; 2] = [5, 10];
const FEW_LEAVES: usize = 16;
/// See [`JUDGING`].
const LEAST_JUDGING: u64 = 8_000;
/// Fewest trials that make a closer look worthwhile.
const LEAST_CLOSER: u64 = 1 << 10;

impl<D: Sync> Exploration<'_, D> {
    /// While the best is poorly known: judges all candidates without edges that a partition might
    /// move on some more trials.
    pub(in crate::audit) fn look_again(
        &mut self,
        on: (&Pair<D>, usize),
        mut found: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, GameError> {
        let more = self.trials / 50;
        let most = self.trials / 100 * MOST_SHARE[usize::from(self.audit.pairs.len() > 1)];
        let doubtful = |found: &[Candidate]| {
            found.first().is_some_and(|best| best.doubt() > DOUBT && !best.scorer.has_edges())
        };
        while more > 0 && self.explored + more <= most && doubtful(&found) {
            self.left = more;
            self.goal.set_trials(self.trials - self.explored - more);
            found = self.rehearse(on, found, (more, CAUTION))?;
        }
        Ok(found)
    }

    /// While the best is poorly known, or a partition competes: grows a partition from the kept
    /// outcomes and more, and judges it on further trials along with the earlier candidates.
    pub(in crate::audit) fn look_closer(
        &mut self,
        on: (&Pair<D>, usize),
        mut found: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, GameError> {
        let more = self.share_left();
        let nearly = if self.lists { NEARLY } else { 1.0 };
        let doubtful = found.first().is_none_or(|best| {
            let grows = |candidate: &Candidate| {
                candidate.scorer.grows()
                    && candidate.ranking_score() >= nearly * best.ranking_score()
            };
            let little = best.predicted_bound() < LITTLE * self.goal.allowed();
            // A candidate that is right on nearly all guesses is known well enough.
            let all = best.predicted_bound() > SURE * self.goal.most();
            // Neither outcomes that are all matched exactly nor lowest bits have better edges.
            let finest = best.matches_all() || best.scorer.sees_bits();
            let doubtful = !finest && (little || best.doubt() > DOUBT);
            !all && (doubtful || found.iter().any(grows))
        });
        let agrees =
            found.first().is_some_and(|best| best.predicted_bound() <= self.goal.allowed());
        // A bet needs all trials.
        let none = self.is_recorded() || self.runs != Runs::Independent || self.proved && agrees;
        if none || !doubtful || more < LEAST_CLOSER {
            return Ok(found);
        }
        let wanted = self.keep(MOST_SHAPING.min(self.trials / 100 * SHAPING));
        let shaping = wanted.saturating_sub(self.kept_trials).min(more / 2);
        let judging =
            JUDGING.map(|share| (self.trials / 100 * share).max(LEAST_JUDGING).min(more - shaping));
        self.left = more;
        let streams = self.fresh();
        let blocks = self.game(on, &streams).sample(Phase::Explore, shaping)?;
        self.kept.extend(blocks);
        self.spend(shaping);
        self.goal.set_trials(self.trials - self.explored - judging[0]);
        let kept = std::mem::take(&mut self.kept);
        self.keeps = false;
        let partitions = choose::partitions(&as_sample(&kept), &found, &self.goal);
        drop(kept);
        if !partitions.is_empty() {
            // A partition from fewer outcomes has more counts, and would win for that reason.
            found.retain(|candidate| !candidate.scorer.grows());
        }
        let leaves = partitions.iter().map(|partition| partition.scorer.bins()).max();
        let judging = leaves.map(|leaves| judging[usize::from(leaves > FEW_LEAVES)]);
        let judging = judging.unwrap_or(self.left);
        shortlist(&mut found);
        found.extend(partitions);
        let mut found = self.rehearse(on, found, (judging, CAUTION))?;
        // Where nothing promises anything, a leaf that paid its price is still better founded than
        // a guess on everything.
        if found.first().is_some_and(|best| best.predicted_bound() <= 0.0) {
            found.sort_by_key(|candidate| !candidate.scorer.grows());
        }
        Ok(found)
    }

    /// Where the best promises a violation, or contradicts the claim, with too few guesses to
    /// refute the loss that `min_power` asks for: rare events of correct mechanisms do so by luck.
    /// As many trials again judge it.
    pub(in crate::audit) fn look_twice(
        &mut self,
        on: (&Pair<D>, usize),
        best: Candidate,
        (alpha, by_runs): (f64, impl Fn((Witness, Test)) -> (Witness, Test)),
    ) -> Result<Candidate, GameError> {
        let more = self.explored.min(self.share_left());
        let (witness, test) = by_runs(best.freeze(&self.goal));
        let asked = (&self.audit.claim, self.audit.settings.min_power);
        let confirm = (self.trials - self.explored, alpha);
        let is_few = || {
            let (of, counts) = ((&witness, test), best.tally());
            !floor::is_reached(asked, of, &counts, confirm, |power| power.detectable)
        };
        let promises = best.promised(&self.goal) == Promised::Violation;
        if self.is_recorded() || more == 0 || !promises || !is_few() {
            return Ok(best);
        }
        self.left = more;
        self.goal.set_trials(self.trials - self.explored - more);
        // No partition is grown after this.
        self.keeps = false;
        let judged = self.rehearse(on, vec![best], (more, 0.0))?;
        Ok(judged.into_iter().next().expect("it is the one that was tested"))
    }

    /// Number of trials that explore may still use.
    fn share_left(&self) -> u64 {
        let most = MOST_SHARE[usize::from(self.audit.pairs.len() > 1)];
        (self.trials / 100 * most).saturating_sub(self.explored)
    }

    /// `true` if outcomes are recorded: then only those of the phases exist.
    fn is_recorded(&self) -> bool {
        self.audit.mechanism.capabilities().recordings.is_some()
    }

    /// Keeps outcomes of the chosen pair, from which a partition may be grown.
    pub(in crate::audit) fn hold(&mut self, blocks: Vec<Block>, trials: u64) {
        if self.keeps && self.kept_trials + trials <= self.keep(MOST_SHAPING) {
            self.kept.extend(blocks);
            self.kept_trials += trials;
        }
    }
}
