//! Claims about a mechanism.
//!
//! Every claim is one region of allowed pairs (q, p) = (Q(S), P(S)): p <= g(q) with g concave
//! and increasing, "the most power that a test of type-I error q may have" ([`Region`]). One event
//! S with p > g(q), in either direction, refutes it.

mod error;
mod form;
mod polygon;
mod region;
mod renyi;
mod rules;
mod unit;

pub use error::ClaimError;
pub use form::SLACK;
pub use form::{Form, RenyiBound};
pub use polygon::Polygon;
pub use region::Region;
pub use renyi::event_divergence;
pub use rules::Rule;
pub use unit::LossUnit;

use plaudit_accountant::Composition;
use plaudit_accountant::normal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// δ at which ε is quoted for claims that are a whole curve (μ-GDP) and so name no point of it.
pub const REFERENCE_DELTA: f64 = 1e-5;

/// An ε or μ below which next to nothing shows, even where a claim is tight.
pub const LEAST_LOSS: f64 = 0.01;

/// A privacy claim, demanded in both directions for all neighbors: its form, checked, and its region.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Form", into = "Form")]
pub struct Claim {
    form: Form,
    region: Region,
}

impl PartialEq for Claim {
    fn eq(&self, other: &Self) -> bool {
        self.form == other.form
    }
}

impl JsonSchema for Claim {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Claim".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Form::json_schema(generator)
    }
}

impl TryFrom<Form> for Claim {
    type Error = ClaimError;

    fn try_from(form: Form) -> Result<Self, ClaimError> {
        form.check()?;
        let region = region_of(&form)?;
        Ok(Self { form, region })
    }
}

impl From<Claim> for Form {
    fn from(claim: Claim) -> Self {
        claim.form
    }
}

/// The region of a form that was checked.
fn region_of(form: &Form) -> Result<Region, ClaimError> {
    let straight = |polygon| Region::Polygon(Arc::new(polygon));
    Ok(match form {
        Form::EpsilonDelta { epsilon, delta } => {
            Region::EpsilonDelta { epsilon: *epsilon, delta: *delta }
        }
        Form::Gaussian { mu } => Region::Gaussian { mu: *mu },
        Form::ZeroConcentrated { rho } => straight(renyi::concentrated_region(*rho)),
        Form::Renyi { curve } => {
            let curve: Vec<_> = curve.iter().map(|bound| (bound.order, bound.epsilon)).collect();
            straight(renyi::region(&curve))
        }
        Form::Profile { points } => match points.as_slice() {
            [(epsilon, delta)] => Region::EpsilonDelta { epsilon: *epsilon, delta: *delta },
            points => straight(Polygon::of_profile(points)),
        },
        Form::Tradeoff { points } => straight(Polygon::of_tradeoff(&form::ended(points))),
        Form::Composed { rule, epsilon, delta, count, delta_prime } => {
            let (epsilon, delta) = rule.composed((*epsilon, *delta), *count, *delta_prime)?;
            Region::EpsilonDelta { epsilon, delta }
        }
        Form::Composition { composition } => straight(of_composition(composition)?),
        Form::Group { of, size } => region_of_group(of, *size)?,
    })
}

/// The region of a composition's profile: of the accountant's upper ends, at ε from 0 to where δ is
/// below 10⁻¹², and beyond at the δ that is left. Any choice of points is sound.
fn of_composition(composition: &Composition) -> Result<Polygon, ClaimError> {
    const STEPS: u32 = 160;
    let failed = |_| ClaimError {
        name: "composition",
        value: 0.0,
        must_be: "one that the accountant takes: see docs/accountant.md",
    };
    let curve = composition.curve().map_err(failed)?;
    let reach = [1e-12, 1e-9, 1e-6, 1e-3].map(|delta| curve.epsilon_at(delta).upper);
    let last = reach.into_iter().find(|epsilon| epsilon.is_finite() && *epsilon <= 700.0);
    let last = last.unwrap_or(50.0).max(1e-6);
    let grid = (0..=STEPS).map(|step| last * f64::from(step) / f64::from(STEPS));
    let points: Vec<(f64, f64)> =
        grid.map(|epsilon| (epsilon, curve.delta_at(epsilon).upper.clamp(0.0, 1.0))).collect();
    Ok(Polygon::of_profile(&points))
}

