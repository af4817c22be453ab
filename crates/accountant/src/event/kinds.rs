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
/// Most draws of a row on average.
const MOST_DRAWN: f64 = 10.0;
/// Furthest that a group of rows moves the answer, in standard deviations.
const FURTHEST: f64 = 100.0;
/// Most shifts of a mixture.
const MOST_SHIFTS: usize = 1000;
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
const SHIFTS: Limits = Limits {
    holds: |x| x == 0.0 || (1e-100..1e100).contains(&x),
    must_be: "0 or above, and finite",
};
const SHAPE: Limits = Limits { holds: |x| x > -1.0 && x <= 1e4, must_be: "above -1, at most 1e4" };
const SHUFFLED: Limits = Limits {
    holds: |x| (1e-6..=30.0).contains(&x),
    must_be: "between 1e-6 and 30 for a shuffled answer",
};
const COUNT: Limits =
    Limits { holds: |x| (1.0..=1e9).contains(&x), must_be: "a whole number between 1 and 1e9" };
const STEPS: Limits =
    Limits { holds: |x| (1.0..=1e6).contains(&x), must_be: "a whole number between 1 and 1e6" };
const GROUP: Limits =
    Limits { holds: |x| (1.0..=64.0).contains(&x), must_be: "a whole number between 1 and 64" };
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
        /// Answers of k-ary randomized response, each ε-DP by itself, of which only the counts are seen.
        "shuffled-randomized-response" ("shuffled") ShuffledRandomizedResponse {
            /// ε > 0 of one answer.
            epsilon: f64, SHUFFLED;
            /// Rows, each with one answer.
            rows: u64, COUNT;
            /// Number of answers, at least 2.
            values: u64, ANSWERS, 2;
        }
        /// The exponential mechanism (McSherry, Talwar 2007) at ε: any mechanism of bounded range ε (Durfee, Rogers
        /// 2019).
        "exponential-mechanism" ("") ExponentialMechanism {
            /// ε >= 0.
            epsilon: f64, LOSS;
        }
        /// Report noisy max, or permute-and-flip (McKenna, Sheldon 2020), at ε: the index of the largest of scores that
        /// a row moves by at most Δ, each with noise of a hazard rate of at most ε/2Δ: exponential (which is
        /// permute-and-flip, Ding and others 2021), Laplace or Gumbel noise of scale 2Δ/ε.
        "report-noisy-max" ("permute-and-flip") ReportNoisyMax {
            /// ε >= 0.
            epsilon: f64, LOSS;
        }
        /// The best of several runs of an ε-DP mechanism, their number drawn from a negative binomial law that is cut at
        /// 1 and has this shape η (0: logarithmic, 1: geometric): (2 + η)ε (Papernot, Steinke 2022, Thm 2 at order ∞).
        "repeat-and-select" ("tuning") RepeatAndSelect {
            /// ε >= 0 of a run.
            epsilon: f64, LOSS;
            /// η > −1.
            shape: f64, SHAPE, 1.0;
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
        /// Anything that is (ξ, ρ)-zCDP: Rényi divergences of at most ξ + ρα (Bun, Steinke 2016).
        "zero-concentrated" ("zcdp") ZeroConcentrated {
            /// ρ >= 0.
            rho: f64, LOSS;
            /// ξ >= 0.
            xi: f64, LOSS, 0.0;
        }
        /// A vector of integers plus discrete Gaussian noise in each coordinate.
        "discrete-gaussian-vector" ("") DiscreteGaussianVector {
            /// σ > 0.
            sigma: f64, DISCRETE_SIGMA;
            /// L2 sensitivity, >= 1.
            sensitivity: f64, SHIFT, 1.0;
        }
        /// A sum that a row moves by a random shift, plus normal noise (Choquette-Choo, Ganesh, Steinke, Thakurta 2024).
        "mixture-of-gaussians" ("") MixtureOfGaussians {
            /// σ > 0.
            sigma: f64, POSITIVE;
            /// Norms of the shifts, >= 0.
            shifts: Vec<f64>, SHIFTS;
            /// Their probabilities, which sum to 1.
            weights: Vec<f64>, PROBABILITY;
        }
        /// Sums of all steps so far from a binary tree of partial sums, each with normal noise (Kairouz and others 2021);
        /// a row is in one step.
        "tree-aggregation" ("") TreeAggregation {
            /// σ > 0 of each node.
            sigma: f64, POSITIVE;
            /// Steps of the tree.
            steps: u64, COUNT;
            /// L2 sensitivity of a step, > 0.
            sensitivity: f64, POSITIVE, 1.0;
        }
        /// Sums with correlated noise C⁻¹Z, C being the lower triangular Toeplitz matrix of these coefficients (banded
        /// matrix factorisation, BLT); a row is in `participations` steps that are `separation` or more apart.
        "correlated-noise" ("") CorrelatedNoise {
            /// σ > 0 of the entries of Z.
            sigma: f64, POSITIVE;
            /// The first column of C, not rising; 0 beyond.
            coefficients: Vec<f64>, SHIFTS;
            /// Steps.
            steps: u64, COUNT;
            /// Most steps that a row is in.
            participations: u64, COUNT, 1;
            /// Least distance of two of them.
            separation: u64, COUNT, 1;
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
        /// Each row is in with this probability; a group of rows is added or removed together, each moving the answer by
        /// at most the sensitivity. For `gaussian`.
        "poisson-group" ("") PoissonGroup {
            /// In (0, 1].
            rate: f64, RATE;
            /// Rows of the group.
            rows: u64, GROUP;
        }
        /// Each row is in with this probability; of more rows than the batch holds, a random batch of that size is kept
        /// (arXiv 2508.15089). Neighbors: add/remove. For `gaussian`.
        "truncated-poisson" ("") TruncatedPoisson {
            /// In (0, 1].
            rate: f64, RATE;
            /// Most rows of a batch.
            batch: u64, COUNT;
            /// Rows of the larger dataset.
            rows: u64, COUNT;
        }
        /// So many rows, each drawn from all. Neighbors: substitution, the sensitivity being that of one draw. For
        /// `gaussian` (Balle, Barthe, Gaboardi 2018, Thm 10).
        "with-replacement" ("") WithReplacement {
            /// Rows that are drawn.
            draws: u64, COUNT;
            /// Rows of the dataset.
            rows: u64, COUNT;
        }
        /// One use is all `steps`: a row is in `picks` of them, each set of steps alike (random allocation; balls in bins
        /// for one). Neighbors: add/remove. For noise of one number or vector.
        "allocation" ("balls-in-bins") Allocation {
            /// Steps, at most 10⁶.
            steps: u64, STEPS;
            /// Steps that a row is in.
            picks: u64, COUNT, 1;
        }
        /// This share of the rows, every set of that size alike. Neighbors: substitution.
        "without-replacement" ("") WithoutReplacement {
            /// In (0, 1].
            rate: f64, RATE;
        }
    }
}

