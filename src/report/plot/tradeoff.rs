//! The trade-off curve against the claim's region.

use super::axis::Axis;
use super::canvas::{self, CHANCE, CLAIM, ESTIMATE, HEIGHT, Key};
use super::canvas::{chart, fill, legend, line, sheet};
use super::svg::{Kind, Plot};
use crate::report::Finding;

/// What the witness achieves as a test of D' against D, and what the claim forbids: any point
/// below the claim's curve.
pub fn tradeoff(finding: &Finding) -> Plot {
    sheet(Kind::Tradeoff, &finding.name, HEIGHT, |root| {
        let mut keys =
            vec![Key::fill(CLAIM, FORBIDDEN, "forbidden"), Key::line(CHANCE, "blind guessing")];
        if !finding.tradeoff.is_empty() {
            keys.insert(1, Key::line(ESTIMATE, "witness (estimate)"));
        }
        let rest = legend(root, &keys)?;
        let x = Axis::linear(0.0, 1.0, "type-I error: says D, was D′");
        let y = Axis::linear(0.0, 1.0, "type-II error: misses D");
        let mut chart = chart(&rest, &x, &y)?;
        let claim = claim_curve(finding);
        fill(&mut chart, claim.iter().copied().chain([(0.0, 0.0)]), CLAIM, FORBIDDEN)?;
        line(&mut chart, [(0.0, 1.0), (1.0, 0.0)], CHANCE, 3)?;
        line(&mut chart, claim, CLAIM, canvas::LINE)?;
        let mut points: Vec<_> = finding
            .tradeoff
            .iter()
            .filter(|p| p.type_1.is_finite() && p.type_2.is_finite())
            .map(|p| (p.type_1.clamp(0.0, 1.0), p.type_2.clamp(0.0, 1.0)))
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
        line(&mut chart, points, ESTIMATE, 5)
    })
}

/// Opacity of the region that the claim forbids.
const FORBIDDEN: f64 = 0.22;

/// The claim's curve, exact at its corners: denser towards both ends, where a large ε bends.
fn claim_curve(finding: &Finding) -> Vec<(f64, f64)> {
    let claim = &finding.claim.claim;
    let even = (1..32).map(|i| f64::from(i) / 32.0);
    let ends = (6..=28).map(|i| 10_f64.powf(-f64::from(i) / 4.0)).flat_map(|a| [a, 1.0 - a]);
    let mut errors: Vec<f64> = even.chain(ends).chain([0.0, 1.0]).collect();
    // Where the two lines of an (ε, δ) claim meet: a = f(a).
    if let Some((epsilon, delta)) = claim.as_epsilon_delta() {
        errors.push((1.0 - delta) / (1.0 + epsilon.exp()));
        errors.push(1.0 - delta);
    }
    errors.sort_by(f64::total_cmp);
    errors
        .into_iter()
        .map(|a| (a, claim.tradeoff_at(a)))
        .filter(|(_, b)| b.is_finite())
        .map(|(a, b)| (a, b.clamp(0.0, 1.0)))
        .collect()
}
