//! Results of the preliminary requests to a program. Only data: `questions.rs` sends the requests, `plan.rs` decides by them,
//! `words.rs` has the sentences.

use crate::mechanism::{Outcomes, Planned, Trouble};

/// Runs in fresh copies, for each dataset, that measure their cost.
pub(super) const PROBES: u32 = 2;
/// Approximate seconds of a request where its runs are slow.
pub(super) const SECONDS_OF_A_REQUEST: f64 = 2.0;
/// Seconds above which a run is slow.
pub(super) const SLOW_RUN: f64 = 0.02;
/// Fewest trials of an audit where every run takes a request, or a copy, of its own.
pub(super) const MIN_TRIALS: u64 = 100;

/// Answers of a program to the questions before an audit.
pub(super) struct Diagnosis {
    /// D and D′ as they were asked about.
    pub datasets: [String; 2],
    /// Most trials that it was made for.
    pub most: u64,
    /// An error if living copies break down.
    pub observed: Result<Observed, Trouble>,
    /// Fresh copies, if living ones do not do.
    pub fresh: Option<Fresh>,
    /// Breakdown of fresh copies of a function, in words.
    pub copies_broke: Option<String>,
    /// All outcomes of the questions.
    pub seen: Outcomes,
    /// For a function without copies, the first question.
    pub first: Option<FirstAnswer>,
}

impl Diagnosis {
    /// `true` if it holds for such an audit of these datasets: one of more trials may run into what only shows after
    /// many runs.
    pub fn serves(&self, datasets: [&str; 2], planned: Planned) -> bool {
        self.datasets == datasets && planned.most <= self.most
    }
}

/// The first question to a function, which it must answer so again.
pub(super) struct FirstAnswer {
    pub dataset: String,
    /// Runs and seed of each request.
    pub asked: Vec<(usize, u64)>,
    pub answers: Vec<Outcomes>,
}

/// Behavior of living copies.
pub(super) struct Observed {
    pub seeds: Seeds,
    /// `true` if its runs are slow and all outcomes were the same: nothing more was asked.
    pub constant: bool,
    pub state: Option<State>,
    pub sharing: Sharing,
    /// Findings of requests for one run, and their seconds, where runs may need those.
    pub single: Option<(Single, f64)>,
    /// Seconds of a run, and of a request besides its runs.
    pub seconds: (f64, f64),
}

/// Behavior of copies that are asked for one run each.
pub(super) struct Fresh {
    /// Failures on each dataset in [`PROBES`] runs, if living copies break down.
    pub failures: [u32; 2],
    /// `true` if they say the same whatever seed they get.
    pub repeat: bool,
    /// Mean seconds of a run; 0 if they repeat one another.
    pub seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seeds {
    /// The same seed gives the same outcomes, and other seeds give others.
    Followed,
    /// The same seed gives different outcomes.
    Ignored,
    /// All seeds give the same outcomes, or nearly so: undecidable.
    Unseen,
}

/// Dependence of one copy's answers on earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The same seed gives other outcomes after earlier runs.
    SeedGivesOthers,
    /// Copies differ from one another.
    CopiesDiffer,
    /// It fails after earlier runs, and fresh copies do not.
    Fails,
    /// Its outcomes repeat, and those of fresh copies differ.
    Repeats,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sharing {
    Nothing,
    /// Something, or one run is answered differently from many.
    Request(Shared),
    /// Copies that are started and asked together agree; one copy alone does not repeat.
    Copies,
    /// Requests with other seeds, one after the other, have the same outcomes.
    Repeats,
}

/// The part that the runs of a request share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shared {
    /// One outcome for all.
    Outcome,
    /// Something, which makes them more alike than those of several requests.
    Something,
    /// Requests for one run are answered differently from requests for many.
    Alone,
}

/// Behavior of requests for one run, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Single {
    Apart,
    Alike,
    Repeats,
}