/// The region for datasets `size` neighbors apart.
///
/// (ε, δ): (kε, δ (e^(kε) − 1)/(e^ε − 1)), what k applications of e^ε q + δ come to (Vadhan 2017, Lemma 2.2, before its last step);
/// μ-GDP: kμ (Dong, Roth, Su 2022, Theorem 2.14); ρ-zCDP: k²ρ (Bun, Steinke 2016, Proposition 1.9);
/// others: the region applied k times (Dong, Roth, Su 2022, Theorem 2.14).
fn region_of_group(of: &Form, size: u64) -> Result<Region, ClaimError> {
    let k = size as f64;
    if size == 1 {
        return region_of(of);
    }
    if let Form::ZeroConcentrated { rho } = of {
        return region_of(&Form::ZeroConcentrated { rho: k * k * rho });
    }
    Ok(match region_of(of)? {
        Region::EpsilonDelta { epsilon, delta } => {
            // (e^(kε) − 1)/(e^ε − 1), rounded up; nothing times e^infinity is nothing.
            let growth = match epsilon > 0.0 {
                true => (k * epsilon).exp_m1() / epsilon.exp_m1(),
                false => k,
            } * (1.0 + 1e-12);
            let delta = if delta > 0.0 { (growth * delta).min(1.0) } else { 0.0 };
            Region::EpsilonDelta { epsilon: k * epsilon, delta }
        }
        Region::Gaussian { mu } => Region::Gaussian { mu: k * mu },
        Region::Polygon(polygon) => Region::Polygon(Arc::new(polygon.of_group(size))),
    })
}

impl Claim {
    /// ε-differential privacy (δ = 0).
    ///
    /// # Errors
    /// If ε is negative, NaN or above 10⁴.
    pub fn pure(epsilon: f64) -> Result<Self, ClaimError> {
        Self::approximate(epsilon, 0.0)
    }

    /// (ε, δ)-differential privacy.
    ///
    /// # Errors
    /// If ε is negative, NaN or above 10⁴, or δ is not in [0, 1].
    pub fn approximate(epsilon: f64, delta: f64) -> Result<Self, ClaimError> {
        Form::EpsilonDelta { epsilon, delta }.try_into()
    }

    /// μ-Gaussian differential privacy.
    ///
    /// # Errors
    /// If μ is negative, NaN or above 10⁴.
    pub fn gaussian(mu: f64) -> Result<Self, ClaimError> {
        Form::Gaussian { mu }.try_into()
    }

    /// ρ-zero-concentrated differential privacy.
    ///
    /// # Errors
    /// If ρ is negative, NaN or above 10⁴.
    pub fn zero_concentrated(rho: f64) -> Result<Self, ClaimError> {
        Form::ZeroConcentrated { rho }.try_into()
    }

    /// Rényi differential privacy: (order α, bound on D_α), α ascending.
    ///
    /// # Errors
    /// If there are no orders, an order is not above 1, or a bound is negative, NaN or above 10⁴.
    pub fn renyi(curve: impl IntoIterator<Item = (f64, f64)>) -> Result<Self, ClaimError> {
        let bounds = curve.into_iter().map(|(order, epsilon)| RenyiBound { order, epsilon });
        Form::Renyi { curve: bounds.collect() }.try_into()
    }

    /// A privacy profile: (ε, δ)-DP for each of these points.
    ///
    /// # Errors
    /// If a point is impossible, or the points are not of one profile: ε ascending, δ falling and
    /// convex in e^ε.
    pub fn profile(points: Vec<(f64, f64)>) -> Result<Self, ClaimError> {
        Form::Profile { points }.try_into()
    }

    /// f-DP: a trade-off function by its points (type-I error, least type-II error), straight between
    /// them and on to (1, 0).
    ///
    /// # Errors
    /// If a point is impossible, the first is not at type-I error 0, or the points are not falling
    /// and convex.
    pub fn tradeoff(points: Vec<(f64, f64)>) -> Result<Self, ClaimError> {
        Form::Tradeoff { points }.try_into()
    }

