//! A cut: the bins on which a guesser guesses D, and those on which it guesses D'.

use plaudit_core::inference::Test;
use plaudit_core::tally::Guess;
use plaudit_core::tally::Tally;

/// A way to guess, with its predicted bound.
#[derive(Clone, Debug)]
pub struct DecisionRule {
    pub says: Vec<Guess>,
    pub test: Test,
    /// Predicted lower bound on the claim's parameter (ε at its δ, or μ); negative: none.
    pub predicted: f64,
}

impl DecisionRule {
    pub fn better(self, other: Self) -> Self {
        if other.predicted > self.predicted { other } else { self }
    }

    /// Standard error of the log-odds of a right guess, by the counts of the bins with a guess;
    /// infinite if it never guessed.
    pub fn error_by_counts(&self, pooled: &Tally) -> f64 {
        let (mut right, mut made) = (0, 0);
        for (bin, says) in self.says.iter().enumerate() {
            let (d, d_prime) = (pooled.d[bin], pooled.d_prime[bin]);
            let hits = match says {
                Guess::D => d,
                Guess::DPrime => d_prime,
                Guess::Abstain => continue,
            };
            right += hits;
            made += d + d_prime;
        }
        if made == 0 {
            return f64::INFINITY;
        }
        let (right, wrong) = (right as f64 + 0.5, (made - right) as f64 + 0.5);
        (1.0 / right + 1.0 / wrong).sqrt()
    }

    pub fn none(bins: usize) -> Self {
        Self { says: vec![Guess::Abstain; bins], test: Test::Guess, predicted: 0.0 }
    }
}
