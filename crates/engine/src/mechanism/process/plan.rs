//! How a program is run, by what the questions before an audit told: batch by batch in living copies, one by one, in
//! the order of the coins, or a fresh copy for every run. Nothing is asked here.

use super::diagnosis::{
    Diagnosis, Fresh, MIN_TRIALS, Observed, PROBES, SECONDS_OF_A_REQUEST, Seeds, Sharing, Single,
};
use crate::mechanism::{Planned, Trouble};

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
/// Fewest trials with fresh copies that are worth more than a test that allows for state.
const LEAST_FRESH: u64 = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Mode {
    /// Batches, in living copies.
    Batches,
    /// A fresh copy for every run.
    Fresh,
    /// A request for every run in the order of the coins, in living copies: for programs that do
    /// not follow the seed and may hide a state, or whose runs of a request share something.
    OneByOne,
    /// Run by run in the order of the coins, in living copies.
    InTurn,
}

/// The audited program or function, and its budget.
pub(super) struct Subject {
    /// "program" or "function".
    pub noun: &'static str,
    pub is_function: bool,
    pub has_copies: bool,
    /// Requests answered at once.
    pub threads: f64,
    /// Seconds for each thread that the user allows for slow ways to run it.
    pub patience: f64,
    /// `true` if each of its requests is for one run.
    pub is_asked_singly: bool,
}

impl Subject {
    /// Number of steps of so many seconds that the user's patience allows.
    pub fn affordable(&self, each: f64) -> u64 {
        (self.patience * self.threads / each.max(1e-9)) as u64
    }

    /// Ending of a note that runs depend on earlier ones.
    fn in_turn(&self) -> String {
        let place = if self.is_function { "" } else { "in one copy that lives on, " };
        format!(
            "runs were made one by one in the order of the coins, {place}and judged by a test that allows for earlier runs: \
             the claim is tested for each release given all releases before it."
        )
    }
}

/// How the program is run for a look of an audit.
pub(super) struct Plan {
    pub mode: Mode,
    pub trials: u64,
    /// `true` if its runs depend on earlier ones.
    pub stateful: bool,
    pub follows_seed: bool,
    /// Most runs of a request.
    pub most_runs: u64,
    /// Notes for readers of the report.
    pub notes: Vec<String>,
}

impl Plan {
    /// The plan for so many trials.
    ///
    /// # Errors
    /// If no way of running it gives counts that a test can judge.
    pub fn of(
        Diagnosis { observed, fresh, note, .. }: &Diagnosis,
        Planned { trials, one_by_one, .. }: Planned,
        subject: &Subject,
    ) -> Result<Self, Trouble> {
        let plan = |mode, trials, stateful| Self {
            mode,
            trials,
            stateful,
            follows_seed: false,
            most_runs: most_runs(trials, (0.0, 0.0), subject.threads),
            notes: note.iter().cloned().collect(),
        };
        let unlike = format!(
            "A copy of the {} that lives on does not behave like a fresh one",
            subject.noun
        );
        let (mut plan, why, least) = match observed {
            Ok(Observed { seeds, state, seconds, .. }) => {
                let plan = Self {
                    follows_seed: *seeds == Seeds::Followed,
                    most_runs: most_runs(trials, *seconds, subject.threads),
                    ..plan(Mode::Batches, trials, false)
                }
                .noting(seeds.words(subject.noun));
                let Some(words) = state else {
                    return plan.without_state(observed.as_ref().ok(), one_by_one, subject);
                };
                if !subject.has_copies {
                    let judged_so = subject.in_turn();
                    let words =
                        format!("The function depends on earlier calls: {words}. So {judged_so}");
                    return Ok(plan.in_turn(words));
                }
                (plan, format!("{unlike}: {words}."), LEAST_FRESH)
            }
            Err(trouble) => {
                let why = match fresh.as_ref().and_then(|fresh| fresh.failures) {
                    Some([d, d_prime]) if d + d_prime > 0 => {
                        // An adversary sees it: it is part of the audit, and not state.
                        format!(
                            "The program breaks down in fresh copies, too (of {PROBES} runs on D in {d}, \
                             of {PROBES} on D′ in {d_prime})."
                        )
                    }
                    _ => format!("{unlike}: it breaks down."),
                };
                let stop = if trouble.to_string().ends_with('.') { "" } else { "." };
                let plan = plan(Mode::Fresh, trials, false);
                (plan, format!("{why} {trouble}{stop}"), MIN_TRIALS)
            }
        };
        let judged_so = subject.in_turn();
        let Some(Fresh { seconds: each, .. }) = fresh.as_ref().filter(|fresh| !fresh.repeat) else {
            return Ok(plan.in_turn(format!(
                "{why} Fresh copies say the same whatever seed they get, as a generator does that \
                 is seeded when the program starts. So {judged_so}"
            )));
        };
        let affordable = subject.affordable(*each);
        if affordable < trials.min(least) {
            return Ok(plan.in_turn(format!(
                "{why} Fresh copies for each run were too dear ({each:.3} s a run; `patience` in the spec \
                 allows more), so {judged_so}"
            )));
        }
        plan.trials = trials.min(affordable);
        plan.mode = Mode::Fresh;
        let trials = plan.trials;
        Ok(plan.noting(Some(format!(
            "{why} So each run was made in a fresh copy, {trials} of them (a fresh run takes \
             {each:.3} s; `patience` in the spec allows more or fewer); a breakdown is an \
             outcome."
        ))))
    }

