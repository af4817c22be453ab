//! Views: other ways to look at an outcome than as it came. Each is a function of the outcome alone, so
//! what is said of what it shows is said of the outcome.

use super::outcome::{Outcome, OutcomeRef};
use super::spell::spell_into;
use super::unfold::unfold;

/// A way to look at outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// Nested lists and maps, and texts with numbers, taken apart.
    Apart,
    /// Texts as their characters, whole numbers as their bits.
    Spelled,
}

impl View {
    pub(super) const ALL: [Self; Self::COUNT] = [Self::Apart, Self::Spelled];
    pub(super) const COUNT: usize = 2;

    /// What it shows of an outcome; `None` if that is the outcome itself.
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
