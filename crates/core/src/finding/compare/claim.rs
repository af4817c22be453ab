//! Two claims compared over their whole curves.

use crate::claim::{Claim, Form, Region};

const ROUNDING: f64 = 1e-9;
/// The δ at which curves of compositions end: below it they are grids of different lengths.
const LEFT_OF_COMPOSITION: f64 = 1e-11;

/// `true` unless a claim is at least as tight as another one everywhere: for regions with straight edges, at the slope of
/// each edge of the earlier one. A claim inside a half-plane of each edge is inside the region.
pub(super) fn is_looser(old: &Claim, new: &Claim) -> bool {
    let composed = |claim: &Claim| matches!(claim.form(), Form::Composition { .. });
    let spared = if composed(old) && composed(new) { LEFT_OF_COMPOSITION } else { 1e-300 };
    let exceeds = |new: f64, old: f64| new > old * (1.0 + ROUNDING) + spared;
    let exceeds_at = |epsilon: f64| exceeds(new.delta_at(epsilon), old.delta_at(epsilon));
    match old.region() {
        Region::EpsilonDelta { epsilon, .. } => exceeds_at(*epsilon),
        Region::Gaussian { mu } => match new.region() {
            Region::Gaussian { mu: now } => *now > mu * (1.0 + ROUNDING),
            _ => {
                let is_outside = |(q, p): (f64, f64)| exceeds(p, old.region().most_power(q));
                corners(new).into_iter().any(is_outside)
            }
        },
        Region::Polygon(polygon) => {
            let edges = polygon.corners().windows(2);
            let slopes = edges.map(|edge| (edge[1].1 - edge[0].1) / (edge[1].0 - edge[0].0));
            let flat = |slope: &f64| slope.is_finite() && *slope >= 1.0;
            let mut epsilons = slopes.filter(flat).map(f64::ln).chain([0.0]);
            exceeds(at_zero(new), at_zero(old)) || epsilons.any(exceeds_at)
        }
    }
}

/// The probability that a claim allows an event that is impossible under the other dataset.
fn at_zero(claim: &Claim) -> f64 {
    match claim.region() {
        Region::EpsilonDelta { delta, .. } => *delta,
        Region::Gaussian { .. } => 0.0,
        Region::Polygon(polygon) => polygon.corners().first().map_or(1.0, |corner| corner.1),
    }
}

/// Corners of a region with straight edges, up to the diagonal; beyond it is their mirror image.
fn corners(claim: &Claim) -> Vec<(f64, f64)> {
    match claim.region() {
        Region::EpsilonDelta { epsilon, delta } => {
            let q = (1.0 - delta) / (1.0 + epsilon.exp());
            vec![(0.0, *delta), (q, 1.0 - q)]
        }
        Region::Gaussian { .. } => Vec::new(),
        Region::Polygon(polygon) => polygon.corners().to_vec(),
    }
}
