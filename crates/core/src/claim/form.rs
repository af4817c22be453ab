//! The form of a claim as stated.

use super::{ClaimError, Rule};
use plaudit_accountant::Composition;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A claim as it was stated. A [`Claim`](super::Claim) is one that was checked, with its region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "form", rename_all = "kebab-case")]
pub enum Form {
    /// (ε, δ)-differential privacy; pure when δ = 0.
    EpsilonDelta {
        /// ε >= 0, finite.
        epsilon: f64,
        /// δ in [0, 1].
        delta: f64,
    },
    /// μ-Gaussian differential privacy (Dong, Roth, Su 2022): no easier to tell apart than
    /// N(0, 1) from N(μ, 1).
    Gaussian {
        /// μ >= 0, finite.
        mu: f64,
    },
    /// Rényi differential privacy (Mironov 2017) of one order or several.
    Renyi {
        /// The orders, ascending, each with its bound.
        curve: Vec<RenyiBound>,
    },
    /// ρ-zero-concentrated differential privacy (Bun, Steinke 2016).
    ZeroConcentrated {
        /// ρ >= 0, finite.
        rho: f64,
    },
    /// A privacy profile by points: (ε, δ)-DP for each of them.
    Profile {
        /// (ε, δ), ε ascending, δ falling and convex in e^ε.
        points: Vec<(f64, f64)>,
    },
    /// f-differential privacy (Dong, Roth, Su 2022): a trade-off function by points, straight
    /// between them.
    Tradeoff {
        /// (type-I error, least type-II error), from type-I error 0, convex and falling to (1, 0).
        points: Vec<(f64, f64)>,
    },
    /// The composition rule for equal (ε, δ)-DP mechanisms.
    Composed {
        /// The rule.
        rule: Rule,
        /// ε of each mechanism.
        epsilon: f64,
        /// δ of each mechanism.
        delta: f64,
        /// How many mechanisms, k.
        count: u64,
        /// δ' of the rule, where it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        delta_prime: Option<f64>,
    },
    /// A composition of mechanisms of known kinds: its privacy profile, by the
    /// accountant, rounded up.
    Composition {
        /// The composition.
        composition: Composition,
    },
    /// Meaning of a claim for datasets several neighbors apart.
    Group {
        /// The claim for neighbors.
        of: Box<Form>,
        /// How many neighbors apart, k.
        size: u64,
    },
}

/// A bound on the Rényi divergence of one order, both ways.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RenyiBound {
    /// The order α > 1.
    pub order: f64,
    /// The bound, >= 0.
    pub epsilon: f64,
}

/// Largest ε, μ, ρ or Rényi bound that a claim may name: beyond, it claims nothing that a double can
/// hold.
const LARGEST: f64 = 1e4;
/// Largest order of a Rényi bound.
const LARGEST_ORDER: f64 = 1e9;
const MOST_POINTS: usize = 10_000;
/// Largest group of a claim that is a curve by points.
const LARGEST_CURVED_GROUP: u64 = 64;
/// Relative deviation allowed for a point of a curve from what the other points imply.
pub const SLACK: f64 = 1e-9;

fn bad<T>(name: &'static str, value: f64, must_be: &'static str) -> Result<T, ClaimError> {
    Err(ClaimError { name, value, must_be })
}

fn finite_and_not_negative(name: &'static str, value: f64) -> Result<(), ClaimError> {
    match (0.0..=LARGEST).contains(&value) {
        true => Ok(()),
        false => bad(name, value, "between 0 and 10000"),
    }
}

fn share(name: &'static str, value: f64) -> Result<(), ClaimError> {
    match (0.0..=1.0).contains(&value) {
        true => Ok(()),
        false => bad(name, value, "between 0 and 1"),
    }
}

