//! Mixtures of normal laws of one variance: P = Σ w N(c, 1) against Q = Σ v N(d, 1), whose loss grows with the outcome.
//!
//! A row added to a Poisson sample of a group, rows drawn with replacement, mixtures of shifts (Choquette-Choo, Ganesh,
//! Steinke, Thakurta 2024, Cor. 4.7), and a row substituted in a Poisson sample are all of this form.

use super::part::{GAUSS_8, LawPart, Place, between, ln_between};
use crate::normal;

/// Bound on the relative error of δ of one use, but for that of its ε.
const ERROR: f64 = 2e-12;
/// Most panels of the quadrature of a part.
const MOST_PANELS: f64 = 64.0;
/// Where e^(ε − ℓ) is nothing next to 1.
const STEEP: f64 = 40.0;
/// Outcomes of which the loss is kept, from which others are sought.
const KEPT: u32 = 512;
/// How far beyond the centers outcomes matter.
const REACH: f64 = 39.0;

/// Weights, which sum to 1, and centers, ascending.
pub(crate) type Mixture = Vec<(f64, f64)>;

/// The pair. Centers of P must be above those of Q such that the loss grows with the outcome.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MixturePair {
    above: Mixture,
    below: Mixture,
    /// Outcomes, evenly, and their losses.
    kept: Vec<(f64, f64)>,
    /// The losses at −∞ and +∞.
    ends: (f64, f64),
}

impl MixturePair {
    pub fn new(above: Mixture, below: Mixture) -> Self {
        let [above, below] = [above, below].map(|mut side| {
            side.retain(|(weight, _)| *weight > 0.0);
            side.sort_by(|a, b| a.1.total_cmp(&b.1));
            side.dedup_by(|next, kept| {
                let same = next.1 == kept.1;
                kept.0 += if same { next.0 } else { 0.0 };
                same
            });
            side
        });
        // The center that is furthest out decides; ln of its weights where both sides have it.
        let end = |p: (f64, f64), q: (f64, f64), side: f64| match side * (p.1 - q.1) {
            0.0 => (p.0 / q.0).ln(),
            apart => apart * f64::INFINITY,
        };
        let last = |side: &Mixture| side[side.len() - 1];
        let ends = (end(above[0], below[0], -1.0), end(last(&above), last(&below), 1.0));
        let mut pair = Self { above, below, kept: Vec::new(), ends };
        let (low, high) = pair.span(REACH);
        let at = |i: u32| low + (high - low) * f64::from(i) / f64::from(KEPT);
        pair.kept = (0..=KEPT).map(|i| (at(i), pair.loss(at(i)))).collect();
        pair
    }

    /// A row substituted in a Poisson sample: moved by μ in opposite directions, in both samples alike.
    pub fn opposed(mu: f64, rate: f64) -> Self {
        Self::new(vec![(1.0 - rate, 0.0), (rate, mu)], vec![(1.0 - rate, 0.0), (rate, -mu)])
    }

    /// Shifts with these weights, against none.
    pub fn shifted(shifts: Mixture) -> Self {
        let total: f64 = shifts.iter().map(|(weight, _)| weight).sum();
        let above = shifts.into_iter().map(|(weight, shift)| (weight / total, shift)).collect();
        Self::new(above, vec![(1.0, 0.0)])
    }

    /// The outcomes within this distance of a center.
    fn span(&self, reach: f64) -> (f64, f64) {
        let centers = || self.above.iter().chain(&self.below).map(|(_, center)| *center);
        let (low, high) = (centers().fold(0.0, f64::min), centers().fold(0.0, f64::max));
        (low - reach, high + reach)
    }

    pub fn loss(&self, x: f64) -> f64 {
        log_ratio(&self.above, x).0 - log_ratio(&self.below, x).0
    }

    /// The losses at both ends.
    pub fn ends(&self) -> (f64, f64) {
        self.ends
    }

