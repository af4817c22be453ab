//! Posterior against prior: what ε means to a person.

use super::about::{counted, named, proved_only};
use super::axis::Axis;
use super::canvas::{LegendKey, PlotSheet};
use super::series::Series;
use super::svg::{Plot, PlotKind};
use crate::report::words::{brief, lower, percent};
use plaudit_core::finding::{Bracket, Finding, Verdict};

/// The band of posteriors that the claim allows (at its reference ε), the one that the certified lower
/// ε reaches, and those of upper ends that are certified or proved. δ is left out of all.
pub fn posterior(finding: &Finding) -> Option<Plot> {
    if !counted(finding) {
        return None;
    }
    let claimed = finding.claim.reference_epsilon;
    let certified = finding.epsilon_lower;
    let refutes = certified > claimed;
    let mut keys = vec![
        LegendKey::with(Series::CertifiedLower, &format!(": ε ≥ {}", lower(certified))),
        LegendKey::with(Series::Claim, &format!(": ε = {}", brief(claimed))),
    ];
    let mut others = Vec::new();
    let upper = finding.upper.and_then(|upper| upper.epsilon_upper);
    others.extend(upper.map(|e| (Series::CertifiedUpper, e, format!(": ε ≤ {}", brief(e)))));
    others.extend(finding.proof.as_ref().and_then(|proof| proved(proof.epsilon)));
    keys.extend(others.iter().map(|(series, _, words)| LegendKey::with(*series, words)));
    keys.push(LegendKey::of(Series::NoLeak));
    keys.extend(refutes.then(|| LegendKey::of(Series::Violation)));
    let mut sheet = PlotSheet::new();
    sheet.legend(&keys);
    if finding.verdict == Verdict::Violated && !refutes {
        sheet.note(proved_only(finding).unwrap_or(
            "This plot cannot show the violation: it leaves δ out, and the claim breaks at another ε. \
             The privacy profile shows where.",
        ));
    }
    let x = Axis::linear(0.0, 1.0, "belief before seeing the outcome");
    let mut chart = sheet.chart(x, Axis::linear(0.0, 1.0, "belief after"));
    let shown = if refutes { claimed } else { certified };
    let between = |one: Vec<(f64, f64)>, other: Vec<(f64, f64)>| {
        one.into_iter().chain(other.into_iter().rev())
    };
    chart.area(Series::CertifiedLower.band(), between(curve(shown, least), curve(shown, most)));
    if refutes {
        for bound in [least, most] {
            chart.area(
                Series::Violation.band(),
                between(curve(claimed, bound), curve(certified, bound)),
            );
        }
    }
    chart.line(Series::NoLeak.style(), [(0.0, 0.0), (1.0, 1.0)]);
    let own = [(Series::CertifiedLower, certified), (Series::Claim, claimed)];
    let others = others.iter().map(|(series, epsilon, _)| (*series, *epsilon));
    for (series, epsilon) in own.into_iter().chain(others) {
        chart.line(series.style(), curve(epsilon, least));
        chart.line(series.style(), curve(epsilon, most));
    }
    if refutes {
        chart.diamond(Series::Violation.style(), (0.5, reach(certified, 0.5).1));
    }
    let says = format!(
        "a belief of 50 % can move to {} by the claim and to at least {} by the certified lower ε of {}",
        percent(most(claimed.max(0.0), 0.5)),
        percent(reach(certified, 0.5).1),
        lower(certified)
    );
    Some(sheet.done(PlotKind::Posterior, &named(finding), says))
}

/// The upper end of what was proved of ε, else the lower one.
fn proved(epsilon: Bracket) -> Option<(Series, f64, String)> {
    let words = |sign: &str, e: f64| format!(": ε {sign} {}", brief(e));
    match (epsilon.lower, epsilon.upper) {
        (Some(low), Some(high)) if high - low <= 1e-9 * high => {
            Some((Series::Proved, high, words("=", high)))
        }
        (_, Some(high)) => Some((Series::Proved, high, words("≤", high))),
        (Some(low), None) => Some((Series::Proved, low, format!(": ε ≥ {}", lower(low)))),
        (None, None) => None,
    }
}

/// A bound on the posterior at some priors.
fn curve(epsilon: f64, bound: fn(f64, f64) -> f64) -> Vec<(f64, f64)> {
    let epsilon = if epsilon > 0.0 { epsilon } else { 0.0 };
    // Denser near the ends, where the curve of a large ε bends.
    let prior = |i: u32| 0.5 - 0.5 * (f64::from(i) / 60.0 * std::f64::consts::PI).cos();
    (0..=60).map(|i| (prior(i), bound(epsilon, prior(i)))).collect()
}

/// Largest posterior at prior π: e^ε π/(1 + (e^ε − 1)π) (Bayes' rule; the odds grow by at most
/// e^ε), written so that nothing overflows.
fn most(epsilon: f64, prior: f64) -> f64 {
    if prior <= 0.0 { 0.0 } else { prior / (prior + (1.0 - prior) * (-epsilon).exp()) }
}

/// Smallest posterior at prior π: π/(e^ε + (1 − e^ε)π), likewise.
fn least(epsilon: f64, prior: f64) -> f64 {
    1.0 - most(epsilon, 1.0 - prior)
}

/// Posteriors that an attacker with prior `prior` can reach at ε (δ left out), as (least, most).
pub fn reach(epsilon: f64, prior: f64) -> (f64, f64) {
    let epsilon = if epsilon > 0.0 { epsilon } else { 0.0 };
    (least(epsilon, prior), most(epsilon, prior))
}

#[cfg(test)]
#[path = "../../../tests/unit/report/plot/posterior.rs"]
mod tests;
