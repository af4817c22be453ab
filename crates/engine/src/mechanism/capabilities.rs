//! What mechanisms can do beside being run.

use super::choice::ChoiceMechanism;
use super::outcome::Outcome;
use super::recorded::Recordings;
use super::trouble::Trouble;
use plaudit_core::dataset::Sensitivity;
use plaudit_core::random::Stream;
use std::sync::atomic::AtomicBool;

/// What a mechanism can do beside being run, and how it likes to be run. [`Default`]: nothing, and one run after
/// another.
pub struct Capabilities<'a, D: ?Sized> {
    /// Whether runs share nothing but the dataset, so that many on the same dataset may be asked
    /// for at once. If not, each trial is run in the order of the coins: a call counter or a clock in the
    /// mechanism then cannot tell the datasets apart.
    pub independent: bool,
    /// How many runs it likes to be asked for at once, if calling it is dear. `None`: as many as
    /// suit the auditor.
    pub batch: Option<usize>,
    /// The mechanism as a function of its choices, if it is one: then its law can be enumerated.
    pub choices: Option<&'a dyn ChoiceMechanism<D>>,
    /// The releases that it consists of, if each is of numbers of its dataset plus noise, whatever was
    /// released before: then the accountant knows its privacy profile.
    pub releases: Option<Vec<Release>>,
    /// What it adds noise to, if it shows that.
    pub query: Option<&'a dyn Query<D>>,
    /// How far the answers of the query may move between neighbors for its noise to be enough, if it says so.
    pub sensitivity: Option<Sensitivity>,
    /// How it takes the time of its runs, if it does so itself. `None`: the auditor does.
    pub timer: Option<&'a dyn Timer<D>>,
    /// The requests that it gets, if it is asked by text.
    pub requests: Option<&'a dyn Requests<D>>,
    /// The outcomes, if they were recorded elsewhere and nothing can be run.
    pub recordings: Option<&'a Recordings>,
}

impl<D: ?Sized> Default for Capabilities<'_, D> {
    fn default() -> Self {
        Self {
            independent: false,
            batch: None,
            choices: None,
            releases: None,
            query: None,
            sensitivity: None,
            timer: None,
            requests: None,
            recordings: None,
        }
    }
}

impl<D: ?Sized> Capabilities<'_, D> {
    /// Of a mechanism whose runs share nothing but the dataset.
    pub fn independent() -> Self {
        Self { independent: true, ..Self::default() }
    }

    /// The noise that it adds to each number of its dataset, if that is all it does: then the privacy
    /// profile has a closed form.
    pub fn added_noise(&self) -> Option<AddedNoise> {
        match self.releases.as_deref()? {
            [Release { noise, count: 1, of_one_entry: false }] => Some(*noise),
            _ => None,
        }
    }
}

/// What a query answers, without noise: some numbers, or a failure in words.
pub type Answer = Result<Vec<f64>, String>;

/// What a mechanism adds noise to.
pub trait Query<D: ?Sized>: Sync {
    /// The answer, exactly as the mechanism computes it, if it shows that. The same dataset must always get the
    /// same answer.
    ///
    /// # Errors
    /// If it cannot be asked, or `interrupted` was set.
    fn answer(&self, dataset: &D, interrupted: &AtomicBool) -> Result<Option<Answer>, Trouble>;
}

/// Runs that are timed where they are made.
pub trait Timer<D: ?Sized>: Sync {
    /// How many runs it likes to be asked for at once, at least 1.
    fn at_once(&self) -> usize;

    /// Runs in the order of the coins, on the first dataset where a coin is true, else on the second, each with the
    /// nanoseconds that it took. It may make fewer runs than there are coins, but one at least.
    ///
    /// # Errors
    /// If it cannot be run, or `interrupted` was set.
    fn run_timed(
        &self,
        datasets: [&D; 2],
        coins: &[bool],
        random: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Vec<(Outcome, u64)>, Trouble>;
}

/// What a mechanism gets that is asked by text.
pub trait Requests<D: ?Sized>: Sync {
    /// A request for one run on a dataset, for readers who want to try it by hand.
    fn example(&self, dataset: &D) -> String;
}

/// Independent noise on each number of a dataset, as its formula has it: real numbers. What is made
/// of the sums (rounding, say) does not matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AddedNoise {
    /// Of density e^(−|x|/scale)/(2 scale).
    Laplace { scale: f64 },
    /// Of standard deviation sigma.
    Gaussian { sigma: f64 },
}

/// Numbers of a dataset, released with noise on each, once or several times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Release {
    /// The noise.
    pub noise: AddedNoise,
    /// How many times, at least 1, each time with noise of its own.
    pub count: usize,
    /// Whether it is of one of the numbers, not of all. Which one may depend on earlier releases.
    pub of_one_entry: bool,
}

impl Release {
    /// One release of all numbers with this noise.
    pub fn once(noise: AddedNoise) -> Self {
        Self { noise, count: 1, of_one_entry: false }
    }
}
