//! The privacy profile δ(ε).

use super::axis::Axis;
use super::canvas::{self, BROKEN, CERTIFIED, CLAIM, ESTIMATE, HEIGHT, Key};
use super::canvas::{chart, fill, legend, line, say, sheet};
use super::svg::{Kind, Plot};
use crate::report::{Finding, ProfilePoint};

/// The claim's δ(ε), the estimate and the certified lower curve; where the latter is above the
/// claim, the claim is broken and the gap is filled.
pub fn profile(finding: &Finding) -> Plot {
    let mut points: Vec<ProfilePoint> =
        finding.profile.iter().filter(|p| p.epsilon.is_finite()).copied().collect();
    points.sort_by(|a, b| a.epsilon.total_cmp(&b.epsilon));
    let broken = points.iter().any(|p| p.delta_lower > p.delta_claim);
    sheet(Kind::Profile, &finding.name, HEIGHT, |root| {
        let mut keys = vec![
            Key::line(CLAIM, "claim"),
            Key::line(ESTIMATE, "estimate"),
            Key::line(CERTIFIED, "certified lower curve"),
        ];
        if broken {
            keys.push(Key::fill(BROKEN, GAP, "breaks the claim"));
        }
        let rest = legend(root, &keys)?;
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            return say(&rest, "there is no profile");
        };
        let x = Axis::linear(first.epsilon, last.epsilon, "ε");
        let values = points.iter().flat_map(|p| [p.delta_claim, p.delta_estimate, p.delta_lower]);
        let y = Axis::of_shares(values, "δ(ε)");
        let mut chart = chart(&rest, &x, &y)?;
        let at = |p: &ProfilePoint, delta: f64| (x.at(p.epsilon), y.at(delta));
        if broken {
            let upper = points.iter().map(|p| at(p, p.delta_lower.max(p.delta_claim)));
            let lower = points.iter().rev().map(|p| at(p, p.delta_claim));
            fill(&mut chart, upper.chain(lower), BROKEN, GAP)?;
        }
        line(&mut chart, points.iter().map(|p| at(p, p.delta_estimate)), ESTIMATE, 4)?;
        line(&mut chart, points.iter().map(|p| at(p, p.delta_lower)), CERTIFIED, 5)?;
        line(&mut chart, points.iter().map(|p| at(p, p.delta_claim)), CLAIM, canvas::LINE + 1)
    })
}

/// Opacity of the gap between the claim and what is certified.
const GAP: f64 = 0.18;
