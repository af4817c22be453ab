//! Questions before an audit: whether the program follows its seed, whether a living copy behaves like a fresh one,
//! whether the runs of a request share something. One diagnosis serves all looks of an audit.

use super::broken::{Broken, failure_words};
use super::child::ProgramFailure;
use super::diagnosis::{
    Diagnosis, Fresh, MIN_TRIALS, Observed, PROBES, SECONDS_OF_A_REQUEST, Seeds, Sharing,
};
use super::drift::drift;
use super::seeds::{Compared, CopyAnswers, same};
use super::sharing::Pace;
use super::talk::Copy;
use super::{Answerer, Process, lock, seed};
use crate::mechanism::{Outcome, Outcomes, Planned, Trouble, order};
use plaudit_core::random::Stream;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Runs of a question whose answers are compared.
const FEW: usize = 16;
/// As [`FEW`], for functions with slower runs than [`SLOW_RUN`], in seconds: five different outcomes that come again show
/// that a seed is followed.
const FEWER: usize = 5;
/// See [`FEWER`].
const SLOW_RUN: f64 = 0.02;
/// Approximate seconds of the longest question to such a function.
const SECONDS_OF_SLOW: f64 = 0.5;
/// Fresh copies that are asked whether they repeat one another.
const FRESH_COPIES: usize = 3;
/// Most runs of a question with a seed that no copy had before.
const UNSEEN: usize = 256;
/// Divisor for the share of an audit's trials that one copy is asked for, to see whether it lasts.
const LASTING: u64 = 4;

/// Message where requests for one run are answered differently from those for many.
const ALONE: &str = "Requests for one run are answered otherwise than requests for many";

