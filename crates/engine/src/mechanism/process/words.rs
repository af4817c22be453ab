//! All findings about programs and their failures, in words.

use super::Process;
use super::diagnosis::{PROBES, Shared, State};
use super::plan::{Finding, Note, Remedy};
use super::session::Breakdowns;
use crate::mechanism::Trouble;
use crate::mechanism::program::{Broken, ProgramFailure, Request};
use plaudit_core::visible;

impl Process {
    fn noun(&self) -> &'static str {
        if self.function.is_some() { "function" } else { "program" }
    }

    /// The setting for runs that depend on earlier ones.
    fn stateful(&self) -> &'static str {
        match &self.function {
            Some(_) => "stateful=True",
            None => "`stateful = true` in the spec",
        }
    }

    /// A request that could not be made, or whose answer is not one.
    pub(super) fn broken(&self, failure: ProgramFailure, request: &Request<'_>) -> Trouble {
        self.trouble(&Broken::new(failure, request, ""))
    }

    pub(super) fn trouble(&self, broken: &Broken) -> Trouble {
        broken.trouble(self.noun(), self.settings.timeout)
    }

    /// Keeps a breakdown after which a fresh copy answered; on which dataset, if trials were played.
    pub(super) fn note_breakdown(
        &self,
        failure: &ProgramFailure,
        request: &Request<'_>,
        in_trials: bool,
    ) {
        let words = || format!("{} on {}", failure.words(self.settings.timeout), request.words());
        let dataset = in_trials.then_some(request.dataset);
        self.session.known().breakdowns.add(dataset, words);
    }

    /// All notes on how it was run.
    pub(super) fn all_notes(&self) -> Vec<String> {
        let known = self.session.known();
        let mut notes: Vec<String> = known.plan.notes.iter().map(|note| self.note(note)).collect();
        if let Breakdowns { all, first: Some(first), .. } = &known.breakdowns {
            let times = if *all == 1 { "once".into() } else { format!("{all} times") };
            notes.push(format!(
                "The program broke down {times} and was asked again in a fresh copy, which \
                 answered; the first time {first}. An adversary may see such breakdowns: \
                 the results here cover only the runs that were answered."
            ));
        }
        notes
    }

    pub(super) fn note(&self, (finding, remedy): &Note) -> String {
        let finding = self.finding(finding);
        let (copy, place) = match &self.function {
            Some(_) => ("", ""),
            None => ("in one copy that lives on, ", " in the spec"),
        };
        let in_turn = format!(
            "runs were made one by one in the order of the coins, {copy}and tested by a test that allows for earlier runs: \
             the claim is tested for each release given all releases before it."
        );
        let micros = |each: &f64| format!("{:.0} microseconds", each * 1e6);
        match remedy {
            Remedy::Told => finding,
            Remedy::InTurn => format!("{finding} So {in_turn}"),
            Remedy::InTurnForRepeatingCopies => format!(
                "{finding} Fresh copies say the same whatever seed they get, as a generator does that is seeded when the \
                 program starts. So {in_turn}"
            ),
            Remedy::InTurnForDearCopies(each) => format!(
                "{finding} Fresh copies for each run were too dear ({each:.3} s a run; `patience`{place} allows \
                 more), so {in_turn}"
            ),
            Remedy::Fresh(trials, each) => format!(
                "{finding} So each run was made in a fresh copy, {trials} of them (a fresh run takes {each:.3} s; \
                 `patience`{place} allows more or fewer); a breakdown is an outcome."
            ),
            Remedy::InOrder => {
                format!(
                    "{finding} So its runs were asked for one by one, in the order of the coins."
                )
            }
            Remedy::OneByOne(trials, each) => format!(
                "{finding} So each run was asked for by a request of its own, {trials} of them, in the order of the coins \
                 (such a request takes {}; `patience`{place} allows more or fewer).",
                micros(each)
            ),
            Remedy::Batches(each) => format!(
                "{finding} Its runs were asked for in batches of one dataset, which came in random order, so a slow drift \
                 may look like a difference between the datasets; none showed when some batches were compared. (One by \
                 one a run takes {}, too long for all of them; `patience`{place} allows more.)",
                micros(each)
            ),
            Remedy::TooDear(each) => format!(
                "{finding} Asked for by a request of its own, each run takes {}, too long for an audit: raise \
                 `patience`, or draw nothing that the runs of a request share.",
                micros(each)
            ),
        }
    }

    fn finding(&self, finding: &Finding) -> String {
        let noun = self.noun();
        let by_signs = format!(
            "Independence of its runs from earlier ones was checked only by signs, and the results here \
             rely on it; {} does not need it.",
            self.stateful()
        );
        match finding {
            Finding::CopiesBroke(words) => format!(
                "Fresh copies of the function, by fork, broke down ({words}). So state kept between calls \
                 was only looked for within one process."
            ),
            Finding::SeedIgnored => format!(
                "The {noun} does not follow the seed that it is given: the same seed gave other outcomes, so this report \
                 cannot be repeated exactly. {by_signs}"
            ),
            Finding::SeedUnseen => format!(
                "Whether the {noun} follows the seed that it is given could not be determined: its outcomes are \
                 nearly all the same, whatever the seed. So it may be that this report cannot be repeated exactly. {by_signs}"
            ),
            Finding::Constant => "All outcomes of the preliminary requests were the same; no further requests were made.".into(),
            Finding::OrderUnseen => {
                "A counter or a drift can look like a difference between the datasets.".into()
            }
            Finding::State(state) if self.function.is_some() && !self.has_copies() => {
                format!("The function depends on earlier calls: {}.", state_words(*state))
            }
            Finding::State(state) => format!(
                "A copy of the {noun} that lives on does not behave like a fresh one: {}.",
                state_words(*state)
            ),
            Finding::BreaksDown([0, 0], trouble) => format!(
                "A copy of the {noun} that lives on does not behave like a fresh one: it breaks down. {}",
                sentence(trouble)
            ),
            // An adversary sees it: it is part of the audit, and not state.
            Finding::BreaksDown([d, d_prime], trouble) => format!(
                "The program breaks down in fresh copies, too (of {PROBES} runs on D in {d}, of {PROBES} on D′ in \
                 {d_prime}). {}",
                sentence(trouble)
            ),
            Finding::CopiesRepeat if self.function.is_some() => {
                "Requests that are made at the same time repeat one another, whatever seeds they get.".into()
            }
            Finding::CopiesRepeat => "Copies that run at the same time repeat one another, whatever seeds they get.".into(),
            Finding::Correlated => {
                "Outcomes of consecutive requests are correlated.".into()
            }
            Finding::Shares(shared) => shared_words(*shared).into(),
            Finding::Repeats => format!(
                "The {noun} repeats itself: requests with different seeds, asked one after the other, had the same \
                 outcomes. So its runs are not independent draws, and no test can use their counts. Seed its generator with the \
                 `seed` of each request: not with a fixed number, and not with the time."
            ),
        }
    }

    /// After this number of requests, while trials were run, a living copy answered differently from a fresh one, or a function
    /// without copies its first question.
    pub(super) fn unlike(&self, age: u64) -> Trouble {
        let noun = self.noun();
        let how = if self.has_copies() { "like a fresh copy of it" } else { "as it did at first" };
        Trouble::Broken(format!(
            "The {noun} does not behave {how}: after {age} requests it answered one otherwise, with the same seed. So \
             its runs depend on earlier ones, and their counts prove nothing. Keep nothing from one request to the next, or \
             say {}: each run is tested given all before it then.",
            self.stateful()
        ))
    }

    pub(super) fn not_deterministic(value: &str, again: &str) -> Trouble {
        Trouble::Broken(format!(
            "The clean stage is not deterministic: on one dataset it answered {}, but in another run {}. Runs of \
             the noise stage on one of these answers do not represent whole runs: draw all randomness in the noise stage, or \
             audit whole runs (`command` in place of `stages`).",
            visible::excerpt(value.as_bytes()),
            visible::excerpt(again.as_bytes())
        ))
    }
}

fn sentence(words: &str) -> String {
    format!("{}.", words.strip_suffix('.').unwrap_or(words))
}

fn state_words(state: State) -> &'static str {
    match state {
        State::SeedGivesOthers => "the same seed gives other outcomes after earlier runs",
        State::CopiesDiffer => "copies of it differ from one another",
        State::Fails => "it fails after earlier runs, and fresh copies do not",
        State::Repeats => "its outcomes repeat, and those of fresh copies differ",
    }
}

fn shared_words(shared: Shared) -> &'static str {
    match shared {
        Shared::Outcome => {
            "The runs of a request are not independent of one another: all outcomes of a request are one."
        }
        Shared::Something => {
            "The runs of a request are not independent of one another: the outcomes of one request are more alike than \
             those of several, or depend on their place in it."
        }
        Shared::Alone => "Requests for one run are answered differently from requests for many.",
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/mechanism/process/words.rs"]
mod tests;
