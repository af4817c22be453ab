//! The betting test: the only one that works without independent runs, and that allows any number of looks.
//!
//! A gambler bets on the guesses, trial after trial, also when the guesser abstains. With a
//! stake κ in [0, 1/(e^ε + δ)) the wealth is multiplied by 1 + κ(1\[right\] − e^ε 1\[wrong\] −
//! δs/2), where s is the number of datasets that the guesser ever names: written with λ = κ(1 +
//! e^ε), for s = 2, it is 1 + λ(1\[right\] − θ 1\[guess\] − δ(1 − θ)) with θ = e^ε/(1 + e^ε).
//!
//! *Validity.* Let A and B be the outcomes on which the guesser names D and D', and P and Q the laws
//! of a trial's outcome on D and D' given all that came before it. The coin is fair, so the factor
//! has mean 1 + κ/2 (P(A) − e^ε Q(A) + Q(B) − e^ε P(B) − δs), which the claim keeps at 1 or below:
//! the wealth is a nonnegative supermartingale that starts at 1. It is above 1/α at a time fixed
//! before with probability at most α (Markov), and so it is ever (Ville). The runs may depend on
//! one another in any way, as long as each satisfies the claim given the past. See Waudby-Smith &
//! Ramdas (2024) on testing by betting, and Ramdas, Grünwald, Vovk & Shafer (2023) on e-values.
//!
//! No stake is best for all losses, so the gambler splits the wealth over many; the sum is also a wealth, and a
//! function of the counts.

use super::Guesses;
use serde::{Deserialize, Serialize};

/// Share of the wealth on stakes that fit losses which `trials` trials can distinguish from the claim.
const MAIN: f64 = 0.85;
/// Steps between neighboring stakes on the logarithmic scale: among those, and among the smaller.
const STEPS: (f64, f64) = (0.25, 0.5);
/// Reach of the smaller stakes, and decay of their shares, on that scale.
const TAIL: (f64, f64) = (12.0, 0.25);
/// The boldest stake, as a share of the largest: it bets almost all on never being wrong.
const BOLDEST: f64 = 0.99;
/// Relative errors of a factor and of the sums, in doubles.
const FACTOR_ERROR: f64 = 4.0 * f64::EPSILON;
const SUM_ERROR: f64 = 1e-12;

/// Split of the gambler's wealth: stakes κ with their shares, chosen before anything is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Stakes {
    /// κ, and the logarithm of its share; descending.
    all: Vec<(f64, f64)>,
}

impl Stakes {
    /// Stakes against the claim (`epsilon`, `delta`) for about `trials` trials: evenly spread, on
    /// the logarithmic scale, from the largest one possible, 1/(e^ε + δ), to its own square root
    /// over that of `trials`, which is as small as the smallest excess visible in `trials` trials;
    /// and a few smaller ones. They are valid for any number of trials and against any claim.
    pub fn new(epsilon: f64, delta: f64, trials: u64) -> Self {
        let largest = 1.0 / (epsilon.exp() + delta);
        let reach = (0.5 * (trials as f64 * largest).max(1.0).ln()).max(STEPS.0);
        let steps = (reach / STEPS.0).round();
        let main = (1..=steps as u32).map(|step| reach * f64::from(step) / steps);
        let main: Vec<f64> = std::iter::once(-BOLDEST.ln()).chain(main).collect();
        let count = (TAIL.0 / STEPS.1).round() as u32;
        let tail = (1..=count).map(|step| f64::from(step) * STEPS.1);
        let fall = |down: f64| (-TAIL.1 * down).exp();
        let fallen: f64 = tail.clone().map(fall).sum();
        let each = MAIN / main.len() as f64;
        let main = main.into_iter().map(|down| (down, each));
        let tail = tail.map(|down| (reach + down, (1.0 - MAIN) * fall(down) / fallen));
        let stakes = main.chain(tail).map(|(down, share)| (largest * (-down).exp(), share.ln()));
        Self { all: stakes.filter(|(stake, _)| *stake > 0.0).collect() }
    }

