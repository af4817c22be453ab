//! The value of one unknown that meets a target.

use super::composition::Composition;
use super::curve::Curve;
use super::error::{AccountantError, check_epsilon};
use super::event::{Event, EventKind, LARGEST_COUNT, LARGEST_SIGMA, Sampling, probability};
use super::method::Method;
use crate::number::words;

/// Number that [`Composition::solve`] searches. The value that the events name is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Smallest σ per unit of sensitivity, the same in all events that have one; of mixtures and correlated noise σ itself.
    Sigma,
    /// Smallest scale per unit of sensitivity, the same in all `laplace` and `discrete-laplace` events.
    Scale,
    /// Largest rate, the same in all samples.
    Rate,
    /// Largest number of uses of one event, by its place from 0.
    Count(usize),
}

impl Unknown {
    /// Its name, the events that have it, and the least and the most private value that is searched.
    fn range(self) -> (&'static str, &'static str, f64, f64) {
        match self {
            Self::Sigma => {
                ("solve sigma", "a gaussian event, or another one with a sigma", 2e-4, 1e6)
            }
            Self::Scale => ("solve scale", "a laplace or discrete-laplace event", 2e-4, 1e6),
            Self::Rate => {
                ("solve rate", "a sample with a rate, such as @ poisson(0.01)", 1.0, 1e-9)
            }
            Self::Count(_) => ("solve count", "an event at that place", LARGEST_COUNT as f64, 1.0),
        }
    }

    /// The least private value that is searched: as an answer, it is not known to be the best.
    pub fn loosest(self) -> f64 {
        self.range().2
    }

    /// Sets the value in the event at a place; `false` if it does not have such a number.
    fn set(self, place: usize, event: &mut Event, value: f64) -> bool {
        match (self, &mut event.kind) {
            (Self::Sigma, EventKind::Gaussian { sigma: noise, sensitivity })
            | (Self::Sigma, EventKind::DiscreteGaussianVector { sigma: noise, sensitivity })
            | (Self::Sigma, EventKind::TreeAggregation { sigma: noise, sensitivity, .. })
            | (Self::Scale, EventKind::Laplace { scale: noise, sensitivity }) => {
                *noise = value * *sensitivity;
            }
            (Self::Sigma, EventKind::DiscreteGaussian { sigma: noise, sensitivity })
            | (Self::Scale, EventKind::DiscreteLaplace { scale: noise, sensitivity }) => {
                *noise = value * *sensitivity as f64;
            }
            // Their shifts are not scaled.
            (
                Self::Sigma,
                EventKind::MixtureOfGaussians { sigma, .. }
                | EventKind::CorrelatedNoise { sigma, .. },
            ) => *sigma = value,
            (Self::Rate, _) => match &mut event.sampling {
                Some(
                    Sampling::Poisson { rate }
                    | Sampling::PoissonSubstitution { rate }
                    | Sampling::PoissonGroup { rate, .. }
                    | Sampling::TruncatedPoisson { rate, .. }
                    | Sampling::WithoutReplacement { rate },
                ) => *rate = value,
                Some(Sampling::WithReplacement { .. } | Sampling::Allocation { .. }) | None => {
                    return false;
                }
            },
            // Whole, and at most `LARGEST_COUNT`.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            (Self::Count(at), _) if at == place => event.count = value as u64,
            _ => return false,
        }
        true
    }
}

impl Composition {
    /// Composition with this value of the unknown in all events that have such a number; none if no event has.
    pub fn with(&self, unknown: Unknown, value: f64) -> Option<Self> {
        let (mut events, mut any) = (self.events.clone(), false);
        for (place, event) in events.iter_mut().enumerate() {
            any |= unknown.set(place, event, value);
        }
        any.then_some(Self { events })
    }

