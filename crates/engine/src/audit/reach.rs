//! The most that a number of trials can show: all outcomes of one dataset in an event, and none of the other's.

use crate::game::explore_trials;
use plaudit_accountant::number;
use plaudit_core::claim::{Claim, Region};
use plaudit_core::inference::{EventCounts, EventTest, Guesses};

/// Most trials that are looked for.
const MOST: u64 = 1_000_000_000_000;

/// An audit of this number of trials, including explore, at level α.
#[derive(Clone, Copy)]
pub struct Reach<'a> {
    pub claim: &'a Claim,
    /// Level α of the audit, in (0, 1/2].
    pub alpha: f64,
    /// Number of trials, explore among them.
    pub trials: u64,
}

impl Reach<'_> {
    fn confirm(&self) -> u64 {
        self.trials - explore_trials(self.trials)
    }

    /// Largest bound that its trials can certify, in the unit of the claim: ε at the claim's δ, or μ. `None` for other
    /// curves.
    pub fn most_certified(&self) -> Option<String> {
        match self.claim.region() {
            Region::EpsilonDelta { .. } => {
                let (_, delta) = self.claim.as_epsilon_delta()?;
                let epsilon = self.all_right().epsilon_lower(delta, self.alpha);
                let at = if delta > 0.0 { format!(" at delta = {delta:e}") } else { String::new() };
                Some(format!("epsilon = {}{at}", number::lower(epsilon)))
            }
            Region::Gaussian { .. } => {
                Some(format!("mu = {}", number::lower(self.one_event().mu_lower())))
            }
            Region::Polygon(_) => None,
        }
    }

    /// The same in a sentence.
    pub fn words(&self) -> Option<String> {
        let most = self.most_certified()?;
        Some(format!("{} trials can certify at most {most}.", number::grouped(self.trials)))
    }

    /// Why its trials are not worth their time, if they can't refute the claim by any event; and how many could. Given are
    /// the seconds that have passed, those that it may take, and its trials in a second.
    pub fn refusal(&self, (passed, seconds, rate): (f64, f64, f64)) -> Option<String> {
        if self.can_refute() {
            return None;
        }
        let needed = match self.fewest_refuting() {
            Some(fewest) => format!(
                "At least {} are needed, for which {} s would do: raise the time.",
                number::grouped(fewest),
                number::brief((1.1 * (passed + fewest as f64 / rate)).ceil())
            ),
            None => format!("Not even {} could.", number::grouped(MOST)),
        };
        let words = self.words().map_or_else(String::new, |words| format!(" {words}"));
        Some(format!(
            "No trial was run: too few fit into {} s to refute the claim by any event.{words} {needed}",
            number::brief(seconds),
        ))
    }

    /// Fewest trials that can refute the claim; `None` if 10¹² cannot.
    pub fn fewest_refuting(&self) -> Option<u64> {
        let can = |trials| Reach { trials, ..*self }.can_refute();
        let (mut few, mut enough) = (0, 1);
        while !can(enough) {
            (few, enough) = (enough, 2 * enough);
            if enough > MOST {
                return None;
            }
        }
        while few + 1 < enough {
            let middle = few.midpoint(enough);
            if can(middle) {
                enough = middle;
            } else {
                few = middle;
            }
        }
        Some(enough)
    }

    /// `true` if its trials can refute the claim: by the guess test or the event test. The betting test over as many
    /// counted trials needs more.
    pub fn can_refute(&self) -> bool {
        let by_guesses = self.claim.as_epsilon_delta().is_some_and(|(epsilon, delta)| {
            self.all_right().p_value(epsilon, delta, self.alpha) <= self.alpha
        });
        by_guesses || self.one_event().p_value(self.claim.region()) <= self.alpha
    }

    fn all_right(&self) -> Guesses {
        let confirm = self.confirm();
        Guesses { right: confirm, made: confirm, trials: confirm }
    }

    fn one_event(&self) -> EventTest {
        let n = self.confirm() / 2;
        let other_n = self.confirm() - n;
        let counts = EventCounts { hits: n, n, other_hits: 0, other_n };
        EventTest::new(counts, self.claim, self.alpha)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(claim: &Claim, trials: u64, alpha: f64) -> Reach<'_> {
        Reach { claim, alpha, trials }
    }

    /// r^n ≤ α at r = e^ε / (1 + e^ε): the fewest counted trials are ln α / ln r.
    #[test]
    fn the_fewest_trials_are_those_that_could_all_be_guessed() {
        for (epsilon, alpha) in [(1.0_f64, 1e-6_f64), (4.0, 1e-6), (0.01, 0.05)] {
            let claim = Claim::approximate(epsilon, 0.0).unwrap();
            let confirm = (alpha.ln() / -(-epsilon).exp().ln_1p()).ceil();
            let trials = reach(&claim, 1, alpha).fewest_refuting().unwrap();
            let counted = reach(&claim, trials, alpha).confirm() as f64;
            assert!((counted - confirm).abs() <= 1.0, "{epsilon}: {counted}, not {confirm}");
            assert!(reach(&claim, trials, alpha).refusal((0.0, 1.0, 1.0)).is_none());
            let refused = reach(&claim, trials - 1, alpha).refusal((0.0, 1.0, 1.0)).unwrap();
            assert!(
                refused.contains(&format!("At least {} are", number::grouped(trials))),
                "{refused}"
            );
        }
        let fewest = |claim: &Claim| reach(claim, 1, 1e-6).fewest_refuting();
        let pure = fewest(&Claim::approximate(1.0, 0.0).unwrap());
        assert!(fewest(&Claim::approximate(1.0, 0.5).unwrap()) > pure);
        let gaussian = fewest(&Claim::gaussian(1.0).unwrap()).unwrap();
        assert!((20..200).contains(&gaussian), "{gaussian}");
        let claim = Claim::approximate(30.0, 0.0).unwrap();
        let refused = reach(&claim, 100_000_000, 1e-6).refusal((0.0, 1.0, 1e8)).unwrap();
        assert!(refused.ends_with("Not even 1 000 000 000 000 could."), "{refused}");
        // δ = 1 allows everything.
        assert_eq!(fewest(&Claim::approximate(0.0, 1.0).unwrap()), None);
    }

    /// ln(r/(1 − r)) at r = α^(1/42 500) is 7.9.
    #[test]
    fn the_bound_is_in_the_unit_of_the_claim() {
        let of = |claim: Claim| reach(&claim, 50_000, 1e-6).most_certified().unwrap();
        let pure = of(Claim::approximate(1.0, 0.0).unwrap());
        assert!(pure.starts_with("epsilon = 7.") || pure.starts_with("epsilon = 8."), "{pure}");
        let approximate = of(Claim::approximate(1.0, 1e-3).unwrap());
        assert!(approximate.ends_with(" at delta = 1e-3"), "{approximate}");
        assert!(of(Claim::gaussian(0.5).unwrap()).starts_with("mu = 6.8"));
    }
}