impl Form {
    /// Checks that its numbers are possible and its curves are valid.
    ///
    /// # Errors
    /// The first value that is invalid.
    pub fn check(&self) -> Result<(), ClaimError> {
        match self {
            Self::EpsilonDelta { epsilon, delta } => {
                finite_and_not_negative("epsilon", *epsilon)?;
                share("delta", *delta)
            }
            Self::Gaussian { mu } => finite_and_not_negative("mu", *mu),
            Self::ZeroConcentrated { rho } => finite_and_not_negative("rho", *rho),
            Self::Renyi { curve } => check_renyi(curve),
            Self::Profile { points } => check_profile(points),
            Self::Tradeoff { points } => check_tradeoff(points),
            Self::Composed { rule, epsilon, delta, count, delta_prime } => {
                finite_and_not_negative("epsilon", *epsilon)?;
                share("delta", *delta)?;
                let (total, _) = rule.composed((*epsilon, *delta), *count, *delta_prime)?;
                match total <= LARGEST {
                    true => Ok(()),
                    false => bad("epsilon", total, "at most 10000 when it is composed"),
                }
            }
            Self::Composition { composition } => composition.check().or_else(|_| {
                bad("composition", 0.0, "one that the accountant takes: see docs/accountant.md")
            }),
            Self::Group { of, size } => check_group(of, *size),
        }
    }

    /// `true` if only the straight edges of its region are known.
    fn is_curve(&self) -> bool {
        match self {
            Self::Renyi { .. }
            | Self::Profile { .. }
            | Self::Tradeoff { .. }
            | Self::Composition { .. } => true,
            Self::Group { of, .. } => of.is_curve(),
            _ => false,
        }
    }
}

fn check_group(of: &Form, size: u64) -> Result<(), ClaimError> {
    of.check()?;
    if size == 0 {
        return bad("group", 0.0, "at least 1");
    }
    if matches!(of, Form::Group { .. }) {
        return bad("group", size as f64, "given once: a group of groups is one group");
    }
    if of.is_curve() && size > LARGEST_CURVED_GROUP {
        let must_be = "at most 64 for a claim by points or orders; claim what the group's \
                       epsilon and delta are";
        return bad("group", size as f64, must_be);
    }
    let largest = match of {
        Form::EpsilonDelta { epsilon, .. } => ("epsilon", epsilon * size as f64),
        Form::Composed { rule, epsilon, delta, count, delta_prime } => {
            let (total, _) = rule.composed((*epsilon, *delta), *count, *delta_prime)?;
            ("epsilon", total * size as f64)
        }
        Form::Gaussian { mu } => ("mu", mu * size as f64),
        Form::ZeroConcentrated { rho } => ("rho", rho * (size as f64).powi(2)),
        _ => return Ok(()),
    };
    match largest.1 <= LARGEST {
        true => Ok(()),
        false => bad(largest.0, largest.1, "at most 10000 for the group"),
    }
}

fn check_renyi(curve: &[RenyiBound]) -> Result<(), ClaimError> {
    some(curve.len(), "renyi")?;
    for bound in curve {
        if !(bound.order > 1.0 && bound.order <= LARGEST_ORDER) {
            return bad("order", bound.order, "above 1 and at most 1e9");
        }
        finite_and_not_negative("epsilon", bound.epsilon)?;
    }
    match curve.windows(2).find(|pair| pair[0].order >= pair[1].order) {
        Some(pair) => bad("order", pair[1].order, "in ascending order, each once"),
        None => Ok(()),
    }
}

fn some(points: usize, name: &'static str) -> Result<(), ClaimError> {
    match points {
        0 => bad(name, 0.0, "a list with at least one point"),
        1..=MOST_POINTS => Ok(()),
        _ => bad(name, points as f64, "a list of at most 10000 points"),
    }
}

/// δ falls and is convex in e^ε: otherwise other points imply a smaller δ than the one stated.
fn check_profile(points: &[(f64, f64)]) -> Result<(), ClaimError> {
    some(points.len(), "profile")?;
    for (epsilon, delta) in points {
        finite_and_not_negative("epsilon", *epsilon)?;
        share("delta", *delta)?;
    }
    for pair in points.windows(2) {
        if pair[0].0 >= pair[1].0 {
            return bad("epsilon", pair[1].0, "in ascending order, each once");
        }
        if pair[0].1 < pair[1].1 {
            return bad(
                "delta",
                pair[1].1,
                "falling: a larger epsilon must not have a larger delta",
            );
        }
    }
    for three in points.windows(3) {
        let [(e0, d0), (e1, d1), (e2, d2)] = *three else { continue };
        // The share of e₁ between e₀ and e₂ on the scale of e^ε.
        let part = (e1 - e0).exp_m1() / (e2 - e0).exp_m1();
        let part = if part.is_nan() { 0.0 } else { part };
        if d1 > (d0 + part * (d2 - d0)) * (1.0 + SLACK) {
            let must_be = "convex in e^epsilon with its neighbors, as every profile is";
            return bad("delta", d1, must_be);
        }
    }
    Ok(())
}

