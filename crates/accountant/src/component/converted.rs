//! Rényi divergences as a pair of laws: that of the largest profile which they allow.

use crate::component::pair::{LawPair, LawPart};

/// δ at ε of something whose Rényi divergences (order, divergence) are at most these, at the best
/// order: e^((α−1)(ε̄−ε)) (1 − 1/α)^α/(α − 1) (Canonne, Kamath, Steinke 2020, Prop. 12).
pub(crate) fn delta_of_divergences(divergences: &[(f64, f64)], epsilon: f64) -> f64 {
    let of_order = |&(alpha, divergence): &(f64, f64)| {
        let over = (alpha - 1.0) * (divergence - epsilon);
        (over + alpha * (-1.0 / alpha).ln_1p() - (alpha - 1.0).ln()).exp()
    };
    divergences.iter().map(of_order).fold(1.0, f64::min)
}

/// The divergences of (ξ, ρ)-zCDP: orders, and ξ plus ρ times them.
pub(crate) fn of_every_order(rho: f64, xi: f64) -> Vec<(f64, f64)> {
    // The best order at ε is about (ε + ρ)/2ρ; ε from 0 to far in the tail.
    let end = (2.0 + 60.0 / rho.sqrt()).min(1e9);
    let order = |i: i32| 1.0 + 1e-3 * (end / 1e-3).powf(f64::from(i) / 400.0);
    (0..=400).map(order).map(|alpha| (alpha, xi + rho * alpha)).collect()
}

/// The pair of the largest profile, symmetric and convex, that keeps below what the Rényi
/// divergences of some orders allow. What is beyond the last loss is an infinite one.
pub(crate) fn law(divergences: &[(f64, f64)]) -> LawPair {
    let hull = hull(&points(divergences));
    // Points (ε, δ) from ε = −∞ on, a falling convex chain over e^ε: P(ℓ >= ε) falls by the mass of
    // each corner. Between neighbors δ falls by P-mass e^(−ε) dP, so nothing overflows.
    let left = |i: usize| (hull[i - 1].1 - hull[i].1) / -(hull[i - 1].0 - hull[i].0).exp_m1();
    let right = |i: usize| match hull.get(i + 1) {
        Some(next) => (hull[i].1 - next.1) / (next.0 - hull[i].0).exp_m1(),
        None => 0.0,
    };
    // δ falls from 1 by Q(X > 0) e^ε at first: the rest of Q has no mass under P.
    let never = 1.0 - left(1) * (-hull[1].0).exp();
    let mut parts = vec![LawPart { p: 0.0, q: never.max(0.0), loss: f64::NEG_INFINITY }];
    parts.extend((1..hull.len()).map(|i| {
        let (loss, p) = (hull[i].0, (left(i) - right(i)).max(0.0));
        LawPart { p, q: p * (-loss).exp(), loss }
    }));
    // Where the bound underflows, there may still be something.
    let rest = hull[hull.len() - 1].1.max(1e-300);
    parts.push(LawPart { p: rest, q: 0.0, loss: f64::INFINITY });
    parts.retain(|part| part.p > 0.0 || part.q > 0.0);
    LawPair::Atoms { parts, spacing: None }
}

/// Points (ε, δ) on the bound, ascending in ε.
fn points(divergences: &[(f64, f64)]) -> Vec<(f64, f64)> {
    const POINTS: i32 = 3000;
    // Negligible δ. Slow decay, as at a single order, is cut earlier: else far losses with almost no
    // mass would dominate a tilt.
    let none = if divergences.len() > 1 { 1e-280 } else { 1e-30 };
    // Masses are differences: what they lose is put on beforehand.
    let bound = |epsilon: f64| (delta_of_divergences(divergences, epsilon) * (1.0 + 1e-9)).min(1.0);
    // The last ε at which the bound is trivial, and the first at which nothing is left.
    let mut start = 0.0;
    let mut end = 1e-3;
    while bound(end) > none && end < 1e25 {
        if bound(end) >= 1.0 {
            start = end;
        }
        end *= 1.2;
    }
    let point = |i: i32| {
        let share = f64::from(i) / f64::from(POINTS);
        let epsilon = start + (end - start) * share * share.sqrt();
        (epsilon, bound(epsilon))
    };
    let mut right = vec![(0.0, bound(0.0))];
    right.extend((0..=POINTS).map(point).filter(|(epsilon, _)| *epsilon > 0.0));
    // Of negative ε by symmetry: δ(−ε) = 1 − e^(−ε) + e^(−ε) δ(ε).
    const LEFT: f64 = 20.0;
    let mirrored = right
        .iter()
        .skip(1)
        .rev()
        .filter(|(epsilon, _)| *epsilon < LEFT)
        .map(|&(e, d)| (-e, (1.0 - (-e).exp() * (1.0 - d) + 1e-15).min(1.0)));
    mirrored.chain(right.iter().copied()).collect()
}

/// The lower convex hull over e^ε, from (−∞, 1) on.
fn hull(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    // How far e^ε δ falls: ln of minus the slope.
    let steepness = |a: (f64, f64), b: (f64, f64)| {
        (a.1 - b.1).max(0.0).ln() - b.0 - (-(a.0 - b.0).exp_m1()).ln()
    };
    let mut hull: Vec<(f64, f64)> = vec![(f64::NEG_INFINITY, 1.0)];
    for &point in points {
        while let [.., a, b] = hull[..]
            && steepness(a, b) < steepness(b, point)
        {
            hull.pop();
        }
        hull.push(point);
    }
    hull
}
