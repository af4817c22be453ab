//! How many trials a time allows: measured before explore, on runs that are not counted, so that the number is
//! fixed before anything of the audit is seen.

use crate::audit::settings::{Audit, DEFAULT_TRIALS, MIN_TRIALS};
use crate::dataset::Pair;
use crate::game::{Control, Game, GameError, Phase, Runs, Streams};
use crate::number;
use rayon::prelude::*;
use serde::Serialize;
use std::time::Instant;

/// Most trials that a time may come to.
const MOST: f64 = 1e12;
/// The share of the time that the last measurement takes at least.
const SHARE: f64 = 0.04;
/// Runs of the first measurement on each thread; each further one makes twice as many.
const FIRST: u64 = 32;
/// Most runs of a measurement: what is so fast needs no more.
const ENOUGH: u64 = 1 << 24;

/// Trials of a second that a mechanism is prepared for before anything is known of it: questions before an audit
/// are a part of its trials, and must not take longer than it may.
const SLOW: f64 = 100.0;

/// The trials that a mechanism is prepared for before it is measured.
pub fn prepared_for(seconds: f64) -> u64 {
    // At most 1e6, and at least 0.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let trials = (SLOW * seconds).min(DEFAULT_TRIALS as f64) as u64;
    trials.max(MIN_TRIALS)
}

/// What was measured.
pub struct Measured {
    /// Trials that the time allows.
    pub trials: u64,
    /// The same for readers.
    pub words: String,
}

/// Measures how many trials an audit can play in so many seconds from a start.
pub fn measure<D: Serialize + Sync>(
    audit: &Audit<D>,
    pair: &Pair<D>,
    runs: Runs,
    (seconds, start): (f64, Instant),
    control: Control<'_>,
) -> Result<Measured, GameError> {
    let control = Control { progress: &|_| {}, recorder: None, ..control };
    let threads = match runs {
        Runs::Independent => rayon::current_num_threads() as u64,
        // One after another.
        _ => 1,
    };
    let play = |thread: u64, runs_of_one: u64| {
        // Streams of its own for each thread: no other phase has their names.
        let streams = Streams::new(audit.settings.seed.wrapping_add(thread), &audit.name);
        let mechanism = &*audit.mechanism;
        let game = Game { mechanism, pair, pair_index: 0, runs, streams: &streams, control };
        game.count(Phase::Measure, runs_of_one, &[]).map(|_| ())
    };
    let (mut of_one, mut made) = (FIRST, 0);
    let rate = loop {
        let round = Instant::now();
        (0..threads).into_par_iter().try_for_each(|thread| play(thread, of_one))?;
        let took = round.elapsed().as_secs_f64().max(1e-9);
        made += threads * of_one;
        if took >= SHARE * seconds || of_one >= ENOUGH {
            break (threads * of_one) as f64 / took;
        }
        of_one *= 2;
    };
    let left = (seconds - start.elapsed().as_secs_f64()).max(0.5 * seconds);
    // At most 1e12, and at least 0.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let trials = ((rate * left).min(MOST) as u64).max(MIN_TRIALS);
    let words = format!(
        "The spec or the command line gives a time, {} s: {} trials, at {} runs a second. The number was fixed before the \
         first of them, from {} runs that are not counted; another run of this audit may have another number.",
        number::brief(seconds),
        number::grouped(trials),
        number::brief(rate),
        number::grouped(made),
    );
    Ok(Measured { trials, words })
}
