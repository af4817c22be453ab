//! Shrinking: from a pair that a search found, on which the claim is refuted, to a simpler one on which
//! it is refuted, too.
//!
//! Every attempt has a witness and trials of its own, and a pair is taken only if these trials refute the
//! claim at α over the number of attempts (or 1e-12, the least level there is), so that with confidence
//! 1 - α no pair was taken by chance. The verdict does not rest on any of them: it is that of the audit's own confirm trials.

use super::explore::{self, Frozen};
use super::judge::Judgement;
use super::search::Found;
use super::{Audit, MIN_ALPHA, Played, explored};
use crate::dataset::{Dataset, Pair};
use crate::game::{Control, Game, GameError, Phase, Streams};
use crate::inference::Test;
use crate::search;
use crate::tally::Tally;
use crate::witness::{Counter, Witness};
use sha2::{Digest, Sha256};
use std::collections::HashSet;

/// Attempts at most.
const ATTEMPTS: u64 = 64;
/// Fewest trials of an attempt.
const LEAST_TRIALS: u64 = 1_000;

/// A simpler pair on which the claim is refuted.
pub struct Shrunk<D> {
    /// The pair.
    pub pair: Pair<D>,
    /// Its witness.
    pub witness: Witness,
    /// The test.
    pub test: Test,
    /// The counts of its confirm trials.
    pub tally: Tally,
    /// What they say.
    pub judgement: Judgement,
    /// The level at which they refute the claim.
    pub alpha: f64,
    /// Simpler pairs that were tried.
    pub attempts: u64,
    /// Simpler pairs that were taken, one after another; this is the last.
    pub steps: u64,
}

/// Looks for the simplest pair, with at most as many trials as the audit had. `None`: the pair was not
/// found by a search, or no simpler one was confirmed.
///
/// # Errors
/// If it is interrupted.
pub(super) fn shrink<D: Sync>(
    audit: &Audit<D>,
    played: &Played<'_, D>,
    control: Control<'_>,
) -> Result<Option<Shrunk<D>>, GameError> {
    let (Some(search), Found::Made(_, recipe)) = (&audit.search, &played.frozen.pair) else {
        return Ok(None);
    };
    let Some(mut pair) = search.described(recipe, String::new()) else { return Ok(None) };
    let trials = (played.trials.total / ATTEMPTS).max(LEAST_TRIALS);
    let most = (played.trials.total / trials).min(ATTEMPTS);
    // Its own trials and progress are the audit's; these come on top, and are not recorded.
    let control = Control { progress: &|_| {}, recorder: None, ..control };
    let (mut shrunk, mut attempts, mut steps) = (None, 0, 0);
    let mut tried = HashSet::new();
    loop {
        let mut taken = None;
        for simpler in search::simpler(&pair, &search.hood) {
            if attempts >= most {
                break;
            }
            if !tried.insert(digest(&simpler)) {
                continue;
            }
            let Some(made) = search.make(simpler.clone(), audit) else { continue };
            attempts += 1;
            let level = (audit.alpha / most as f64).max(MIN_ALPHA);
            match attempt(audit, made, (attempts, trials, level), played, control) {
                Ok(Some(found)) => {
                    taken = Some((simpler, found));
                    break;
                }
                // A mechanism that breaks its contract here shows nothing here.
                Ok(None) | Err(GameError::Broken(_)) => {}
                Err(GameError::Interrupted) => return Err(GameError::Interrupted),
            }
        }
        let Some((simpler, found)) = taken else { break };
        steps += 1;
        pair = simpler;
        shrunk = Some(found);
    }
    Ok(shrunk.map(|shrunk| Shrunk { attempts, steps, ..shrunk }))
}

/// Explores and confirms on one pair, on trials of its own.
fn attempt<D: Sync>(
    audit: &Audit<D>,
    pair: Pair<D>,
    (number, trials, alpha): (u64, u64, f64),
    played: &Played<'_, D>,
    control: Control<'_>,
) -> Result<Option<Shrunk<D>>, GameError> {
    // No audit has such a name, so that no other trials share its streams.
    let streams = Streams::new(audit.seed, &format!("{}: shrinking, {number}", audit.name));
    let first = Found::Made(pair, super::search::Recipe::First(0));
    let how = (trials, played.runs);
    let Frozen { pair, pair_index, witness, test, .. } =
        explore::explore(audit, (None, first), how, &streams, control)?;
    let Found::Made(pair, _) = pair else { return Ok(None) };
    let (mechanism, runs) = (&*audit.mechanism, played.runs);
    let game = Game { mechanism, pair: &pair, pair_index, runs, streams: &streams, control };
    let confirm = trials - explored(false, trials);
    let counted = game.count(Phase::Confirm, confirm, &[Counter::new(&witness.scorer)])?;
    let tally = counted.into_iter().next().expect("one tally for one counter");
    let judgement = Judgement::of(&tally, &witness, test, &audit.claim, alpha);
    let pair = Pair { name: "the smallest".into(), ..pair };
    Ok(judgement.refutes(alpha).then_some(Shrunk {
        pair,
        witness,
        test,
        tally,
        judgement,
        alpha,
        attempts: 0,
        steps: 0,
    }))
}

/// Tells pairs apart without keeping them.
fn digest(pair: &Pair<Dataset>) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(pair.d.to_wire().as_bytes());
    hash.update([0]);
    hash.update(pair.d_prime.to_wire().as_bytes());
    hash.finalize().into()
}
