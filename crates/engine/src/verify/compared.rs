//! For a claim that is a curve: where a mechanism breaks it the most, or is nearest to it.

use plaudit_accountant::number::significant;
use plaudit_core::claim::{Claim, Form};
use plaudit_core::finding::{ComparedPoint, Decision};

/// Steps of ε up to the claim's, and beyond.
const STEPS: [u32; 2] = [24, 12];
const ROUNDING: f64 = 1e-9;
/// Relative difference below which the smaller ε is preferred.
const ALIKE: f64 = 1e-6;

/// Places, ascending, where the profile of a mechanism is compared with that of a claim; empty if
/// the claim amounts to one (ε, δ). Where it can be chosen, ε has four digits, so that a report
/// writes it exactly.
pub(super) fn places(claim: &Claim) -> Vec<f64> {
    if claim.as_epsilon_delta().is_some() {
        return Vec::new();
    }
    let (end, _) = claim.reference_point();
    let step = end / f64::from(STEPS[0]);
    let grid = (0..=STEPS[0] + STEPS[1]).map(|at| brief(step * f64::from(at)));
    let mut places: Vec<f64> = grid.chain(corners(claim.form())).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    places
}

fn brief(x: f64) -> f64 {
    significant(x, 4).parse().unwrap_or(x)
}

/// Corners of a claim by points: only there can the excess be largest.
fn corners(form: &Form) -> Vec<f64> {
    let slope = |pair: &[(f64, f64)]| (pair[0].1 - pair[1].1) / (pair[1].0 - pair[0].0);
    let is_place = |epsilon: &f64| epsilon.is_finite() && *epsilon >= 0.0;
    match form {
        Form::Profile { points } => points.iter().map(|point| point.0).collect(),
        Form::Tradeoff { points } => {
            let slopes = points.windows(2).map(|pair| slope(pair).ln().abs());
            slopes.flat_map(|epsilon| [epsilon, brief(epsilon)]).filter(is_place).collect()
        }
        _ => Vec::new(),
    }
}

/// Point at which a refuted claim is exceeded the most, or at which a verified one is nearest to
/// what was proved; `None`: no point shows it. `profile` has (ε, at most δ(ε), at least δ(ε)).
pub(super) fn compared(
    claim: &Claim,
    decision: Decision,
    profile: impl Iterator<Item = (f64, f64, f64)>,
) -> Option<ComparedPoint> {
    let (end, _) = claim.reference_point();
    let points = profile.map(|(epsilon, delta_lower, delta_upper)| {
        let delta_claim = claim.delta_at(epsilon).clamp(0.0, 1.0);
        ComparedPoint { epsilon, delta_claim, delta_lower, delta_upper }
    });
    let scored = points.filter_map(|point| {
        let ComparedPoint { epsilon, delta_claim, delta_lower, delta_upper } = point;
        let most = delta_claim * (1.0 + ROUNDING);
        let score = match decision {
            Decision::Refuted if delta_lower > most => delta_lower - delta_claim,
            Decision::Verified if epsilon <= end && delta_upper <= most && delta_claim > 0.0 => {
                delta_upper / delta_claim
            }
            _ => return None,
        };
        Some((score, point))
    });
    let larger = |best: (f64, ComparedPoint), next: (f64, ComparedPoint)| {
        if next.0 > best.0 * (1.0 + ALIKE) { next } else { best }
    };
    scored.reduce(larger).map(|(_, point)| point)
}