    /// Seconds that each run takes of an audit's time, where so many requests are answered at once.
    pub fn seconds_of_a_run(&self, diagnosis: &Diagnosis, threads: f64) -> Option<f64> {
        let observed = diagnosis.observed.as_ref().ok();
        let request = observed.map(|Observed { single, seconds: (of_run, of_request), .. }| {
            single.map_or(of_run + of_request, |(_, seconds)| seconds)
        });
        match self.mode {
            Mode::Batches => observed.map(|observed| observed.seconds.0 / threads),
            Mode::OneByOne | Mode::InTurn => request,
            Mode::Fresh => diagnosis.fresh.as_ref().map(|fresh| fresh.seconds / threads),
        }
    }

    fn noting(mut self, words: Option<String>) -> Self {
        self.notes.extend(words);
        self
    }

    /// Run by run in the order of the coins.
    fn in_turn(self, why: String) -> Self {
        Self { mode: Mode::InTurn, stateful: true, ..self }.noting(Some(why))
    }

    /// Each run by a request of its own.
    fn one_by_one(self, trials: u64, why: Option<String>) -> Self {
        Self { mode: Mode::OneByOne, trials, ..self }.noting(why)
    }

    /// Way to run a program whose copies behave like fresh ones. Where it does not follow the seed,
    /// a dependence of its runs on earlier ones cannot be seen, so they are in the order of the
    /// coins, if there is time for that. Where the runs of a request share something, each has a
    /// request of its own.
    fn without_state(
        self,
        observed: Option<&Observed>,
        one_by_one: bool,
        subject: &Subject,
    ) -> Result<Self, Trouble> {
        let Some(Observed { sharing, single, .. }) = observed else { return Ok(self) };
        let (single, each) = single.unwrap_or((Single::Apart, 0.0));
        let (affordable, trials) = (subject.affordable(each), self.trials);
        let (micros, noun) = (each * 1e6, subject.noun);
        let repeats = |when: &str| {
            Trouble::Broken(format!(
                "The {noun} repeats itself: requests with different seeds, asked {when}, had the \
                 same outcomes. So its runs are no independent draws, and no test can count them. \
                 Seed its generator with the `seed` of each request: not with a fixed number, and \
                 not with the time."
            ))
        };
        let in_turn = |why: &str| format!("{why} So {}", subject.in_turn());
        Ok(match (sharing, single) {
            (Sharing::Repeats(when), _) => return Err(repeats(when)),
            (_, Single::Repeats) => return Err(repeats("one after the other")),
            (Sharing::Copies, _) if subject.is_function => self.in_turn(in_turn(
                "Requests that are made at the same time repeat one another, whatever seeds they get.",
            )),
            (Sharing::Copies, _) => self.in_turn(in_turn(
                "Copies of the program that are started or asked at the same time repeat one \
                 another, whatever seeds they get.",
            )),
            (_, Single::Alike) => self
                .in_turn(in_turn("Outcomes of requests that follow one another hang together.")),
            (Sharing::Nothing, _) if one_by_one => self.one_by_one(trials, None),
            (Sharing::Nothing, _) if self.follows_seed => self,
            (Sharing::Nothing, _) if subject.is_asked_singly => self.one_by_one(trials, None),
            (Sharing::Nothing, _) if affordable >= trials => {
                let why = "Its runs were asked for one by one, in the order of the coins, so that a \
                           counter or a drift cannot look like a difference between the datasets.";
                self.one_by_one(trials, Some(why.to_owned()))
            }
            (Sharing::Nothing, _) => self.noting(Some(format!(
                "Its runs were asked for in batches of one dataset, which came in random \
                 order, so a slow drift may look like a difference between the datasets; \
                 none showed when some batches were compared. (One by one a run takes \
                 {micros:.0} microseconds, too long for all of them; `patience` in the spec \
                 allows more.)"
            ))),
            (Sharing::Request(what), _) if affordable >= trials.min(MIN_TRIALS) => {
                let trials = trials.min(affordable);
                let why = format!(
                    "{what}. So each run was asked for by a request of its own, {trials} of them, in the order of the \
                     coins (such a request takes {micros:.0} microseconds; `patience` in the spec \
                     allows more or fewer)."
                );
                self.one_by_one(trials, Some(why))
            }
            (Sharing::Request(what), _) => {
                return Err(Trouble::Broken(format!(
                    "{what}. Asked for by a request of its own, each run takes {micros:.0} microseconds, too long for an \
                     audit: raise `patience`, or draw nothing that the runs of a request share."
                )));
            }
        })
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
#[path = "../../../tests/unit/mechanism/process/plan.rs"]
mod tests;
