//! The sample that scorers are proposed from.

use crate::mechanism::{OutcomeRef, Outcomes, View};
use rayon::prelude::*;

/// Outcomes sampled under both datasets. The even places are one fold, the odd ones the other.
#[derive(Clone)]
pub struct Sample<'a> {
    pub d: Vec<&'a Outcomes>,
    pub d_prime: Vec<&'a Outcomes>,
}

impl<'a> Sample<'a> {
    pub(crate) fn batches(&self) -> impl Iterator<Item = &Outcomes> {
        self.d.iter().chain(&self.d_prime).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.batches().map(Outcomes::len).sum()
    }

    /// The sample in a view; `None` if the view changes nothing.
    pub(crate) fn seen(&self, view: View) -> Option<Self> {
        let batches: Vec<&&Outcomes> = self.d.iter().chain(&self.d_prime).collect();
        let any = batches.into_par_iter().filter(|batch| batch.seen(view).is_some()).count() > 0;
        let side = |batches: &[&'a Outcomes]| {
            batches.iter().map(|&batch| batch.seen(view).unwrap_or(batch)).collect()
        };
        any.then(|| Self { d: side(&self.d), d_prime: side(&self.d_prime) })
    }

    pub(crate) fn pooled(&self) -> impl Iterator<Item = OutcomeRef<'_>> {
        self.batches().flat_map(|batch| batch.iter())
    }
}