    /// Least private value of the unknown at which the composition is (ε, δ)-DP: the upper end of the bracket meets
    /// the target. A count is the largest; another value is the best up to the width of the bracket and 10⁻⁶, relative.
    /// Values beyond [`Unknown::loosest`] are not searched.
    ///
    /// # Errors
    /// If no event has such a number, the target is not an (ε, δ), no value meets it, or the method does not apply.
    pub fn solve(
        &self,
        unknown: Unknown,
        epsilon: f64,
        delta: f64,
        method: Method,
    ) -> Result<f64, AccountantError> {
        check_epsilon(epsilon)?;
        probability("delta", delta)?;
        let (name, needs, loosest, tightest) = unknown.range();
        let refuse = |why| AccountantError::Method { method: name, why };
        let most = |most: f64, event: &Event| match (unknown, &event.kind) {
            (Unknown::Sigma, EventKind::DiscreteGaussianVector { sensitivity, .. }) => {
                most.min(LARGEST_SIGMA / sensitivity)
            }
            (Unknown::Sigma, EventKind::DiscreteGaussian { sensitivity, .. }) => {
                most.min(LARGEST_SIGMA / *sensitivity as f64)
            }
            _ => most,
        };
        let tightest = self.events.iter().fold(tightest, most);
        let (least, most) = (loosest.min(tightest), loosest.max(tightest));
        let first = if unknown == Unknown::Rate { 0.01 } else { 1.0_f64.min(most) };
        let (mut fails, mut meets, mut value, mut round) = (None, None, first, 0);
        loop {
            let composition = self.with(unknown, value);
            let composition = composition.ok_or_else(|| refuse(format!("it needs {needs}")))?;
            let curve = Curve::new(&composition, method, delta)?;
            curve.check(Some(epsilon), None)?;
            let here = (value, excess(&curve, epsilon, delta));
            *(if here.1 <= 0.0 { &mut meets } else { &mut fails }) = Some(here);
            value = match (fails, meets) {
                (None, _) if value == loosest => return Ok(value),
                (_, None) if value == tightest => {
                    let why = "meets the target: raise epsilon or delta, or lower the loss of other events";
                    let why = format!("no value from {} to {} {why}", words(least), words(most));
                    return Err(refuse(why));
                }
                (Some(fails), Some(meets)) => {
                    round += 1;
                    match between(fails, meets, round, matches!(unknown, Unknown::Count(_))) {
                        Some(middle) => middle,
                        None => return Ok(meets.0),
                    }
                }
                // Twice or half, toward the end that is missing.
                (_, None) if tightest == most => (2.0 * value).min(most),
                (None, _) if loosest == most => (2.0 * value).min(most),
                _ => (0.5 * value).max(least),
            };
        }
    }
}

/// How far the logarithm of δ (of ε, for δ = 0) is above the target, which is met where this is not positive.
fn excess(curve: &Curve, epsilon: f64, delta: f64) -> f64 {
    let (upper, target) = match delta > 0.0 {
        true => (curve.delta_at(epsilon).upper, delta),
        false => (curve.epsilon_at(0.0).upper, epsilon),
    };
    let excess = (upper.max(1e-300) / target).ln();
    // However the logarithms round.
    if upper <= target { excess.min(0.0) } else { excess.max(f64::MIN_POSITIVE) }
}

/// Next value to try, between one that fails and one that meets the target; none if they are near each other.
fn between(fails: (f64, f64), meets: (f64, f64), round: u32, is_whole: bool) -> Option<f64> {
    let (low, high) = (fails.0.min(meets.0), fails.0.max(meets.0));
    if high - low <= if is_whole { 1.0 } else { 1e-6 * high } {
        return None;
    }
    // False position in (ln value, excess), kept off the ends, with a bisection now and then.
    let share = if round.is_multiple_of(3) || !(fails.1 - meets.1).is_finite() {
        0.5
    } else {
        (fails.1 / (fails.1 - meets.1)).clamp(1e-3, 1.0 - 1e-3)
    };
    // A hair beyond, so that both ends come near.
    let share = if share < 0.5 { (share * 1.01).min(0.5) } else { share };
    let middle = (fails.0.ln() + share * (meets.0 / fails.0).ln()).exp();
    let middle = if is_whole { middle.round().clamp(low + 1.0, high - 1.0) } else { middle };
    (low < middle && middle < high).then_some(middle)
}