    /// The outcome of a loss: monotone.
    pub fn outcome(&self, loss: f64) -> f64 {
        if loss >= self.ends.1 || loss <= self.ends.0 {
            return if loss >= self.ends.1 { f64::INFINITY } else { f64::NEG_INFINITY };
        }
        let after = self.kept.partition_point(|&(_, kept)| kept < loss);
        let last = self.kept.len() - 1;
        let mut step = self.kept[1].0 - self.kept[0].0;
        let (mut low, mut high) = (self.kept[after.max(1) - 1].0, self.kept[after.min(last)].0);
        while after == 0 && self.loss(low) >= loss {
            (low, high, step) = (low - step, low, 2.0 * step);
        }
        while after > last && self.loss(high) < loss {
            (low, high, step) = (high, high + step, 2.0 * step);
        }
        let mut x = 0.5 * (low + high);
        for _ in 0..200 {
            let (p, q) = (log_ratio(&self.above, x), log_ratio(&self.below, x));
            let away = p.0 - q.0 - loss;
            if away >= 0.0 {
                high = x
            } else {
                low = x
            }
            let next = x - away / (p.1 - q.1);
            let next = if next > low && next < high { next } else { 0.5 * (low + high) };
            let near = 4.0 * f64::EPSILON * (1.0 + x.abs());
            if (next - x).abs() <= near || high - low <= near {
                return next;
            }
            x = next;
        }
        x
    }

    /// Losses beyond which P and Q have less than `floor`.
    pub fn range(&self, floor: f64) -> (f64, f64) {
        let (low, high) = self.span(normal::upper_quantile(floor));
        (self.loss(low), self.loss(high))
    }

    /// Losses at outcomes that are even.
    pub fn even_losses(&self, floor: f64, parts: u32) -> Vec<f64> {
        let (low, high) = self.span(normal::upper_quantile(floor));
        let at = |i: u32| low + (high - low) * f64::from(i) / f64::from(parts);
        (0..=parts).map(|i| self.loss(at(i))).collect()
    }

    /// The outcomes between two places.
    pub fn part(&self, low: Place, high: Place) -> LawPart {
        let (first, last, ends) = (low.outcome, high.outcome, (low.loss, high.loss));
        let (width, center) = (last - first, 0.5 * (first + last));
        // Within a panel neither density changes by more than about e.
        let (left, right) = self.span(0.0);
        let panels = (width * (center.abs() + left.abs().max(right) + 1.0)).ceil().max(1.0);
        if panels.is_nan() || panels > MOST_PANELS {
            let mass = |side: &Mixture| {
                let of = |&(weight, c): &(f64, f64)| weight * interval(first - c, last - c);
                side.iter().map(of).sum::<f64>()
            };
            let ln_mass = |side: &Mixture| {
                let of = |&(weight, c): &(f64, f64)| weight.ln() + ln_between(first - c, last - c);
                let top = side.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
                top + side.iter().map(|it| (of(it) - top).exp()).sum::<f64>().ln()
            };
            let (p, q) = (mass(&self.above), mass(&self.below));
            let underflows = p.min(q) < 1e-290;
            let loss =
                if underflows { ln_mass(&self.above) - ln_mass(&self.below) } else { (p / q).ln() };
            // Nothing under either: far out in the tail.
            let loss = if loss.is_nan() { ends.0.max(0.0) } else { loss };
            return LawPart { p, q, loss: loss.clamp(ends.0, ends.1) };
        }
        // The side that outweighs the other is the more accurate one.
        let (side, sign) =
            if ends.0 + ends.1 < 0.0 { (&self.below, -1.0) } else { (&self.above, 1.0) };
        let middle = self.loss(center);
        let half = 0.5 * width / panels;
        let (mut mass, mut moment, mut panel) = (0.0, 0.0, 0.0);
        while panel < panels {
            let start = first + half * (2.0 * panel + 1.0);
            for (node, weight) in GAUSS_8 {
                for x in [start - node * half, start + node * half] {
                    let share = weight * density(side, x);
                    mass += share;
                    moment += share * (sign * (middle - self.loss(x))).exp_m1();
                }
            }
            panel += 1.0;
        }
        if mass == 0.0 {
            // Underflow: far out in a tail, or between two distant masses.
            return LawPart { p: 0.0, q: 0.0, loss: middle.clamp(ends.0, ends.1) };
        }
        // The other side over this one is the mean of e^(∓ℓ) under it.
        let loss = (middle - sign * (moment / mass).ln_1p()).clamp(ends.0, ends.1);
        let other = half * mass * (-sign * loss).exp();
        if sign > 0.0 {
            LawPart { p: half * mass, q: other, loss }
        } else {
            LawPart { p: other, q: half * mass, loss }
        }
    }

