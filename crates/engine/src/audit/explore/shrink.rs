//! Shrinking: from a pair that a search found, on which the claim is refuted, to a simpler one on
//! which it is also refuted.
//!
//! Every attempt has its own witness and trials, and a pair is taken only if these trials refute
//! the claim at α over the number of attempts (or 1e-12, the least level), so that with confidence
//! 1 - α no pair was taken by chance. The verdict does not depend on any of them: it is that of the
//! audit's own confirm trials.

use crate::audit::course::{Frozen, Played, Shrunk};
use crate::audit::explore::searcher::MANY_CELLS;
use crate::audit::explore::{self, How};
use crate::audit::judge::{JudgedWitness, Other, requests};
use crate::audit::search::{FoundPair, Recipe};
use crate::audit::settings::{Audit, MIN_ALPHA};
use crate::game::{ByRequest, Confirming, Control, Game, GameError, Phase, Streams};
use crate::search;
use crate::witness::Counter;
use crate::witness::choose::Sight;
use plaudit_core::dataset::Pair;
use plaudit_core::finding::{Floats, LeakKind};
use std::collections::HashSet;

const ATTEMPTS: u64 = 64;
const LEAST_TRIALS: u64 = 1_000;

/// Looks for the simplest pair, with at most as many trials as the audit had. `None`: the pair was
/// not found by a search, or no simpler one was confirmed. If interrupted (the second part),
/// returns the simplest so far.
pub(in crate::audit) fn shrink<D: Sync>(
    audit: &Audit<D>,
    played: &Played<'_, D>,
    control: Control<'_>,
) -> (Option<Shrunk<D>>, bool) {
    let (Some(search), FoundPair::Made(_, recipe)) = (&audit.search, &played.pair) else {
        return (None, false);
    };
    let trials = (played.trials.total / ATTEMPTS).max(LEAST_TRIALS);
    let most = (played.trials.total / trials).min(ATTEMPTS);
    // The audit's own trials and progress exclude these, which are not recorded.
    let confirming = Confirming::Here;
    let control = Control { progress: &|_| {}, recorder: None, confirming, ..control };
    let level = (played.own.alpha / most as f64).max(MIN_ALPHA);
    let confirm = |number, pair| attempt(audit, pair, (number, trials, level), played, control);
    let mut shrinking = Shrinking { most, attempts: 0, steps: 0, interrupted: false, best: None };
    let mut recipe = recipe.clone();
    // Large pairs are shrunk by their plans: only one more at a time is made.
    while let Recipe::Planned(plan) = &recipe
        && plan.cells() >= MANY_CELLS
    {
        let mut next = None;
        for simpler in search::simpler_plans(plan, &search.neighborhood) {
            if shrinking.is_over() {
                break;
            }
            let described = simpler.pair(String::new(), &search.neighborhood);
            let Some(made) = described.and_then(|pair| search.make(pair, &*audit.mechanism)) else {
                continue;
            };
            if shrinking.takes(made, &confirm) {
                next = Some(simpler);
                break;
            }
        }
        match next {
            Some(plan) => recipe = Recipe::Planned(plan),
            None => {
                let smallest = || search.pair(&recipe, String::new(), &*audit.mechanism);
                return shrinking.ended(smallest);
            }
        }
    }
    let Some(mut pair) = search.described(&recipe, String::new()) else {
        return shrinking.ended(|| None);
    };
    let mut tried = HashSet::new();
    loop {
        let mut next = None;
        for simpler in search::simpler(&pair, &search.neighborhood) {
            if shrinking.is_over() {
                break;
            }
            if !tried.insert(search::fingerprint(&simpler)) {
                continue;
            }
            let Some(made) = search.make(simpler.clone(), &*audit.mechanism) else { continue };
            if shrinking.takes(made, &confirm) {
                next = Some(simpler);
                break;
            }
        }
        match next {
            Some(simpler) => pair = simpler,
            None => return shrinking.ended(|| search.make(pair, &*audit.mechanism)),
        }
    }
}

