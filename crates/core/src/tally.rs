//! The tally: all the evidence there is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Guess of the witness on one bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Guess {
    /// "It was D".
    #[serde(rename = "D")]
    D,
    /// "It was D'".
    #[serde(rename = "D'")]
    DPrime,
    /// Nothing.
    #[serde(rename = "abstain")]
    Abstain,
}

/// Counts of outcomes by bin of the witness, under D and under D'.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tally {
    /// Outcomes under D in each bin.
    pub d: Vec<u64>,
    /// Outcomes under D' in each bin.
    pub d_prime: Vec<u64>,
}

impl Tally {
    /// A tally of `bins` empty bins.
    pub fn new(bins: usize) -> Self {
        Self { d: vec![0; bins], d_prime: vec![0; bins] }
    }

    pub fn bins(&self) -> usize {
        self.d.len()
    }

    /// Trials whose coin chose D.
    pub fn trials_d(&self) -> u64 {
        self.d.iter().sum()
    }

    /// Trials whose coin chose D'.
    pub fn trials_d_prime(&self) -> u64 {
        self.d_prime.iter().sum()
    }

    pub fn trials(&self) -> u64 {
        self.trials_d() + self.trials_d_prime()
    }

    /// All trials of a tally from an outside source; `None` if they are too many to count, or it has other bins for D
    /// than for D'.
    pub fn checked_trials(&self) -> Option<u64> {
        let mut counts = self.d.iter().chain(&self.d_prime);
        let sum = counts.try_fold(0u64, |sum, &n| sum.checked_add(n));
        sum.filter(|_| self.d.len() == self.d_prime.len())
    }

    /// Adds the counts of disjoint trials.
    ///
    /// # Panics
    /// If the tallies have different numbers of bins.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Self {
        assert_eq!(self.bins(), other.bins(), "tallies of the same witness have the same bins");
        self.d.iter_mut().zip(&other.d).for_each(|(a, b)| *a += b);
        self.d_prime.iter_mut().zip(&other.d_prime).for_each(|(a, b)| *a += b);
        self
    }
}
