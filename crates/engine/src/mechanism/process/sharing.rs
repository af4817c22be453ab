//! Check before an audit for shared state of a request's runs, and for repeating requests.
//!
//! Compares the outcomes of a few requests with different seeds, by the test of `exchange.rs`:
//! three times with fresh outcomes, each at level 1/100, so that independent runs fail with
//! probability at most 1e-6. Both copies are asked at the same time, so that a generator that is
//! seeded with the time shows.

use super::diagnosis::{Shared, Sharing, Single};
use super::probe::Probe;
use crate::mechanism::exchange::{Groups, OutcomeSeries, codes, is_strange};
use crate::mechanism::program::{Broken, Copy};
use crate::mechanism::{Outcome, Outcomes, order};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Most and fewest rounds in which both copies get a request for each dataset.
const ROUNDS: (usize, usize) = (6, 2);
/// Divisor for the share of an audit's trials that these ask for once, and the fewest and most runs
/// of a request.
const SHARE: u64 = 20;
/// Share of the time of an audit, if that is given, after which there are no more than the fewest rounds.
const SHARE_OF_TIME: f64 = 0.05;
const RUNS: (u64, u64) = (8, 4096);
/// Number of times that outcomes must be strange, and of shuffles that must each be less so: a
/// level of 1/100 each.
const TIMES: usize = 3;
const SHUFFLES: usize = 99;
/// Requests for one run in a row: most and fewest, and the number of neighbors compared.
const SINGLE: (usize, usize) = (128, 32);
const NEIGHBORS: usize = 16;
/// Requests for one run that are compared with as many times [`TOGETHER`] runs of a request for
/// many, and fewest of them where they are slow.
const ALONE: usize = 24;
/// See [`ALONE`].
const TOGETHER: usize = 7;
/// Time limit in seconds of such a comparison.
const ALONE_SECONDS: f64 = 2.0;
/// Probability below which equal answers to requests for one run are not due to chance.
const CHANCE: f64 = 1e-6;
/// Share of outcomes that recur in other requests, and never in their own, from which requests are
/// reported to repeat one another.
const RECUR: f64 = 0.1;
/// Pause after which a generator seeded with the second gives another outcome.
const A_SECOND: Duration = Duration::from_millis(1100);

/// Outcomes of some requests on one dataset: by copy, in the order of the rounds.
struct RequestOutcomes {
    runs: usize,
    of: [Vec<Vec<Outcome>>; 2],
}

impl RequestOutcomes {
    /// Requests, with those of the same time next to each other.
    fn requests(&self) -> impl Iterator<Item = &Vec<Outcome>> {
        self.of[0].iter().zip(&self.of[1]).flat_map(|(one, other)| [one, other])
    }

    fn series(&self) -> OutcomeSeries {
        let outcomes: Vec<Outcome> = self.requests().flatten().cloned().collect();
        let runs = self.runs;
        let groups = vec![Groups::Runs(runs), Groups::Runs(2), Groups::Places(runs)];
        OutcomeSeries::new(&outcomes, groups, true)
    }

    /// The common part of requests, given that there is one.
    fn sharing(&self) -> Option<Sharing> {
        let all: Vec<Outcome> = self.requests().flatten().cloned().collect();
        let (codes, counts) = codes(&all);
        if counts.len() == 1 {
            return None;
        }
        let requests: Vec<&[u32]> = codes.chunks(self.runs).collect();
        let changes = |request: &[u32]| request.iter().any(|code| *code != request[0]);
        let half_of = |pairs: Vec<(usize, usize)>| {
            let same =
                |(a, b): &&(usize, usize)| requests[*a] == requests[*b] && changes(requests[*a]);
            2 * pairs.iter().filter(same).count() >= pairs.len() && !pairs.is_empty()
        };
        // Of one copy, one after the other; of both, at the same time.
        let of_one = (2..requests.len()).map(|at| (at - 2, at)).collect();
        let of_both = (0..requests.len() / 2).map(|at| (2 * at, 2 * at + 1)).collect();
        if half_of(of_one) {
            return Some(Sharing::Repeats);
        }
        if half_of(of_both) || self.recur(&codes, &counts, requests.len()) {
            return Some(Sharing::Copies);
        }
        let constant = requests.iter().all(|request| !changes(request));
        Some(Sharing::Request(if constant { Shared::Outcome } else { Shared::Something }))
    }