/// A value that is wrong beside another: its name, itself, and what it must be.
fn wrong(kind: &EventKind) -> Option<(&'static str, f64, &'static str)> {
    match kind {
        EventKind::MixtureOfGaussians { shifts, weights, .. } => {
            let (lengths, sum) = (shifts.len() as f64, weights.iter().sum::<f64>());
            if shifts.len() != weights.len() || shifts.len() > MOST_SHIFTS {
                let must_be = "as many as there are weights, and at most 1000";
                return Some(("the number of shifts", lengths, must_be));
            }
            let off = (sum - 1.0).abs() > 1e-9;
            off.then_some(("the sum of the weights", sum, "1, to nine digits"))
        }
        EventKind::CorrelatedNoise { coefficients, steps, participations, separation, .. } => {
            let rising = coefficients.windows(2).find(|two| two[1] > two[0]).map(|two| two[1]);
            let must_be =
                "at most the one before, and not 0 at first: the sensitivity is known for those";
            if let Some(value) = rising.or(coefficients.first().copied().filter(|it| *it == 0.0)) {
                return Some(("a coefficient", value, must_be));
            }
            let last = (*participations as f64 - 1.0) * *separation as f64;
            let must_be = "so few that all fit into the steps";
            (last >= *steps as f64).then_some(("participations", *participations as f64, must_be))
        }
        _ => None,
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
        EventKind::DiscreteGaussianVector { sigma, sensitivity } => {
            ("sensitivity/sigma", sensitivity / sigma)
        }
        EventKind::MixtureOfGaussians { sigma, ref shifts, .. } => {
            ("the largest shift/sigma", shifts.iter().copied().fold(0.0, f64::max) / sigma)
        }
        EventKind::TreeAggregation { sigma, sensitivity, .. } => {
            ("sensitivity/sigma", sensitivity / sigma)
        }
        EventKind::CorrelatedNoise { sigma, ref coefficients, .. } => {
            ("the first coefficient/sigma", coefficients.first().copied().unwrap_or(0.0) / sigma)
        }
        EventKind::RandomizedResponse { .. }
        | EventKind::ShuffledRandomizedResponse { .. }
        | EventKind::ExponentialMechanism { .. }
        | EventKind::ReportNoisyMax { .. }
        | EventKind::RepeatAndSelect { .. }
        | EventKind::EpsilonDelta { .. }
        | EventKind::Renyi { .. }
        | EventKind::ZeroConcentrated { .. }
        | EventKind::Gdp { .. } => return None,
    })
}

