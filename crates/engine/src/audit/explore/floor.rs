//! A floor of power: where no witness promises a violation, explore freezes one that could refute
//! the loss of `min_power`, so that an audit of a correct mechanism means something.

use crate::audit::judge::Judgement;
use crate::witness::Witness;
use crate::witness::choose::Goal;
use plaudit_core::claim::{Claim, LEAST_LOSS, LossUnit, Region};
use plaudit_core::finding::Power;
use plaudit_core::inference::{Corner, Test, power};
use plaudit_core::tally::Guess;
use plaudit_core::tally::Tally;

/// Loss that `min_power` requires to be refuted with probability 0.9, if any, in its unit.
pub fn wanted(claim: &Claim, min_power: f64, test: Test) -> Option<(LossUnit, f64)> {
    if min_power.is_infinite() || claim.region().most_power(0.0) >= 1.0 {
        return None;
    }
    // The betting test compares a curve at one point of it.
    let unit = if test.is_betting() { LossUnit::Epsilon } else { power::loss_unit(claim) };
    let least = match (unit, claim.region()) {
        (LossUnit::Mu, Region::Gaussian { mu }) => mu.max(LEAST_LOSS),
        (LossUnit::Claims, _) => 1.0,
        _ => claim.reference_point().0.max(LEAST_LOSS),
    };
    Some((unit, min_power * least))
}

/// Loss that is refuted with probability 0.99. By its own rates, which differ from those of explore
/// by luck, confirm mostly refutes it with probability 0.9.
pub fn surely(power: &Power) -> Option<f64> {
    power.nearly_surely
}

/// `true` if a witness could refute the loss of `min_power`, by the rates of explore, with the
/// probability that `least` stands for. Always `true` if there is no floor.
pub fn is_reached(
    (claim, min_power): (&Claim, f64),
    (witness, test): (&Witness, Test),
    explored: &Tally,
    (confirm, alpha): (u64, f64),
    least: impl Fn(&Power) -> Option<f64>,
) -> bool {
    let Some((_, wanted)) = wanted(claim, min_power, test) else { return true };
    let power = Judgement::power_of(&scaled(explored, confirm), witness, test, claim, alpha);
    least(&power).is_some_and(|least| least <= wanted)
}

/// The witness to freeze where none promises a violation: the part whose counts in explore
/// contradict the claim, if there is one; else this witness, widened to guess on enough outcomes
/// for `min_power`, the most telling first, with probability 0.99 if possible. Unchanged if it
/// could already refute that loss, or nothing can.
pub fn widened(
    (claim, min_power): (&Claim, f64),
    (witness, test): (Witness, Test),
    explored: &Tally,
    (confirm, alpha): (u64, f64),
) -> (Witness, Test) {
    if let Some(narrow) = narrowed(claim, (&witness, test), explored, (confirm, alpha)) {
        return narrow;
    }
    // Guessing on both sides is a test of (ε, δ).
    let by_guesses = if test == Test::Betting { test } else { Test::Guess };
    if test != Test::Betting && claim.as_epsilon_delta().is_none() {
        return likeliest_seen((claim, min_power), (witness, test), explored, (confirm, alpha));
    }
    let mut bins: Vec<usize> = (0..explored.bins()).collect();
    bins.sort_by(|a, b| log_ratio(explored, *b).abs().total_cmp(&log_ratio(explored, *a).abs()));
    let all = explored.trials();
    let wide = |share: f64| {
        let mut says = vec![Guess::Abstain; bins.len()];
        let mut guessed = 0;
        for &bin in &bins {
            if guessed as f64 >= share * all as f64 && guessed < all {
                break;
            }
            guessed += explored.d[bin] + explored.d_prime[bin];
            says[bin] = if log_ratio(explored, bin) < 0.0 { Guess::DPrime } else { Guess::D };
        }
        (Witness { says, ..witness.clone() }, by_guesses)
    };
    let wider = (1..=SHARES).map(|n| wide(n as f64 / SHARES as f64));
    let candidates = || std::iter::once((witness.clone(), test)).chain(wider.clone());
    let levels: [fn(&Power) -> Option<f64>; 2] = [surely, |power| power.detectable];
    let reached = levels.iter().find_map(|least| {
        candidates().find(|(witness, test)| {
            is_reached((claim, min_power), (witness, *test), explored, (confirm, alpha), least)
        })
    });
    reached.unwrap_or((witness, test))
}

