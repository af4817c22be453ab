//! The kinds of event and of sample: the one table of each. Its laws are in `component/laws.rs`, where the compiler
//! asks for those of a new kind.

use super::relation::Relation;
use super::table::{
    KindRow, Limits, Parameter, ParameterRow, ParameterValue, Values, WrittenSample, kinds,
};
use super::table::{parameter, row_of};
use crate::error::AccountantError;
use serde::{Deserialize, Serialize};

/// Largest ε, μ, ρ or ratio of sensitivity to noise of a single use.
const LARGEST_LOSS: f64 = 1e4;
/// Smallest of the same that is not 0.
const SMALLEST_LOSS: f64 = 1e-12;
/// Largest σ of a discrete Gaussian mechanism: all integers that matter are enumerated.
pub(crate) const LARGEST_SIGMA: f64 = 1e4;
/// Most integers between the two centers of a discrete mechanism.
const LARGEST_SHIFT: f64 = 1e4;

const POSITIVE: Limits =
    Limits { holds: |x| x > 0.0 && x.is_finite(), must_be: "above 0 and finite" };
const LOSS: Limits = Limits {
    holds: |x| x == 0.0 || (SMALLEST_LOSS..=LARGEST_LOSS).contains(&x),
    must_be: "0, or between 1e-12 and 1e4",
};
const DISCRETE_SIGMA: Limits = Limits {
    holds: |x| x > 0.0 && x <= LARGEST_SIGMA,
    must_be: "above 0, and at most 1e4 for discrete-gaussian",
};
const SHIFT: Limits = Limits {
    holds: |x| (1.0..=LARGEST_SHIFT).contains(&x),
    must_be: "a whole number between 1 and 10000 for a discrete mechanism",
};
const TRUTH: Limits = Limits {
    holds: |x| (SMALLEST_LOSS..=1.0 - 1e-12).contains(&x),
    must_be: "between 1e-12 and 1 - 1e-12",
};
const ANSWERS: Limits =
    Limits { holds: |x| (2.0..=1e9).contains(&x), must_be: "a whole number between 2 and 1e9" };
const ORDER: Limits = Limits { holds: |x| x > 1.0 && x <= 1e6, must_be: "above 1 and at most 1e6" };
const PROBABILITY: Limits =
    Limits { holds: |x| (0.0..=1.0).contains(&x), must_be: "between 0 and 1" };
const RATE: Limits = Limits { holds: |x| x > 0.0 && x <= 1.0, must_be: "above 0 and at most 1" };

kinds! {
    /// Mechanism that an event uses.
    EventKind "event" {
        /// A number plus Laplace noise of density e^(−|z|/scale)/(2 scale).
        "laplace" ("") Laplace {
            /// > 0.
            scale: f64, POSITIVE;
            /// L1 sensitivity, > 0.
            sensitivity: f64, POSITIVE, 1.0;
        }
        /// A vector plus normal noise N(0, σ²) in each coordinate.
        "gaussian" ("") Gaussian {
            /// σ > 0.
            sigma: f64, POSITIVE;
            /// L2 sensitivity, > 0.
            sensitivity: f64, POSITIVE, 1.0;
        }
        /// An integer plus noise of probability proportional to e^(−|z|/scale) (Ghosh, Roughgarden, Sundararajan
        /// 2012).
        "discrete-laplace" ("geometric") DiscreteLaplace {
            /// > 0.
            scale: f64, POSITIVE;
            /// Sensitivity, a whole number >= 1.
            sensitivity: u64, SHIFT, 1;
        }
        /// An integer plus noise of probability proportional to e^(−z²/2σ²) (Canonne, Kamath, Steinke 2020).
        "discrete-gaussian" ("") DiscreteGaussian {
            /// σ > 0.
            sigma: f64, DISCRETE_SIGMA;
            /// Sensitivity, a whole number >= 1.
            sensitivity: u64, SHIFT, 1;
        }
        /// One of `values` answers, the true one with probability `truth`, else drawn evenly from all (Warner 1965).
        "randomized-response" ("k-ary-randomized-response") RandomizedResponse {
            /// In (0, 1).
            truth: f64, TRUTH;
            /// Number of answers, at least 2.
            values: u64, ANSWERS, 2;
        }
        /// The exponential mechanism (McSherry, Talwar 2007) at ε: any mechanism of bounded range ε (Durfee, Rogers
        /// 2019).
        "exponential-mechanism" ("") ExponentialMechanism {
            /// ε >= 0.
            epsilon: f64, LOSS;
        }
        /// Anything that is (ε, δ)-DP.
        "epsilon-delta" ("") EpsilonDelta {
            /// ε >= 0.
            epsilon: f64, LOSS;
            /// δ in [0, 1].
            delta: f64, PROBABILITY, 0.0;
        }
        /// Anything that is (α, ε)-Rényi-DP (Mironov 2017).
        "renyi" ("rdp") Renyi {
            /// Order α > 1.
            alpha: f64, ORDER;
            /// ε >= 0 at that order.
            epsilon: f64, LOSS;
        }
        /// Anything that is ρ-zCDP (Bun, Steinke 2016).
        "zero-concentrated" ("zcdp") ZeroConcentrated {
            /// ρ >= 0.
            rho: f64, LOSS;
        }
        /// Anything that is μ-GDP (Dong, Roth, Su 2022).
        "gdp" ("") Gdp {
            /// μ >= 0.
            mu: f64, LOSS;
        }
    }
}

