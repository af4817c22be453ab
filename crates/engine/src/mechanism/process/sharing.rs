//! Check before an audit for shared state of a request's runs, and for repeating requests.
//!
//! Compares the outcomes of a few requests with different seeds, by the test of `exchange.rs`:
//! three times with fresh outcomes, each at level 1/100, so that independent runs fail with
//! probability at most 1e-6. Both copies are asked at the same time, so that a generator that is
//! seeded with the time shows.

use super::broken::Broken;
use super::diagnosis::{Sharing, Single};
use super::exchange::{Groups, OutcomeSeries, codes, is_strange};
use super::talk::Copy;
use super::{Process, seed};
use crate::mechanism::{Outcome, Outcomes};
use plaudit_core::random::Stream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Most and fewest rounds in which both copies get a request for each dataset.
const ROUNDS: (usize, usize) = (6, 2);
/// Divisor for the share of an audit's trials that these ask for once, and the fewest and most runs
/// of a request.
const SHARE: u64 = 20;
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

/// Seconds of a run, and about how many a question may take.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    pub each: f64,
    pub longest: f64,
}

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
            return Some(Sharing::Repeats("one after the other"));
        }
        if half_of(of_both) {
            return Some(Sharing::Copies);
        }
        if self.recur(&codes, &counts, requests.len()) {
            return Some(Sharing::Copies);
        }
        if requests.iter().all(|request| !changes(request)) {
            return Some(Sharing::Request(
                "The runs of a request are not independent of one another: all outcomes of a request are one",
            ));
        }
        Some(Sharing::Request(
            "The runs of a request are not independent of one another: the outcomes of one request are more alike \
             than those of several, or hang on their place in it",
        ))
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

