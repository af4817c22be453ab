//! Choices: randomness that can be drawn or enumerated.
//!
//! A mechanism that takes all its randomness from a [`Choices`] is written once and runs in two
//! ways. An audit passes a random stream: coins, uniform integers and weights are then drawn
//! exactly, with integers and no floating point. A proof passes a path: the [`Explorer`] runs it
//! repeatedly, each time along another sequence of choices, and adds up the exact probabilities of
//! its outcomes ([`Law`]).
//!
//! ```
//! # mod plaudit {
//! #     pub use plaudit_engine::mechanism::{self, Choices, Outcome, choice::Explorer};
//! # }
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

mod budget;
mod choices;
mod draw;
mod explore;
mod fraction;
mod law;
mod memo;
mod noise;
mod path;

pub use budget::Budget;
pub use choices::{ChoiceMechanism, Choices};
pub use dashu_ratio::RBig as Rational;
pub use draw::{Coin, Weights, WrongWeights};
pub use explore::{Explorer, NotRepeatable};
pub use fraction::{Fraction, NoFraction};
pub use law::Law;
pub use memo::Value;

use super::{Capabilities, Mechanism, Outcomes, Trouble};
use plaudit_core::random::Stream;
use std::sync::atomic::AtomicBool;

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
