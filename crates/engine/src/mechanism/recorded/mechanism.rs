//! Recorded outcomes in the place of a mechanism.

use super::{KnownOutcomes, LEAST_TRIALS, NOT_RUN, Recordings, affordable};
use crate::mechanism::CatalogMechanism;
use crate::mechanism::{Capabilities, Mechanism, Outcomes, Planned, Prepared, Trouble};
use plaudit_core::random::Stream;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;

impl<D: ?Sized> Mechanism<D> for Recordings {
    fn fill(
        &self,
        _: &D,
        _: usize,
        _: &mut Stream,
        _: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        Err(Trouble::Broken(NOT_RUN.into()))
    }

    fn capabilities(&self) -> Capabilities<'_, D> {
        Capabilities { recordings: Some(self), ..Capabilities::default() }
    }

    fn prepare(
        &self,
        _: [&D; 2],
        Planned { trials, .. }: Planned,
        _: &mut Stream,
        interrupted: &AtomicBool,
    ) -> Result<Prepared, Trouble> {
        let [d, d_prime] = self.runs(interrupted)?;
        let trials = trials.min(affordable(d.min(d_prime)));
        if trials < LEAST_TRIALS {
            return Err(Trouble::Broken(format!(
                "The files hold {d} outcomes under D and {d_prime} under D′, which is enough for \
                 {trials} trials: record more, for {LEAST_TRIALS} trials at least."
            )));
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        *known = KnownOutcomes { trials: Some(trials), explored: [0; 4], ..*known };
        Ok(Prepared::independent(trials))
    }

    fn notes(&self) -> Vec<String> {
        let KnownOutcomes { runs: Some([d, d_prime]), .. } = self.known() else {
            return Vec::new();
        };
        vec![format!(
            "The outcomes were recorded elsewhere: {d} under D and {d_prime} under D′. It cannot be \
             checked here that each comes from a separate run and that the datasets are neighbors."
        )]
    }
}

impl CatalogMechanism for Recordings {
    fn describe(&self) -> String {
        self.words()
    }
}
