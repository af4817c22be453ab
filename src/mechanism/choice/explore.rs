//! The explorer: every sequence of choices, the likeliest first.

use super::law::{Law, OutcomeKey, Parted};
use super::memo::{Memo, PartLaw};
use super::path::{Beginning, Path};
use super::{ChoiceMechanism, Choices, Rational};
use crate::mechanism::{Outcome, hush, panic_words};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{self, AtomicBool};

/// What an enumeration may cost. Whatever it leaves undone is unresolved mass, so that a smaller
/// budget can only weaken what is proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Runs of the mechanism on one dataset, and of each part for one argument.
    pub runs: u64,
    /// Choices of one run.
    pub depth: usize,
    /// Beginnings of runs that are kept for later, and options of one choice: the memory.
    pub pending: usize,
    /// Binary digits of a mass's denominator. A mass with more is rounded down.
    pub digits: usize,
    /// Open mass at which an enumeration that would go on for long is ended.
    pub enough: f64,
}

impl Default for Budget {
    /// 2 million runs, 10 000 choices a run, a million pending, 256 binary digits, and 2⁻⁵⁰ of
    /// open mass.
    fn default() -> Self {
        Self {
            runs: 2_000_000,
            depth: 10_000,
            pending: 1_000_000,
            digits: 256,
            enough: 1.0 / (1u64 << 50) as f64,
        }
    }
}

/// A mechanism that is no function of its dataset and its choices, so that nothing can be
/// enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the mechanism made other choices when it was run again along the same ones: it must depend \
     on nothing but its dataset and its choices"
)]
pub struct NotRepeatable;

/// Enumerates laws. Laws of parts are found once and used again.
pub struct Explorer(Arc<Memo>);

impl Default for Explorer {
    fn default() -> Self {
        Self::new(Budget::default())
    }
}

impl Explorer {
    /// An explorer with a budget.
    pub fn new(budget: Budget) -> Self {
        Self(Arc::new(Memo::new(budget)))
    }

    /// What, once set, ends its enumerations without a law.
    pub(crate) fn halted(&self) -> &Arc<AtomicBool> {
        &self.0.halted
    }

    /// Its budget.
    pub fn budget(&self) -> Budget {
        self.0.budget
    }

    /// Runs made so far, those of parts included.
    pub fn runs(&self) -> u64 {
        self.0.runs.load(atomic::Ordering::Relaxed)
    }

    /// The law of a mechanism on a dataset.
    ///
    /// # Errors
    /// If the mechanism does not make the same choices again.
    pub fn law<D: ?Sized>(
        &self,
        dataset: &D,
        mechanism: &dyn ChoiceMechanism<D>,
    ) -> Result<Law, NotRepeatable> {
        let run = |choices: &mut Choices<'_>| OutcomeKey(mechanism.release(dataset, choices));
        let law = explore(&self.0, run).map_err(|_| NotRepeatable)?;
        self.0.runs.fetch_add(law.runs, atomic::Ordering::Relaxed);
        if self.0.broken.load(atomic::Ordering::Relaxed) {
            return Err(NotRepeatable);
        }
        let failed = |words: String| OutcomeKey(Outcome::Failure(words));
        let Parted { values, unresolved, runs } = law;
        let values = values.into_iter().map(|(value, mass)| (value.unwrap_or_else(failed), mass));
        Ok(Law::new(Parted { values: values.collect(), unresolved, runs }))
    }
}

/// Why a run did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It became unlikely: later.
    PutAside,
    /// The budget has no room for it.
    OutOfBudget,
    /// It did not repeat itself.
    NotRepeatable,
    /// Nobody waits for it any more.
    Halted,
}

/// A beginning in the queue.
struct Pending {
    mass: f64,
    number: u64,
    beginning: Beginning,
}

impl PartialEq for Pending {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Pending {}
impl PartialOrd for Pending {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Pending {
    /// The heaviest first, and of equal ones the oldest.
    fn cmp(&self, other: &Self) -> Ordering {
        self.mass.total_cmp(&other.mass).then(other.number.cmp(&self.number))
    }
}

/// Masses by value, in the order in which the values were found.
struct MassByValue<T> {
    places: HashMap<T, usize>,
    values: Vec<(T, Rational)>,
}

impl<T: Eq + Hash + Clone> MassByValue<T> {
    /// Whether nothing is missing.
    fn is_whole(&self) -> bool {
        let mut sum = Rational::ZERO;
        self.values.iter().for_each(|(_, mass)| sum += mass);
        sum.is_one()
    }

    fn add(&mut self, value: T, mass: Rational) {
        match self.places.get(&value) {
            Some(&place) => self.values[place].1 += mass,
            None => {
                self.places.insert(value.clone(), self.values.len());
                self.values.push((value, mass));
            }
        }
    }
}

/// Runs beyond those that were enough, in the hope of an end: at least so many, or as many as it
/// took.
const LEAST_RUNS_ON: u64 = 1_000;

/// The law of `run`.
///
/// Enough is when the open mass is at most the budget's. A tree with an end is then followed to
/// it if that is near, so that its law is exact; one without is cut where it was enough.
pub(super) fn explore<T: Eq + Hash + Clone>(
    memo: &Arc<Memo>,
    run: impl Fn(&mut Choices<'_>) -> T,
) -> Result<PartLaw<T>, Stop> {
    let budget = memo.budget;
    let mut found = MassByValue { places: HashMap::new(), values: Vec::new() };
    let mut queue = BinaryHeap::new();
    let mut number = 0;
    let mut push = |queue: &mut BinaryHeap<Pending>, beginning: Beginning| {
        number += 1;
        let mass = beginning.mass.to_f64().value();
        queue.push(Pending { mass, number, beginning });
    };
    push(&mut queue, Beginning { last: None, depth: 0, mass: Rational::ONE });
    let mut runs = 0;
    let mut last_run = budget.runs;
    let mut next_look = 16;
    let mut enough = None;
    let mut ended = false;
    while runs < last_run && queue.len() <= budget.pending {
        if memo.halted.load(atomic::Ordering::Relaxed) {
            return Err(Stop::Halted);
        }
        let Some(Pending { beginning, .. }) = queue.pop() else {
            ended = true;
            break;
        };
        runs += 1;
        let mut path = Path::new(Arc::clone(memo), beginning);
        let call = AssertUnwindSafe(|| run(&mut Choices::along(&mut path)));
        let result = hush::quietly(|| catch_unwind(call));
        let (mass, aside) = path.end();
        match (mass, result) {
            (Err(Stop::NotRepeatable), _) => return Err(Stop::NotRepeatable),
            (Err(_), _) => {}
            (Ok(mass), Ok(value)) => found.add(Ok(value), mass),
            // A part's own, which has no path here.
            (Ok(mass), Err(panic)) => match panic.downcast::<Stop>() {
                Ok(stop) => return Err(*stop),
                Err(panic) => found.add(Err(panic_words(panic.as_ref())), mass),
            },
        }
        aside.into_iter().for_each(|beginning| push(&mut queue, beginning));
        if enough.is_none() && runs >= next_look {
            next_look = runs + (queue.len() as u64 / 4).max(16);
            if queue.iter().map(|pending| pending.mass).sum::<f64>() <= budget.enough {
                enough = Some(found.values.clone());
                last_run = last_run.min(runs + runs.max(LEAST_RUNS_ON));
            }
        }
    }
    let exact = ended && found.is_whole();
    let values = enough.filter(|_| !exact).unwrap_or(found.values);
    Ok(Parted::new(values, runs, budget.digits))
}
