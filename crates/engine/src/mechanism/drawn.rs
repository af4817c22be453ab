//! Mechanisms that are written against [`Draws`](plaudit_aligned::Draws): audits run them, and proofs follow their paths.

use super::{Capabilities, Mechanism, Outcomes, Trouble};
use plaudit_aligned::{Aligned, Sampler};
use plaudit_core::random::Stream;
use std::sync::atomic::AtomicBool;

/// An [`Aligned`] mechanism as one that audits can run, on lists of numbers. Its outcome is the list of its cells.
pub struct ByDraws<M>(pub M);

impl<D: AsRef<[f64]> + ?Sized, M: Aligned> Mechanism<D> for ByDraws<M> {
    fn fill(
        &self,
        dataset: &D,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        let mut cells = Vec::new();
        for _ in 0..runs {
            cells.clear();
            self.0.run(dataset.as_ref(), &mut Sampler::new(random, &mut cells));
            outcomes.push_vector(&cells);
        }
        Ok(())
    }

    /// A function of dataset and draws remembers nothing.
    fn capabilities(&self) -> Capabilities<'_, D> {
        Capabilities { drawn: Some(&self.0), ..Capabilities::independent() }
    }
}
