//! Batches as views show them.

use super::outcomes::{AT_ONCE, Outcomes};
use super::spell::spell_into;
use super::unfold::{may_unfold, unfold};
use super::view::View;
use std::ops::Range;

impl Outcomes {
    /// The batch as a view shows it, without running times; `None` if that is the batch itself.
    pub(crate) fn seen(&self, view: View) -> Option<&Self> {
        let look = || {
            self.may_look_other(view).then(|| {
                let mut seen = Self::new();
                self.show(view, 0..self.len(), &mut seen);
                Box::new(seen)
            })
        };
        let kept = self.views[view as usize].get_or_init(look).as_deref();
        // Plain numbers and vectors may have been added since.
        kept.filter(|kept| kept.len() == self.len())
    }

    /// Passes on the batch as a view shows it ([`Outcomes::seen`]), a few outcomes at a time,
    /// without keeping them.
    pub(crate) fn for_each_seen(&self, view: View, mut take: impl FnMut(&Self)) {
        if let Some(Some(kept)) = self.views[view as usize].get()
            && kept.len() == self.len()
        {
            return take(kept);
        }
        if !self.may_look_other(view) {
            return take(self);
        }
        let mut seen = Self::new();
        for from in (0..self.len()).step_by(AT_ONCE) {
            seen.clear();
            self.show(view, from..self.len().min(from + AT_ONCE), &mut seen);
            take(&seen);
        }
    }

    /// `false` if a view is sure to show the outcomes unchanged, by a quick test.
    fn may_look_other(&self, view: View) -> bool {
        if self.as_vectors().is_some() {
            return false;
        }
        match view {
            View::Apart => {
                self.as_numbers().is_none()
                    && self.as_integers().is_none()
                    && self.iter().any(|outcome| may_unfold(&outcome))
            }
            View::Spelled => true,
        }
    }

    /// Adds to `seen` a view of the outcomes at some places.
    fn show(&self, view: View, places: Range<usize>, seen: &mut Self) {
        let mut letters = Vec::new();
        for outcome in places.map(|place| self.get(place)) {
            match view {
                View::Apart => match unfold(&outcome) {
                    Some(unfolded) => seen.push(unfolded),
                    None => seen.push_ref(outcome),
                },
                View::Spelled => {
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