    /// The privacy profile of a composition of mechanisms.
    ///
    /// # Errors
    /// If the accountant does not take it.
    pub fn composition(composition: Composition) -> Result<Self, ClaimError> {
        Form::Composition { composition }.try_into()
    }

    /// Claim that follows for datasets `size` neighbors apart.
    ///
    /// # Errors
    /// If the size is 0, or numbers cannot hold the resulting claim.
    pub fn for_groups(&self, size: u64) -> Result<Self, ClaimError> {
        Form::Group { of: Box::new(self.form.clone()), size }.try_into()
    }

    /// The claim as it was stated.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// Number of neighbor steps between the datasets of the claim.
    pub fn group_size(&self) -> u64 {
        match self.form {
            Form::Group { size, .. } => size,
            _ => 1,
        }
    }

    /// The region of allowed (q, p).
    pub fn region(&self) -> &Region {
        &self.region
    }

    /// The (ε, δ) of the claim, if it is not a curve.
    pub fn as_epsilon_delta(&self) -> Option<(f64, f64)> {
        match self.region {
            Region::EpsilonDelta { epsilon, delta } => Some((epsilon, delta)),
            _ => None,
        }
    }

    /// The privacy profile: the smallest δ at which the claim implies (ε, δ)-DP. For claims that are
    /// curves by points or orders it is rounded up with their region.
    ///
    /// For (ε₀, δ₀): δ₀ for ε >= ε₀, and 1 − (1 − δ₀)(1 + e^ε)/(1 + e^ε₀) below. For μ-GDP:
    /// Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) (Balle & Wang 2018; Dong, Roth, Su 2022, Cor. 2.13). Else the
    /// largest g(q) − e^ε q: for Rényi claims the best conversion there is (Asoodeh, Liao, Calmon,
    /// Kosut, Sankar 2021), as a pair of laws on two outcomes attains it.
    pub fn delta_at(&self, epsilon: f64) -> f64 {
        match self.region {
            Region::EpsilonDelta { epsilon: claimed, delta } => {
                if epsilon >= claimed {
                    return delta;
                }
                // (1 + e^ε)/(1 + e^ε₀) and what it lacks to 1, divided by e^ε₀ so that nothing
                // overflows, and without taking nearly equal numbers from each other.
                let below = (epsilon - claimed).exp_m1();
                let scale = 1.0 + (-claimed).exp();
                let ratio = (1.0 + below + (-claimed).exp()) / scale;
                (delta * ratio - below / scale).min(1.0)
            }
            Region::Gaussian { mu } => gaussian_profile(mu, epsilon),
            Region::Polygon(ref polygon) => polygon.delta_at(epsilon),
        }
    }

    /// The trade-off function: the smallest type-II error allowed at type-I error `a`.
    pub fn tradeoff_at(&self, a: f64) -> f64 {
        (1.0 - self.region.most_power(a)).max(0.0)
    }

    /// The point (ε, δ) of the claim's own profile at which bounds are quoted: the claim itself,
    /// or the point at δ = [`REFERENCE_DELTA`] of a curve; of a curve that stays above, the point
    /// from which on it does not fall.
    pub fn reference_point(&self) -> (f64, f64) {
        if let Region::EpsilonDelta { epsilon, delta } = self.region {
            return (epsilon, delta);
        }
        let mut delta = REFERENCE_DELTA;
        if let Region::Polygon(polygon) = &self.region {
            let least = polygon.most_power(0.0) * (1.0 + 1e-9);
            delta = delta.max(least).min(1.0);
        }
        (self.epsilon_at(delta), delta)
    }

    /// The smallest ε at which the claim's profile is at most `delta`, which it must reach; to the last digits.
    fn epsilon_at(&self, delta: f64) -> f64 {
        if self.delta_at(0.0) <= delta {
            return 0.0;
        }
        let (mut low, mut high) = (0.0, 1.0);
        while self.delta_at(high) > delta {
            high *= 2.0;
        }
        while high - low > 1e-15 * high {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if self.delta_at(middle) > delta { low = middle } else { high = middle }
        }
        high
    }

