//! Views: other ways to look at an outcome. Each is a function of the outcome alone, so a statement
//! on the view holds for the outcome.

use super::outcome::{Outcome, OutcomeRef};
use super::spell::spell_into;
use super::unfold::unfold;

/// A way to look at outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// Nested lists, maps, and texts with numbers, unfolded.
    Apart,
    /// Texts as their characters, whole numbers as their bits.
    Spelled,
}

impl View {
    pub(super) const ALL: [Self; Self::COUNT] = [Self::Apart, Self::Spelled];
    pub(super) const COUNT: usize = 2;

    /// View of an outcome; `None` if it is the outcome itself.
    pub(crate) fn of(self, outcome: &OutcomeRef<'_>) -> Option<Outcome> {
        match self {
            Self::Apart => unfold(outcome),
            Self::Spelled => {
                let mut letters = Vec::new();
                spell_into(outcome, &mut letters).then_some(Outcome::Vector(letters))
            }
        }
    }
}