impl EventKind {
    pub(super) fn check(&self) -> Result<(), AccountantError> {
        self.row().check(&self.values())?;
        if let Some((name, value, must_be)) = wrong(self) {
            return Err(AccountantError::Impossible { name, value, must_be });
        }
        match ratio(self) {
            Some((name, value)) if !(SMALLEST_LOSS..=LARGEST_LOSS).contains(&value) => {
                Err(AccountantError::Impossible { name, value, must_be: "between 1e-12 and 1e4" })
            }
            _ => Ok(()),
        }
    }
}

impl EventKind {
    /// The neighboring relation of its sensitivities and claims.
    pub(super) fn relation(&self) -> Relation {
        match self {
            Self::MixtureOfGaussians { .. } => Relation::AddRemove,
            Self::ShuffledRandomizedResponse { .. } => Relation::Substitution,
            _ => Relation::AsStated,
        }
    }
}

impl Sampling {
    pub(super) fn check(&self) -> Result<(), AccountantError> {
        match *self {
            Self::Allocation { steps, picks } if picks > steps => {
                let (name, value) = ("picks", picks as f64);
                Err(AccountantError::Impossible { name, value, must_be: "at most the steps" })
            }
            Self::WithReplacement { draws, rows } if draws as f64 > MOST_DRAWN * rows as f64 => {
                let (name, value) = ("draws", draws as f64);
                Err(AccountantError::Impossible {
                    name,
                    value,
                    must_be: "at most 10 times the rows",
                })
            }
            _ => self.row().check(&self.values()),
        }
    }

    /// `true` if it is the whole dataset, whichever row differs.
    pub(crate) fn is_whole(self) -> bool {
        match self {
            Self::Poisson { rate } | Self::WithoutReplacement { rate } => rate >= 1.0,
            Self::Allocation { steps, .. } => steps == 1,
            _ => false,
        }
    }

    /// Checks that a group of rows does not move the answer further than can be resolved.
    pub(super) fn check_reach(&self, kind: &EventKind) -> Result<(), AccountantError> {
        let (Self::PoissonGroup { rows, .. }, EventKind::Gaussian { sigma, sensitivity }) =
            (self, kind)
        else {
            return Ok(());
        };
        let (name, value) = ("rows*sensitivity/sigma", *rows as f64 * sensitivity / sigma);
        if value <= FURTHEST {
            return Ok(());
        }
        Err(AccountantError::Impossible { name, value, must_be: "at most 100" })
    }

    /// The neighboring relation that it is known for.
    pub fn relation(&self) -> Relation {
        match self {
            Self::Poisson { .. } | Self::TruncatedPoisson { .. } | Self::Allocation { .. } => {
                Relation::AddRemove
            }
            Self::PoissonGroup { rows: 1, .. } => Relation::AddRemove,
            Self::PoissonGroup { rows, .. } => Relation::Group(*rows),
            Self::PoissonSubstitution { .. }
            | Self::WithReplacement { .. }
            | Self::WithoutReplacement { .. } => Relation::Substitution,
        }
    }

    /// Checks that it is known for a kind of event; else, for which it is.
    pub(super) fn takes(&self, kind: &EventKind) -> Result<(), &'static str> {
        let is_gaussian = matches!(kind, EventKind::Gaussian { .. });
        let (has_steps, is_mixture) = (
            matches!(kind, EventKind::TreeAggregation { .. } | EventKind::CorrelatedNoise { .. }),
            matches!(
                kind,
                EventKind::MixtureOfGaussians { .. } | EventKind::ShuffledRandomizedResponse { .. }
            ),
        );
        if has_steps || is_mixture {
            return Err("kinds without steps, random shifts or shuffles");
        }
        match self {
            Self::PoissonGroup { .. }
            | Self::TruncatedPoisson { .. }
            | Self::WithReplacement { .. } => is_gaussian.then_some(()).ok_or("gaussian"),
            Self::PoissonSubstitution { .. } => {
                let is_laplace = matches!(kind, EventKind::Laplace { .. });
                if is_gaussian || is_laplace { Ok(()) } else { Err("gaussian and laplace") }
            }
            Self::Allocation { .. } => {
                let is_noise = matches!(
                    kind,
                    EventKind::Gaussian { .. }
                        | EventKind::Laplace { .. }
                        | EventKind::DiscreteGaussian { .. }
                        | EventKind::DiscreteLaplace { .. }
                );
                is_noise.then_some(()).ok_or("gaussian, laplace and their discrete forms")
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
