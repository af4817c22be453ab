//! Playing with outcomes that were recorded elsewhere.
//!
//! The game equals that of a mechanism that is run: T fair coins determine the number of trials of D
//! and of D', and each trial takes an unused outcome of its side. The outcomes are drawn blindly,
//! uniformly among all choices, by selection sampling (Knuth, *The Art of Computer Programming* 2,
//! 3.4.2, algorithm S): one pass over the file, in constant memory, exact also for sorted files. If
//! the outcomes of a file are independent runs, so are those chosen; the coins are fair and
//! independent of them; hence the tally has the law of a played game, and all tests are valid.
//!
//! T is fixed beforehand, such that a side runs out of outcomes with probability below 10⁻¹²: a
//! game that stopped at an empty side would have coins that depend on that. If it happens, nothing
//! is counted.

use super::block::Block;
use super::play::{Game, GameError};
use super::{Tally, explore_trials};
use crate::mechanism::{Outcomes, Recordings};
use crate::witness::Counter;
use plaudit_core::random::{Phase, Stream};
use rand::{Rng, RngExt};

/// Selects some outcomes of a stream: each selection of this size has the same probability.
struct Reservoir {
    random: Stream,
    /// Number of outcomes still to come.
    coming: u64,
    /// Number of outcomes still to select, at most `coming`.
    wanted: u64,
}

impl Reservoir {
    /// `true` if the next outcome is selected.
    #[inline]
    fn next(&mut self) -> bool {
        if self.wanted == 0 {
            return false;
        }
        let chosen = self.random.random_range(0..self.coming) < self.wanted;
        self.coming -= 1;
        self.wanted -= u64::from(chosen);
        chosen
    }
}

/// The phases that take outcomes, in this order, from what confirm has left. The pilot only learns
/// how large outcomes are, and takes none away.
const EXPLORING: [Phase; 3] = [Phase::Explore, Phase::RehearseA, Phase::RehearseB];

impl<D: Sync> Game<'_, D> {
    /// [`Game::count`] of recorded outcomes.
    pub(super) fn count_recorded(
        &self,
        recordings: &Recordings,
        phase: Phase,
        trials: u64,
        counters: &[Counter<'_>],
    ) -> Result<Vec<Tally>, GameError> {
        let side = |side: usize| {
            let mut counts: Vec<_> =
                counters.iter().map(|counter| vec![0; counter.scorer().bins()]).collect();
            self.pass(recordings, phase, trials, side, |outcomes| {
                for (counter, counts) in counters.iter().zip(&mut counts) {
                    counter.count(outcomes, counts);
                }
            })?;
            Ok::<_, GameError>(counts)
        };
        let (d, d_prime) = rayon::join(|| side(0), || side(1));
        let tally = |(d, d_prime)| Tally { d, d_prime };
        Ok(d?.into_iter().zip(d_prime?).map(tally).collect())
    }

    /// [`Game::sample`] of recorded outcomes.
    pub(super) fn sample_recorded(
        &self,
        recordings: &Recordings,
        phase: Phase,
        trials: u64,
    ) -> Result<Vec<Block>, GameError> {
        let side = |side: usize| {
            let mut kept = Vec::new();
            self.pass(recordings, phase, trials, side, |outcomes| {
                kept.push(std::mem::take(outcomes));
            })?;
            Ok::<_, GameError>(kept)
        };
        let (d, d_prime) = rayon::join(|| side(0), || side(1));
        let blocks = d?.into_iter().map(|d| Block { d, ..Block::default() });
        let d_prime = d_prime?.into_iter().map(|d_prime| Block { d_prime, ..Block::default() });
        Ok(blocks.chain(d_prime).collect())
    }

    /// Reads a side (0: D, 1: D') and passes on the outcomes of a phase.
    fn pass(
        &self,
        recordings: &Recordings,
        phase: Phase,
        trials: u64,
        side: usize,
        mut take: impl FnMut(&mut Outcomes),
    ) -> Result<(), GameError> {
        let interrupted = self.control.interrupted;
        let runs = recordings.runs(interrupted)?;
        if trials > runs.iter().sum() {
            let message = format!("{trials} trials are more than there are outcomes");
            return Err(GameError::Broken(message));
        }
        let coming = runs[side];
        let (mut before, mut choice) = self.choices(recordings, phase, trials, side, coming)?;
        let keep = || !before.iter_mut().any(Reservoir::next) && choice.next();
        recordings.pass(side, interrupted, keep, |outcomes| {
            (self.control.progress)(outcomes.len() as u64);
            if let Some(undeclared) = self.control.undeclared {
                undeclared.look(outcomes);
            }
            take(outcomes);
        })?;
        Ok(())
    }
}

impl<D> Game<'_, D> {
    /// Reservoir for the outcomes of a phase on a side of a given size, and those of earlier
    /// phases, which select first.
    fn choices(
        &self,
        recordings: &Recordings,
        phase: Phase,
        trials: u64,
        side: usize,
        mut coming: u64,
    ) -> Result<(Vec<Reservoir>, Reservoir), GameError> {
        let random = |phase: Phase| self.streams.block(self.pair_index, phase)(1 + side as u64);
        let confirm = match (phase, recordings.trials()) {
            (Phase::Confirm, _) => trials,
            (_, Some(total)) => total - explore_trials(total),
            (_, None) => return Err(GameError::Broken("the game was not prepared".into())),
        };
        let on_d = heads(self.streams.block(self.pair_index, Phase::Confirm)(0), confirm);
        let wanted = [on_d, confirm - on_d][side];
        if wanted > coming {
            return Err(GameError::Broken(
                "The coins asked for more outcomes of one dataset than there are, which happens \
                 once in 10^12 games: choose another seed."
                    .into(),
            ));
        }
        let confirm = Reservoir { random: random(Phase::Confirm), coming, wanted };
        coming -= wanted;
        if phase == Phase::Confirm {
            return Ok((Vec::new(), confirm));
        }
        let mut before = vec![confirm];
        // Without a constraint, half of the trials are of each dataset.
        let half = |trials: u64| (trials + 1 - side as u64) / 2;
        if let Some(place) = EXPLORING.iter().position(|known| *known == phase) {
            for (phase, trials) in EXPLORING.iter().zip(recordings.explored(place, trials)) {
                let wanted = half(trials).min(coming);
                before.push(Reservoir { random: random(*phase), coming, wanted });
                coming -= wanted;
            }
        }
        let wanted = half(trials).min(coming);
        Ok((before, Reservoir { random: random(phase), coming, wanted }))
    }
}

/// Number of coins that say D.
fn heads(mut random: Stream, coins: u64) -> u64 {
    let whole: u64 = (0..coins / 64).map(|_| u64::from(random.next_u64().count_ones())).sum();
    let rest = random.next_u64() & ((1 << (coins % 64)) - 1);
    whole + u64::from(rest.count_ones())
}

#[cfg(test)]
#[path = "../../tests/unit/game/recorded.rs"]
mod tests;
