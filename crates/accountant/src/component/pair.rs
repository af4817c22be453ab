//! Pairs of laws (P, Q) on two neighboring datasets, known by the law of the privacy loss ln(P/Q).
//!
//! Write X = dP/dQ under Q. The profile is δ(ε) = E(X − e^ε)₊, so one pair dominates another if
//! its X is larger in the increasing convex order; products and the affine maps of subsampling
//! keep that order. All of the accountant rests on this.

use super::mixture::MixturePair;
use super::opposed::OpposedPair;
pub(crate) use super::part::LawPart;
use super::part::{GAUSS_8, Place, between, ln_between};
use crate::normal;

/// Gauss–Legendre on [−1, 1]: nodes and weights, half of them.
const GAUSS_4: [(f64, f64); 2] = [
    (0.339_981_043_584_856_3, 0.652_145_154_862_546_1),
    (0.861_136_311_594_052_6, 0.347_854_845_137_453_9),
];

/// A pair of laws. All but some of the atoms are symmetric: (Q, P) has the same law of the loss.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LawPair {
    /// N(μ, 1) against N(0, 1), μ > 0.
    Gaussian { mu: f64 },
    /// Laplace noise of scale 1 around 0 and a, a > 0: losses ±a as atoms, and between them
    /// P-density e^((ℓ−a)/2)/4.
    Laplace { a: f64 },
    /// Pair that dominates all mechanisms of bounded range ε: δ(ε') = (1 − e^((ε'−ε)/2))²/(1 −
    /// e^(−ε)) for |ε'| <= ε, the supremum over the two-point laws of range ε.
    BoundedRange { epsilon: f64 },
    /// A row substituted in a Poisson sample, with Laplace noise.
    Opposed(OpposedPair),
    /// Mixtures of normal laws.
    Mixture(MixturePair),
    /// Finitely many losses, ascending; −∞ and +∞ are allowed.
    Atoms { parts: Vec<LawPart>, spacing: Option<f64> },
}

impl LawPair {
    /// Two answers, distinguishable with odds e^±ε (randomized response), and with probability δ a
    /// sure sign (Kairouz, Oh, Viswanath 2015).
    pub fn randomized_response(epsilon: f64, delta: f64) -> Self {
        let most = (1.0 - delta) / (1.0 + (-epsilon).exp());
        let least = (1.0 - delta) / (1.0 + epsilon.exp());
        let mut parts = vec![
            LawPart { p: 0.0, q: delta, loss: f64::NEG_INFINITY },
            LawPart { p: least, q: most, loss: -epsilon },
            LawPart { p: most, q: least, loss: epsilon },
            LawPart { p: delta, q: 0.0, loss: f64::INFINITY },
        ];
        parts.retain(|part| part.p > 0.0 || part.q > 0.0);
        Self::Atoms { parts, spacing: Some(epsilon).filter(|&epsilon| epsilon > 0.0) }
    }

    /// The losses that the law can have.
    pub fn support(&self) -> (f64, f64) {
        match self {
            Self::Gaussian { .. } => (f64::NEG_INFINITY, f64::INFINITY),
            Self::Opposed(pair) => (-pair.end(), pair.end()),
            Self::Mixture(pair) => pair.ends(),
            Self::Laplace { a: end } | Self::BoundedRange { epsilon: end } => (-end, *end),
            Self::Atoms { parts, .. } => {
                (parts.first().map_or(0.0, |x| x.loss), parts.last().map_or(0.0, |x| x.loss))
            }
        }
    }

    /// `true` if an infinite loss, or arbitrarily large ones, have a probability.
    pub fn is_unbounded(&self) -> bool {
        match self {
            Self::Gaussian { .. } => true,
            Self::Mixture(pair) => pair.ends().1 == f64::INFINITY,
            Self::Laplace { .. } | Self::BoundedRange { .. } | Self::Opposed(_) => false,
            Self::Atoms { parts, .. } => {
                parts.iter().any(|part| part.loss == f64::INFINITY && part.p > 0.0)
            }
        }
    }

    /// Between which losses all finite ones that matter lie: outside, the probability under P and
    /// under Q is below `floor`.
    pub fn range(&self, floor: f64) -> (f64, f64) {
        match *self {
            Self::Gaussian { mu } => {
                let z = normal::upper_quantile(floor);
                let end = mu * (z + 0.5 * mu);
                (-end, end)
            }
            Self::Mixture(ref pair) => pair.range(floor),
            Self::Atoms { ref parts, .. } => {
                let mut losses = parts.iter().map(|part| part.loss).filter(|loss| loss.is_finite());
                let start = losses.next().unwrap_or(0.0);
                (start, losses.next_back().unwrap_or(start))
            }
            _ => self.support(),
        }
    }

