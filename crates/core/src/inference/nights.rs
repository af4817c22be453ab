//! Evidence against one claim over many nights: the betting test, continued.
//!
//! *The game.* A gambler starts with wealth 1 and bets on the confirm trials of every night, with stakes that are chosen
//! before the first one. Every night has a witness of its own, frozen on that night's explore trials, and randomness of its
//! own. So the guesser of each trial is fixed before it is played, and by `betting` the wealth W of each stake is a
//! nonnegative supermartingale over all trials of all nights if the claim is true. It is a function of the sums of the
//! counts. This is sharper than multiplying an e-value a night: a loss that no single night shows would lose, every night
//! again, what the stakes that do not fit it lose; here the stake that fits carries its wealth on.
//!
//! *Two leaks.* Where the values of outcomes and their representation have a witness each, the one that a finding
//! quotes is chosen by the counts, and so is not a bet. Half of the wealth is bet on each; on nights with one witness,
//! both halves bet on it. Each half is a supermartingale for the same trials, and so is the sum.
//!
//! *Nights that break off.* A mechanism may break its contract after some of the counted trials, and that may depend on
//! them, so leaving such a night out would be a choice. The wealth is given up instead, and the game continues with a
//! reserve: the wealth is split beforehand into shares w₀ = 9/10, w_j = 1/(10 j (j + 1)), which add up to 1, and the
//! share w_j is bet from the j-th night that broke off until the next one. Giving up only lowers the wealth, and the
//! shares not yet bet are unchanged, so W_total = w_j W_j + Σ_{i > j} w_i is bounded by a nonnegative supermartingale
//! that starts at 1. The evidence here, w_j W_j, is at most that.
//!
//! *Validity.* By Ville's inequality the chance that the evidence ever reaches 1/α, over all nights together, is at
//! most α, for any times of looking and stopping. The runs of a night may depend on one another.

use super::{Stakes, Wagers};
use serde::{Deserialize, Serialize};

/// Number of nights that the stakes fit best: the smallest main one fits an excess that as many distinguish from the
/// claim.
const NIGHTS: u64 = 100;
/// The share that is bet until the first night that breaks off.
const FIRST: f64 = 0.9;

/// `true` if no count is larger than one that it is part of.
fn is_sound(wagers: &Wagers) -> bool {
    [wagers.one, wagers.both]
        .iter()
        .all(|it| it.right <= it.made && it.made <= it.trials && it.trials <= MOST_TRIALS)
}

/// Sums beyond are not exact as doubles.
const MOST_TRIALS: u64 = 1 << 52;

/// The evidence of all nights so far against one claim (ε, δ).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NightlyEvidence {
    pub epsilon: f64,
    pub delta: f64,
    /// Trials that the stakes are made for.
    pub stakes_for: u64,
    /// Nights that broke off; the counts are of those after the last of them.
    pub broken_off: u64,
    /// The two halves: of what the values of outcomes show, and of what their representation shows.
    pub halves: [Wagers; 2],
    /// The logarithm of the largest e-value after any night.
    pub most_ln_e_value: f64,
}

impl NightlyEvidence {
    /// Empty evidence against (`epsilon`, `delta`), for nights of about `trials` counted trials.
    pub fn new((epsilon, delta): (f64, f64), trials: u64) -> Self {
        let stakes_for = trials.max(1).saturating_mul(NIGHTS);
        let halves = [Wagers::default(); 2];
        Self { epsilon, delta, stakes_for, broken_off: 0, halves, most_ln_e_value: 0.0 }
    }

    /// Adds a night: what the witness of the values guessed, and that of the representation; twice the same where there is
    /// one witness.
    pub fn add(&mut self, night: [Wagers; 2]) {
        for (half, night) in self.halves.iter_mut().zip(night) {
            half.add(night);
        }
        self.most_ln_e_value = self.most_ln_e_value.max(self.ln_e_value());
    }

    /// Adds a night that broke off: what was won before is given up, and a reserve is bet from now on.
    pub fn add_broken_off(&mut self) {
        self.broken_off += 1;
        self.halves = [Wagers::default(); 2];
    }

    /// The logarithm of the e-value of the claim now, rounded down: its mean is at most 1 if the claim is true.
    pub fn ln_e_value(&self) -> f64 {
        let stakes = Stakes::new(self.epsilon, self.delta, self.stakes_for);
        let claim = (self.epsilon, self.delta);
        let [values, bits] = self.halves.map(|half| stakes.ln_wealth(half, claim));
        let (most, least) = (values.max(bits), values.min(bits));
        // Of two equal halves the mean is either, exactly; ln_1p of 0 to 1 over 2 is off by an ulp or two.
        let mean =
            if most == least { most } else { most + (0.5 * (least - most).exp_m1()).ln_1p() };
        let broken_off = self.broken_off as f64;
        let share = match self.broken_off {
            0 => FIRST,
            _ => (1.0 - FIRST) / (broken_off * (broken_off + 1.0)),
        };
        // Against a claim without stakes the gambler never wins: JSON has no infinities.
        (mean + share.ln() - 1e-14 * mean.abs().max(1.0)).max(f64::MIN)
    }

    /// The p-value of the claim over all nights, whenever one stops.
    pub fn p_value(&self) -> f64 {
        (-self.most_ln_e_value).exp().min(1.0)
    }

    /// `true` if nights can have added up to this.
    pub fn is_sound(&self) -> bool {
        let is_claim = self.epsilon >= 0.0 && (0.0..=1.0).contains(&self.delta);
        if !is_claim || !self.halves.iter().all(is_sound) {
            return false;
        }
        // The largest e-value is 1 at least, since that is what every game starts with.
        self.most_ln_e_value.is_finite()
            && self.most_ln_e_value >= self.ln_e_value().max(0.0) * (1.0 - 1e-9)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/inference/nights.rs"]
mod tests;
