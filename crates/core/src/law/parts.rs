//! Parts of the evidence against a law.

use serde::Serialize;

/// A way to deviate from a law, and a test for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Outcomes that the law does not have: a fraction, for a law on whole numbers; NaN.
    Support,
    /// Spread and position: exponential tilts of the law.
    Spread,
    /// Intervals that hold too many or too few outcomes.
    Interval,
    /// The same for pairs of intervals, one on each side of the median.
    BothSides,
    /// Outcomes further out than the law's own among as many draws.
    Extremes,
    /// Outcomes that depend on the one before.
    Order,
    /// The same number drawn twice.
    Repeats,
    /// Outcomes made from uniform numbers of few bits.
    CoarseUniform,
}

impl Part {
    /// Share of the evidence: all shares add up to 1. [`Part::Support`] has none, since its outcomes are impossible.
    pub(super) fn share(self) -> f64 {
        match self {
            Self::Support => 0.0,
            Self::Spread => 0.35,
            Self::Interval => 0.2,
            Self::BothSides => 0.15,
            Self::CoarseUniform | Self::Order => 0.1,
            Self::Repeats | Self::Extremes => 0.05,
        }
    }
}

/// An e-value: its mean under the law is at most 1.
#[derive(Clone, Debug, Serialize)]
pub struct Evidence {
    pub part: Part,
    /// Decimal logarithm of the e-value; infinite if the law is impossible, −∞ for 0.
    #[serde(with = "plaudit_accountant::number::one")]
    pub log10: f64,
    /// The most telling deviation, observed and expected.
    pub seen: String,
}

/// An e-value of a part, as a natural logarithm. What cannot be computed counts as 0.
pub(super) fn evidence(part: Part, ln: f64, seen: String) -> Evidence {
    let ln = if ln.is_nan() { f64::NEG_INFINITY } else { ln };
    Evidence { part, log10: ln / std::f64::consts::LN_10, seen }
}

/// ln of the mean of e^x with these weights.
pub(super) fn ln_mean(terms: &[(f64, f64)]) -> f64 {
    let most = terms.iter().map(|(_, ln)| *ln).fold(f64::NEG_INFINITY, f64::max);
    if most.is_infinite() {
        return most;
    }
    let sum: f64 = terms.iter().map(|(weight, ln)| weight * (ln - most).exp()).sum();
    most + sum.ln()
}
