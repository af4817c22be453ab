//! Bounds from the scores themselves, if those of canaries that are in and of those that are out are normal.
//!
//! Scores that are N(a, s²) where a canary is in and N(b, s²) where it is out tell the two apart as N(0, 1) and N(μ, 1)
//! are, μ = (a − b)/s: the training is not μ′-GDP for any smaller μ′, and its ε at δ is at least that of μ-GDP. With n₁
//! scores in and n₀ out, t = (mean in − mean out)/(s √(1/n₁ + 1/n₀)), s² the pooled variance, has the noncentral t
//! distribution with n₁ + n₀ − 2 degrees of freedom and noncentrality μ/√(1/n₁ + 1/n₀) (Lehmann, Romano 2005, Testing
//! Statistical Hypotheses, section 5.3), whatever a, b and s are. So the bound on μ is exact.
//!
//! The assumption can be contradicted by the scores, not confirmed: the test of Anderson and Darling on each group
//! (p-values of Stephens in D'Agostino, Stephens 1986, Table 4.9), and the F test of equal variances.

use super::canary::Canary;
use super::guesses::last;
use super::tradeoff::gaussian_epsilon;
use plaudit_accountant::{normal, number};
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};
use statrs::function::gamma::ln_gamma;

/// Scores that contradict the assumption with a p-value at most this give no bound.
const CONTRADICTED: f64 = 0.05;
/// Largest μ that is looked at.
const MOST: f64 = 64.0;
/// Groups below this show nothing of their shape.
const LEAST: usize = 8;

/// Bounds that hold if the scores are normal, with one mean where canaries are in, another where they are out, and one
/// variance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NormalScores {
    /// p-value of the assumption: three tests, with Bonferroni's correction.
    pub p_value: f64,
    /// The bounds; `None` if the scores contradict the assumption.
    pub certified: Option<NormalBounds>,
}

/// Lower bounds at the level of the run, apart from those of the guesses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NormalBounds {
    /// Estimate of μ: the difference of the means, in standard deviations.
    pub effect: f64,
    /// The training is not μ-GDP for any smaller μ.
    pub mu: f64,
    /// The ε at the requested δ of Gaussian DP with this μ: a bound on the ε of any training with such scores.
    #[serde(with = "number::one")]
    pub epsilon: f64,
}

/// Bounds by the scores; `None` where a score is infinite, or a group is small or constant.
pub(super) fn normal_scores(all: &[Canary], delta: f64, alpha: f64) -> Option<NormalScores> {
    let of = |included: bool| {
        let scores = all.iter().filter(|canary| canary.included == included);
        Group::new(scores.map(|canary| canary.score).collect())
    };
    let (inside, outside) = (of(true)?, of(false)?);
    let fits = [inside.normality(), outside.normality(), equal_variances(&inside, &outside)];
    let p_value = (3.0 * fits.into_iter().fold(1.0, f64::min)).clamp(f64::MIN_POSITIVE, 1.0);
    let bounds = || {
        let freedom = inside.freedom() + outside.freedom();
        let variance = (inside.squares + outside.squares) / freedom;
        let width = (1.0 / inside.count() + 1.0 / outside.count()).sqrt();
        let effect = (inside.mean - outside.mean) / variance.sqrt();
        let t = effect / width;
        let mu = last(|mu| noncentral_t_above(t, freedom, mu / width) <= alpha, MOST);
        NormalBounds { effect, mu, epsilon: gaussian_epsilon(mu, delta) }
    };
    Some(NormalScores { p_value, certified: (p_value > CONTRADICTED).then(bounds) })
}

/// Scores of one group, in order.
struct Group {
    scores: Vec<f64>,
    mean: f64,
    /// Sum of the squares of the distances from the mean.
    squares: f64,
}

impl Group {
    fn new(mut scores: Vec<f64>) -> Option<Self> {
        scores.sort_unstable_by(f64::total_cmp);
        let count = scores.len() as f64;
        // Divided first: a sum of large scores may be infinite.
        let mean: f64 = scores.iter().map(|score| score / count).sum();
        let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
        let usable = scores.len() >= LEAST && squares.is_finite() && squares > 0.0;
        usable.then_some(Self { scores, mean, squares })
    }

    fn count(&self) -> f64 {
        self.scores.len() as f64
    }

    fn freedom(&self) -> f64 {
        self.count() - 1.0
    }

    fn variance(&self) -> f64 {
        self.squares / self.freedom()
    }

    /// p-value of normality with unknown mean and variance.
    fn normality(&self) -> f64 {
        let (n, deviation) = (self.count(), self.variance().sqrt());
        let standard: Vec<f64> =
            self.scores.iter().map(|score| (score - self.mean) / deviation).collect();
        let term = |(at, (low, high)): (usize, (&f64, &f64))| {
            (2 * at + 1) as f64 * (normal::cdf(*low).ln() + normal::cdf(-high).ln())
        };
        let pairs = standard.iter().zip(standard.iter().rev());
        let square = -n - pairs.enumerate().map(term).sum::<f64>() / n;
        if !square.is_finite() {
            return 0.0;
        }
        let a = square * (1.0 + 0.75 / n + 2.25 / (n * n));
        let p = match a {
            a if a >= 0.6 => (1.2937 - 5.709 * a + 0.0186 * a * a).exp(),
            a if a > 0.34 => (0.9177 - 4.279 * a - 1.38 * a * a).exp(),
            a if a > 0.2 => 1.0 - (-8.318 + 42.796 * a - 59.938 * a * a).exp(),
            a => 1.0 - (-13.436 + 101.14 * a - 223.73 * a * a).exp(),
        };
        // The first formula turns up again where the statistic is far out.
        if a > 13.0 { 0.0 } else { p.clamp(0.0, 1.0) }
    }
}

/// p-value of both sides.
fn equal_variances(one: &Group, other: &Group) -> f64 {
    let law = FisherSnedecor::new(one.freedom(), other.freedom()).expect("both are above 0");
    let ratio = one.variance() / other.variance();
    (2.0 * law.cdf(ratio).min(law.sf(ratio))).min(1.0)
}

/// P[T ≥ t], T noncentral t with these degrees of freedom and this noncentrality: the mean of Φ(noncentrality − t S), where
/// S² freedom is chi-squared, by Simpson's rule on ±[`REACH`] standard deviations of S.
fn noncentral_t_above(t: f64, freedom: f64, noncentrality: f64) -> f64 {
    let half = freedom / 2.0;
    let ln_scale = std::f64::consts::LN_2 + half * half.ln() - ln_gamma(half);
    let integrand = |s: f64| {
        if s <= 0.0 {
            return 0.0;
        }
        let density = (ln_scale + (freedom - 1.0) * s.ln() - half * s * s).exp();
        density * normal::cdf(noncentrality - t * s)
    };
    let wide = REACH / (2.0 * freedom).sqrt();
    let (low, high) = ((1.0 - wide).max(0.0), 1.0 + wide);
    let step = (high - low) / STEPS as f64;
    let inner = |at: usize| {
        let weight = if at % 2 == 1 { 4.0 } else { 2.0 };
        weight * integrand(low + step * at as f64)
    };
    let sum = integrand(low) + integrand(high) + (1..STEPS).map(inner).sum::<f64>();
    (sum * step / 3.0 * (1.0 + OUTWARD)).min(1.0)
}

const REACH: f64 = 12.0;
/// Relative widening: above the error of the rule and of the normal function.
const OUTWARD: f64 = 1e-9;
/// Even.
const STEPS: usize = 600;

#[cfg(test)]
#[path = "../../../tests/unit/learning/canaries/normal.rs"]
mod tests;