/// For a claim that only events test: the event of the most telling outcomes for which `min_power`
/// is reached most easily, if it is not already reached; if no event reaches it, the nearest.
fn likeliest_seen(
    (claim, min_power): (&Claim, f64),
    (witness, test): (Witness, Test),
    explored: &Tally,
    (confirm, alpha): (u64, f64),
) -> (Witness, Test) {
    let asked = (claim, min_power);
    if is_reached(asked, (&witness, test), explored, (confirm, alpha), surely) {
        return (witness, test);
    }
    let expected = scaled(explored, confirm);
    let least = |(witness, test): &(Witness, Test)| {
        let power = Judgement::power_of(&expected, witness, *test, claim, alpha);
        surely(&power).unwrap_or(f64::INFINITY)
    };
    let corner = Corner::even(alpha);
    let sides = [(Guess::D, &explored.d, 1.0), (Guess::DPrime, &explored.d_prime, -1.0)];
    let events = sides.into_iter().flat_map(|(side, own, sign)| {
        let mut bins: Vec<usize> = (0..explored.bins()).collect();
        let odds = |bin: &usize| sign * log_ratio(explored, *bin);
        bins.sort_by(|a, b| odds(b).total_cmp(&odds(a)));
        let all = own.iter().sum::<u64>() as f64;
        let (witness, test) =
            (&witness, if side == Guess::D { Test::EventD } else { Test::EventDPrime });
        let event = move |share: f64| {
            let mut says = vec![Guess::Abstain; bins.len()];
            let mut hits = 0;
            for &bin in &bins {
                if hits as f64 >= share * all {
                    break;
                }
                hits += own[bin];
                says[bin] = side;
            }
            (Witness { says, corner, ..witness.clone() }, test)
        };
        (1..SHARES).map(move |n| event(f64::from(n) / f64::from(SHARES)))
    });
    let judged = events.map(|event| (least(&event), event));
    let found = judged.min_by(|a, b| a.0.total_cmp(&b.0));
    let own = least(&(witness.clone(), test));
    found.filter(|(loss, _)| *loss < own).map_or((witness, test), |(_, event)| event)
}

/// The guess on one dataset for which the counts of explore contradict the claim the most, if they
/// do: by more than luck, and enough for as many trials as confirm has to refute it at these rates.
/// Explore may have seen too little to promise a violation, but guesses on all other outcomes are
/// right as often as wrong, and drown the evidence of the few. A floor of power is for audits in
/// which nothing contradicts the claim.
fn narrowed(
    claim: &Claim,
    (witness, test): (&Witness, Test),
    explored: &Tally,
    (confirm, alpha): (u64, f64),
) -> Option<(Witness, Test)> {
    let goal = Goal::new(claim.clone(), alpha, confirm);
    let seen = |bin: &usize| explored.d[*bin] + explored.d_prime[*bin] > 0;
    let all: Vec<usize> = (0..explored.bins()).filter(seen).collect();
    let mut most = 0.0;
    let mut found = None;
    for (side, own, other, sign) in [
        (Guess::D, &explored.d, &explored.d_prime, 1.0),
        (Guess::DPrime, &explored.d_prime, &explored.d, -1.0),
    ] {
        let trials = own.iter().sum::<u64>() as f64;
        let mut bins = all.clone();
        let odds = |bin: &usize| sign * log_ratio(explored, *bin);
        bins.sort_by(|a, b| odds(b).total_cmp(&odds(a)));
        let (mut hits, mut misses) = (0, 0);
        let mut luck = AGAINST + 2f64.ln();
        for (at, &bin) in bins.iter().enumerate() {
            (hits, misses) = (hits + own[bin], misses + other[bin]);
            luck += ((bins.len() - at) as f64 / (at + 1) as f64).ln();
            let beyond = goal.against_claim(hits, misses, trials) - luck;
            if beyond > most {
                most = beyond;
                found = Some((side, bins[..=at].to_vec()));
            }
        }
    }
    let (side, bins) = found?;
    let mut says = vec![Guess::Abstain; explored.bins()];
    bins.into_iter().for_each(|bin| says[bin] = side);
    let narrow = Witness { says, corner: Corner::even(alpha), ..witness.clone() };
    // For independent runs it is an event, for which δ counts on one side only; for a rare event,
    // guesses may reveal more.
    let event = if side == Guess::D { Test::EventD } else { Test::EventDPrime };
    let tests = match (test, claim.as_epsilon_delta()) {
        (Test::Betting, _) => vec![Test::Betting],
        (_, Some(_)) => vec![event, Test::Guess],
        (_, None) => vec![event],
    };
    let expected = scaled(explored, confirm);
    let p_value = |test: Test| Judgement::of(&expected, &narrow, test, claim, alpha).p_value;
    let judged = tests.into_iter().map(|test| (p_value(test), test));
    let (p_value, test) = judged.min_by(|a, b| a.0.total_cmp(&b.0))?;
    (p_value <= alpha).then_some((narrow, test))
}

/// Nats by which counts contradict the claim by luck in one of a few hundred audits, for a single
/// guess. The logarithm of the number of guesses on this number of bins is added.
const AGAINST: f64 = 5.0;

/// Number of evenly spaced shares of all outcomes that are tried.
const SHARES: u32 = 16;

/// Log-ratio of a bin, with half a count added on each side.
fn log_ratio(tally: &Tally, bin: usize) -> f64 {
    let share = |count: u64, all: u64| (count as f64 + 0.5) / (all as f64 + 1.0);
    let d = share(tally.d[bin], tally.trials_d());
    (d / share(tally.d_prime[bin], tally.trials_d_prime())).ln()
}

/// Expected counts of this number of trials.
fn scaled(tally: &Tally, trials: u64) -> Tally {
    let each = trials as f64 / tally.trials().max(1) as f64;
    let scale = |counts: &[u64]| counts.iter().map(|n| (*n as f64 * each).round() as u64).collect();
    Tally { d: scale(&tally.d), d_prime: scale(&tally.d_prime) }
}

#[cfg(test)]
#[path = "../../../tests/unit/audit/explore/floor.rs"]
mod tests;