    /// The logarithm of the wealth, rounded down, of a gambler who bet these stakes on the guesses of one guesser after
    /// another. The guesser may be another one at every trial, as long as it is frozen before that trial: the factor's
    /// mean is at most 1 given all that came before.
    pub fn ln_wealth(&self, wagers: Wagers, (epsilon, delta): (f64, f64)) -> f64 {
        let played = [(wagers.one, Guessed::One), (wagers.both, Guessed::Both)];
        let of_stake = |&(stake, share): &(f64, f64)| {
            let gain = |&(guesses, sides): &(Guesses, Guessed)| {
                if guesses.trials == 0 {
                    return 0.0;
                }
                let factors = Factors::of(stake, (epsilon, delta), sides.count());
                // A stake that could lose more than all is never bet; its share is given away.
                if factors.wrong.is_finite() { factors.gain(guesses) } else { f64::NEG_INFINITY }
            };
            share + played.iter().map(gain).sum::<f64>()
        };
        ln_sum(self.all.iter().map(of_stake))
    }

    /// Smallest stake; 0 without stakes.
    fn smallest(&self) -> f64 {
        self.all.last().map_or(0.0, |(stake, _)| *stake)
    }
}

/// One stake against one claim; all as logarithms.
#[derive(Clone, Copy, Debug)]
struct Factors {
    right: f64,
    wrong: f64,
    none: f64,
}

impl Factors {
    /// Factors for a stake, and a guesser that names `sides` datasets.
    fn of(stake: f64, (epsilon, delta): (f64, f64), sides: u8) -> Self {
        let fee = delta * f64::from(sides) / 2.0;
        let wrong = (epsilon.exp() + fee) * (1.0 + FACTOR_ERROR);
        Self {
            right: (stake * (1.0 - fee) * (1.0 - FACTOR_ERROR)).ln_1p(),
            wrong: (-stake * wrong).ln_1p(),
            none: (-stake * fee * (1.0 + FACTOR_ERROR)).ln_1p(),
        }
    }

    /// Factor of the stake's wealth over these guesses, as a logarithm, rounded down.
    fn gain(&self, guesses: Guesses) -> f64 {
        let Guesses { right, made, trials } = guesses;
        let part = |count: u64, ln_factor: f64| match count {
            0 => 0.0,
            _ => count as f64 * ln_factor,
        };
        let wrong = part(made - right, self.wrong);
        let right = part(right, self.right);
        let none = part(trials - made, self.none);
        right + wrong + none - FACTOR_ERROR * (right.abs() + wrong.abs() + none.abs())
    }
}

/// The logarithm of a sum of wealths that are given by theirs, rounded down.
fn ln_sum(parts: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = parts.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + parts.map(|part| (part - most).exp()).sum::<f64>().ln() - SUM_ERROR
}

/// Guesses of successive guessers: of those that name one dataset, and of those that name both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wagers {
    /// Guesses of guessers that name only one dataset.
    pub one: Guesses,
    pub both: Guesses,
}

impl Wagers {
    /// The guesses of one guesser.
    pub fn of(guesses: Guesses, sides: Guessed) -> Self {
        match sides {
            Guessed::One => Self { one: guesses, ..Self::default() },
            Guessed::Both => Self { both: guesses, ..Self::default() },
        }
    }

    pub fn add(&mut self, next: Self) {
        for (sum, more) in [(&mut self.one, next.one), (&mut self.both, next.both)] {
            sum.right += more.right;
            sum.made += more.made;
            sum.trials += more.trials;
        }
    }

    /// All guesses together, for what does not depend on the guesser.
    pub fn total(&self) -> Guesses {
        let Self { one, both } = *self;
        let (right, made) = (one.right + both.right, one.made + both.made);
        Guesses { right, made, trials: one.trials + both.trials }
    }
}

