//! How a program is run, according to the preliminary requests: batch by batch in living copies, one by one, in
//! the order of the coins, or a fresh copy for every run. Nothing is asked here.

use super::diagnosis::{
    Diagnosis, Fresh, MIN_TRIALS, Observed, SECONDS_OF_A_REQUEST, SLOW_RUN, Seeds, Shared, Sharing,
    Single, State,
};
use crate::mechanism::Planned;

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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// Batches, in living copies.
    #[default]
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
    pub has_copies: bool,
    /// Requests answered at once.
    pub threads: f64,
    /// Seconds for each thread that the user allows for slow ways to run it.
    pub patience: f64,
    /// `true` if each of its requests is for one run.
    pub is_asked_singly: bool,
}

impl Subject {
    /// Number of steps of this length in seconds that the user's patience allows.
    pub fn affordable(&self, each: f64) -> u64 {
        (self.patience * self.threads / each.max(1e-9)) as u64
    }
}

/// An observation of a program that decides how it is run, or that its report must state.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Finding {
    /// Fresh copies of a function broke down.
    CopiesBroke(String),
    SeedIgnored,
    SeedUnseen,
    /// All outcomes of slow runs were the same.
    Constant,
    /// Without a seed that is followed, a counter or a drift of its runs cannot be seen.
    OrderUnseen,
    /// Its answers depend on earlier ones.
    State(State),
    /// Living copies break down; failures of fresh copies on each dataset, and how the living ones failed.
    BreaksDown([u32; 2], String),
    /// Copies that are started or asked at the same time repeat one another.
    CopiesRepeat,
    /// Requests for one run that follow one another are correlated.
    Correlated,
    Shares(Shared),
    /// Requests with other seeds have the same outcomes.
    Repeats,
}

/// Consequence of a finding; seconds are those of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Remedy {
    /// It is reported: in a note, or as the reason why there is no audit.
    Told,
    /// Runs in the order of the coins, and a test that allows for state.
    InTurn,
    /// The same, as fresh copies repeat one another.
    InTurnForRepeatingCopies,
    /// The same, with the seconds that fresh copies take.
    InTurnForDearCopies(f64),
    /// So many runs in fresh copies.
    Fresh(u64, f64),
    /// A request for each run, in the order of the coins.
    InOrder,
    /// The same, for this number of runs.
    OneByOne(u64, f64),
    /// Batches nevertheless: single runs take this number of seconds.
    Batches(f64),
    /// The audit is inconclusive: single runs take this number of seconds.
    TooDear(f64),
}

/// A finding and what was done: a note for readers of the report, or the reason why there was no audit.
pub(super) type Note = (Finding, Remedy);

/// How the program is run for a look of an audit.
#[derive(Debug)]
pub(super) struct Plan {
    pub mode: Mode,
    pub trials: u64,
    /// `true` if its runs depend on earlier ones.
    pub stateful: bool,
    pub follows_seed: bool,
    /// Most runs of a request.
    pub most_runs: u64,
    /// `true` if a run takes more than [`SLOW_RUN`] seconds.
    pub slow: bool,
    pub notes: Vec<Note>,
}

/// Batches of any size: before the questions.
impl Default for Plan {
    fn default() -> Self {
        let (mode, most_runs) = (Mode::Batches, u64::MAX);
        let (trials, slow, notes) = (0, false, Vec::new());
        Self { mode, trials, stateful: false, follows_seed: false, most_runs, slow, notes }
    }
}

