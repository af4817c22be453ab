//! Questions before an audit: whether the program follows its seed, whether a living copy behaves like a fresh one,
//! whether the runs of a request share something. One diagnosis serves all looks of an audit.

use super::Process;
use super::diagnosis::{
    Diagnosis, FirstAnswer, Fresh, MIN_TRIALS, Observed, PROBES, SECONDS_OF_A_REQUEST, SLOW_RUN,
    Seeds, Shared, Sharing, Single, State,
};
use super::probe::{CopyAnswers, Probe};
use super::seeds::{Compared, LASTING, same};
use crate::mechanism::program::{Broken, Copy, ProgramFailure};
use crate::mechanism::{Outcome, Outcomes, Planned, Trouble, order};
use plaudit_core::random::Stream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Runs of a question whose answers are compared.
const FEW: usize = 16;
/// As [`FEW`], where runs are slow: five different outcomes that come again show that a seed is followed.
const FEWER: usize = 5;
/// Approximate seconds of the longest question about what requests share, where runs are slow.
const SECONDS_OF_SLOW: f64 = 0.5;
/// Runs on each dataset that show whether slow runs have one outcome only.
const UNCHANGED: usize = 8;
/// Fresh copies that are asked whether they repeat one another.
const FRESH_COPIES: usize = 3;
/// Most runs of a question with a seed that no copy had before.
const UNSEEN: usize = 256;

impl Process {
    /// Asks all questions.
    ///
    /// # Errors
    /// If it cannot be run, or is interrupted.
    pub(super) fn probe(
        &self,
        datasets: [&str; 2],
        planned: Planned,
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Diagnosis, Trouble> {
        let (seen, first) = (Outcomes::new(), None);
        let mut probe =
            Probe { process: self, datasets, planned, random, interrupted, seen, first };
        let mut copies_broke = None;
        let mut observed = probe.living_copies();
        if let Err(broken) = &observed
            && self.function.is_some()
            && broken.failure != ProgramFailure::Interrupted
            && self.session.has_copies.swap(false, Ordering::Relaxed)
        {
            copies_broke = Some(broken.failure.words(self.settings.timeout));
            observed = probe.living_copies();
        }
        let fresh = probe.fresh(&observed)?;
        let Probe { seen, first, .. } = probe;
        let datasets = datasets.map(str::to_owned);
        let observed = observed.map_err(|broken| self.trouble(&broken));
        let most = planned.most;
        Ok(Diagnosis { datasets, most, observed, fresh, copies_broke, seen, first })
    }
}

/// Questions to living copies: runs and seeds of their requests.
struct Questions {
    on_d: Vec<(usize, u64)>,
    on_d_prime: Vec<(usize, u64)>,
    /// Another one on D.
    another: Vec<(usize, u64)>,
    /// Seed of many runs, and one that no copy had before.
    many: u64,
    unseen: u64,
}

/// Answers of two copies, the first asked on D and the second on D′.
pub(super) struct Early {
    pub on_d: CopyAnswers,
    pub on_d_prime: CopyAnswers,
    /// The question on D, of another copy.
    pub again: CopyAnswers,
    /// `true` if that needed a fresh copy to be the same.
    pub needed_fresh: bool,
    /// Seconds of a run, and of a request besides its runs.
    pub seconds: (f64, f64),
}

/// Answers of the first copy after others.
pub(super) struct Late {
    /// The same questions.
    pub on_d: CopyAnswers,
    pub on_d_prime: CopyAnswers,
    /// Another one on D.
    pub another: CopyAnswers,
    /// Many runs on D′.
    pub many: Outcomes,
    /// To a new seed: of this copy, and of the other one.
    pub unseen: [Outcomes; 2],
    /// Seconds of a run, and of a request besides its runs.
    pub seconds: (f64, f64),
}

impl Probe<'_> {
    /// Fresh copies, if living ones do not do: break down, or have a state.
    fn fresh(&mut self, observed: &Result<Observed, Broken>) -> Result<Option<Fresh>, Trouble> {
        let failures = match observed {
            Ok(observed) if observed.state.is_some() && self.process.has_copies() => [0, 0],
            Ok(_) => return Ok(None),
            Err(broken) => self.failures(broken)?,
        };
        let repeat = self.copies_repeat()?;
        let seconds = if repeat { 0.0 } else { self.fresh_runs()?.0 };
        Ok(Some(Fresh { failures, repeat, seconds }))
    }

