//! The certified supremum of P(R) along the edge of a region.
//!
//! For a set R of outcomes of (Bin(n, p), Bin(m, q)), ln P(R) + nA(a) + mA(b) with a = logit p,
//! b = logit q, A(a) = ln(1 + e^a) is convex in (a, b): it is the logarithm of Σ_R h(x, y) e^(ax +
//! by). Hence on the segment between two points, at the share t, ln P(R) is at most its own chord plus
//! what the chord of nA + mA exceeds it by, 4t(1 − t)s with s = (n max A'' Δa² + m max A'' Δb²)/8: an
//! error of second order, and relative. The edge p = g(q) is on or below such a segment where a is
//! a convex function of b (P(R) grows with p); where it is not, the segment is lifted.
//! On any cell, P at (g(q₂), q₁) is also a bound, of first order: it serves where q = 0 or p = 1.

use super::staircase::Staircase;
use crate::claim::Region;
use plaudit_accountant::normal;
use std::collections::BinaryHeap;

/// Most probabilities that one supremum may cost.
const BUDGET: usize = 4_000;

/// Cells to start from, in each stretch between kinks.
const FIRST_CELLS: usize = 6;

/// Most kinks that cells start from; of more, cells are cut at those that matter.
const MOST_STOPS: usize = 12;

/// sup P(R) over q in [low, high], p = g(q), between two numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct SupremumBracket {
    pub(super) reached: f64,
    pub(super) certified: f64,
}

/// A point of the edge, or a hair above it, and ln P(R) there.
#[derive(Clone, Copy, Debug)]
struct EdgePoint {
    q: f64,
    p: f64,
    ln_probability: f64,
    bend: Bend,
}

/// Terms that bound how far the edge of a μ-GDP region is above a chord: z = Φ⁻¹(q), and the slope of
/// logit Φ at z and at z + μ. Zeros for other regions.
#[derive(Clone, Copy, Debug, Default)]
struct Bend {
    z: f64,
    slope: f64,
    slope_beyond: f64,
}

/// By how much of a standard deviation of the hits the points of an edge that is not convex are
/// lifted, so that small cells need no lift of their own. Moves P(R) by less than 10^-4 of itself.
const COMMON_LIFT: f64 = 1e-5;

/// A stretch of the edge with its bound; ordered by the bound.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    bound: f64,
    left: EdgePoint,
    right: EdgePoint,
}

impl PartialEq for Stretch {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Stretch {}
impl PartialOrd for Stretch {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Stretch {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

/// Edge of a region, under a staircase.
pub(super) struct Edge<'a> {
    pub(super) staircase: &'a Staircase,
    pub(super) region: &'a Region,
    /// Draws of the event, and on the other side.
    pub(super) sizes: (f64, f64),
}

impl Edge<'_> {
    /// Refines the worst cell until `enough` is content with the bracket.
    pub(super) fn supremum(
        &self,
        (low, high): (f64, f64),
        enough: impl Fn(SupremumBracket) -> bool,
    ) -> SupremumBracket {
        let mut spent = 0;
        let mut reached = f64::NEG_INFINITY;
        let mut cells = BinaryHeap::new();
        let mut stops = vec![low, high];
        let kinks = self.kinks(low, high);
        if kinks.len() <= MOST_STOPS {
            stops.extend(kinks.iter());
        }
        stops.sort_by(f64::total_cmp);
        for stretch in stops.windows(2) {
            let mut left = self.point(stretch[0]);
            reached = reached.max(left.ln_probability);
            for i in 1..=FIRST_CELLS {
                let share = i as f64 / FIRST_CELLS as f64;
                let q = if i == FIRST_CELLS {
                    stretch[1]
                } else {
                    between(stretch[0], stretch[1], share)
                };
                let right = self.point(q);
                reached = reached.max(right.ln_probability);
                cells.push(self.cell(left, right));
                left = right;
                spent += 2;
            }
        }
        loop {
            let worst = cells.peek().map_or(reached, |cell: &Stretch| cell.bound.max(reached));
            let bracket = SupremumBracket { reached: reached.exp(), certified: worst.exp() };
            if spent >= BUDGET || enough(bracket) {
                return bracket;
            }
            let Some(cell) = cells.pop() else { return bracket };
            let q = self.middle(&cell);
            if q <= cell.left.q || q >= cell.right.q {
                // There is nothing between two adjacent doubles: the cell cannot be refined.
                return bracket;
            }
            let middle = self.point(q);
            reached = reached.max(middle.ln_probability);
            cells.push(self.cell(cell.left, middle));
            cells.push(self.cell(middle, cell.right));
            spent += 2;
        }
    }