/// State of the shrinking. Of the smallest pair it keeps only the results: pairs may be large, and
/// this one is made again at the end.
struct Shrinking {
    most: u64,
    attempts: u64,
    steps: u64,
    interrupted: bool,
    best: Option<JudgedWitness>,
}

impl Shrinking {
    /// `true` if no more attempts are allowed.
    fn is_over(&self) -> bool {
        self.attempts >= self.most || self.interrupted
    }

    /// `true` if the claim is also refuted on a pair.
    fn takes<D>(
        &mut self,
        pair: Pair<D>,
        confirm: &impl Fn(u64, Pair<D>) -> Result<Option<JudgedWitness>, GameError>,
    ) -> bool {
        self.attempts += 1;
        match confirm(self.attempts, pair) {
            Ok(Some(found)) => {
                self.best = Some(found);
                self.steps += 1;
                true
            }
            // A mechanism that breaks its contract here shows nothing here.
            Ok(None) | Err(GameError::Broken(_)) => false,
            Err(GameError::Interrupted) => {
                self.interrupted = true;
                false
            }
        }
    }

    /// The end, with the smallest pair if any was taken.
    fn ended<D>(self, smallest: impl FnOnce() -> Option<Pair<D>>) -> (Option<Shrunk<D>>, bool) {
        let Self { attempts, steps, interrupted, best, .. } = self;
        let shrunk = best.and_then(|judged| {
            let pair = Pair { name: "the smallest".into(), ..smallest()? };
            Some(Shrunk { pair, judged, attempts, steps })
        });
        (shrunk, interrupted)
    }
}

/// Explores and confirms on one pair, with its own trials.
fn attempt<D: Sync>(
    audit: &Audit<D>,
    pair: Pair<D>,
    (number, trials, alpha): (u64, u64, f64),
    played: &Played<'_, D>,
    control: Control<'_>,
) -> Result<Option<JudgedWitness>, GameError> {
    // No audit has this name, so that no other trials share its streams.
    let streams =
        Streams::new(audit.settings.seed, &format!("{}: shrinking, {number}", audit.name));
    let first = FoundPair::Made(pair, Recipe::First(0));
    let how = How { trials, runs: played.runs, sight: sight(audit, played), proved: false };
    let Frozen { pair, pair_index, explored, witness, test, .. } =
        explore::explore(audit, (None, first), how, &streams, control)?;
    let FoundPair::Made(pair, _) = pair else { return Ok(None) };
    let (mechanism, runs) = (&*audit.mechanism, played.runs);
    let by_request = ByRequest::of(vec![witness.says.clone()]);
    let control = Control { by_request: Some(&by_request), ..control };
    let game = Game { mechanism, pair: &pair, pair_index, runs, streams: &streams, control };
    let confirm = trials - explored;
    let counted = game.count(Phase::Confirm, confirm, &[Counter::new(&witness.scorer)])?;
    let tally = counted.into_iter().next().expect("one tally for one counter");
    let judged = JudgedWitness::of((witness, test), tally, &audit.claim, alpha);
    // A conclusion that does not hold on the found pair does not hold here.
    let follows =
        requests::check((audit.settings.seed, &audit.name), &[judged.refutes()], &by_request)
            .is_ok();
    Ok((judged.refutes() && follows).then_some(judged))
}

/// Sight of the witnesses of simpler pairs: they must show the same leak as the found pair.
fn sight<D>(audit: &Audit<D>, played: &Played<'_, D>) -> Sight {
    let grid = played.own.witness.scorer.grid();
    match (audit.settings.floats, &played.other) {
        (Floats::Rounded(grid), _) => Sight::Values(grid),
        (_, Some(Other { headline: LeakKind::Values, .. })) => {
            grid.map_or(Sight::Whole, Sight::Values)
        }
        _ => Sight::Whole,
    }
}
