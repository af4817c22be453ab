//! Choices: drawn, or made along a path; and the law of a mechanism that makes them, over every
//! sequence of choices, the likeliest first. The two need one another, since the law of a part is
//! enumerated while a path is followed.

use super::budget::Stop;
use super::draw::{Coin, Weights, below, below_wide};
use super::law::Parted;
use super::memo::{Memo, PartLaw, Value};
use super::path::{Beginning, Path};
use crate::mechanism::hush::{self, panic_words};
use crate::mechanism::outcome::Outcome;
use dashu_ratio::RBig as Rational;
use plaudit_core::random::Stream;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic;

/// Source of a mechanism's randomness.
pub struct Choices<'a>(RandomSource<'a>);

enum RandomSource<'a> {
    Random(&'a mut Stream),
    Path(&'a mut Path),
}

impl<'a> Choices<'a> {
    /// Choices drawn from a random stream.
    pub fn random(stream: &'a mut Stream) -> Self {
        Self(RandomSource::Random(stream))
    }

    fn along(path: &'a mut Path) -> Self {
        Self(RandomSource::Path(path))
    }

    /// Throws a coin: true with its probability, exactly.
    #[inline]
    pub fn coin(&mut self, coin: &Coin) -> bool {
        match &mut self.0 {
            RandomSource::Random(stream) => coin.throw(stream),
            RandomSource::Path(path) => path.coin(coin.probability()),
        }
    }

    /// True with probability `numerator`/`denominator`.
    ///
    /// # Panics
    /// If that is not a probability.
    pub fn chance(&mut self, numerator: u128, denominator: u128) -> bool {
        assert!(
            numerator <= denominator && denominator > 0,
            "{numerator}/{denominator} is not a probability"
        );
        match &mut self.0 {
            RandomSource::Random(stream) => below_wide(stream, denominator) < numerator,
            RandomSource::Path(path) => {
                path.coin(&Rational::from_parts(numerator.into(), denominator.into()))
            }
        }
    }

    /// A whole number in 0..n, each as likely as any other.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn uniform(&mut self, n: u64) -> u64 {
        assert!(n > 0, "there is no whole number below 0 to choose");
        match &mut self.0 {
            RandomSource::Random(stream) => below(stream, n),
            RandomSource::Path(path) => path.uniform(n),
        }
    }

    /// An index of `weights`, with probability proportional to its weight.
    #[inline]
    pub fn weighted(&mut self, weights: &Weights) -> usize {
        match &mut self.0 {
            RandomSource::Random(stream) => weights.draw(stream),
            RandomSource::Path(path) => path.weighted(weights),
        }
    }

    /// Runs a part of a mechanism whose inner choices do not matter, only its result.
    ///
    /// A proof enumerates the part's law once for each argument and then continues along each of
    /// its values, however many paths lead to it, which keeps the number of paths small. `part` is
    /// a function, or a closure without captures: its law depends only on `argument`.
    pub fn part<A: Value, T: Value>(
        &mut self,
        argument: &A,
        part: fn(&A, &mut Choices<'_>) -> T,
    ) -> T {
        match &mut self.0 {
            RandomSource::Random(_) => part(argument, self),
            RandomSource::Path(path) => {
                let memo = path.memo();
                let law = memo.law((part as usize, false), argument, || {
                    enumerate(&memo, |choices| part(argument, choices))
                });
                path.part(law)
            }
        }
    }

    /// Runs a part until it returns a value: rejection sampling. The law of a proof is that of the
    /// endless loop: of one attempt, given that it returns a value. See [`Choices::part`].
    pub fn until<A: Value, T: Value>(
        &mut self,
        argument: &A,
        attempt: fn(&A, &mut Choices<'_>) -> Option<T>,
    ) -> T {
        match &mut self.0 {
            RandomSource::Random(_) => loop {
                if let Some(value) = attempt(argument, self) {
                    return value;
                }
            },
            RandomSource::Path(path) => {
                let memo = path.memo();
                let law = memo.law((attempt as usize, true), argument, || {
                    let law = enumerate(&memo, |choices| attempt(argument, choices));
                    law.map(Parted::accepted)
                });
                path.part(law)
            }
        }
    }
}

/// A randomized function that takes all its randomness from a [`Choices`]. It must be a function of
/// dataset and choices alone: no clock, no other randomness, no memory of earlier runs.
///
/// A closure `|dataset, choices| …` is one.
pub trait ChoiceMechanism<D: ?Sized>: Sync {
    /// Releases one outcome. A panic is also an outcome.
    fn release(&self, dataset: &D, choices: &mut Choices<'_>) -> Outcome;
}

impl<D: ?Sized, O: Into<Outcome>, F: Fn(&D, &mut Choices<'_>) -> O + Sync> ChoiceMechanism<D>
    for F
{
    fn release(&self, dataset: &D, choices: &mut Choices<'_>) -> Outcome {
        self(dataset, choices).into()
    }
}

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
    /// The heaviest first, and among equal ones the oldest.
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

/// Least limit on the runs after those that were enough, in the hope of an end. If more were
/// enough, the limit is as many again.
const LEAST_RUNS_ON: u64 = 1_000;

/// The law of `run`.
///
/// The open mass is small enough if at most the budget's. A finite tree is then followed to its end
/// if that is near, so that its law is exact; an endless one is cut there.
pub(super) fn enumerate<T: Eq + Hash + Clone>(
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
