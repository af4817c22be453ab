//! Number of trials that fit into a time: measured before explore, on uncounted runs, so that the
//! number is fixed before any result of the audit is seen.

use crate::audit::settings::{Audit, AuditError, DEFAULT_TRIALS, MIN_TRIALS};
use crate::game::{Control, Game, GameError, Phase, Runs, Streams};
use crate::mechanism::Planned;
use plaudit_accountant::number;
use plaudit_core::dataset::Pair;
use rayon::prelude::*;
use serde::Serialize;
use std::time::Instant;

/// Most trials that a time may give.
const MOST: f64 = 1e12;
/// Least share of the time for the last measurement.
const SHARE: f64 = 0.04;
/// Share for the first measurement if no other is worth its time: it may start programs, which is
/// not their usual pace.
const FIRST_SHARE: f64 = 0.25;
/// Runs of the first two measurements on each thread; each further one makes twice as many.
const FIRST: u64 = 8;
/// Most runs of a measurement: a mechanism this fast needs no more.
const ENOUGH: u64 = 1 << 24;

/// Seconds of a run from which measuring it is a considerable part of a short audit.
const SLOW_RUN: f64 = 0.01;

/// Trials per second for which an unknown mechanism is prepared: questions before an audit are a
/// part of its trials, and must not exceed its time.
const SLOW: f64 = 100.0;

/// Approximate ratio of an audit's time to that of its trials alone. The rest are the questions
/// that a program is asked before its trials, whose number grows with the trials.
const QUESTIONS: f64 = 2.0;
/// Least share of its time that an audit plays, however long its mechanism took to prepare: a slow
/// start (a compiler, a cache) need not be slow again.
const LEAST_LEFT: f64 = 0.25;
/// Least time budget of an audit whose trials are given as a time.
const LEAST_SECONDS: f64 = 1e-3;

/// Number of trials for which a mechanism is prepared before it is measured.
pub fn prepared_for(seconds: f64) -> u64 {
    // At most 1e6, and at least 0.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let trials = (SLOW * seconds).min(DEFAULT_TRIALS as f64) as u64;
    trials.max(MIN_TRIALS)
}

pub struct Measured {
    pub trials: u64,
    /// Trials in a second.
    pub rate: f64,
    pub words: String,
}

/// Number of trials that an audit can play in `seconds` from a start. Slow runs that may come in any order are not
/// measured again, if `known` has the seconds of one, and the runs that showed it.
pub fn measure<D: Serialize + Sync>(
    audit: &Audit<D>,
    pair: &Pair<D>,
    (runs, known): (Runs, Option<(f64, u64)>),
    (seconds, start): (f64, Instant),
    control: Control<'_>,
) -> Result<Measured, GameError> {
    let (rate, made) = match known {
        Some((each, made)) if runs == Runs::Independent && each >= SLOW_RUN => (each.recip(), made),
        _ => pace(audit, pair, runs, (seconds, f64::INFINITY), control)?,
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
    Ok(Measured { trials, rate, words })
}

struct MeasuredPace {
    /// Seconds that its mechanism takes to prepare.
    prepared: f64,
    /// How its runs relate, as far as known.
    runs: Runs,
    rate: f64,
    /// Number of runs made to measure it.
    made: u64,
}

impl<D: Serialize + Sync> Audit<D> {
    /// Cuts the trials to what fits into a time, looks included, and reports that; never raises
    /// them. The number is fixed before any result of the audit is seen, as where a time is given
    /// for trials. Runs that cannot be measured cut nothing: the audit ends as they do.
    ///
    /// # Errors
    /// As [`Audit::run`].
    pub fn cut_to(
        &mut self,
        seconds: f64,
        control: Control<'_>,
    ) -> Result<Option<String>, AuditError> {
        self.check()?;
        if self.mechanism.capabilities().recordings.is_some() {
            return Ok(None);
        }
        if let Some(own) = self.settings.seconds {
            self.settings.seconds = Some(own.min(seconds.max(LEAST_SECONDS)));
            return Ok(None);
        }
        let start = Instant::now();
        let planned = self.planned() as f64;
        let measured = self.measured(seconds, planned, control);
        self.mechanism.finish();
        let Some(MeasuredPace { prepared, runs, rate, made }) = measured? else { return Ok(None) };
        // The audit prepares its mechanism again, and may miss the state that showed here.
        self.runs = runs;
        // The audit prepares the mechanism again, for its own number of trials.
        let left = (seconds - start.elapsed().as_secs_f64() - prepared).max(LEAST_LEFT * seconds);
        let asked = if self.mechanism.capabilities().batch.is_some() { QUESTIONS } else { 1.0 };
        let allowed = rate * left / asked;
        if planned <= allowed {
            return Ok(None);
        }
        let before = self.settings.trials;
        // A share of the earlier number.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let trials = ((before as f64 * allowed / planned) as u64).max(MIN_TRIALS);
        if trials == before {
            return Ok(None);
        }
        self.settings.trials = trials;
        Ok(Some(format!(
            "Its share of the time budget, {} s, cut its trials from {} to {}, at {} runs a second. The number was fixed before \
             the first of them, from {} runs that are not counted; another run of this audit may have another number.",
            number::brief(seconds),
            number::grouped(before),
            number::grouped(trials),
            number::brief(rate),
            number::grouped(made),
        )))
    }

    /// Measures its pace; `None` if its runs fail or are interrupted.
    fn measured(
        &self,
        seconds: f64,
        planned: f64,
        control: Control<'_>,
    ) -> Result<Option<MeasuredPace>, AuditError> {
        let start = Instant::now();
        let pair = self.first_pair()?;
        let streams = Streams::new(self.settings.seed, &self.name);
        let mut random = streams.block(0, Phase::Prepare)(0);
        let (sides, trials) = ([&pair.d, &pair.d_prime], prepared_for(seconds));
        let for_few = Planned { trials, most: trials, one_by_one: false, seconds: Some(seconds) };
        let Ok(ready) = self.mechanism.prepare(sides, for_few, &mut random, control.interrupted)
        else {
            return Ok(None);
        };
        if let Some(undeclared) = control.undeclared {
            undeclared.look(&ready.seen);
        }
        let runs = match self.runs {
            Runs::Independent if ready.stateful => Runs::Stateful,
            runs => runs,
        };
        let prepared = start.elapsed().as_secs_f64();
        // Much faster than necessary: no more needs to be known.
        let fast = 2.0 * QUESTIONS * planned / seconds;
        let pace = pace(self, &pair, runs, (seconds, fast), control).ok();
        Ok(pace.map(|(rate, made)| MeasuredPace { prepared, runs, rate, made }))
    }
}

/// Runs per second, measured until they are known or exceed `fast`; and the runs made.
fn pace<D: Serialize + Sync>(
    audit: &Audit<D>,
    pair: &Pair<D>,
    runs: Runs,
    (seconds, fast): (f64, f64),
    control: Control<'_>,
) -> Result<(f64, u64), GameError> {
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
    let (mut of_one, mut made, mut first) = (FIRST, 0, true);
    loop {
        let round = Instant::now();
        (0..threads).into_par_iter().try_for_each(|thread| play(thread, of_one))?;
        let took = round.elapsed().as_secs_f64().max(1e-9);
        made += threads * of_one;
        let rate = (threads * of_one) as f64 / took;
        let may_start = first && took < FIRST_SHARE * seconds;
        let tells = took >= SHARE * seconds || of_one >= ENOUGH;
        if rate >= fast || tells && !may_start {
            return Ok((rate, made));
        }
        if !std::mem::take(&mut first) {
            of_one *= 2;
        }
    }
}
