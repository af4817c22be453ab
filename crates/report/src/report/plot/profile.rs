//! The privacy profile δ(ε).

use super::about::{counted, named, proved_only};
use super::axis::Axis;
use super::backend::Style;
use super::canvas::{LegendKey, PlotSheet};
use super::series::Series;
use super::svg::{Plot, PlotKind};
use crate::report::words::{brief, capital, lower};
use plaudit_core::finding::{BrokenPoint, Finding, ProfilePoint, Verdict};

/// The claim's δ(ε), the certified lower curve, the estimate with its band as far as it is more than
/// noise, and what was proved. Where the certified curve is above the claim, the gap is filled; the
/// point that a violation of a curve breaks is marked.
pub fn profile(finding: &Finding) -> Option<Plot> {
    let mut points: Vec<ProfilePoint> =
        finding.profile.iter().filter(|p| p.epsilon.is_finite()).copied().collect();
    points.sort_by(|a, b| a.epsilon.total_cmp(&b.epsilon));
    let last = points.last()?.epsilon;
    let first = points.first()?.epsilon;
    if !counted(finding) && finding.proof.is_none() {
        return None;
    }
    let broken = points.iter().any(|p| p.delta_lower > p.delta_claim);
    let point = finding.broken_point.filter(|p| p.epsilon.is_finite());
    let last = point.map_or(last, |p| last.max(p.epsilon));
    let estimates = estimates(finding, &points);
    let proved: Vec<(f64, f64, f64)> = finding
        .proof
        .iter()
        .flat_map(|proof| &proof.profile)
        .filter(|p| (first..=last).contains(&p.epsilon))
        .map(|p| (p.epsilon, p.delta_lower, p.delta_upper))
        .collect();
    let upper = finding.upper.map(|u| (finding.claim.reference_epsilon, u.delta_upper));
    let exact = || points.iter().filter_map(|p| Some((p.epsilon, p.delta_exact?)));

    let violation = violation(finding, &points);
    let refutes = violation.is_some();
    let mut keys = vec![LegendKey::of(Series::Claim), LegendKey::of(Series::CertifiedLower)];
    if !estimates.is_empty() {
        keys.push(LegendKey::of(Series::Estimated));
    }
    if !proved.is_empty() {
        keys.push(LegendKey::of(Series::Proved));
    }
    if upper.is_some() {
        keys.push(LegendKey::of(Series::CertifiedUpper));
    }
    if exact().next().is_some() {
        keys.push(LegendKey::of(Series::Exact));
    }
    if refutes {
        keys.push(LegendKey::of(Series::Violation));
    }
    let mut sheet = PlotSheet::new();
    sheet.legend(&keys);
    let says = says(finding, &points);
    if refutes {
        sheet.note(&(capital(&says) + "."));
    } else if finding.verdict == Verdict::Violated {
        sheet.note(proved_only(finding).unwrap_or(
            "This plot cannot show the violation: no curve that is certified for all ε at once is \
             above the claim. The test of the claim itself is sharper.",
        ));
    }
    let counts = estimates.iter().map(|(_, e)| e.estimate);
    let marked = point.map(|p| p.delta_lower);
    let y = shown(&points, counts.chain(marked), finding.claim.reference_delta);
    let mut chart = sheet.chart(Axis::linear(first, last, "ε"), Axis::of_shares(y, "δ(ε)"));
    if broken {
        let upper = points.iter().map(|p| (p.epsilon, p.delta_lower.max(p.delta_claim)));
        let lower = points.iter().rev().map(|p| (p.epsilon, p.delta_claim));
        chart.area(Series::Violation.band(), upper.chain(lower));
    }
    let (high, low) = (
        estimates.iter().map(|(at, e)| (*at, e.high)),
        estimates.iter().rev().map(|(at, e)| (*at, e.low)),
    );
    chart.area(Series::Estimated.band(), high.chain(low));
    chart.line(Series::Exact.style(), exact());
    chart.line(Series::CertifiedLower.style(), points.iter().map(|p| (p.epsilon, p.delta_lower)));
    chart.line(Series::Estimated.style(), estimates.iter().map(|(at, e)| (*at, e.estimate)));
    chart.line(Series::Claim.style(), points.iter().map(|p| (p.epsilon, p.delta_claim)));
    chart.line(Series::Proved.style(), proved.iter().map(|p| (p.0, p.2)));
    if proved.iter().any(|p| p.2 - p.1 > 0.01 * p.2) {
        chart.line(Series::Proved.style(), proved.iter().map(|p| (p.0, p.1)));
    }
    if let Some((at, delta)) = upper {
        let reach = 0.02 * (last - first);
        chart.line(Series::CertifiedUpper.style(), [(at - reach, delta), (at + reach, delta)]);
    }
    if let Some(p) = violation {
        chart.line(Style::Violation, [(p.epsilon, p.delta_claim), (p.epsilon, p.delta_lower)]);
        chart.diamond(Series::Violation.style(), (p.epsilon, p.delta_lower));
    }
    Some(sheet.done(PlotKind::Profile, &named(finding), says))
}