    /// Bends of the edge, strictly between two rates: the pieces of (ε, δ) meet, or p reaches 1. A
    /// kink is known to an ulp: the part cut off beyond it moves p by 10^-16, far less than P(R) is
    /// widened.
    fn kinks(&self, low: f64, high: f64) -> Kinks<'_> {
        match *self.region {
            Region::EpsilonDelta { epsilon, delta } => {
                let meet = (1.0 - delta) * (-epsilon).exp() / (1.0 + (-epsilon).exp());
                let inside = |q: f64| (low < q && q < high).then_some(q);
                Kinks { few: [inside(meet), inside(1.0 - delta)], corners: &[] }
            }
            Region::Gaussian { .. } => Kinks { few: [None; 2], corners: &[] },
            Region::Polygon(ref polygon) => {
                Kinks { few: [None; 2], corners: polygon.corners_between(low, high) }
            }
        }
    }

    fn point(&self, q: f64) -> EdgePoint {
        let edge = self.region.most_power(q);
        let p = raised(edge, self.common_lift(edge));
        EdgePoint { q, p, ln_probability: self.ln_probability(p, q), bend: bend(self.region, q) }
    }

    /// Lift of logit p at every point.
    fn common_lift(&self, p: f64) -> f64 {
        match self.region {
            Region::EpsilonDelta { .. } | Region::Polygon(_) => 0.0,
            Region::Gaussian { .. } => COMMON_LIFT / (self.sizes.0 * p * (1.0 - p)).sqrt().max(1.0),
        }
    }

    fn ln_probability(&self, p: f64, q: f64) -> f64 {
        self.staircase.probability(p, q).ln()
    }

    fn cell(&self, left: EdgePoint, right: EdgePoint) -> Stretch {
        let bound = self
            .second_order(&left, &right)
            .unwrap_or_else(|| self.ln_probability(right.p, left.q));
        Stretch { bound, left, right }
    }

    /// Cut of a cell in two: at the kink in the middle of its kinks, if it has any.
    fn middle(&self, cell: &Stretch) -> f64 {
        let kinks = self.kinks(cell.left.q, cell.right.q);
        let middle = kinks.iter().nth(kinks.len() / 2);
        middle.unwrap_or_else(|| between(cell.left.q, cell.right.q, 0.5))
    }

    /// Bound by convexity, if it is finite and useful; `None` across a kink.
    fn second_order(&self, left: &EdgePoint, right: &EdgePoint) -> Option<f64> {
        if self.kinks(left.q, right.q).len() > 0 {
            return None;
        }
        if left.q <= 0.0 || right.q >= 1.0 || left.p <= 0.0 || right.p >= 1.0 {
            return None;
        }
        let across = logit_step(left.q, right.q);
        let needed = lift(self.region, &left.bend, &right.bend, across);
        let there = self.common_lift(left.p).min(self.common_lift(right.p)) * (1.0 - 1e-6);
        let lift = if needed <= there { 0.0 } else { needed };
        let (low_p, high_p) = (raised(left.p, lift), raised(right.p, lift));
        if high_p >= 1.0 {
            return None;
        }
        let up = logit_step(low_p, high_p);
        let sag = (self.sizes.0 * up * up * most_variance(low_p, high_p)
            + self.sizes.1 * across * across * most_variance(left.q, right.q))
            / 8.0;
        // Not a number where a density underflows.
        if sag.is_nan() || sag > 3.0 {
            return None;
        }
        let (start, end) = if lift > 0.0 {
            (self.ln_probability(low_p, left.q), self.ln_probability(high_p, right.q))
        } else {
            (left.ln_probability, right.ln_probability)
        };
        Some(highest_on_chord(start, end, sag * (1.0 + 1e-9)))
    }
}

