//! Checks before an audit: whether the program follows its seed, whether a living copy behaves like
//! a fresh one, and if not, how to run it so that the results hold.

use super::broken::{Broken, failure_words};
use super::child::ProgramFailure;
use super::drift::drift;
use super::seeds::{Compared, CopyAnswers, Seeds, same};
use super::sharing::{Sharing, Single};
use super::talk::Copy;
use super::{Answerer, Mode, Process, lock, seed, text};
use crate::mechanism::{Outcome, Outcomes, Prepared, Trouble, order};
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Runs of a question whose answers are compared.
const FEW: usize = 16;
/// Fresh copies that are asked whether they repeat one another.
const FRESH_COPIES: usize = 3;
/// Most runs of a question with a seed that no copy had before.
const UNSEEN: usize = 256;
/// Divisor for the share of an audit's trials that one copy is asked for, to see whether it lasts.
const LASTING: u64 = 4;
/// Runs in fresh copies, for each dataset, that measure their cost.
const PROBES: u32 = 2;
/// Fewest trials of an audit where every run takes a request, or a copy, of its own.
const MIN_TRIALS: u64 = 100;
/// Least number of requests of an audit, where they are quick: the more there are, the less can
/// their runs share unnoticed (`game::Spread`). With 4000 requests, half of them on each dataset,
/// the variance between them is known within one part in 30.
const REQUESTS: f64 = 4000.0;
/// Numbers of requests where each is slow by itself: the largest number that takes at most
/// [`SECONDS_OF_REQUESTS`] on each thread, else the least one. There are only three numbers, far
/// apart, as outcomes depend on the size of requests, and a measured time on the load of the
/// machine: a report should not.
const FEWER_REQUESTS: [f64; 3] = [REQUESTS, 500.0, 60.0];
/// See [`FEWER_REQUESTS`].
const SECONDS_OF_REQUESTS: f64 = 30.0;
/// Approximate seconds of a request where its runs are slow.
const SECONDS_OF_A_REQUEST: f64 = 2.0;
/// Fewest trials with fresh copies that are worth more than a test that allows for state.
const LEAST_FRESH: u64 = 1000;

/// Message where requests for one run are answered differently from those for many.
const ALONE: &str = "Requests for one run are answered otherwise than requests for many";

/// Ending of a note that runs depend on earlier ones.
fn in_turn(noun: &str) -> String {
    let place = if noun == "function" { "" } else { "in one copy that lives on, " };
    format!(
        "runs were made one by one in the order of the coins, {place}and judged by a test that allows for earlier runs: \
         the claim is tested for each release given all releases before it."
    )
}

struct SeedBehavior {
    seeds: Seeds,
    /// Dependence of one copy's answers on earlier ones, in words.
    state: Option<String>,
    sharing: Sharing,
    /// Findings of requests for one run, and their seconds, where runs may need those.
    single: Option<(Single, f64)>,
    /// Seconds of a run, and of a request besides its runs.
    seconds: (f64, f64),
}