/// The betting test at a number of trials that was fixed before, or at any other (Ville) with stakes that were.
#[derive(Clone, Debug, PartialEq)]
pub struct BettingTest {
    wagers: Wagers,
    stakes: Stakes,
}

impl BettingTest {
    /// Test of a frozen guesser's counts. `sides` is whether it names both datasets, each on some outcome, or only one.
    pub fn new(guesses: Guesses, sides: Guessed, stakes: Stakes) -> Self {
        Self::over(Wagers::of(guesses, sides), stakes)
    }

    /// Test of the counts of successive guessers, each frozen before its first trial.
    pub fn over(wagers: Wagers, stakes: Stakes) -> Self {
        Self { wagers, stakes }
    }

    /// The logarithm of the e-value of the claim (`epsilon`, `delta`), rounded down: the gambler's
    /// wealth. If the claim is true, its mean is at most 1. It falls with ε and with δ.
    pub fn ln_e_value(&self, epsilon: f64, delta: f64) -> f64 {
        self.stakes.ln_wealth(self.wagers, (epsilon, delta))
    }

    /// The p-value of the claim, min(1, 1/e-value), rounded up.
    pub fn p_value(&self, epsilon: f64, delta: f64) -> f64 {
        (-self.ln_e_value(epsilon, delta)).exp().min(1.0)
    }

    /// Certified lower bound on ε at `delta`, wrong with probability at most `alpha`; at least 0.
    /// The largest such bound over any number of looks, with the same stakes, is wrong no more
    /// often.
    ///
    /// As the e-value falls with ε, every ε up to the bound is refuted.
    pub fn epsilon_lower(&self, delta: f64, alpha: f64) -> f64 {
        // Beyond, not even the smallest stake is possible.
        let most = -self.stakes.smallest().ln();
        last(most, |epsilon| self.refutes(epsilon, delta, alpha))
    }

    /// Certified lower bound on δ at `epsilon`, wrong with probability at most `alpha`; in [0, 1].
    /// As the e-value falls with δ, every δ up to the bound is refuted.
    pub fn delta_lower(&self, epsilon: f64, alpha: f64) -> f64 {
        last(1.0, |delta| self.refutes(epsilon, delta, alpha))
    }

    /// Certified lower bounds on δ at the ascending values `epsilons`, fixed before anything is
    /// seen: all of them hold at once but with probability at most `alpha`, which they share
    /// evenly. As δ(ε) falls, each also holds at every smaller ε; the bounds returned are the best
    /// by that.
    pub fn profile_lower(&self, epsilons: &[f64], alpha: f64) -> Vec<f64> {
        let each = alpha / epsilons.len().max(1) as f64;
        let mut bounds: Vec<f64> = epsilons.iter().map(|&e| self.delta_lower(e, each)).collect();
        for at in (1..bounds.len()).rev() {
            bounds[at - 1] = bounds[at - 1].max(bounds[at]);
        }
        bounds
    }

    fn refutes(&self, epsilon: f64, delta: f64, alpha: f64) -> bool {
        self.ln_e_value(epsilon, delta) >= -alpha.ln()
    }
}

/// Datasets that a guesser names: only one, on some outcomes, or both, each on some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guessed {
    One,
    Both,
}

impl Guessed {
    fn count(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Both => 2,
        }
    }
}

/// Approximately the last x in [0, `most`] at which `holds` is true, if it is true up to some x; always one at which it
/// is true, or 0.
fn last(most: f64, holds: impl Fn(f64) -> bool) -> f64 {
    if !holds(0.0) {
        return 0.0;
    }
    if holds(most) {
        return most;
    }
    let (mut low, mut high) = (0.0, most);
    for _ in 0..200 {
        if high - low <= 1e-12 * high {
            break;
        }
        let middle = 0.5 * (low + high);
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
#[path = "../../tests/unit/inference/betting.rs"]
mod tests;