/// Bends of an edge: at one or two rates, or at the corners of a region with straight edges.
struct Kinks<'a> {
    few: [Option<f64>; 2],
    corners: &'a [(f64, f64)],
}

impl Kinks<'_> {
    fn len(&self) -> usize {
        self.few.iter().flatten().count() + self.corners.len()
    }

    fn iter(&self) -> impl Iterator<Item = f64> + '_ {
        self.few.iter().flatten().copied().chain(self.corners.iter().map(|corner| corner.0))
    }
}

/// max over t of (1 − t)·start + t·end + 4t(1 − t)·sag.
fn highest_on_chord(start: f64, end: f64, sag: f64) -> f64 {
    let rise = end - start;
    if rise.abs() >= 4.0 * sag {
        return start.max(end);
    }
    0.5 * (start + end) + sag + rise * rise / (16.0 * sag)
}

/// Maximum excess of logit p of the edge over its chord, over a cell of length `across` in logit q.
///
/// A straight piece p = cq + d of a concave g with g(0) >= 0 and g(1) = 1, so that d >= 0 and
/// c + d >= 1: nothing. ln(da/db) grows: its derivative in q is
/// d/(q(cq + d)) + (c − 1 + d)/((1 − d − cq)(1 − q)) >= 0. The pieces of (ε, δ) are such.
/// μ-GDP: da/db = L'(z + μ)/L'(z), L' = φ/(Φ(1 − Φ)) even and least at 0; a function whose slope is
/// in [s, S] exceeds its chord by at most (S − s)/4 of the length.
fn lift(region: &Region, left: &Bend, right: &Bend, across: f64) -> f64 {
    let Region::Gaussian { mu } = *region else { return 0.0 };
    let range = |from: f64, to: f64, first: f64, last: f64| {
        let least = if from < 0.0 && to > 0.0 { logit_slope(0.0) } else { first.min(last) };
        (least, first.max(last))
    };
    let below = range(left.z, right.z, left.slope, right.slope);
    let above = range(left.z + mu, right.z + mu, left.slope_beyond, right.slope_beyond);
    (above.1 / below.0 - above.0 / below.1) * across / 4.0 * (1.0 + 1e-6) + 1e-12
}

fn bend(region: &Region, q: f64) -> Bend {
    let Region::Gaussian { mu } = *region else { return Bend::default() };
    let z = normal::quantile(q);
    Bend { z, slope: logit_slope(z), slope_beyond: logit_slope(z + mu) }
}

/// d logit Φ(z)/dz = φ/(Φ(1 − Φ)); at least |z|, and even.
fn logit_slope(z: f64) -> f64 {
    let far = z.abs();
    // φ/(1 − Φ) by Mills' ratio, which does not underflow.
    1.0 / (normal::mills(far) * normal::cdf(far))
}

/// p with its logit moved up.
fn raised(p: f64, lift: f64) -> f64 {
    if lift > 0.0 { p * lift.exp() / (1.0 + p * lift.exp_m1()) } else { p }
}

fn logit_step(left: f64, right: f64) -> f64 {
    (right / left).ln() + ((1.0 - left) / (1.0 - right)).ln()
}

/// max of p(1 − p) over an interval.
fn most_variance(low: f64, high: f64) -> f64 {
    if low < 0.5 && high > 0.5 { 0.25 } else { (low * (1.0 - low)).max(high * (1.0 - high)) }
}

/// A point between two rates, on the scale arcsin √q on which the standard deviation is constant.
fn between(left: f64, right: f64, share: f64) -> f64 {
    let scale = |q: f64| q.sqrt().asin();
    let sine = (scale(left) + share * (scale(right) - scale(left))).sin();
    let q = sine * sine;
    if q > left && q < right { q } else { left + share * (right - left) }
}

#[cfg(test)]
#[path = "../../tests/unit/inference/supremum.rs"]
mod tests;