fn says(finding: &Finding, points: &[ProfilePoint]) -> String {
    let at = |epsilon: f64, certified: f64, claimed: f64| {
        format!(
            "the claim breaks at ε = {}, where δ is certified to be at least {} and {} is claimed",
            brief(epsilon),
            lower(certified),
            brief(claimed)
        )
    };
    match violation(finding, points) {
        Some(p) => at(p.epsilon, p.delta_lower, p.delta_claim),
        None => format!(
            "the certified lower curve is nowhere above the claim; at ε = {} it is δ ≥ {}",
            brief(finding.claim.reference_epsilon),
            lower(finding.delta_lower)
        ),
    }
}

/// Place where the claim is broken: the finding's own point, else where the certified curve is the farthest
/// above it.
fn violation(finding: &Finding, points: &[ProfilePoint]) -> Option<BrokenPoint> {
    let excess = |p: &ProfilePoint| p.delta_lower - p.delta_claim;
    let broken = points.iter().filter(|p| excess(p) > 0.0);
    let worst = broken.max_by(|a, b| excess(a).total_cmp(&excess(b))).map(|p| BrokenPoint {
        epsilon: p.epsilon,
        delta_claim: p.delta_claim,
        delta_lower: p.delta_lower,
    });
    finding.broken_point.filter(|p| p.epsilon.is_finite()).or(worst)
}

/// Estimate at each ε with its band, up to where the counts separate it from noise.
pub(super) fn estimates(finding: &Finding, points: &[ProfilePoint]) -> Vec<(f64, Estimate)> {
    if !counted(finding) {
        return Vec::new();
    }
    let all = points.iter().map_while(|p| {
        let [low, high] = p.delta_band.filter(|[low, _]| *low > 0.0)?;
        Some((p.epsilon, Estimate { low, estimate: p.delta_estimate, high }))
    });
    all.collect()
}

/// An estimate of δ(ε) with its band.
pub(super) struct Estimate {
    pub low: f64,
    pub estimate: f64,
    pub high: f64,
}

/// Values that the axis must hold: all that was counted, and the claim where it is not far below: the tail of a
/// curve falls for ever.
fn shown(points: &[ProfilePoint], estimates: impl Iterator<Item = f64>, claimed: f64) -> Vec<f64> {
    let mut values: Vec<f64> = points.iter().map(|p| p.delta_lower).chain(estimates).collect();
    let positive = |delta: &f64| *delta > 0.0;
    let counted = values.iter().copied().chain([claimed]).filter(positive);
    let least = counted.fold(1.0, f64::min) / 100.0;
    values.extend(points.iter().map(|p| p.delta_claim).filter(|delta| *delta >= least));
    values
}
