//! The snapping mechanism.

use crate::family::{Family, single_number};
use crate::parameter::Positive;
use crate::sample;
use plaudit_accountant::number::words;
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::Outcomes;
use rand::Rng;
use serde::Deserialize;

/// `snapping` (Mironov 2012, section 5.2): clamp_B(round_Λ(clamp_B(a) ± λ ln U)), where
/// λ = (1 + B·2⁻⁴⁹)/ε, Λ is the least power of two >= λ, and U has full precision. ε-DP at
/// sensitivity 1 in floating point, not only in the reals.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Snapping {
    epsilon: Positive,
    bound: Positive,
}

impl Snapping {
    fn scale(&self) -> f64 {
        (1.0 + self.bound.get() * 2f64.powi(-49)) / self.epsilon.get()
    }

    fn grid(&self) -> f64 {
        2f64.powf(self.scale().log2().ceil())
    }
}

impl Family for Snapping {
    type Exact = f64;

    fn read(&self, dataset: &Dataset) -> Result<f64, String> {
        single_number(dataset)
    }

    fn draw(&self, &answer: &f64, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        let (scale, grid, bound) = (self.scale(), self.grid(), self.bound.get());
        let clamped = answer.clamp(-bound, bound);
        outcomes.extend_numbers(runs, || {
            let size = scale * sample::fine_uniform(random).ln();
            let noise = if random.next_u32() & 1 == 0 { size } else { -size };
            (((clamped + noise) / grid).round() * grid).clamp(-bound, bound)
        });
    }

    fn describe(&self) -> String {
        format!(
            "clamps to ±{}, adds Laplace noise of scale {}, rounds to multiples of {} and clamps \
             again",
            words(self.bound.get()),
            words(self.scale()),
            words(self.grid())
        )
    }
}