impl Plan {
    /// The plan for this number of trials.
    ///
    /// # Errors
    /// If no way of running it gives counts that a test can judge.
    pub fn of(
        diagnosis: &Diagnosis,
        Planned { trials, one_by_one, .. }: Planned,
        subject: &Subject,
    ) -> Result<Self, Note> {
        let broke = diagnosis.copies_broke.iter().cloned();
        let notes = broke.map(|words| (Finding::CopiesBroke(words), Remedy::Told)).collect();
        let seconds = diagnosis.observed.as_ref().map_or((0.0, 0.0), |observed| observed.seconds);
        let most_runs = most_runs(trials, seconds, subject.threads);
        let slow = seconds.0 > SLOW_RUN;
        let plan = Self { trials, notes, most_runs, slow, ..Self::default() };
        let copies = (diagnosis.fresh.as_ref(), subject);
        let observed = match &diagnosis.observed {
            Ok(observed) => observed,
            Err(trouble) => {
                let failures = copies.0.map_or([0, 0], |fresh| fresh.failures);
                let why = Finding::BreaksDown(failures, trouble.to_string());
                return Ok(plan.in_fresh_copies(why, MIN_TRIALS, copies));
            }
        };
        let plan = match observed.seeds {
            Seeds::Followed => Self { follows_seed: true, ..plan },
            Seeds::Ignored => plan.noting(Finding::SeedIgnored, Remedy::Told),
            Seeds::Unseen => plan.noting(Finding::SeedUnseen, Remedy::Told),
        };
        match observed.state.map(Finding::State) {
            None if observed.constant => Ok(plan.in_turn(Finding::Constant, Remedy::InTurn)),
            None => plan.without_state(observed, one_by_one, subject),
            Some(why) if !subject.has_copies => Ok(plan.in_turn(why, Remedy::InTurn)),
            Some(why) => Ok(plan.in_fresh_copies(why, LEAST_FRESH, copies)),
        }
    }

    /// Each run in a fresh copy, if there is time for at least this number; else in turn.
    fn in_fresh_copies(
        mut self,
        why: Finding,
        least: u64,
        (fresh, subject): (Option<&Fresh>, &Subject),
    ) -> Self {
        let Some(Fresh { seconds: each, .. }) = fresh.filter(|fresh| !fresh.repeat) else {
            return self.in_turn(why, Remedy::InTurnForRepeatingCopies);
        };
        let affordable = subject.affordable(*each);
        if affordable < self.trials.min(least) {
            return self.in_turn(why, Remedy::InTurnForDearCopies(*each));
        }
        self.trials = self.trials.min(affordable);
        self.mode = Mode::Fresh;
        let remedy = Remedy::Fresh(self.trials, *each);
        self.noting(why, remedy)
    }

    /// Seconds that each run takes of an audit's time, where this number of requests is answered at once.
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

    fn noting(mut self, finding: Finding, remedy: Remedy) -> Self {
        self.notes.push((finding, remedy));
        self
    }

    /// Run by run in the order of the coins.
    fn in_turn(self, finding: Finding, remedy: Remedy) -> Self {
        Self { mode: Mode::InTurn, stateful: true, ..self }.noting(finding, remedy)
    }

    /// Each run by a request of its own, without a note.
    fn one_by_one(self) -> Self {
        Self { mode: Mode::OneByOne, ..self }
    }

    /// Way to run a program whose copies behave like fresh ones.
    fn without_state(
        self,
        Observed { sharing, single, .. }: &Observed,
        one_by_one: bool,
        subject: &Subject,
    ) -> Result<Self, Note> {
        let (single, each) = single.unwrap_or((Single::Apart, 0.0));
        Ok(match (sharing, single) {
            (Sharing::Repeats, _) | (_, Single::Repeats) => {
                return Err((Finding::Repeats, Remedy::Told));
            }
            (Sharing::Copies, _) => self.in_turn(Finding::CopiesRepeat, Remedy::InTurn),
            (_, Single::Alike) => self.in_turn(Finding::Correlated, Remedy::InTurn),
            (Sharing::Nothing, _) if one_by_one => self.one_by_one(),
            (Sharing::Nothing, _) => self.independent(each, subject),
            (Sharing::Request(shared), _) => self.sharing(*shared, each, subject)?,
        })
    }

    /// Where it does not follow the seed, a dependence of its runs on earlier ones cannot be seen, so they are in the
    /// order of the coins, if there is time for that.
    fn independent(self, each: f64, subject: &Subject) -> Self {
        match subject.affordable(each) >= self.trials {
            _ if self.follows_seed => self,
            _ if subject.is_asked_singly => self.one_by_one(),
            true => self.one_by_one().noting(Finding::OrderUnseen, Remedy::InOrder),
            false => self.noting(Finding::OrderUnseen, Remedy::Batches(each)),
        }
    }

    /// Where the runs of a request share something, each has a request of its own.
    fn sharing(mut self, shared: Shared, each: f64, subject: &Subject) -> Result<Self, Note> {
        let affordable = subject.affordable(each);
        if affordable < self.trials.min(MIN_TRIALS) {
            return Err((Finding::Shares(shared), Remedy::TooDear(each)));
        }
        self.trials = self.trials.min(affordable);
        let remedy = Remedy::OneByOne(self.trials, each);
        Ok(self.one_by_one().noting(Finding::Shares(shared), remedy))
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