    /// Failures in fresh copies of a program that broke down in living ones.
    fn failures(&mut self, broken: &Broken) -> Result<[u32; 2], Trouble> {
        let seconds = match broken.failure {
            ProgramFailure::Died(_) => 0.0,
            ProgramFailure::Timeout(_) => self.process.settings.timeout,
            _ => f64::INFINITY,
        };
        let trouble = self.process.trouble(broken);
        let is_dear = self.process.subject().affordable(seconds) < MIN_TRIALS;
        if trouble == Trouble::Interrupted || self.process.function.is_some() || is_dear {
            return Err(trouble);
        }
        let (_, failures) = self.fresh_runs()?;
        if failures == [PROBES; 2] { Err(trouble) } else { Ok(failures) }
    }

    /// `true` if fresh copies mostly agree on requests with different seeds.
    fn copies_repeat(&mut self) -> Result<bool, Trouble> {
        let (dataset, process) = (self.datasets[0], self.process);
        let mut copies = Vec::new();
        for _ in 0..FRESH_COPIES {
            copies.push(self.started(dataset).map_err(|broken| process.trouble(&broken))?);
        }
        let few = FEW.min(process.settings.batch.unwrap_or(FEW));
        let mut said: Vec<CopyAnswers> = Vec::new();
        for mut copy in copies {
            let ask = |_| {
                let seed = self.seed();
                self.question(&mut copy, dataset, (few, seed))
            };
            // A copy that breaks down does not repeat another; its runs are examined instead.
            let Ok(answers) = (0..FEW.div_ceil(few)).map(ask).collect::<Result<CopyAnswers, _>>()
            else {
                return Ok(false);
            };
            copy.stop();
            said.push(answers);
        }
        let first = said[0][0].get(0);
        let mut outcomes = said[0].iter().flat_map(|batch| batch.iter());
        let changes = outcomes.any(|outcome| order(&outcome, &first).is_ne());
        Ok(changes && said.windows(2).any(|pair| same(&pair[0], &pair[1])))
    }

    /// A few runs in fresh copies: their mean seconds, and the number of failures on each dataset.
    fn fresh_runs(&mut self) -> Result<(f64, [u32; 2]), Trouble> {
        let start = Instant::now();
        let mut failures = [0; 2];
        for _ in 0..PROBES {
            for (dataset, failures) in self.datasets.into_iter().zip(&mut failures) {
                let seed = self.seed();
                let (outcome, _) = self.process.run_one(true, dataset, seed, self.interrupted)?;
                *failures += u32::from(matches!(outcome, Outcome::Failure(_)));
                self.seen.push(outcome);
            }
        }
        let seconds = start.elapsed().as_secs_f64() / f64::from(2 * PROBES);
        Ok((seconds.max(1e-4), failures))
    }

    /// Asks a few copies a few questions.
    fn living_copies(&mut self) -> Result<Observed, Broken> {
        let mut questions = self.questions_to_ask();
        let [d, d_prime] = self.datasets;
        let process = self.process;
        // Both at once: a program may take long to start.
        let alive = |failure| Broken::new(failure, &process.request(d, 0, 0), "");
        let one = match process.direct() {
            Some(_) => process.living().map_err(alive)?,
            None => self.started(d)?,
        };
        let mut copies = [one, self.started(d_prime)?];
        let early = self.early(&mut copies, &mut questions)?;
        if early.seconds.0 > SLOW_RUN && self.is_constant(&mut copies)? {
            copies.into_iter().for_each(|copy| process.keep(copy));
            let (seeds, state, sharing, single) = (Seeds::Unseen, None, Sharing::Nothing, None);
            let seconds = early.seconds;
            return Ok(Observed { seeds, constant: true, state, sharing, single, seconds });
        }
        let late = self.late(&mut copies, &questions, early.seconds)?;
        let (on_d, on_d_prime) = (&early.on_d, &early.on_d_prime);
        let few_runs = Compared { one: on_d, other: &early.again, elsewhere: &late.another };
        let seeds = match Seeds::of(&[few_runs]) {
            Seeds::Unseen => self.seeds_by_more([on_d, on_d_prime], late.many.len())?,
            known => known,
        };
        let is_followed = seeds == Seeds::Followed;
        let mut state = match is_followed && early.has_state(&late) {
            true => Some(State::SeedGivesOthers),
            false => self.correlated(&mut copies[0], &early, &late)?,
        };
        if !is_followed
            && state.is_none()
            && self.copies_differ(&mut copies, (d_prime, late.many.len()))?
        {
            state = Some(State::CopiesDiffer);
        }
        let (mut sharing, mut single) = (Sharing::Nothing, None);
        if state.is_none() {
            if !is_followed {
                // Started at the same time, and alike until now.
                for copy in copies.iter_mut().filter(|copy| matches!(copy, Copy::Program(_))) {
                    process.keep(std::mem::replace(copy, self.started(d)?));
                }
            }
            let longest = match early.seconds.0 > SLOW_RUN {
                true => SECONDS_OF_SLOW,
                false => SECONDS_OF_A_REQUEST,
            };
            let pace = (late.seconds.0, longest);
            (sharing, single) = self.shared(&mut copies, &late.many, pace, is_followed)?;
        }
        copies.into_iter().for_each(|copy| process.keep(copy));
        let (constant, seconds) = (false, late.seconds);
        Ok(Observed { seeds, constant, state, sharing, single, seconds })
    }