    /// Loss of an event as a multiple of the claim. The event has probability `p` under one dataset and `q` under the
    /// other, both in (0, 1). The multiple is ε at the claim's δ of Gaussian noise that shows the event, over that of
    /// Gaussian noise that shows as much as the claim allows at `q`. `None` if it is infinite.
    pub fn times(&self, q: f64, p: f64) -> Option<f64> {
        let (_, delta) = self.reference_point();
        let times = gaussian_epsilon(shift(q, p), delta)? / self.allowed_at(q, delta)?;
        Some(times).filter(|times| times.is_finite())
    }

    /// Probability under one dataset of an event of probability `q` under the other whose loss is `times` the claim:
    /// the inverse of [`times`](Self::times). `None` if it rounds to 1.
    pub fn power_at(&self, q: f64, times: f64) -> Option<f64> {
        let (_, delta) = self.reference_point();
        let wanted = times * self.allowed_at(q, delta)?;
        let (mut low, mut high) = (0.0, 1.0);
        while gaussian_epsilon(high, delta)? < wanted {
            high *= 2.0;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if gaussian_epsilon(middle, delta)? < wanted { low = middle } else { high = middle }
        }
        Some(normal::cdf(normal::quantile(q) + high)).filter(|p| *p < 1.0)
    }

    /// ε at a δ of Gaussian noise that shows as much as the claim allows at `q`.
    fn allowed_at(&self, q: f64, delta: f64) -> Option<f64> {
        let allowed = gaussian_epsilon(shift(q, self.region.most_power(q)), delta)?;
        Some(allowed.max(LEAST_LOSS))
    }

    /// The point (ε, δ) of the claim's profile that bounds an event of probability `q` under the
    /// other dataset: where the edge of the region is as steep as e^ε.
    pub fn point_at(&self, q: f64) -> (f64, f64) {
        let epsilon = match &self.region {
            Region::EpsilonDelta { epsilon, .. } => *epsilon,
            // d Φ(Φ⁻¹(q) + μ)/dq = e^(−zμ − μ²/2), z = Φ⁻¹(q).
            Region::Gaussian { mu } => -normal::quantile(q) * mu - 0.5 * mu * mu,
            Region::Polygon(polygon) => polygon.epsilon_at(q),
        };
        let epsilon = epsilon.max(0.0);
        (epsilon, self.delta_at(epsilon))
    }
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.form.fmt(f)
    }
}

/// The μ of Gaussian noise that shows an event of these probabilities; at least 0.
fn shift(q: f64, p: f64) -> f64 {
    (normal::quantile(p) - normal::quantile(q)).max(0.0)
}

/// ε at a δ of μ-GDP; `None` if no claim has that μ.
fn gaussian_epsilon(mu: f64, delta: f64) -> Option<f64> {
    Some(Claim::gaussian(mu).ok()?.epsilon_at(delta))
}

/// The profile of μ-GDP, μ >= 0: Φ(−t) − e^ε Φ(−t − μ) with t = ε/μ − μ/2. As e^ε φ(t + μ) = φ(t) it
/// is φ(t) times a difference of Mills' ratios, and where those nearly agree the integral of their
/// slope.
pub fn gaussian_profile(mu: f64, epsilon: f64) -> f64 {
    if mu == 0.0 {
        return 0.0;
    }
    let t = epsilon / mu - mu / 2.0;
    if t == f64::INFINITY {
        return 0.0;
    }
    if t < -5.0 {
        // Close to 1, and Mills' ratio is huge: the defining formula cancels nothing.
        return normal::cdf(-t) - (epsilon + normal::ln_cdf(-t - mu)).exp();
    }
    let difference = if mu < 0.05 {
        // −R'(s) = 1 − s R(s), by Gauss–Legendre with three points: error of order μ^6.
        let slope = |s: f64| 1.0 - s * normal::mills(s);
        let side = 0.6_f64.sqrt();
        let at = |x: f64| slope(t + 0.5 * mu * (1.0 + x));
        mu * (5.0 * at(-side) + 8.0 * at(0.0) + 5.0 * at(side)) / 18.0
    } else {
        normal::mills(t) - normal::mills(t + mu)
    };
    (normal::density(t) * difference).clamp(0.0, 1.0)
}

#[cfg(test)]
#[path = "../../tests/unit/claim/mod.rs"]
mod tests;
