//! The noise that meets a target.

use super::composition::Composition;
use super::curve::Curve;
use super::error::AccountantError;
use super::error::check_epsilon;
use super::event::{Event, EventKind, LARGEST_SIGMA, probability};
use super::method::Method;

/// The smallest σ that [`Composition::solve_sigma`] looks for, in units of the sensitivity.
pub const SMALLEST_SIGMA: f64 = 2e-4;
const LARGEST: f64 = 1e6;
/// Relative distance to the smallest σ.
const NEAR: f64 = 1e-6;

impl Composition {
    /// Composition with this σ in all Gaussian and discrete Gaussian events, times their
    /// sensitivity.
    pub fn with_sigma(&self, sigma: f64) -> Self {
        let with = |event: &Event| {
            let kind = match event.kind.clone() {
                EventKind::Gaussian { sensitivity, .. } => {
                    EventKind::Gaussian { sigma: sigma * sensitivity, sensitivity }
                }
                EventKind::DiscreteGaussian { sensitivity, .. } => {
                    let sigma = sigma * sensitivity as f64;
                    EventKind::DiscreteGaussian { sigma, sensitivity }
                }
                kind => kind,
            };
            Event { kind, ..event.clone() }
        };
        Self { events: self.events.iter().map(with).collect() }
    }

    /// A σ, as a multiple of the sensitivity, at which the composition is (ε, δ)-DP if all its
    /// Gaussian and discrete Gaussian events have it: the upper end of the bracket meets the
    /// target. It is the smallest up to the width of the bracket and 10⁻⁶, relative, unless it is
    /// [`SMALLEST_SIGMA`]: smaller ones are not searched. The σ that the events name is ignored.
    ///
    /// # Errors
    /// If no such event exists, the target is not an (ε, δ) with δ > 0, no σ up to 10⁶ meets it
    /// (10⁴ in all for a discrete Gaussian event), or the method does not apply.
    pub fn solve_sigma(
        &self,
        epsilon: f64,
        delta: f64,
        method: Method,
    ) -> Result<f64, AccountantError> {
        check_epsilon(epsilon)?;
        probability("delta", delta)?;
        let has_sigma = |event: &Event| {
            matches!(event.kind, EventKind::Gaussian { .. } | EventKind::DiscreteGaussian { .. })
        };
        let refuse =
            |why: &str| Err(AccountantError::Method { method: "solve sigma", why: why.to_owned() });
        if !self.events.iter().any(has_sigma) {
            return refuse("no event has a sigma: it needs gaussian or discrete-gaussian");
        }
        if delta == 0.0 {
            return refuse("Gaussian noise never reaches delta = 0: ask for a delta above it");
        }
        // How far ln δ is above the target; a σ meets it where this is not positive.
        let excess = |sigma: f64| -> Result<f64, AccountantError> {
            let curve = Curve::new(&self.with_sigma(sigma), method, delta)?;
            let upper = curve.delta_at(epsilon).upper;
            if upper <= delta {
                // Not above, however the logarithms round.
                return Ok((upper.max(1e-300) / delta).ln().min(0.0));
            }
            Ok((upper / delta).ln().max(f64::MIN_POSITIVE))
        };
        let most = self.events.iter().map(|event| match event.kind {
            EventKind::DiscreteGaussian { sensitivity, .. } => LARGEST_SIGMA / sensitivity as f64,
            _ => LARGEST,
        });
        let largest = most.fold(LARGEST, f64::min);
        let (mut low, mut high) = (None, None);
        let mut sigma = 1.0_f64.min(largest);
        while low.is_none() || high.is_none() {
            let here = excess(sigma)?;
            if here <= 0.0 {
                high = Some((sigma, here));
                if low.is_none() && sigma <= SMALLEST_SIGMA {
                    return Ok(sigma);
                }
                sigma = (0.5 * sigma).max(SMALLEST_SIGMA);
            } else {
                low = Some((sigma, here));
                if high.is_none() && sigma >= largest {
                    return refuse(&format!(
                        "no sigma up to {largest:e} times the sensitivity meets the target: the \
                         other events may already be above it"
                    ));
                }
                sigma = (2.0 * sigma).min(largest);
            }
        }
        let (Some(mut low), Some(mut high)) = (low, high) else { return refuse("no bracket") };
        // False position in (ln σ, ln δ), kept off the ends, with a bisection now and then.
        for round in 0..60 {
            if high.0 - low.0 <= NEAR * high.0 {
                break;
            }
            let share = if round % 3 == 2 || !high.1.is_finite() {
                0.5
            } else {
                (low.1 / (low.1 - high.1)).clamp(1e-3, 1.0 - 1e-3)
            };
            // A hair beyond, so that both ends come near.
            let share = if share < 0.5 { (share * 1.01).min(0.5) } else { share };
            let middle = (low.0.ln() + share * (high.0 / low.0).ln()).exp();
            if middle <= low.0 || middle >= high.0 {
                break;
            }
            let here = (middle, excess(middle)?);
            if here.1 <= 0.0 { high = here } else { low = here }
        }
        Ok(high.0)
    }
}