impl Process {
    /// Asks all questions.
    ///
    /// # Errors
    /// If it cannot be run, or is interrupted.
    pub(super) fn diagnose(
        &self,
        datasets: [&str; 2],
        Planned { most, .. }: Planned,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Diagnosis, Trouble> {
        lock(&self.asked).clear();
        let mut note = None;
        let mut observed = self.look(datasets, most, random, interrupted);
        if let (Err(broken), Answerer::Function { has_copies, .. }) = (&observed, &self.source)
            && broken.failure != ProgramFailure::Interrupted
            && has_copies.swap(false, Ordering::Relaxed)
        {
            note = Some(format!(
                "Fresh copies of the function, by fork, broke down ({}). So whether it keeps something from one call to \
                 the next was only looked for in one process.",
                failure_words(&broken.failure, &self.settings)
            ));
            observed = self.look(datasets, most, random, interrupted);
        }
        let needs_fresh = match &observed {
            Ok(observed) => observed.state.is_some() && self.has_copies(),
            Err(_) => true,
        };
        let failures = match &observed {
            Ok(_) => None,
            Err(broken) => Some(self.failures(broken, datasets, random, interrupted)?),
        };
        let fresh = match needs_fresh {
            true => Some(self.fresh(datasets, failures, random, interrupted)?),
            false => None,
        };
        let seen = std::mem::take(&mut *lock(&self.asked));
        let datasets = datasets.map(str::to_owned);
        let observed = observed.map_err(|broken| self.trouble(&broken));
        Ok(Diagnosis { datasets, most, observed, fresh, note, seen })
    }

    /// Failures in fresh copies of a program that broke down in living ones.
    fn failures(
        &self,
        broken: &Broken,
        datasets: [&str; 2],
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<[u32; 2], Trouble> {
        let seconds = match broken.failure {
            ProgramFailure::Died(_) => 0.0,
            ProgramFailure::Timeout(_) => self.settings.timeout,
            _ => f64::INFINITY,
        };
        let trouble = self.trouble(broken);
        let is_dear = self.subject().affordable(seconds) < MIN_TRIALS;
        if trouble == Trouble::Interrupted || self.is_function() || is_dear {
            return Err(trouble);
        }
        let (_, failures) = self.fresh_runs(datasets, random, interrupted)?;
        if failures == [PROBES; 2] { Err(trouble) } else { Ok(failures) }
    }

    fn fresh(
        &self,
        datasets: [&str; 2],
        failures: Option<[u32; 2]>,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Fresh, Trouble> {
        let repeat = self.copies_repeat(datasets[0], random, interrupted)?;
        let seconds = match repeat {
            true => 0.0,
            false => self.fresh_runs(datasets, random, interrupted)?.0,
        };
        Ok(Fresh { failures, repeat, seconds })
    }

    /// `true` if fresh copies mostly agree on requests with different seeds.
    fn copies_repeat(
        &self,
        dataset: &str,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<bool, Trouble> {
        let mut said: Vec<CopyAnswers> = Vec::new();
        let mut copies = Vec::new();
        for _ in 0..FRESH_COPIES {
            copies.push(self.started(dataset).map_err(|broken| self.trouble(&broken))?);
        }
        let few = FEW.min(self.settings.batch.unwrap_or(FEW));
        for mut copy in copies {
            let ask = |_| self.question(&mut copy, dataset, (few, seed(random)), interrupted);
            // A copy that breaks down does not repeat another; its runs are examined instead.
            let Ok(answers) = (0..FEW.div_ceil(few)).map(ask).collect::<Result<CopyAnswers, _>>()
            else {
                return Ok(false);
            };
            copy.stop();
            said.push(answers);
        }
        let outcomes = || said[0].iter().flat_map(|batch| batch.iter());
        let first = said[0][0].get(0);
        let changes = outcomes().any(|outcome| order(&outcome, &first).is_ne());
        Ok(changes && said.windows(2).any(|pair| same(&pair[0], &pair[1])))
    }

    /// Asks a few copies a few questions.
    fn look(
        &self,
        [d, d_prime]: [&str; 2],
        trials: u64,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Observed, Broken> {
        let batch = self.settings.batch.unwrap_or(self.settings.format.batch());
        let is_slow = self.is_slow(d, random, interrupted)?;
        let (runs, longest) =
            if is_slow { (FEWER, SECONDS_OF_SLOW) } else { (FEW, SECONDS_OF_A_REQUEST) };
        let few = runs.min(batch);
        // Several requests, where each is for fewer runs.
        let mut seeds = || -> Vec<u64> { (0..runs.div_ceil(few)).map(|_| seed(random)).collect() };
        let [first, second, third, fourth, unseen] = [(); 5].map(|()| seeds());
        // Both at once: a program may take long to start.
        let alive = |failure| Broken::new(failure, &self.request(d, 0, 0), "");
        let mut one = if self.function().is_some() {
            self.living().map_err(alive)?
        } else {
            self.started(d)?
        };
        let mut other = self.started(d_prime)?;
        let question = |child: &mut Copy, dataset, seeds: &[u64]| {
            let ask = |seed: &u64| self.question(child, dataset, (few, *seed), interrupted);
            seeds.iter().map(ask).collect::<Result<CopyAnswers, _>>()
        };
        let fresh_on_d = question(&mut one, d, &first)?;
        let fresh_on_d_prime = question(&mut other, d_prime, &second)?;
        if !self.has_copies() {
            let first = (d.to_owned(), (few, first[0]), fresh_on_d[0].clone());
            *lock(&self.first_answer) = Some(first);
        }
        // A copy that has already answered and still agrees with a fresh one follows the seed. If
        // it does not agree, either may be the cause, and only another fresh one can tell.
        let mut repeated = question(&mut other, d, &first)?;
        let mut state_on_d = false;
        if !same(&fresh_on_d, &repeated) {
            let mut fresh = self.started(d)?;
            repeated = question(&mut fresh, d, &first)?;
            state_on_d = same(&fresh_on_d, &repeated);
            self.keep(fresh);
        }
        // The same question after others: a cache, a spent budget, a counter shows.
        let start = Instant::now();
        let later_on_d_prime = question(&mut one, d_prime, &second)?;
        let mut of_few = start.elapsed().as_secs_f64() / second.len() as f64;
        // No more at once than fit into the time.
        let fitting = (longest * few as f64 / of_few.max(1e-9)) as usize;
        let all =
            batch.min(usize::try_from(trials / LASTING).unwrap_or(batch)).min(fitting).max(few);
        let start = Instant::now();
        let many = self.question(&mut one, d_prime, (all, third[0]), interrupted)?;
        let of_all = start.elapsed().as_secs_f64();
        let each = of_all / all as f64;
        // A seed that neither copy had: a cache filled by many runs differs from a copy's draws. Of
        // a question of n runs about n·all/K meet one of K keys that runs draw from.
        let unseen = ((all / 2).min(UNSEEN).max(few), unseen[0]);
        let after_many = self.question(&mut one, d_prime, unseen, interrupted)?;
        let after_few = self.question(&mut other, d_prime, unseen, interrupted)?;
        let start = Instant::now();
        let later_on_d = question(&mut one, d, &first)?;
        let then = Instant::now();
        let another = question(&mut one, d, &fourth)?;
        // The quickest of three: a busy machine slows down one or the other, and the number of runs
        // of a request, which affects the counts, should not depend on it.
        for seconds in [(then - start).as_secs_f64(), then.elapsed().as_secs_f64()] {
            of_few = of_few.min(seconds / first.len() as f64);
        }
        let seconds = (each, (of_few - each * few as f64).max(0.0));
        let few_runs = Compared { one: &fresh_on_d, other: &repeated, elsewhere: &another };
        let mut follows = Seeds::of(&[few_runs]);
        if follows == Seeds::Unseen {
            let known = [&fresh_on_d, &fresh_on_d_prime];
            let most = (all, trials / LASTING);
            follows = self.seeds_by_more([d, d_prime], known, most, random, interrupted)?;
        }
        let seedable = follows == Seeds::Followed;
        let mut state = if seedable
            && (state_on_d
                || !same(&fresh_on_d, &later_on_d)
                || !same(&fresh_on_d_prime, &later_on_d_prime)
                || !same(&[after_few], &[after_many]))
        {
            Some("the same seed gives it other outcomes after earlier runs".to_owned())
        } else {
            let lived: Vec<_> =
                [&fresh_on_d, &later_on_d, &another].into_iter().flatten().collect();
            let late: Vec<_> = later_on_d.iter().chain(&another).collect();
            let random = RefCell::new(&mut *random);
            let seed = || seed(*random.borrow_mut());
            let fresh = || {
                let mut copy = self.started(d)?;
                let answer = self.question(&mut copy, d, (1, seed()), interrupted)?;
                copy.stop();
                Ok(answer.get(0).to_owned())
            };
            let more = || self.question(&mut one, d, (many.len().max(1), seed()), interrupted);
            drift(&lived, &late, self.settings.patience / 10.0, (fresh, more))?
        };
        let mut copies = [one, other];
        if !seedable
            && state.is_none()
            && self.copies_differ(&mut copies, (d_prime, all), random, interrupted)?
        {
            state = Some("copies of it differ from one another".to_owned());
        }
        let (mut sharing, mut single) = (Sharing::Nothing, None);
        if state.is_none() {
            if !seedable {
                // Started at the same time, and alike until now.
                for copy in copies.iter_mut().filter(|copy| matches!(copy, Copy::Program(_))) {
                    self.keep(std::mem::replace(copy, self.started(d)?));
                }
            }
            let datasets = [d, d_prime];
            let seen;
            let pace = Pace { each, longest };
            (sharing, seen) =
                self.sharing(&mut copies, datasets, (trials, pace), random, interrupted)?;
            let runs: Vec<Outcome> = many.iter().map(|outcome| outcome.to_owned()).collect();
            if sharing == Sharing::Nothing
                && self.differs_alone(&mut copies[1], d_prime, &runs, random, interrupted)?
            {
                sharing = Sharing::Request(ALONE);
            }
            if !seedable || sharing != Sharing::Nothing || batch == 1 {
                // Where a single run is answered differently, many do not show its repetition.
                let seen = if sharing == Sharing::Request(ALONE) { &[] } else { &seen[..] };
                let alone = &mut copies[0];
                single = Some(self.single(alone, d, seen, random, interrupted)?);
            }
        }
        copies.into_iter().for_each(|copy| self.keep(copy));
        Ok(Observed { seeds: follows, state, sharing, single, seconds })
    }

    /// `true` if runs of a function are slow. Those of programs are not measured beforehand: a copy more would cost more
    /// than the time that is saved.
    fn is_slow(
        &self,
        dataset: &str,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<bool, Broken> {
        if !self.is_function() {
            return Ok(false);
        }
        let mut copy = self.started(dataset)?;
        let mut quickest = f64::INFINITY;
        // The first one may load something.
        for _ in 0..2 {
            let start = Instant::now();
            self.question(&mut copy, dataset, (1, seed(random)), interrupted)?;
            quickest = quickest.min(start.elapsed().as_secs_f64());
        }
        self.keep(copy);
        Ok(quickest > SLOW_RUN)
    }

    pub(super) fn started(&self, dataset: &str) -> Result<Copy, Broken> {
        self.start().map_err(|failure| Broken::new(failure, &self.request(dataset, 0, 0), ""))
    }

    /// Asks a copy; after a breakdown, a fresh one, which then takes its place.
    pub(super) fn question(
        &self,
        child: &mut Copy,
        dataset: &str,
        (runs, seed): (usize, u64),
        interrupted: &AtomicBool,
    ) -> Result<Outcomes, Broken> {
        let request = self.request(dataset, runs, seed);
        let mut outcomes = Outcomes::new();
        let mut failed = None;
        for attempt in 0..2 {
            match self.ask(child, &request, &mut outcomes, interrupted) {
                Ok(_) => {
                    if let Some(failure) = failed {
                        self.note_retry(&failure, &request);
                    }
                    let mut asked = lock(&self.asked);
                    outcomes.iter().for_each(|outcome| asked.push_ref(outcome));
                    return Ok(outcomes);
                }
                Err(failure) => {
                    let words = child.last_words();
                    child.kill();
                    // What was always silent stays so.
                    let answered = || !lock(&self.asked).is_empty();
                    let again = match failure {
                        ProgramFailure::Died(_) => true,
                        ProgramFailure::Timeout(_) => answered(),
                        _ => false,
                    };
                    if attempt == 1 || !again {
                        let broken = Broken::new(failure, &request, &words);
                        return Err(Broken { is_again: attempt == 1, ..broken });
                    }
                    failed = Some(failure);
                    *child = self.started(dataset)?;
                }
            }
        }
        unreachable!("the second attempt returns")
    }

    /// A few runs in fresh copies: their mean seconds, and the number of failures on each dataset.
    fn fresh_runs(
        &self,
        datasets: [&str; 2],
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<(f64, [u32; 2]), Trouble> {
        let start = Instant::now();
        let mut failures = [0; 2];
        for _ in 0..PROBES {
            for (dataset, failures) in datasets.into_iter().zip(&mut failures) {
                let (outcome, _) = self.run_fresh(dataset, seed(random), interrupted)?;
                *failures += u32::from(matches!(outcome, Outcome::Failure(_)));
                lock(&self.asked).push(outcome);
            }
        }
        let seconds = start.elapsed().as_secs_f64() / f64::from(2 * PROBES);
        Ok((seconds.max(1e-4), failures))
    }
}
