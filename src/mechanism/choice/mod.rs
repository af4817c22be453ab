//! Choices: randomness that can be drawn, and can be enumerated.
//!
//! A mechanism that takes all its randomness from a [`Choices`] is written once and runs in two
//! ways. An audit hands it a random stream: coins, uniform integers and weights are then drawn
//! exactly, with integers and no floating point. A proof hands it a path: the [`Explorer`] runs it
//! again and again, each time along another sequence of choices, and adds up the exact
//! probabilities of what it releases ([`Law`]).
//!
//! ```
//! use plaudit::{Choices, Explorer, Outcome};
//!
//! // A die that is thrown again when it shows 6.
//! let law = Explorer::default().law(&(), &|_: &(), choices: &mut Choices<'_>| {
//!     choices.until(&6, |faces, choices| Some(choices.uniform(*faces)).filter(|face| *face < 5))
//! })?;
//! assert_eq!(law.mass(&Outcome::Integer(2)).to_string(), "1/5");
//! assert!(law.unresolved().is_zero());
//! # Ok::<(), plaudit::mechanism::choice::NotRepeatable>(())
//! ```

mod draw;
mod explore;
mod fraction;
mod law;
mod memo;
mod noise;
mod path;

pub use dashu_ratio::RBig as Rational;
pub use draw::{Coin, Weights, WrongWeights};
pub use explore::{Budget, Explorer, NotRepeatable};
pub use fraction::{Fraction, NoFraction};
pub use law::Law;

use super::{Capabilities, Mechanism, Outcome, Outcomes, Trouble};
use crate::random::Stream;
use path::Path;
use std::hash::Hash;
use std::sync::atomic::AtomicBool;

/// Where a mechanism's randomness comes from.
pub struct Choices<'a>(RandomSource<'a>);

enum RandomSource<'a> {
    Random(&'a mut Stream),
    Path(&'a mut Path),
}

/// What a part of a mechanism can release: anything that can be told apart, kept and shared.
pub trait Value: Clone + Eq + Hash + Send + Sync + 'static {}
impl<T: Clone + Eq + Hash + Send + Sync + 'static> Value for T {}

impl<'a> Choices<'a> {
    /// Choices drawn from a random stream.
    pub fn random(stream: &'a mut Stream) -> Self {
        Self(RandomSource::Random(stream))
    }

    pub(super) fn along(path: &'a mut Path) -> Self {
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
    /// If that is no probability.
    pub fn chance(&mut self, numerator: u128, denominator: u128) -> bool {
        assert!(
            numerator <= denominator && denominator > 0,
            "{numerator}/{denominator} is no probability"
        );
        match &mut self.0 {
            RandomSource::Random(stream) => draw::below_wide(stream, denominator) < numerator,
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
            RandomSource::Random(stream) => draw::below(stream, n),
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

    /// Runs a part of a mechanism whose inner choices do not matter, only what it gives.
    ///
    /// A proof enumerates the part's own law once for each argument and then goes on along each of
    /// its values, however many ways lead to it: this is what keeps the number of paths small.
    /// `part` is a function, or a closure that captures nothing, so that its law depends on nothing
    /// but `argument`.
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
                    explore::explore(&memo, |choices| part(argument, choices))
                });
                path.part(law)
            }
        }
    }

    /// Runs a part until it gives something, which is rejection sampling. The law of a proof is
    /// the exact one of the endless loop: that of one attempt, given that it gives something.
    /// Otherwise as [`Choices::part`].
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
                    let law = explore::explore(&memo, |choices| attempt(argument, choices));
                    law.map(law::Parted::accepted)
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
    /// Releases one outcome. A panic is an outcome, too.
    fn release(&self, dataset: &D, choices: &mut Choices<'_>) -> Outcome;
}

impl<D: ?Sized, O: Into<Outcome>, F: Fn(&D, &mut Choices<'_>) -> O + Sync> ChoiceMechanism<D>
    for F
{
    fn release(&self, dataset: &D, choices: &mut Choices<'_>) -> Outcome {
        self(dataset, choices).into()
    }
}

/// A [`ChoiceMechanism`] as a mechanism that audits can run.
pub struct ByChoices<M>(pub M);

impl<D: ?Sized, M: ChoiceMechanism<D>> Mechanism<D> for ByChoices<M> {
    fn fill(
        &self,
        dataset: &D,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        for _ in 0..runs {
            outcomes.push(self.0.release(dataset, &mut Choices::random(random)));
        }
        Ok(())
    }

    /// A function of dataset and choices remembers nothing.
    fn capabilities(&self) -> Capabilities<'_, D> {
        Capabilities { choices: Some(&self.0), ..Capabilities::independent() }
    }
}