kinds! {
    #[derive(Copy, Serialize, Deserialize)]
    #[serde(try_from = "WrittenSample", into = "WrittenSample")]
    /// The sample of the rows that a use sees.
    Sampling "sample" {
        /// Each row is in with this probability, independently. Neighbors: add/remove.
        "poisson" ("") Poisson {
            /// In (0, 1].
            rate: f64, RATE;
        }
        /// Each row is in with this probability, independently. Neighbors: substitution, of rows that each move the
        /// answer by at most the sensitivity where they are added. For `laplace` and `gaussian`.
        "poisson-substitution" ("") PoissonSubstitution {
            /// In (0, 1].
            rate: f64, RATE;
        }
        /// This share of the rows, every set of that size alike. Neighbors: substitution.
        "without-replacement" ("") WithoutReplacement {
            /// In (0, 1].
            rate: f64, RATE;
        }
    }
}

/// A number that two parameters make together: its name, and its value.
fn ratio(kind: &EventKind) -> Option<(&'static str, f64)> {
    Some(match *kind {
        EventKind::Laplace { scale, sensitivity } => ("sensitivity/scale", sensitivity / scale),
        EventKind::Gaussian { sigma, sensitivity } => ("sensitivity/sigma", sensitivity / sigma),
        EventKind::DiscreteLaplace { scale, sensitivity } => {
            ("sensitivity/scale", sensitivity as f64 / scale)
        }
        EventKind::DiscreteGaussian { sigma, sensitivity } => {
            ("sensitivity/sigma", sensitivity as f64 / sigma)
        }
        _ => return None,
    })
}

impl EventKind {
    pub(super) fn check(&self) -> Result<(), AccountantError> {
        self.row().check(&self.values())?;
        match ratio(self) {
            Some((name, value)) if !(SMALLEST_LOSS..=LARGEST_LOSS).contains(&value) => {
                Err(AccountantError::Impossible { name, value, must_be: "between 1e-12 and 1e4" })
            }
            _ => Ok(()),
        }
    }
}

impl Sampling {
    pub(super) fn check(&self) -> Result<(), AccountantError> {
        self.row().check(&self.values())
    }

    /// The probability of a row to be in the sample.
    pub fn rate(self) -> f64 {
        match self {
            Self::Poisson { rate }
            | Self::PoissonSubstitution { rate }
            | Self::WithoutReplacement { rate } => rate,
        }
    }

    /// The neighboring relation that it is known for.
    pub fn relation(&self) -> Relation {
        match self {
            Self::Poisson { .. } => Relation::AddRemove,
            Self::PoissonSubstitution { .. } | Self::WithoutReplacement { .. } => {
                Relation::Substitution
            }
        }
    }

    /// Checks that it is known for a kind of event; else, for which it is.
    pub(super) fn takes(&self, kind: &EventKind) -> Result<(), &'static str> {
        let is_gaussian = matches!(kind, EventKind::Gaussian { .. });
        match self {
            Self::PoissonSubstitution { .. } => {
                let is_laplace = matches!(kind, EventKind::Laplace { .. });
                if is_gaussian || is_laplace { Ok(()) } else { Err("gaussian and laplace") }
            }
            Self::Poisson { .. } | Self::WithoutReplacement { .. } => Ok(()),
        }
    }
}

/// Checks that δ is a probability.
pub(crate) fn probability(name: &'static str, value: f64) -> Result<(), AccountantError> {
    if (PROBABILITY.holds)(value) {
        return Ok(());
    }
    Err(AccountantError::Impossible { name, value, must_be: PROBABILITY.must_be })
}
