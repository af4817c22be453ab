//! The outcomes of a block of trials.

use crate::mechanism::Outcomes;

/// Approximate limit on the bytes of a block's outcomes held at once.
pub(super) const MOST_BYTES: usize = 4 << 20;

/// The outcomes of one block of trials, by dataset.
#[derive(Default)]
pub struct Block {
    /// Outcomes of the trials whose coin chose D.
    pub d: Outcomes,
    /// Outcomes of the trials whose coin chose D'.
    pub d_prime: Outcomes,
}

impl Block {
    pub(super) fn clear(&mut self) {
        self.d.clear();
        self.d_prime.clear();
    }

    /// `true` if the block is full.
    pub(super) fn is_full(&self) -> bool {
        is_full(&self.d, &self.d_prime)
    }

    pub fn bytes(&self) -> usize {
        self.d.bytes() + self.d_prime.bytes()
    }
}

/// `true` if outcomes under D and D' are as many as may be held at once.
pub(super) fn is_full(d: &Outcomes, d_prime: &Outcomes) -> bool {
    d.bytes() + d_prime.bytes() >= MOST_BYTES
}