    /// Bounds on δ(ε) for any ε between two that are near each other; of (Q, P) if it is reversed.
    pub fn delta(&self, (low, high): (f64, f64), reversed: bool) -> (f64, f64) {
        // ε and losses are rounded.
        let room = |epsilon: f64| 16.0 * f64::EPSILON * epsilon.abs();
        let least = self.profile(high + room(high), reversed);
        let greatest = self.profile(low - room(low), reversed);
        (least * (1.0 - ERROR), greatest * (1.0 + ERROR))
    }

    fn profile(&self, epsilon: f64, reversed: bool) -> f64 {
        if epsilon < 0.0 {
            // δ(−ε) = 1 − e^(−ε) + e^(−ε) δ'(ε), with δ' of the reverse.
            return -epsilon.exp_m1() + epsilon.exp() * self.profile(-epsilon, !reversed);
        }
        let (side, sign) = if reversed { (&self.below, -1.0) } else { (&self.above, 1.0) };
        let start = sign * self.outcome(sign * epsilon);
        if start == f64::INFINITY {
            return 0.0;
        }
        // Outcomes times the sign from here on: ∫ p(x) (1 − e^(ε − ℓ(x))) dx, where nothing cancels.
        const PANELS: u32 = 96;
        let furthest = side.iter().map(|(_, c)| sign * c).fold(f64::NEG_INFINITY, f64::max);
        let (lowest, highest) = self.span(REACH);
        let start = start.max(if reversed { -highest } else { lowest });
        let t = start - furthest;
        // Beyond this, p has less than e^(−90) of its mass from there on.
        let tail = if t > -1.0 { 90.0 / (t + (t * t + 90.0).sqrt()) } else { 13.5 - t };
        let steep = sign * self.outcome(sign * (epsilon + STEEP)) - start;
        let end = tail.min(steep);
        let half = 0.5 * end / f64::from(PANELS);
        let mut sum = 0.0;
        for panel in 0..PANELS {
            let center = start + half * f64::from(2 * panel + 1);
            for (node, weight) in GAUSS_8 {
                for x in [center - node * half, center + node * half] {
                    let gap = -(epsilon - sign * self.loss(sign * x)).exp_m1();
                    sum += weight * density(side, sign * x) * gap;
                }
            }
        }
        let beyond = |&(weight, c): &(f64, f64)| weight * normal::cdf(sign * c - start - end);
        let rest = if steep < tail { side.iter().map(beyond).sum() } else { 0.0 };
        half * sum + rest
    }
}

fn density(side: &Mixture, x: f64) -> f64 {
    side.iter().map(|&(weight, center)| weight * normal::density(x - center)).sum()
}

/// ln Σ w e^(cx − c²/2), that is ln of the density over that of N(0, 1), and its derivative in x.
fn log_ratio(side: &Mixture, x: f64) -> (f64, f64) {
    let exponent = |center: f64| center * (x - 0.5 * center);
    if let [(_, center)] = side.as_slice() {
        return (exponent(*center), *center);
    }
    let top = side.iter().map(|it| exponent(it.1)).fold(f64::NEG_INFINITY, f64::max);
    let (mut sum, mut slope, mut away) = (0.0, 0.0, 0.0);
    for &(weight, center) in side {
        let share = weight * (exponent(center) - top).exp();
        sum += share;
        slope += share * center;
        away += weight * exponent(center).min(STEEP).exp_m1();
    }
    // Near 0, what is away from 1 is the more accurate one.
    let value = if away.abs() < 0.5 { away.ln_1p() } else { top + sum.ln() };
    (value, slope / sum)
}

/// Φ(last) − Φ(first), where the two are near each other as well.
fn interval(first: f64, last: f64) -> f64 {
    let (center, width) = (0.5 * (first + last), last - first);
    let far = width * (center.abs() + 1.0);
    if far.is_nan() || far > 1.0 {
        return between(first, last);
    }
    let half = 0.5 * width;
    let pair = |(node, weight): (f64, f64)| {
        weight * (normal::density(center - node * half) + normal::density(center + node * half))
    };
    half * GAUSS_8.into_iter().map(pair).sum::<f64>()
}

#[cfg(test)]
#[path = "../../tests/unit/opposed.rs"]
mod tests;
