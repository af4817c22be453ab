//! Bets on the guesses of one frozen witness, or of one after another.

use crate::witness::Witness;
use plaudit_core::claim::Claim;
use plaudit_core::inference::{BettingTest, Guessed, Guesses, Stakes, Wagers};
use plaudit_core::tally::{Guess, Tally};
use serde::{Deserialize, Serialize};

/// Trials that the stakes of batches fit best: fixed, since stakes must not depend on outcomes, and the end of an audit
/// does. Gross violations need few.
const STAKES_OF_BATCHES: u64 = 1 << 10;
/// Scale of a profile for claims of a smaller ε.
const LEAST_EPSILON: f64 = 0.5;

/// A batch of trials: the witness that was frozen before it, and its counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    pub witness: Witness,
    pub tally: Tally,
}

/// Wagers against a claim, with their stakes.
pub struct Bets {
    pub wagers: Wagers,
    pub stakes: Stakes,
    /// ε and δ of the claim; one that is a curve is compared at one point of it.
    pub point: (f64, f64),
}

impl Bets {
    /// Bets of a frozen witness, over a number of trials that was fixed before.
    pub fn of(tally: &Tally, witness: &Witness, claim: &Claim) -> Self {
        let point = claim.reference_point();
        let stakes = Stakes::new(point.0, point.1, tally.trials());
        Self { wagers: wagers(tally, witness), stakes, point }
    }

    /// Bets over batches, whenever they end.
    pub fn of_batches(
        before: &[Batch],
        (tally, witness): (&Tally, &Witness),
        claim: &Claim,
    ) -> Self {
        let point = claim.reference_point();
        let mut all = wagers(tally, witness);
        for Batch { witness, tally } in before {
            all.add(wagers(tally, witness));
        }
        Self { wagers: all, stakes: Stakes::new(point.0, point.1, STAKES_OF_BATCHES), point }
    }

    pub fn test(&self) -> BettingTest {
        BettingTest::over(self.wagers, self.stakes.clone())
    }

    /// Certified lower bounds on δ(ε), simultaneous over all ε: valid whether or not the runs are independent.
    pub fn profile(&self, alpha: f64) -> impl Fn(f64) -> f64 + use<> {
        // Fixed by the claim, so that no count chooses where to look.
        let step = self.point.0.max(LEAST_EPSILON) / 8.0;
        let grid: Vec<f64> = (0..=32).map(|at| step * f64::from(at)).collect();
        let bounds = self.test().profile_lower(&grid, alpha);
        move |epsilon| {
            let at = grid.partition_point(|edge| *edge < epsilon);
            bounds.get(at).copied().unwrap_or(0.0)
        }
    }
}

fn wagers(tally: &Tally, witness: &Witness) -> Wagers {
    Wagers::of(guesses(tally, witness), sides(witness))
}

/// Datasets that the guesser names.
pub fn sides(witness: &Witness) -> Guessed {
    match [Guess::D, Guess::DPrime].map(|side| witness.says.contains(&side)) {
        [true, true] => Guessed::Both,
        _ => Guessed::One,
    }
}

/// Results of the guesser on a tally.
pub fn guesses(tally: &Tally, witness: &Witness) -> Guesses {
    let (mut right, mut made) = (0, 0);
    for (bin, says) in witness.says.iter().enumerate() {
        let (d, d_prime) = (tally.d[bin], tally.d_prime[bin]);
        match says {
            Guess::D => right += d,
            Guess::DPrime => right += d_prime,
            Guess::Abstain => continue,
        }
        made += d + d_prime;
    }
    Guesses { right, made, trials: tally.trials() }
}
