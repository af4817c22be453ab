//! Capabilities of mechanisms besides being run.

use super::choice::ChoiceMechanism;
use super::outcome::Outcome;
use super::recorded::Recordings;
use super::trouble::Trouble;
use plaudit_aligned::Written;
use plaudit_core::dataset::Sensitivity;
use plaudit_core::random::Stream;
use std::sync::atomic::AtomicBool;

/// Capabilities of a mechanism besides being run, and its preferred way to be run. [`Default`]:
/// none, and one run after another.
pub struct Capabilities<'a, D: ?Sized> {
    /// `true` if runs share nothing but the dataset, so that many on the same dataset may be
    /// requested at once. If not, each trial is run in the order of the coins: a call counter or a
    /// clock in the mechanism then cannot distinguish the datasets.
    pub independent: bool,
    /// Preferred number of runs per call, if a call is expensive. `None`: the auditor chooses.
    pub batch: Option<usize>,
    /// `true` if a run takes so long that all threads should have some, however few there are.
    pub slow: bool,
    /// The mechanism as a function of its choices, if it is one: then its law can be enumerated.
    pub choices: Option<&'a dyn ChoiceMechanism<D>>,
    /// The mechanism as a function of its draws of real noise, if it is one: then its paths can be followed.
    pub drawn: Option<&'a dyn Written>,
    /// The releases that it consists of, if each is of numbers of its dataset plus noise, whatever
    /// was released before: then the accountant knows its privacy profile.
    pub releases: Option<Vec<Release>>,
    /// The query that noise is added to, if available.
    pub query: Option<&'a dyn Query<D>>,
    /// Sensitivity of the query for which the noise suffices, if declared.
    pub sensitivity: Option<Sensitivity>,
    /// Timer of its runs, if it measures their time itself. `None`: the auditor does.
    pub timer: Option<&'a dyn Timer<D>>,
    /// Its requests, if it is asked by text.
    pub requests: Option<&'a dyn Requests<D>>,
    /// The outcomes, if they were recorded elsewhere and nothing can be run.
    pub recordings: Option<&'a Recordings>,
}

impl<D: ?Sized> Default for Capabilities<'_, D> {
    fn default() -> Self {
        Self {
            independent: false,
            batch: None,
            slow: false,
            choices: None,
            drawn: None,
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
    /// For a mechanism whose runs share nothing but the dataset.
    pub fn independent() -> Self {
        Self { independent: true, ..Self::default() }
    }

    /// The noise added to each number of the dataset, if that is all it does: then the privacy
    /// profile has a closed form.
    pub fn added_noise(&self) -> Option<AddedNoise> {
        match self.releases.as_deref()? {
            [Release { noise, count: 1, of_one_entry: false }] => Some(*noise),
            _ => None,
        }
    }
}

/// Answer of a query, without noise: numbers, or a failure in words.
pub type Answer = Result<Vec<f64>, String>;

/// The query that a mechanism adds noise to.
pub trait Query<D: ?Sized>: Sync {
    /// The answer, exactly as the mechanism computes it: always the same for the same dataset.
    ///
    /// # Errors
    /// If it cannot be asked, or `interrupted` was set.
    fn answer(&self, dataset: &D, interrupted: &AtomicBool) -> Result<Option<Answer>, Trouble>;
}

/// A mechanism that times its own runs.
pub trait Timer<D: ?Sized>: Sync {
    /// Preferred number of runs per call, at least 1.
    fn at_once(&self) -> usize;

    /// Makes runs in the order of the coins, on the first dataset where a coin is true, else on the
    /// second, each with its time in nanoseconds. It may make fewer runs than there are coins, but
    /// at least one.
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

/// Requests of a mechanism that is asked by text.
pub trait Requests<D: ?Sized>: Sync {
    /// A request for one run on a dataset, for readers who want to try it by hand.
    fn example(&self, dataset: &D) -> String;
}

/// Independent noise on each number of a dataset, by its formula: real numbers. Processing of the
/// sums (such as rounding) does not matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AddedNoise {
    /// Noise of density e^(−|x|/scale)/(2 scale).
    Laplace { scale: f64 },
    /// Noise of standard deviation sigma.
    Gaussian { sigma: f64 },
}

/// Numbers of a dataset, released with noise on each, once or several times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Release {
    pub noise: AddedNoise,
    /// Number of releases, at least 1, each with its own noise.
    pub count: usize,
    /// `true` if only one of the numbers is released. Its choice may depend on earlier releases.
    pub of_one_entry: bool,
}

impl Release {
    /// One release of all numbers with this noise.
    pub fn once(noise: AddedNoise) -> Self {
        Self { noise, count: 1, of_one_entry: false }
    }
}
