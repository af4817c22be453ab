//! The privacy profile δ(ε).

use super::axis::Axis;
use super::canvas::{self, BROKEN, CERTIFIED, CLAIM, ESTIMATE, EXACT, HEIGHT, Key};
use super::canvas::{blank, chart, fill, legend, line, sheet};
use super::svg::{Kind, Plot};
use crate::report::{Finding, ProfilePoint};

/// The claim's δ(ε), the estimate and the certified lower curve; where the latter is above the
/// claim, the claim is broken and the gap is filled.
pub fn profile(finding: &Finding) -> Plot {
    let mut points: Vec<ProfilePoint> =
        finding.profile.iter().filter(|p| p.epsilon.is_finite()).copied().collect();
    points.sort_by(|a, b| a.epsilon.total_cmp(&b.epsilon));
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return blank(Kind::Profile, &finding.name, "there is no profile: nothing was counted");
    };
    let broken = points.iter().any(|p| p.delta_lower > p.delta_claim);
    sheet(Kind::Profile, &finding.name, HEIGHT, |root| {
        let mut keys = vec![
            Key::line(CLAIM, "claim"),
            Key::line(ESTIMATE, "estimate"),
            Key::line(CERTIFIED, "certified"),
        ];
        let exact = points.iter().filter_map(|p| Some((*p, p.delta_exact?)));
        if exact.clone().next().is_some() {
            keys.push(Key::line(EXACT, "exact"));
        }
        if broken {
            keys.push(Key::fill(BROKEN, GAP, "breaks the claim"));
        }
        let rest = legend(root, &keys)?;
        let x = Axis::linear(first.epsilon, last.epsilon, "ε");
        let y = Axis::of_shares(shown(&points, finding.claim.reference_delta), "δ(ε)");
        let mut chart = chart(&rest, &x, &y)?;
        let at = |p: &ProfilePoint, delta: f64| (x.at(p.epsilon), y.at(delta));
        if broken {
            let upper = points.iter().map(|p| at(p, p.delta_lower.max(p.delta_claim)));
            let lower = points.iter().rev().map(|p| at(p, p.delta_claim));
            fill(&mut chart, upper.chain(lower), BROKEN, GAP)?;
        }
        line(&mut chart, exact.map(|(p, delta)| at(&p, delta)), EXACT, 9)?;
        line(&mut chart, points.iter().map(|p| at(p, p.delta_lower)), CERTIFIED, 7)?;
        line(&mut chart, points.iter().map(|p| at(p, p.delta_estimate)), ESTIMATE, 3)?;
        line(&mut chart, points.iter().map(|p| at(p, p.delta_claim)), CLAIM, canvas::LINE + 1)
    })
}

/// The values that the axis must hold: all that was counted, and the claim where it is not far
/// below: the tail of a curve goes down for ever.
fn shown(points: &[ProfilePoint], claimed: f64) -> Vec<f64> {
    let counted = || points.iter().flat_map(|p| [p.delta_estimate, p.delta_lower]);
    let positive = |delta: &f64| *delta > 0.0;
    let least = counted().chain([claimed]).filter(positive).fold(1.0, f64::min) / 100.0;
    let claim = points.iter().map(|p| p.delta_claim).filter(|delta| *delta >= least);
    counted().chain(claim).collect()
}

/// Opacity of the gap between the claim and what is certified.
const GAP: f64 = 0.18;