impl Process {
    /// Asks two copies whether the runs of a request are independent.
    pub(super) fn sharing(
        &self,
        copies: &mut [Copy; 2],
        datasets: [&str; 2],
        (trials, pace): (u64, Pace),
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<(Sharing, Vec<Outcome>), Broken> {
        let batch = self.settings.batch.unwrap_or(self.settings.format.batch());
        let requests = 2 * 2 * ROUNDS.0 as u64;
        let runs = (trials / (SHARE * requests)).clamp(RUNS.0, RUNS.1) as usize;
        // As many as fit into the time of the longest question; a power of two, since a report should not depend on a
        // measured time.
        let fitting = (pace.longest / pace.each.max(1e-9)).log2().floor().exp2();
        let fitting = fitting.max(RUNS.0 as f64) as usize;
        let seconds = (self.settings.patience / 4.0).min(ROUNDS.0 as f64 * pace.longest).max(1.0);
        // Even, for neighbors.
        let runs = runs.min(batch).min(fitting) / 2 * 2;
        if runs == 0 {
            return Ok((Sharing::Nothing, Vec::new()));
        }
        let mut asked = Vec::new();
        for _ in 0..TIMES {
            let size = (runs, seconds);
            asked = self.ask_both(copies, datasets, size, random, interrupted)?;
            let series: Vec<OutcomeSeries> = asked.iter().map(RequestOutcomes::series).collect();
            if !is_strange(&series, SHUFFLES, random) {
                let seen = asked[0].requests().flatten().cloned().collect();
                return Ok((Sharing::Nothing, seen));
            }
        }
        let found: Vec<Sharing> = asked.iter().filter_map(RequestOutcomes::sharing).collect();
        let first = |wanted: fn(&Sharing) -> bool| found.iter().find(|one| wanted(one)).cloned();
        let worst = first(|one| matches!(one, Sharing::Repeats(_)))
            .or_else(|| first(|one| *one == Sharing::Copies))
            .or_else(|| first(|_| true));
        let seen = asked[0].requests().flatten().cloned().collect();
        Ok((worst.unwrap_or(Sharing::Nothing), seen))
    }

    /// A few requests of a given size on each dataset, to both copies at the same time.
    fn ask_both(
        &self,
        [one, other]: &mut [Copy; 2],
        datasets: [&str; 2],
        (runs, seconds): (usize, f64),
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Vec<RequestOutcomes>, Broken> {
        let start = Instant::now();
        let mut asked = datasets.map(|_| RequestOutcomes { runs, of: [Vec::new(), Vec::new()] });
        for round in 0..ROUNDS.0 {
            if round >= ROUNDS.1 && start.elapsed().as_secs_f64() > seconds {
                break;
            }
            for (dataset, asked) in datasets.into_iter().zip(&mut asked) {
                let [first, second] = [(); 2].map(|()| seed(random));
                let ask = |child: &mut Copy, seed| {
                    self.question(child, dataset, (runs, seed), interrupted)
                };
                let (first, second) = std::thread::scope(|scope| {
                    let second = scope.spawn(|| ask(other, second));
                    let first = ask(one, first);
                    (first, second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                });
                for (of, outcomes) in asked.of.iter_mut().zip([first?, second?]) {
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
        &self,
        copies: &mut [Copy; 2],
        (dataset, runs): (&str, usize),
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<bool, Broken> {
        for _ in 0..TIMES {
            let mut outcomes = Vec::with_capacity(2 * runs);
            for copy in &mut *copies {
                let answer = self.question(copy, dataset, (runs, seed(random)), interrupted)?;
                outcomes.extend(owned(&answer));
            }
            let series = OutcomeSeries::new(&outcomes, vec![Groups::Runs(runs)], false);
            if !is_strange(&[series], SHUFFLES, random) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `true` if requests for one run are answered differently from a request for many, with these
    /// outcomes on the same dataset. Slow requests are too few to decide.
    pub(super) fn differs_alone(
        &self,
        child: &mut Copy,
        dataset: &str,
        many: &[Outcome],
        random: &mut Stream,
        interrupted: &AtomicBool,
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
                let answer = self.question(child, dataset, (1, seed(random)), interrupted)?;
                outcomes.push(answer.get(0).to_owned());
            }
            outcomes.extend_from_slice(together);
            let series = OutcomeSeries::new(&outcomes, vec![Groups::Runs(ALONE)], false);
            if !is_strange(&[series], SHUFFLES, random) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Asks one copy for one run repeatedly: measures the correlation of neighbors, and the seconds
    /// of a request. `seen` are outcomes of requests for several runs on the same dataset.
    pub(super) fn single(
        &self,
        child: &mut Copy,
        dataset: &str,
        seen: &[Outcome],
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<(Single, f64), Broken> {
        let seconds = self.settings.patience / 4.0;
        let mut each: f64 = 0.0;
        let mut series = |random: &mut Stream| -> Result<Vec<Outcome>, Broken> {
            let start = Instant::now();
            let mut outcomes = Vec::with_capacity(SINGLE.0);
            while outcomes.len() < SINGLE.0 {
                if outcomes.len() >= SINGLE.1 && start.elapsed().as_secs_f64() > seconds {
                    break;
                }
                let answer = self.question(child, dataset, (1, seed(random)), interrupted)?;
                outcomes.push(answer.get(0).to_owned());
            }
            each = start.elapsed().as_secs_f64() / outcomes.len() as f64;
            outcomes.truncate(outcomes.len() / NEIGHBORS * NEIGHBORS);
            Ok(outcomes)
        };
        let first = series(random)?;
        if codes(&first).1.len() == 1 {
            // Frequent, or constant for a while?
            let all = seen.iter().chain(&first).cloned().collect::<Vec<_>>();
            let (_, counts) = codes(&all);
            let common = counts.iter().max().copied().unwrap_or(0) as f64 / all.len() as f64;
            let unlikely = seen.len() >= first.len() && {
                let (_, counts) = codes(seen);
                let most = counts.iter().max().copied().unwrap_or(0) as f64 / seen.len() as f64;
                most.powi(first.len() as i32) < CHANCE
            };
            if unlikely {
                return Ok((Single::Repeats, each));
            }
            if common == 1.0 && wait(A_SECOND, interrupted) {
                let later = series(random)?;
                let other = codes(&later).1.len() == 1 && later[0] != first[0];
                return Ok((if other { Single::Repeats } else { Single::Apart }, each));
            }
            return Ok((Single::Apart, each));
        }
        let mut outcomes = first;
        let mut repeats = 0;
        for time in 0..TIMES {
            if time > 0 {
                outcomes = series(random)?;
            }
            let groups = vec![Groups::Runs(2), Groups::Runs(NEIGHBORS)];
            if !is_strange(&[OutcomeSeries::new(&outcomes, groups, false)], SHUFFLES, random) {
                return Ok((Single::Apart, each));
            }
            let same = outcomes.windows(2).filter(|pair| pair[0] == pair[1]).count();
            repeats += usize::from(2 * same > outcomes.len());
        }
        let single = if 2 * repeats > TIMES { Single::Repeats } else { Single::Alike };
        Ok((single, each))
    }
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
