//! A floor of power: where no witness promises a violation, one is frozen that could refute what `min_power` asks
//! for, so that an audit of a right mechanism says something.

use crate::audit::judge::Judgement;
use crate::claim::{Claim, Region};
use crate::inference::Test;
use crate::tally::Tally;
use crate::witness::{Guess, Witness};

/// An ε or μ below which next to nothing shows, even where the claim is tight.
pub const LEAST_CLAIM: f64 = 0.01;

/// The parameter of the claim that `min_power` speaks of, and the value of it that must be refuted with probability
/// 0.9; `None` where nothing is asked for.
pub fn wanted(claim: &Claim, min_power: f64, test: Test) -> Option<(&'static str, f64)> {
    if min_power.is_infinite() || claim.region().most_power(0.0) >= 1.0 {
        return None;
    }
    let (parameter, claimed) = match *claim.region() {
        // The betting test holds a curve to one point of it.
        Region::Gaussian { mu } if test != Test::Betting => ("mu", mu),
        _ => ("epsilon", claim.reference_point().0),
    };
    Some((parameter, min_power * claimed.max(LEAST_CLAIM)))
}

/// A witness that promises no violation, widened to guess on as many outcomes as `min_power` asks for: on those that
/// tell most, by the counts of explore. As it is where it could refute that already, or nothing can.
pub fn widened(
    (claim, min_power): (&Claim, f64),
    (witness, test): (Witness, Test),
    explored: &Tally,
    (confirm, alpha): (u64, f64),
) -> (Witness, Test) {
    let Some((_, wanted)) = wanted(claim, min_power, test) else { return (witness, test) };
    let expected = scaled(explored, confirm);
    let reaches = |witness: &Witness, test: Test| {
        let judgement = Judgement::of(&expected, witness, test, claim, alpha);
        judgement.power.detectable.is_some_and(|least| least <= wanted)
    };
    // Guessing on both sides is a test of (ε, δ).
    let by_guesses = if test == Test::Betting { test } else { Test::Guess };
    let is_point = test == Test::Betting || claim.as_epsilon_delta().is_some();
    if !is_point || reaches(&witness, test) {
        return (witness, test);
    }
    let mut bins: Vec<usize> = (0..explored.bins()).collect();
    bins.sort_by(|a, b| log_ratio(explored, *b).abs().total_cmp(&log_ratio(explored, *a).abs()));
    let all = explored.trials();
    for share in (1..=SHARES).map(|n| n as f64 / SHARES as f64) {
        let mut says = vec![Guess::Abstain; bins.len()];
        let mut guessed = 0;
        for &bin in &bins {
            if guessed as f64 >= share * all as f64 && guessed < all {
                break;
            }
            guessed += explored.d[bin] + explored.d_prime[bin];
            says[bin] = if log_ratio(explored, bin) < 0.0 { Guess::DPrime } else { Guess::D };
        }
        let wide = Witness { says, ..witness.clone() };
        if reaches(&wide, by_guesses) {
            return (wide, by_guesses);
        }
    }
    (witness, test)
}

/// Shares of all outcomes that are tried, evenly spaced.
const SHARES: u32 = 16;

/// The log-ratio of a bin, with half a count more on each side.
fn log_ratio(tally: &Tally, bin: usize) -> f64 {
    let share = |count: u64, all: u64| (count as f64 + 0.5) / (all as f64 + 1.0);
    let d = share(tally.d[bin], tally.trials_d());
    (d / share(tally.d_prime[bin], tally.trials_d_prime())).ln()
}

/// The counts that so many trials can be expected to give.
fn scaled(tally: &Tally, trials: u64) -> Tally {
    let each = trials as f64 / tally.trials().max(1) as f64;
    let scale = |counts: &[u64]| counts.iter().map(|n| (*n as f64 * each).round() as u64).collect();
    Tally { d: scale(&tally.d), d_prime: scale(&tally.d_prime) }
}
