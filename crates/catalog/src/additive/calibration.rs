//! How large Gaussian noise must be.

use plaudit_core::claim::gaussian_profile;
use serde::Deserialize;

/// Formula for σ from (ε, δ) and the L2 sensitivity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Calibration {
    /// The smallest σ that is enough ([`analytic_sigma`]).
    #[default]
    Analytic,
    /// σ = Δ√(2 ln(1.25/δ))/ε (Dwork & Roth 2014, Theorem A.1): valid for ε <= 1 only, and used
    /// here for any ε.
    Classic,
    /// A mistake: the variance σ² of the analytic calibration where σ belongs.
    VarianceForSigma,
}

pub(crate) fn sigma_for(
    epsilon: f64,
    delta: f64,
    sensitivity: f64,
    calibration: Calibration,
) -> f64 {
    match calibration {
        Calibration::Analytic => analytic_sigma(epsilon, delta, sensitivity),
        Calibration::Classic => sensitivity * (2.0 * (1.25 / delta).ln()).sqrt() / epsilon,
        Calibration::VarianceForSigma => analytic_sigma(epsilon, delta, sensitivity).powi(2),
    }
}

/// The smallest σ for which Gaussian noise gives (ε, δ)-DP at this L2 sensitivity: the root of
/// Φ(Δ/2σ − εσ/Δ) − e^ε Φ(−Δ/2σ − εσ/Δ) = δ (Balle & Wang 2018, Theorem 8), rounded up.
///
/// ε > 0, δ in (0, 1) and the sensitivity > 0 are the caller's to check.
pub fn analytic_sigma(epsilon: f64, delta: f64, sensitivity: f64) -> f64 {
    let enough = |mu: f64| gaussian_profile(mu, epsilon) <= delta;
    let (mut low, mut high) = (0.0, 1.0);
    while enough(high) {
        (low, high) = (high, 2.0 * high);
    }
    // Bisection on μ = Δ/σ down to neighboring doubles; `low` is always enough.
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return sensitivity / low;
        }
        if enough(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}
