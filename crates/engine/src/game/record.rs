//! Keeping the outcomes that confirm counted, to write them to files.

use super::Block;
use crate::mechanism::Outcomes;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The outcomes that an audit counted, by their block of trials, so that the number of threads does
/// not change their order.
#[derive(Debug, Default)]
pub struct Recorder {
    held: Mutex<RecordedBlocks>,
}

#[derive(Debug, Default)]
struct RecordedBlocks {
    /// Under D and D', by block and part of the block.
    parts: BTreeMap<(u64, usize), [Outcomes; 2]>,
    bytes: usize,
    /// `true` if there were more than can be held.
    too_many: bool,
}

impl Recorder {
    /// Most bytes of outcomes held in memory.
    pub const MOST_BYTES: usize = 1 << 30;

    /// Keeps a part of a block.
    pub(super) fn keep(&self, block: u64, part: usize, outcomes: &Block) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.bytes += outcomes.bytes();
        if held.bytes > Self::MOST_BYTES {
            held.too_many = true;
            held.parts.clear();
        }
        if !held.too_many {
            held.parts.insert((block, part), [outcomes.d.clone(), outcomes.d_prime.clone()]);
        }
    }

    /// The outcomes under D and under D', in batches, in the order of the trials; `None` if there
    /// were more than can be held.
    pub fn finish(self) -> Option<[Vec<Outcomes>; 2]> {
        let held = self.held.into_inner().unwrap_or_else(PoisonError::into_inner);
        if held.too_many {
            return None;
        }
        let (d, d_prime) = held.parts.into_values().map(|[d, d_prime]| (d, d_prime)).unzip();
        Some([d, d_prime])
    }
}
