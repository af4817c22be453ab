//! The levels of the bounds that order the outcomes of an event test.

use plaudit_accountant::normal;
use serde::{Deserialize, Serialize};

/// Levels of the two Clopper–Pearson bounds, of p from below and of q from above, that order the
/// outcomes of an event test. Any levels that are fixed before the counting are valid; those for
/// which the line T = const is nearly a line of equal p-value give the sharpest bounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Corner {
    /// Level of the bound of p, in (0, 1).
    pub own: f64,
    /// Level of the bound of q, in (0, 1).
    pub other: f64,
}

impl Corner {
    /// Equal corner for both sides: two deviations of z/√2 weigh as much as one of z of their
    /// difference, with z the normal quantile of `alpha` (0.122 each for α = 0.05).
    pub fn even(alpha: f64) -> Self {
        Self::leaning(alpha, 0.5)
    }

    /// Deviations z√w and z√(1 − w), for sides of which p's has the share w of the variance of T;
    /// w is taken to be within [0.02, 0.98].
    pub fn leaning(alpha: f64, own_share: f64) -> Self {
        let z = normal::upper_quantile(alpha).max(0.1);
        let share = if own_share.is_nan() { 0.5 } else { own_share.clamp(0.02, 0.98) };
        Self { own: normal::cdf(-z * share.sqrt()), other: normal::cdf(-z * (1.0 - share).sqrt()) }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/inference/corner.rs"]
mod tests;
