//! Compositions: lists of events.

use super::error::AccountantError;
use super::event::{Event, Sampling};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A list of events: all that happens to one dataset, each later step free to depend on what came
/// out before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Composition {
    pub(super) events: Vec<Event>,
}

impl Composition {
    /// A composition of these events.
    ///
    /// # Errors
    /// As [`Composition::check`].
    pub fn new(events: Vec<Event>) -> Result<Self, AccountantError> {
        let composition = Self { events };
        composition.check()?;
        Ok(composition)
    }

    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The neighboring relation that it is accounted for, in words.
    pub fn relation(&self) -> &'static str {
        match self.events.iter().find_map(|event| event.sampling) {
            Some(Sampling::Poisson(_)) => "add/remove one row",
            Some(Sampling::WithoutReplacement(_) | Sampling::PoissonSubstitution(_)) => {
                "substitution of one row"
            }
            None => "that of the sensitivities and of the claims that the events make",
        }
    }

    /// Checks that there are events, that their numbers are possible and that they agree on the
    /// neighboring relation.
    ///
    /// # Errors
    /// Names the number that is not possible, and what it must be.
    pub fn check(&self) -> Result<(), AccountantError> {
        if self.events.is_empty() {
            return Err(AccountantError::Empty);
        }
        self.events.iter().try_for_each(Event::check)?;
        let any = |wanted: fn(Sampling) -> bool| {
            self.events.iter().filter_map(|event| event.sampling).any(wanted)
        };
        if any(Sampling::is_of_substitution) && any(|s| !s.is_of_substitution()) {
            return Err(AccountantError::Relations);
        }
        Ok(())
    }
}