impl Process {
    /// Sets the mode, and notes what a reader must know.
    pub(super) fn find_out(
        &self,
        pair: [&Dataset; 2],
        trials: u64,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Prepared, Trouble> {
        self.mode.store(Mode::Batches as u8, Ordering::Relaxed);
        self.most_runs.store(most_runs(trials, (0.0, 0.0), self.threads()), Ordering::Relaxed);
        self.follows_seed.store(false, Ordering::Relaxed);
        self.lived.store(0, Ordering::Relaxed);
        lock(&self.notes).clear();
        lock(&self.asked).clear();
        let datasets = pair.map(|dataset| text(&self.settings, dataset));
        let datasets = [datasets[0].as_str(), datasets[1].as_str()];
        let note = |words: String| lock(&self.notes).push(words);
        let threads = self.threads();
        let affordable = |each: f64| (self.settings.patience * threads / each) as u64;
        let (noun, judged_so) = (self.noun(), in_turn(self.noun()));
        let unlike = format!("A copy of the {noun} that lives on does not behave like a fresh one");
        let mut looked = self.look(datasets, trials, random, interrupted);
        if let (Err(broken), Answerer::Function { has_copies, .. }) = (&looked, &self.source)
            && broken.failure != ProgramFailure::Interrupted
            && has_copies.swap(false, Ordering::Relaxed)
        {
            note(format!(
                "Fresh copies of the function, by fork, broke down ({}). So whether it keeps something from one call to \
                 the next was only looked for in one process.",
                failure_words(&broken.failure, &self.settings)
            ));
            looked = self.look(datasets, trials, random, interrupted);
        }
        let (why, least) = match looked {
            Ok(SeedBehavior { seeds, state, sharing, single, seconds }) => {
                let seedable = seeds == Seeds::Followed;
                self.most_runs.store(most_runs(trials, seconds, self.threads()), Ordering::Relaxed);
                self.follows_seed.store(seedable, Ordering::Relaxed);
                seeds.words(self.noun()).into_iter().for_each(note);
                let Some(words) = state else {
                    return self.without_state(trials, seedable, sharing, single);
                };
                if !self.has_copies() {
                    self.mode.store(Mode::InTurn as u8, Ordering::Relaxed);
                    note(format!("The function depends on earlier calls: {words}. So {judged_so}"));
                    return Ok(Prepared::stateful(trials));
                }
                (format!("{unlike}: {words}."), LEAST_FRESH)
            }
            Err(broken) => {
                let seconds = match broken.failure {
                    ProgramFailure::Died(_) => 0.0,
                    ProgramFailure::Timeout(_) => self.settings.timeout,
                    _ => f64::INFINITY,
                };
                let trouble = self.trouble(&broken);
                if trouble == Trouble::Interrupted
                    || self.is_function()
                    || affordable(seconds) < MIN_TRIALS
                {
                    return Err(trouble);
                }
                let (_, failures) = self.fresh_runs(datasets, random, interrupted)?;
                if failures == [PROBES; 2] {
                    return Err(trouble);
                }
                let why = match failures {
                    [0, 0] => format!("{unlike}: it breaks down."),
                    // An adversary sees it: it is part of the audit, and not state.
                    [d, d_prime] => format!(
                        "The program breaks down in fresh copies, too (of {PROBES} runs on D in {d}, \
                         of {PROBES} on D′ in {d_prime})."
                    ),
                };
                let stop = if trouble.to_string().ends_with('.') { "" } else { "." };
                (format!("{why} {trouble}{stop}"), MIN_TRIALS)
            }
        };
        if self.copies_repeat(datasets[0], random, interrupted)? {
            self.mode.store(Mode::InTurn as u8, Ordering::Relaxed);
            note(format!(
                "{why} Fresh copies say the same whatever seed they get, as a generator does that \
                 is seeded when the program starts. So {judged_so}"
            ));
            return Ok(Prepared::stateful(trials));
        }
        let (each, _) = self.fresh_runs(datasets, random, interrupted)?;
        let affordable = affordable(each);
        if affordable >= trials.min(least) {
            let trials = trials.min(affordable);
            self.mode.store(Mode::Fresh as u8, Ordering::Relaxed);
            note(format!(
                "{why} So each run was made in a fresh copy, {trials} of them (a fresh run takes \
                 {each:.3} s; `patience` in the spec allows more or fewer); a breakdown is an \
                 outcome."
            ));
            return Ok(Prepared::independent(trials));
        }
        self.mode.store(Mode::InTurn as u8, Ordering::Relaxed);
        note(format!(
            "{why} Fresh copies for each run were too dear ({each:.3} s a run; `patience` in the spec \
             allows more), so {judged_so}"
        ));
        Ok(Prepared::stateful(trials))
    }

    /// Way to run a program whose copies behave like fresh ones. Where it does not follow the seed,
    /// a dependence of its runs on earlier ones cannot be seen, so they are in the order of the
    /// coins, if there is time for that. Where the runs of a request share something, each has a
    /// request of its own.
    fn without_state(
        &self,
        trials: u64,
        seedable: bool,
        sharing: Sharing,
        single: Option<(Single, f64)>,
    ) -> Result<Prepared, Trouble> {
        let note = |words: String| lock(&self.notes).push(words);
        let (single, each) = single.unwrap_or((Single::Apart, 0.0));
        let threads = self.threads();
        let affordable = (self.settings.patience * threads / each.max(1e-9)) as u64;
        let (micros, noun) = (each * 1e6, self.noun());
        let repeats = |when: &str| {
            Trouble::Broken(format!(
                "The {noun} repeats itself: requests with different seeds, asked {when}, had the \
                 same outcomes. So its runs are no independent draws, and no test can count them. \
                 Seed its generator with the `seed` of each request: not with a fixed number, and \
                 not with the time."
            ))
        };
        let one_by_one = |why: &str| {
            self.mode.store(Mode::InTurn as u8, Ordering::Relaxed);
            note(format!("{why} So {}", in_turn(noun)));
            Ok(Prepared::stateful(trials))
        };
        match (sharing, single) {
            (Sharing::Repeats(when), _) => Err(repeats(when)),
            (_, Single::Repeats) => Err(repeats("one after the other")),
            (Sharing::Copies, _) if self.is_function() => one_by_one(
                "Requests that are made at the same time repeat one another, whatever seeds they get.",
            ),
            (Sharing::Copies, _) => one_by_one(
                "Copies of the program that are started or asked at the same time repeat one \
                 another, whatever seeds they get.",
            ),
            (_, Single::Alike) => {
                one_by_one("Outcomes of requests that follow one another hang together.")
            }
            (Sharing::Nothing, _) if seedable || self.settings.batch == Some(1) => {
                if !seedable {
                    self.mode.store(Mode::OneByOne as u8, Ordering::Relaxed);
                }
                Ok(Prepared::independent(trials))
            }
            (Sharing::Nothing, _) if affordable >= trials => {
                self.mode.store(Mode::OneByOne as u8, Ordering::Relaxed);
                note(
                    "Its runs were asked for one by one, in the order of the coins, so that a \
                     counter or a drift cannot look like a difference between the datasets."
                        .into(),
                );
                Ok(Prepared::independent(trials))
            }
            (Sharing::Nothing, _) => {
                note(format!(
                    "Its runs were asked for in batches of one dataset, which came in random \
                     order, so a slow drift may look like a difference between the datasets; \
                     none showed when some batches were compared. (One by one a run takes \
                     {micros:.0} microseconds, too long for all of them; `patience` in the spec \
                     allows more.)"
                ));
                Ok(Prepared::independent(trials))
            }
            (Sharing::Request(what), _) if affordable >= trials.min(MIN_TRIALS) => {
                self.mode.store(Mode::OneByOne as u8, Ordering::Relaxed);
                let trials = trials.min(affordable);
                note(format!(
                    "{what}. So each run was asked for by a request of its own, {trials} of them, in the order of the \
                     coins (such a request takes {micros:.0} microseconds; `patience` in the spec \
                     allows more or fewer)."
                ));
                Ok(Prepared::independent(trials))
            }
            (Sharing::Request(what), _) => Err(Trouble::Broken(format!(
                "{what}. Asked for by a request of its own, each run takes {micros:.0} microseconds, too long for an \
                 audit: raise `patience`, or draw nothing that the runs of a request share."
            ))),
        }
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
    ) -> Result<SeedBehavior, Broken> {
        let batch = self.settings.batch.unwrap_or(self.settings.format.batch());
        let few = FEW.min(batch);
        // Several requests, where each is for fewer runs.
        let mut seeds = || -> Vec<u64> { (0..FEW.div_ceil(few)).map(|_| seed(random)).collect() };
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
        let fitting = (SECONDS_OF_A_REQUEST * few as f64 / of_few.max(1e-9)) as usize;
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
            (sharing, seen) = self.sharing(&mut copies, datasets, trials, random, interrupted)?;
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
        Ok(SeedBehavior { seeds: follows, state, sharing, single, seconds })
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
                    let again =
                        matches!(failure, ProgramFailure::Died(_) | ProgramFailure::Timeout(_));
                    if attempt == 1 || !again {
                        return Err(Broken::new(failure, &request, &words));
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

/// Most runs of a request, by an audit's trials and the seconds of a run and of a request.
fn most_runs(trials: u64, (of_run, of_request): (f64, f64), threads: f64) -> u64 {
    let is_affordable = |requests: &f64| requests * of_request <= SECONDS_OF_REQUESTS * threads;
    let [.., least] = FEWER_REQUESTS;
    let requests = FEWER_REQUESTS.into_iter().find(is_affordable).unwrap_or(least);
    // A power of two, for the same reason.
    let slow = (SECONDS_OF_A_REQUEST / of_run.max(1e-9)).log2().floor().exp2();
    // At least 1, and no more than there are trials.
    (trials as f64 / requests).min(slow).max(1.0) as u64
}

#[cfg(test)]
#[path = "../../../tests/unit/mechanism/process/prepare.rs"]
mod tests;
