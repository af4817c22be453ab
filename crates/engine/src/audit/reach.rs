//! The most that a number of trials can show: all outcomes of one dataset in an event, and none of the other's.

use crate::game::explore_trials;
use plaudit_accountant::number;
use plaudit_core::claim::{Claim, Region};
use plaudit_core::inference::{EventCounts, EventTest, Guesses};

/// Most trials that are looked for.
const MOST: u64 = 1_000_000_000_000;

/// Largest bound that so many trials, explore among them, can certify, in the unit of the claim: ε, or μ. `None` for
/// other curves.
pub fn most_certified(claim: &Claim, trials: u64, alpha: f64) -> Option<String> {
    let confirm = trials - explore_trials(trials);
    match claim.region() {
        Region::EpsilonDelta { .. } => Some(format!(
            "epsilon = {}",
            number::lower(all_right(confirm).epsilon_lower(0.0, alpha))
        )),
        Region::Gaussian { .. } => {
            Some(format!("mu = {}", number::lower(one_event(claim, confirm, alpha).mu_lower())))
        }
        Region::Polygon(_) => None,
    }
}

/// The most that the trials of a time can show, in a sentence; trials, α, the seconds and runs in each.
///
/// # Errors
/// If they can show nothing: how many could, and what time they would take.
pub fn in_words(
    claim: &Claim,
    (trials, alpha, (seconds, rate)): (u64, f64, (f64, f64)),
) -> Result<String, String> {
    let most = most_certified(claim, trials, alpha);
    let made = number::grouped(trials);
    if can_refute(claim, trials, alpha) {
        return Ok(match most {
            Some(most) => format!("{made} trials can certify up to {most}."),
            None => format!("{made} trials can refute the claim."),
        });
    }
    let needed = match fewest_refuting(claim, alpha) {
        Some(fewest) => format!(
            "At least {} are needed, which take about {} s: raise the time.",
            number::grouped(fewest),
            number::brief(fewest as f64 / rate)
        ),
        None => "No number of trials can.".into(),
    };
    let most = most.map_or_else(String::new, |most| format!(", and can certify up to {most}"));
    Err(format!(
        "No trial was run: there is time for {made} in {} s, which are too few to refute the claim by any event{most}. \
         {needed}",
        number::brief(seconds),
    ))
}

/// Fewest trials, explore among them, that can refute a claim at level α, if so few as 10¹² can: after the guess test
/// and the event test. The betting test needs more.
pub fn fewest_refuting(claim: &Claim, alpha: f64) -> Option<u64> {
    let (mut few, mut enough) = (0, 1);
    while !can_refute(claim, enough, alpha) {
        (few, enough) = (enough, 2 * enough);
        if enough > MOST {
            return None;
        }
    }
    while few + 1 < enough {
        let middle = few.midpoint(enough);
        if can_refute(claim, middle, alpha) {
            enough = middle;
        } else {
            few = middle;
        }
    }
    Some(enough)
}

/// `true` if so many trials, explore among them, can refute a claim.
pub fn can_refute(claim: &Claim, trials: u64, alpha: f64) -> bool {
    let confirm = trials - explore_trials(trials);
    let by_guesses = claim
        .as_epsilon_delta()
        .is_some_and(|(epsilon, delta)| all_right(confirm).p_value(epsilon, delta, alpha) <= alpha);
    by_guesses || one_event(claim, confirm, alpha).p_value(claim.region()) <= alpha
}

fn all_right(confirm: u64) -> Guesses {
    Guesses { right: confirm, made: confirm, trials: confirm }
}

fn one_event(claim: &Claim, confirm: u64, alpha: f64) -> EventTest {
    let half = confirm / 2;
    let counts = EventCounts { hits: half, n: half, other_hits: 0, other_n: half };
    EventTest::new(counts, claim, alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// r^n ≤ α at r = e^ε / (1 + e^ε): the fewest counted trials are ln α / ln r.
    #[test]
    fn the_fewest_trials_are_those_that_could_all_be_guessed() {
        for (epsilon, alpha) in [(1.0_f64, 1e-6_f64), (4.0, 1e-6), (0.01, 0.05)] {
            let claim = Claim::approximate(epsilon, 0.0).unwrap();
            let confirm = (alpha.ln() / -(-epsilon).exp().ln_1p()).ceil();
            let trials = fewest_refuting(&claim, alpha).unwrap();
            let counted = (trials - explore_trials(trials)) as f64;
            assert!((counted - confirm).abs() <= 1.0, "{epsilon}: {counted}, not {confirm}");
            assert!(can_refute(&claim, trials, alpha) && !can_refute(&claim, trials - 1, alpha));
        }
        let approximate = fewest_refuting(&Claim::approximate(1.0, 0.5).unwrap(), 1e-6).unwrap();
        assert!(
            approximate > fewest_refuting(&Claim::approximate(1.0, 0.0).unwrap(), 1e-6).unwrap()
        );
        let gaussian = Claim::gaussian(1.0).unwrap();
        let trials = fewest_refuting(&gaussian, 1e-6).unwrap();
        assert!((20..200).contains(&trials), "{trials}");
        // δ = 1 allows everything.
        assert_eq!(fewest_refuting(&Claim::approximate(0.0, 1.0).unwrap(), 1e-6), None);
    }

    /// ln(r/(1 − r)) at r = α^(1/42 500) is 7.9.
    #[test]
    fn the_bound_is_in_the_unit_of_the_claim() {
        let pure = Claim::approximate(1.0, 0.0).unwrap();
        let words = most_certified(&pure, 50_000, 1e-6).unwrap();
        assert!(words.starts_with("epsilon = 7.") || words.starts_with("epsilon = 8."), "{words}");
        let gaussian = most_certified(&Claim::gaussian(0.5).unwrap(), 50_000, 1e-6).unwrap();
        assert!(gaussian.starts_with("mu = 6.8"), "{gaussian}");
    }
}