fn check_tradeoff(points: &[(f64, f64)]) -> Result<(), ClaimError> {
    some(points.len(), "tradeoff")?;
    for (a, f) in points {
        share("type-I error", *a)?;
        share("type-II error", *f)?;
        if *f > 1.0 - a + SLACK {
            return bad(
                "type-II error",
                *f,
                "at most 1 - the type-I error: guessing achieves that",
            );
        }
    }
    if points[0].0 != 0.0 {
        return bad("type-I error", points[0].0, "0 at the first point");
    }
    for pair in points.windows(2) {
        if pair[0].0 >= pair[1].0 {
            return bad("type-I error", pair[1].0, "in ascending order, each once");
        }
        if pair[0].1 < pair[1].1 {
            return bad("type-II error", pair[1].1, "falling with the type-I error");
        }
    }
    let ended = ended(points);
    for three in ended.windows(3) {
        let [(a0, f0), (a1, f1), (a2, f2)] = *three else { continue };
        let chord = f0 + (a1 - a0) / (a2 - a0) * (f2 - f0);
        if f1 > chord + SLACK {
            return bad(
                "type-II error",
                f1,
                "convex with its neighbors, as trade-off functions are",
            );
        }
    }
    Ok(())
}

impl Form {
    /// The points of a claim that is a trade-off function, up to its end, (1, 0): as they are, or
    /// lowered to what the slack allows for.
    pub fn tradeoff_points(&self, lowered: bool) -> Option<Vec<(f64, f64)>> {
        let Self::Tradeoff { points } = self else { return None };
        if lowered {
            return Some(ended(points));
        }
        let mut points = points.clone();
        if points.last().is_some_and(|last| last.0 < 1.0) {
            points.push((1.0, 0.0));
        }
        Some(points)
    }
}

/// A trade-off function up to its end, (1, 0), without what the slack let pass above 1 − a, and with
/// no error that is less than the slack: never a stronger claim.
pub(super) fn ended(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let error = |a: f64, f: f64| if f <= SLACK { 0.0 } else { f.min(1.0 - a) };
    let mut points: Vec<_> = points.iter().map(|(a, f)| (*a, error(*a, *f))).collect();
    if points.last().is_some_and(|last| last.0 < 1.0) {
        points.push((1.0, 0.0));
    }
    points
}

impl std::fmt::Display for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::EpsilonDelta { epsilon, delta: 0.0 } => write!(f, "{epsilon}-DP"),
            Self::EpsilonDelta { epsilon, delta } => write!(f, "({epsilon}, {delta})-DP"),
            Self::Gaussian { mu } => write!(f, "{mu}-GDP"),
            Self::ZeroConcentrated { rho } => write!(f, "{rho}-zCDP"),
            Self::Renyi { curve } => match curve.as_slice() {
                [RenyiBound { order, epsilon }] => write!(f, "({order}, {epsilon})-RDP"),
                many => write!(f, "RDP at {} orders", many.len()),
            },
            Self::Profile { points } => write!(f, "the privacy profile of {} points", points.len()),
            Self::Tradeoff { points } => {
                write!(f, "f-DP by a trade-off function of {} points", points.len())
            }
            Self::Composed { rule, epsilon, delta, count, .. } => {
                let one = Self::EpsilonDelta { epsilon: *epsilon, delta: *delta };
                let rule = match rule {
                    Rule::Basic => "basic composition",
                    Rule::Advanced => "advanced composition",
                    Rule::AdvancedShort => "advanced composition (short form)",
                };
                write!(f, "{rule} of {count} times {one}")
            }
            Self::Composition { composition } => write!(f, "the profile of {composition}"),
            Self::Group { of, size } => write!(f, "{of} for groups of {size}"),
        }
    }
}