    /// `true` if all outcomes are the same, also those of a few more runs on each dataset.
    fn is_constant(&mut self, copies: &mut [Copy; 2]) -> Result<bool, Broken> {
        let same = |seen: &Outcomes| seen.iter().all(|it| order(&it, &seen.get(0)).is_eq());
        let asked = (UNCHANGED.min(self.process.most_runs()), self.seed());
        for (copy, dataset) in copies.iter_mut().zip(self.datasets) {
            if same(&self.seen) {
                self.question(copy, dataset, asked)?;
            }
        }
        Ok(same(&self.seen))
    }

    /// Several requests: first for one run and for the others of [`FEWER`], whose times tell a run's, then for more.
    fn questions_to_ask(&mut self) -> Questions {
        let batch = self.process.most_runs();
        let mut requests = || {
            let mut requests = Vec::new();
            for (from, to) in [(0, 1), (1, FEWER), (FEWER, FEW)] {
                let runs = (from..to).step_by(batch).map(|at| batch.min(to - at));
                requests.extend(runs.map(|runs| (runs, self.seed())));
            }
            requests
        };
        let [on_d, on_d_prime, another] = [(); 3].map(|()| requests());
        let [many, unseen] = [self.seed(), self.seed()];
        Questions { on_d, on_d_prime, another, many, unseen }
    }

    /// Asks two copies, one on D and the other one on both datasets; less where runs are slow.
    fn early(
        &mut self,
        [one, other]: &mut [Copy; 2],
        questions: &mut Questions,
    ) -> Result<Early, Broken> {
        let ([d, d_prime], batch) = (self.datasets, self.process.most_runs());
        let first = 1 + (FEWER - 1).div_ceil(batch);
        let Questions { on_d: asked, on_d_prime: asked_prime, .. } = &*questions;
        let mut timed = |copy: &mut Copy, dataset, requests: &[(usize, u64)]| {
            let start = Instant::now();
            let mut answers = self.questions(copy, dataset, &requests[..1])?;
            let then = Instant::now();
            answers.extend(self.questions(copy, dataset, &requests[1..first])?);
            let of_others = then.elapsed().as_secs_f64();
            Ok((answers, ((then - start).as_secs_f64(), of_others)))
        };
        let (mut on_d, (_, started)) = timed(one, d, asked)?;
        let (mut on_d_prime, (_, started_prime)) = timed(other, d_prime, asked_prime)?;
        // A copy that has already answered and still agrees with a fresh one follows the seed. If
        // it does not agree, either may be the cause, and only another fresh one can tell.
        let (mut again, (of_one, others)) = timed(other, d, asked)?;
        let seconds = pace(of_one, others.min(started).min(started_prime), first - 1);
        if seconds.0 > SLOW_RUN {
            let all = [&mut questions.on_d, &mut questions.on_d_prime, &mut questions.another];
            all.into_iter().for_each(|requests| requests.truncate(first));
        } else {
            on_d.extend(self.questions(one, d, &asked[first..])?);
            on_d_prime.extend(self.questions(other, d_prime, &asked_prime[first..])?);
            again.extend(self.questions(other, d, &asked[first..])?);
        }
        if !self.process.has_copies() {
            let (asked, answers) = (questions.on_d.clone(), on_d.clone());
            self.first = Some(FirstAnswer { dataset: d.to_owned(), asked, answers });
        }
        let mut needed_fresh = false;
        if !same(&on_d, &again) {
            let mut fresh = self.started(d)?;
            again = self.questions(&mut fresh, d, &questions.on_d)?;
            needed_fresh = same(&on_d, &again);
            self.process.keep(fresh);
        }
        Ok(Early { on_d, on_d_prime, again, needed_fresh, seconds })
    }