    /// A loss with its outcome, for a law that is known by outcomes.
    pub fn place(&self, loss: f64) -> Place {
        let (start, end) = self.support();
        let loss = loss.clamp(start, end);
        let outcome = match self {
            Self::Mixture(pair) => pair.outcome(loss),
            _ => loss,
        };
        Place { loss, outcome }
    }

    /// Outcomes of losses between two places, without atoms; `None` if they do not exist.
    pub fn part(&self, from: Place, to: Place) -> Option<LawPart> {
        let (low, high) = (from.loss, to.loss);
        if low >= high {
            return None;
        }
        match *self {
            Self::Gaussian { mu } => Some(gaussian_part(mu, low, high)),
            Self::Opposed(pair) => Some(pair.part(low, high)),
            Self::Mixture(ref pair) => Some(pair.part(from, to)),
            Self::Laplace { a } => {
                let width = -(0.5 * (low - high)).exp_m1();
                let p = 0.5 * (0.5 * (high - a)).exp() * width;
                let q = 0.5 * (0.5 * (-low - a)).exp() * width;
                Some(LawPart { p, q, loss: 0.5 * (low + high) })
            }
            Self::BoundedRange { epsilon } => {
                let width = (0.5 * (low - high)).exp_m1() / (-epsilon).exp_m1();
                let p = (0.5 * (high - epsilon)).exp() * width;
                let q = (0.5 * (-low - epsilon)).exp() * width;
                Some(LawPart { p, q, loss: 0.5 * (low + high) })
            }
            Self::Atoms { .. } => None,
        }
    }

    pub fn atoms(&self) -> Vec<LawPart> {
        match self {
            Self::Gaussian { .. } | Self::BoundedRange { .. } | Self::Mixture(_) => Vec::new(),
            Self::Opposed(pair) => pair.atoms(),
            Self::Laplace { a } => {
                let (most, least) = (0.5, 0.5 * (-a).exp());
                vec![
                    LawPart { p: least, q: most, loss: -a },
                    LawPart { p: most, q: least, loss: *a },
                ]
            }
            Self::Atoms { parts, .. } => parts.clone(),
        }
    }

    /// Bounds on δ(ε) for any ε between two that are near each other, losses being rounded.
    pub fn delta(&self, (low, high): (f64, f64)) -> (f64, f64) {
        match *self {
            Self::Gaussian { mu } => {
                let (greatest, error) = gaussian_delta(mu, low);
                let least = if low < high { gaussian_delta(mu, high) } else { (greatest, error) };
                (least.0 * (1.0 - least.1.min(1.0)), greatest * (1.0 + error.min(1.0)))
            }
            Self::Opposed(pair) => pair.delta((low, high)),
            Self::Mixture(ref pair) => pair.delta((low, high), false),
            Self::Laplace { a } => {
                let at = |epsilon: f64| {
                    if epsilon >= -a { -(0.5 * (epsilon - a)).exp_m1() } else { -epsilon.exp_m1() }
                };
                let least = at(high + rounding(high, a)).max(0.0) * (1.0 - 2e-15);
                (least, at(low - rounding(low, a)).max(0.0) * (1.0 + 2e-15))
            }
            Self::BoundedRange { epsilon: end } => {
                let at = |epsilon: f64| {
                    if epsilon >= end {
                        return 0.0;
                    }
                    if epsilon <= -end {
                        return -epsilon.exp_m1();
                    }
                    let root = (0.5 * (epsilon - end)).exp_m1();
                    root * root / -(-end).exp_m1()
                };
                let least = at(high + rounding(high, end)) * (1.0 - 4e-15);
                (least, at(low - rounding(low, end)) * (1.0 + 4e-15))
            }
            Self::Atoms { ref parts, .. } => atoms_delta(parts.iter().rev().copied(), (low, high)),
        }
    }

    /// The same for (Q, P).
    pub fn reversed_delta(&self, ends: (f64, f64)) -> (f64, f64) {
        match self {
            Self::Mixture(pair) => pair.delta(ends, true),
            Self::Atoms { parts, .. } => {
                atoms_delta(parts.iter().map(|part| part.reversed()), ends)
            }
            // The others are symmetric.
            _ => self.delta(ends),
        }
    }

    /// The distance of which all atoms, or both ends, are multiples, counted from loss 0.
    pub fn spacing(&self) -> Option<f64> {
        match *self {
            Self::Gaussian { .. } | Self::Mixture(_) => None,
            // Its atoms are at both ends.
            Self::Opposed(pair) => Some(pair.end()),
            Self::Laplace { a: end } | Self::BoundedRange { epsilon: end } => Some(end),
            Self::Atoms { spacing, .. } => spacing,
        }
    }
}

