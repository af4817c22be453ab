//! The privacy game: fair coins, fresh randomness, counts.
//!
//! A *trial* flips a fair coin that picks D or D', runs the mechanism once on it and shows the
//! outcome to a frozen Witness, which puts it into a bin. All that
//! leaves this room is the [`Tally`]: bins x {D, D'}, integers. Tallies of disjoint trials add
//! up, so the result does not depend on how many threads counted.

mod block;
mod by_request;
mod clock;
mod play;
mod record;
mod recorded;
mod shard;
mod undeclared;

pub use block::Block;
pub use by_request::{ByRequest, RequestCounts};
pub use clock::{Clock, Step};
pub use plaudit_core::random::{Phase, Streams};
pub use plaudit_core::tally::Tally;
pub use play::{BLOCK, Control, Game, GameError, Runs, tallies};
pub use record::Recorder;
pub use shard::{Confirming, MergedShards, ShardCounts, ShardKept, ShardNumber, shards_in_words};
pub use undeclared::{UndeclaredOutcome, UndeclaredOutcomes};

/// Number of explore trials: a tenth, and of the first 400 000 another twentieth, because a witness
/// is harder to find than to confirm when trials are few.
pub fn explore_trials(trials: u64) -> u64 {
    trials / 10 + trials.min(400_000) / 20
}