    /// `true` if many outcomes recur in other requests and hardly any in their own.
    fn recur(&self, codes: &[u32], counts: &[usize], requests: usize) -> bool {
        let mut within = vec![0usize; counts.len()];
        let (mut own, mut others) = (0, 0);
        for request in codes.chunks(codes.len() / requests) {
            request.iter().for_each(|code| within[*code as usize] += 1);
            for code in request {
                own += usize::from(within[*code as usize] > 1);
                others += usize::from(counts[*code as usize] > within[*code as usize]);
            }
            request.iter().for_each(|code| within[*code as usize] = 0);
        }
        others as f64 > RECUR * codes.len() as f64 && 10 * own < others
    }
}

impl Probe<'_> {
    /// Asks two copies whether the runs of a request are independent, by the seconds of a run and of the longest question.
    pub(super) fn sharing(
        &mut self,
        copies: &mut [Copy; 2],
        (each, longest): (f64, f64),
    ) -> Result<(Sharing, Vec<Outcome>), Broken> {
        let requests = 2 * 2 * ROUNDS.0 as u64;
        let runs = (self.planned.most / (SHARE * requests)).clamp(RUNS.0, RUNS.1) as usize;
        // As many as fit into the time of the longest question; a power of two, since a report should not depend on a
        // measured time.
        let fitting = (longest / each.max(1e-9)).log2().floor().exp2();
        let fitting = fitting.max(RUNS.0 as f64) as usize;
        let share = SHARE_OF_TIME * self.planned.seconds.unwrap_or(f64::INFINITY);
        let patience = (self.process.settings.patience / 4.0).min(ROUNDS.0 as f64 * longest);
        let seconds = patience.max(1.0).min(share);
        // Even, for neighbors.
        let runs = runs.min(self.process.most_runs()).min(fitting) / 2 * 2;
        if runs == 0 {
            return Ok((Sharing::Nothing, Vec::new()));
        }
        let seen = |asked: &[RequestOutcomes]| asked[0].requests().flatten().cloned().collect();
        let mut asked = Vec::new();
        for _ in 0..TIMES {
            asked = self.ask_both(copies, (runs, seconds))?;
            let series: Vec<OutcomeSeries> = asked.iter().map(RequestOutcomes::series).collect();
            if !is_strange(&series, SHUFFLES, self.random) {
                return Ok((Sharing::Nothing, seen(&asked)));
            }
        }
        let found: Vec<Sharing> = asked.iter().filter_map(RequestOutcomes::sharing).collect();
        let has = |wanted: Sharing| found.contains(&wanted).then_some(wanted);
        let worst = has(Sharing::Repeats).or(has(Sharing::Copies)).or(found.first().copied());
        Ok((worst.unwrap_or(Sharing::Nothing), seen(&asked)))
    }

    /// A few requests of a given size on each dataset, to both copies at the same time.
    fn ask_both(
        &mut self,
        [one, other]: &mut [Copy; 2],
        (runs, seconds): (usize, f64),
    ) -> Result<Vec<RequestOutcomes>, Broken> {
        let start = Instant::now();
        let mut asked = [(); 2].map(|()| RequestOutcomes { runs, of: [Vec::new(), Vec::new()] });
        for round in 0..ROUNDS.0 {
            if round >= ROUNDS.1 && start.elapsed().as_secs_f64() > seconds {
                break;
            }
            for (dataset, asked) in self.datasets.into_iter().zip(&mut asked) {
                let [first, second] = [self.seed(), self.seed()];
                let probe = &*self;
                let ask = |copy: &mut Copy, seed| probe.answer(copy, dataset, (runs, seed));
                let answers = std::thread::scope(|scope| {
                    let second = scope.spawn(|| ask(other, second));
                    let first = ask(one, first);
                    [first, second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))]
                });
                for (of, outcomes) in asked.of.iter_mut().zip(answers) {
                    let outcomes = outcomes?;
                    self.saw(&outcomes);
                    of.push(owned(&outcomes));
                }
            }
        }
        Ok(asked.into())
    }

    /// `true` if two copies differ, each asked for many runs at once: in their laws, or because
    /// outcomes recur in one that the other does not have. State of a copy is hidden if a program
    /// does not follow its seed, and this reveals it.
    pub(super) fn copies_differ(
        &mut self,
        copies: &mut [Copy; 2],
        (dataset, runs): (&str, usize),
    ) -> Result<bool, Broken> {
        for _ in 0..TIMES {
            let mut outcomes = Vec::with_capacity(2 * runs);
            for copy in &mut *copies {
                let seed = self.seed();
                outcomes.extend(owned(&self.question(copy, dataset, (runs, seed))?));
            }
            if !self.is_strange(&outcomes, vec![Groups::Runs(runs)]) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `true` if outcomes of one dataset in a group are more alike than those of several.
    fn is_strange(&mut self, outcomes: &[Outcome], groups: Vec<Groups>) -> bool {
        is_strange(&[OutcomeSeries::new(outcomes, groups, false)], SHUFFLES, self.random)
    }

    /// `true` if requests for one run are answered differently from a request for many, with these
    /// outcomes on the same dataset. Slow requests are too few to decide.
    pub(super) fn differs_alone(
        &mut self,
        copy: &mut Copy,
        dataset: &str,
        many: &[Outcome],
    ) -> Result<bool, Broken> {
        let start = Instant::now();
        for part in 0..TIMES {
            let Some(together) = many.chunks_exact(ALONE * TOGETHER).nth(part) else {
                return Ok(false);
            };
            let mut outcomes = Vec::with_capacity(ALONE * (TOGETHER + 1));
            while outcomes.len() < ALONE {
                if start.elapsed().as_secs_f64() > ALONE_SECONDS {
                    return Ok(false);
                }
                outcomes.push(self.one_run(copy, dataset)?);
            }
            outcomes.extend_from_slice(together);
            if !self.is_strange(&outcomes, vec![Groups::Runs(ALONE)]) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Asks one copy for one run repeatedly: measures the correlation of neighbors, and the seconds
    /// of a request. `seen` are outcomes of requests for several runs on the same dataset.
    pub(super) fn single(
        &mut self,
        copy: &mut Copy,
        dataset: &str,
        seen: &[Outcome],
    ) -> Result<(Single, f64), Broken> {
        let (mut outcomes, mut each) = self.in_a_row(copy, dataset)?;
        if let Some(first) = constant(&outcomes) {
            if is_unlikely(seen, &outcomes) {
                return Ok((Single::Repeats, each));
            }
            // Frequent, or constant for a while?
            if !seen.iter().all(|outcome| is_same(outcome, first))
                || !wait(A_SECOND, self.interrupted)
            {
                return Ok((Single::Apart, each));
            }
            let (later, each) = self.in_a_row(copy, dataset)?;
            let other = constant(&later).is_some_and(|later| !is_same(later, first));
            return Ok((if other { Single::Repeats } else { Single::Apart }, each));
        }
        let mut repeats = 0;
        for time in 0..TIMES {
            if time > 0 {
                (outcomes, each) = self.in_a_row(copy, dataset)?;
            }
            let groups = vec![Groups::Runs(2), Groups::Runs(NEIGHBORS)];
            if !self.is_strange(&outcomes, groups) {
                return Ok((Single::Apart, each));
            }
            let same = outcomes.windows(2).filter(|pair| pair[0] == pair[1]).count();
            repeats += usize::from(2 * same > outcomes.len());
        }
        let single = if 2 * repeats > TIMES { Single::Repeats } else { Single::Alike };
        Ok((single, each))
    }

    /// Outcomes of requests for one run, one after the other, and the seconds of one.
    fn in_a_row(&mut self, copy: &mut Copy, dataset: &str) -> Result<(Vec<Outcome>, f64), Broken> {
        let seconds = self.process.settings.patience / 4.0;
        let start = Instant::now();
        let mut outcomes = Vec::with_capacity(SINGLE.0);
        while outcomes.len() < SINGLE.0 {
            if outcomes.len() >= SINGLE.1 && start.elapsed().as_secs_f64() > seconds {
                break;
            }
            outcomes.push(self.one_run(copy, dataset)?);
        }
        let each = start.elapsed().as_secs_f64() / outcomes.len() as f64;
        outcomes.truncate(outcomes.len() / NEIGHBORS * NEIGHBORS);
        Ok((outcomes, each))
    }
}

fn is_same(a: &Outcome, b: &Outcome) -> bool {
    order(&a.as_ref(), &b.as_ref()).is_eq()
}

/// The only one of the outcomes, if they are all the same.
fn constant(outcomes: &[Outcome]) -> Option<&Outcome> {
    outcomes.first().filter(|first| outcomes.iter().all(|outcome| is_same(outcome, first)))
}

/// `true` if outcomes in a row that are all the same are not so by chance, by how often the most frequent one was seen.
fn is_unlikely(seen: &[Outcome], in_a_row: &[Outcome]) -> bool {
    let (_, counts) = codes(seen);
    let most = counts.iter().max().copied().unwrap_or(0) as f64 / seen.len() as f64;
    seen.len() >= in_a_row.len() && most.powi(in_a_row.len() as i32) < CHANCE
}

/// Waits; `false` if interrupted.
fn wait(how_long: Duration, interrupted: &AtomicBool) -> bool {
    let until = Instant::now() + how_long;
    while Instant::now() < until {
        if interrupted.load(Ordering::Relaxed) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

fn owned(outcomes: &Outcomes) -> Vec<Outcome> {
    outcomes.iter().map(|outcome| outcome.to_owned()).collect()
}
