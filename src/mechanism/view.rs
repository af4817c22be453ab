//! Views: other ways to look at an outcome than as it came. Each is a function of the outcome alone, so
//! what is said of what it shows is said of the outcome.

use super::spell::spell_into;
use super::unfold::{may_unfold, unfold};
use super::{Outcome, OutcomeRef, Outcomes};
use std::ops::Range;

/// A way to look at outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// Nested lists and maps, and texts with numbers, taken apart.
    Apart,
    /// Texts as their characters, whole numbers as their bits.
    Spelled,
}

impl View {
    /// All.
    pub(super) const ALL: [Self; Self::COUNT] = [Self::Apart, Self::Spelled];
    /// How many there are.
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

    /// Whether it may show anything of a batch but the outcomes themselves, at a glance.
    pub(super) fn may_change(self, outcomes: &Outcomes) -> bool {
        if outcomes.as_vectors().is_some() {
            return false;
        }
        match self {
            Self::Apart => {
                outcomes.as_numbers().is_none()
                    && outcomes.as_integers().is_none()
                    && outcomes.iter().any(|outcome| may_unfold(&outcome))
            }
            Self::Spelled => true,
        }
    }

    /// Adds to `seen` what it shows of the outcomes at some places of a batch.
    pub(super) fn add(self, outcomes: &Outcomes, places: Range<usize>, seen: &mut Outcomes) {
        let mut letters = Vec::new();
        for outcome in places.map(|place| outcomes.get(place)) {
            match self {
                Self::Apart => match unfold(&outcome) {
                    Some(unfolded) => seen.push(unfolded),
                    None => seen.push_ref(outcome),
                },
                Self::Spelled => {
                    letters.clear();
                    if spell_into(&outcome, &mut letters) {
                        seen.push_vector(&letters);
                    } else {
                        seen.push_ref(outcome);
                    }
                }
            }
        }
    }
}