    /// Asks the first copy the same questions after others: a cache, a spent budget, a counter shows.
    fn late(
        &mut self,
        [one, other]: &mut [Copy; 2],
        Questions { on_d: first, on_d_prime: second, another: last, many, unseen }: &Questions,
        (of_run, of_request): (f64, f64),
    ) -> Result<Late, Broken> {
        let ([d, d_prime], batch) = (self.datasets, self.process.most_runs());
        let least = first.iter().map(|(runs, _)| runs).sum::<usize>().min(batch);
        let on_d_prime = self.questions(one, d_prime, second)?;
        // No more at once than fit into the time.
        let longest = match self.planned.seconds {
            Some(_) if of_run > SLOW_RUN => SECONDS_OF_SLOW,
            _ => SECONDS_OF_A_REQUEST,
        };
        let fitting = (longest / of_run.max(1e-9)) as usize;
        let lasting = usize::try_from(self.planned.most / LASTING).unwrap_or(batch);
        let all = batch.min(lasting).min(fitting).max(least);
        let start = Instant::now();
        let many = self.question(one, d_prime, (all, *many))?;
        let each = (start.elapsed().as_secs_f64() - of_request).max(0.0) / all as f64;
        // A seed that neither copy had: a cache filled by many runs differs from a copy's draws. Of
        // a question of n runs about n·all/K meet one of K keys that runs draw from.
        let new = ((all / 2).min(UNSEEN).max(least), *unseen);
        let unseen = [self.question(one, d_prime, new)?, self.question(other, d_prime, new)?];
        let start = Instant::now();
        let mut on_d = self.questions(one, d, &first[..1])?;
        // The quicker of two: a busy machine slows down one or the other, and the number of runs
        // of a request, which affects the counts, should not depend on it.
        let of_request = of_request.min((start.elapsed().as_secs_f64() - each).max(0.0));
        on_d.extend(self.questions(one, d, &first[1..])?);
        let another = self.questions(one, d, last)?;
        Ok(Late { on_d, on_d_prime, another, many, unseen, seconds: (each, of_request) })
    }

    /// The part that the runs of a request share, and findings of requests for one run where runs may need those.
    fn shared(
        &mut self,
        copies: &mut [Copy; 2],
        many: &Outcomes,
        pace: (f64, f64),
        follows_seed: bool,
    ) -> Result<(Sharing, Option<(Single, f64)>), Broken> {
        let [d, d_prime] = self.datasets;
        let (mut sharing, mut seen) = self.sharing(copies, pace)?;
        let runs: Vec<Outcome> = many.iter().map(|outcome| outcome.to_owned()).collect();
        if sharing == Sharing::Nothing && self.differs_alone(&mut copies[1], d_prime, &runs)? {
            sharing = Sharing::Request(Shared::Alone);
            // Where a single run is answered differently, many do not show its repetition.
            seen.clear();
        }
        let is_single =
            !follows_seed || sharing != Sharing::Nothing || self.process.most_runs() == 1;
        let single = match is_single {
            true => Some(self.single(&mut copies[0], d, &seen)?),
            false => None,
        };
        Ok((sharing, single))
    }
}

/// Seconds of a run and of a request, by those of a request for one run and of others for the rest of [`FEWER`].
fn pace(of_one: f64, of_others: f64, others: usize) -> (f64, f64) {
    let rest = (FEWER - 1) as f64;
    let of_run = match others {
        1 => (of_others - of_one) / (rest - 1.0),
        // Requests are for so few runs that theirs is a run's time.
        _ => of_others / rest,
    };
    (of_run.max(0.0), (of_one - of_run.max(0.0)).max(0.0))
}

impl Early {
    /// `true` if a program that follows its seed has a state.
    fn has_state(&self, late: &Late) -> bool {
        self.needed_fresh
            || !same(&self.on_d, &late.on_d)
            || !same(&self.on_d_prime, &late.on_d_prime)
            || !same(&late.unseen[..1], &late.unseen[1..])
    }
}
