//! What frozen witnesses say, block by block: of programs, a block is a request for each dataset.

use plaudit_core::tally::Guess;
use plaudit_core::tally::Tally;
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};

/// Counts how often frozen witnesses name each dataset, block by block.
pub struct ByRequest {
    witnesses: Vec<Vec<Guess>>,
    blocks: Mutex<Vec<(u64, Vec<[RequestCounts; 2]>)>>,
}

/// What a witness said of the runs of a block on one dataset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestCounts {
    pub runs: u64,
    /// How often the witness named D, and D'.
    pub said: [u64; 2],
}

impl RequestCounts {
    /// Whether no more runs named a dataset than there were.
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
    /// Of these witnesses, each by what it says of its bins.
    pub fn of(witnesses: Vec<Vec<Guess>>) -> Self {
        Self { witnesses, blocks: Mutex::default() }
    }

    /// Takes the tallies of a block, one for each witness first; the number of the block orders them.
    pub(super) fn take(&self, block: u64, tallies: &[Tally]) {
        let counts = self.witnesses.iter().zip(tallies).map(|(says, tally)| {
            [&tally.d, &tally.d_prime].map(|counts| RequestCounts::of(counts, says))
        });
        let counts = (block, counts.collect());
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).push(counts);
    }

    /// Takes what a shard counted, block by block.
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

    /// The counts of a witness on D, and on D', in the order of the blocks, whichever thread was first.
    pub fn of_witness(&self, witness: usize) -> [Vec<RequestCounts>; 2] {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.sort_by_key(|(index, _)| *index);
        [0, 1].map(|dataset| blocks.iter().map(|(_, counts)| counts[witness][dataset]).collect())
    }
}