/// Bounds on δ(ε) of atoms, descending in loss.
fn atoms_delta(parts: impl Iterator<Item = LawPart>, (low, high): (f64, f64)) -> (f64, f64) {
    let (mut least, mut greatest, mut terms) = (0.0, 0.0, 0.0);
    let size = low.abs().max(high.abs());
    for part in parts {
        let room = rounding(size, part.loss);
        if part.loss <= low - room {
            break;
        }
        let gap = |epsilon: f64| -(epsilon - part.loss).exp_m1();
        let wide = gap(low);
        let narrow = if low < high { gap(high) } else { wide };
        // e^(x ± room) is within e^x (1 ± 1.1 room).
        greatest += part.p * (wide + 1.1 * room * (1.0 - wide)).max(0.0);
        least += part.p * (narrow - 1.1 * room * (1.0 - narrow)).max(0.0);
        terms += 1.0;
    }
    let error = 1e-13 + f64::EPSILON * terms;
    (least * (1.0 - error), greatest * (1.0 + error))
}

/// Error of the difference of an ε and a loss, with room; far below 1.
fn rounding(epsilon: f64, loss: f64) -> f64 {
    if loss.is_finite() { 4.0 * f64::EPSILON * epsilon.abs().max(loss.abs()) } else { 0.0 }
}

/// The outcomes of N(μ, 1) against N(0, 1) whose loss is in (low, high).
fn gaussian_part(mu: f64, low: f64, high: f64) -> LawPart {
    if low + high < 0.0 {
        // The side on which P outweighs Q is the more accurate one.
        return gaussian_part(mu, -high, -low).reversed();
    }
    let z = |loss: f64| loss / mu - 0.5 * mu;
    let (first, last) = (z(low), z(high));
    let middle = 0.5 * (low + high);
    let center = z(middle);
    let (width, scaled) = (high - low, (high - low) / mu * center.abs().max(1.0));
    let by_rule = |rule: &[(f64, f64)]| {
        let half = 0.5 * (last - first).min(width / mu);
        let (mut mass, mut moment) = (0.0, 0.0);
        for &(node, weight) in rule {
            for t in [-node * half, node * half] {
                // φ(center + t)/φ(center).
                let share = weight * (-t * (center + 0.5 * t)).exp();
                mass += share;
                moment += share * (-mu * t).exp_m1();
            }
        }
        let p = normal::density(center) * half * mass;
        let loss = middle - (moment / mass).ln_1p();
        LawPart { p, q: p * (-loss).exp(), loss }
    };
    if scaled <= 0.1 && width <= 0.1 {
        by_rule(&GAUSS_4)
    } else if scaled <= 1.0 && width <= 1.0 {
        by_rule(&GAUSS_8)
    } else {
        let p = between(first, last);
        let q = between(first + mu, last + mu);
        let loss = ln_between(first, last) - ln_between(first + mu, last + mu);
        // Nothing under either: far out in the tail.
        let loss = if loss.is_nan() { low.max(0.0) } else { loss.max(low).min(high) };
        LawPart { p, q, loss }
    }
}

/// The profile of the Gaussian pair, Φ(−t) − e^ε Φ(−t − μ) with t = ε/μ − μ/2 (Balle, Wang 2018),
/// and a bound on its relative error. As e^ε φ(t + μ) = φ(t), it is φ(t) ∫ e^(−ty − y²/2) (1 −
/// e^(−μy)) dy over y > 0, where nothing cancels.
fn gaussian_delta(mu: f64, epsilon: f64) -> (f64, f64) {
    let t = epsilon / mu - 0.5 * mu;
    if t > 100.0 {
        // φ(t) is 0.
        return (0.0, 0.0);
    }
    // t is off by a few units in the last place of its two terms, which moves δ by at most
    // |t| + 1, relative, and by less than 3 φ(t) where δ is near 1.
    let steepness = if t < -1.0 { 3.0 * normal::density(t + 0.5) } else { t.abs() + 1.0 };
    let error = 1e-13 + 4.0 * f64::EPSILON * steepness * (epsilon.abs() / mu + mu);
    if t < -1.0 {
        return (normal::cdf(-t) - normal::density(t) * normal::mills(t + mu), error);
    }
    const PANELS: u32 = 32;
    let end = 90.0 / (t + (t * t + 90.0).sqrt());
    if mu * end > 3.0 * f64::from(PANELS) {
        return (normal::density(t) * (normal::mills(t) - normal::mills(t + mu)), error);
    }
    let half = 0.5 * end / f64::from(PANELS);
    let mut sum = 0.0;
    for panel in 0..PANELS {
        let center = half * f64::from(2 * panel + 1);
        for &(node, weight) in &GAUSS_8 {
            for y in [center - node * half, center + node * half] {
                sum -= weight * (-y * (t + 0.5 * y)).exp() * (-mu * y).exp_m1();
            }
        }
    }
    (normal::density(t) * half * sum, error)
}
