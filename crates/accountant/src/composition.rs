//! Compositions: lists of events.

use super::error::AccountantError;
use super::event::{Event, Relation};
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
    pub fn relation(&self) -> String {
        let mut stated = self.events.iter().map(Event::relation);
        stated.find(|it| *it != Relation::AsStated).unwrap_or(Relation::AsStated).words()
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
        let mut related = self.events.iter().filter(|event| event.relation() != Relation::AsStated);
        let first = related.next();
        match first.zip(related.find(|it| Some(it.relation()) != first.map(Event::relation))) {
            Some((one, other)) => Err(AccountantError::Relations {
                one: one.to_string(),
                other: other.to_string(),
                relations: (one.relation().words(), other.relation().words()),
            }),
            None => Ok(()),
        }
    }
}
