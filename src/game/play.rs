//! Playing the game.

use std::sync::atomic::AtomicBool;

/// How a run is watched and stopped from outside.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Set it to stop at the next block of trials.
    pub interrupted: &'a AtomicBool,
    /// Called with the number of trials done since the last call, from any thread.
    pub progress: &'a (dyn Fn(u64) + Sync),
}
