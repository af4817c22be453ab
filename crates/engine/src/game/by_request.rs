//! Guesses of frozen witnesses, by block: for programs, a request for each dataset.

use plaudit_core::tally::Guess;
use plaudit_core::tally::Tally;
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};

/// Counts how often frozen witnesses name each dataset, block by block.
pub struct ByRequest {
    witnesses: Vec<Vec<Guess>>,
    blocks: Mutex<Vec<(u64, Vec<[RequestCounts; 2]>)>>,
}

/// Guesses of a witness on the runs of a block on one dataset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestCounts {
    pub runs: u64,
    /// Number of guesses of D, and of D'.
    pub said: [u64; 2],
}

impl RequestCounts {
    /// `true` if there are no more guesses than runs.
    pub fn is_possible(&self) -> bool {
        let [d, d_prime] = self.said;
        d.checked_add(d_prime).is_some_and(|said| said <= self.runs)
    }

    fn of(tally: &[u64], says: &[Guess]) -> Self {
        let mut counts = Self::default();
        for (n, says) in tally.iter().zip(says) {
            counts.runs += n;
            match says {
                Guess::D => counts.said[0] += n,
                Guess::DPrime => counts.said[1] += n,
                Guess::Abstain => {}
            }
        }
        counts
    }
}

impl ByRequest {
    /// For these witnesses, each as its guesses by bin.
    pub fn of(witnesses: Vec<Vec<Guess>>) -> Self {
        Self { witnesses, blocks: Mutex::default() }
    }

    /// Takes the tallies of a block, first one for each witness; its number orders them.
    pub(super) fn take(&self, block: u64, tallies: &[Tally]) {
        let counts = self.witnesses.iter().zip(tallies).map(|(says, tally)| {
            [&tally.d, &tally.d_prime].map(|counts| RequestCounts::of(counts, says))
        });
        let counts = (block, counts.collect());
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).push(counts);
    }

    /// Takes the counts of a shard, block by block.
    pub fn add(&self, blocks: &[(u64, Vec<[RequestCounts; 2]>)]) {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(blocks);
    }

    pub fn all(&self) -> Vec<(u64, Vec<[RequestCounts; 2]>)> {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner).clone();
        blocks.sort_by_key(|(index, _)| *index);
        blocks
    }

    pub fn witnesses(&self) -> usize {
        self.witnesses.len()
    }

    /// The counts of a witness on D, and on D', in the order of the blocks.
    pub fn of_witness(&self, witness: usize) -> [Vec<RequestCounts>; 2] {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.sort_by_key(|(index, _)| *index);
        [0, 1].map(|dataset| blocks.iter().map(|(_, counts)| counts[witness][dataset]).collect())
    }
}
