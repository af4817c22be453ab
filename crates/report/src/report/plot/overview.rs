//! All audits of a report at once: what is known of each loss, over what its claim allows.

use super::axis::Axis;
use super::canvas::{LegendKey, PlotSheet};
use super::series::Series;
use super::svg::{Plot, PlotKind};
use crate::report::triage::excess;
use plaudit_core::finding::{Finding, Known};

/// Ends of the axis: a bound a hundred times below its claim, or above it, is drawn at the end.
const ENDS: (f64, f64) = (0.01, 100.0);
/// Share of its place that a bar leaves free on either side.
const FREE: f64 = 0.15;

/// A bar for each audit, in this order: its bound over what the claim allows. `None` for a single audit, whose card
/// shows more.
pub fn overview(findings: &[&Finding]) -> Option<Plot> {
    if findings.len() < 2 {
        return None;
    }
    let mut sheet = PlotSheet::new();
    let all: Vec<Series> = findings.iter().map(|finding| series(finding)).collect();
    let kinds = [Series::Violation, Series::CertifiedLower, Series::CertifiedUpper, Series::Proved];
    let mut keys: Vec<LegendKey> =
        kinds.into_iter().filter(|kind| all.contains(kind)).map(LegendKey::of).collect();
    keys.push(LegendKey::of(Series::Claim));
    sheet.legend(&keys);
    let x = Axis::linear(0.0, findings.len() as f64, "audits, in the order of the tables");
    let mut chart = sheet.chart(x, Axis::log(ENDS.0, ENDS.1, "bound over claim"));
    for (at, (finding, series)) in findings.iter().zip(&all).enumerate() {
        let height = excess(finding).min(ENDS.1);
        if height <= 0.0 {
            continue;
        }
        let (from, to) = (at as f64 + FREE, (at + 1) as f64 - FREE);
        let band = match series {
            Series::Violation => series.band(),
            _ => Series::CertifiedLower.band(),
        };
        chart.bar(band, (from, 0.0), (to, height));
        chart.line(series.style(), [(from, height), (to, height)]);
    }
    chart.line(Series::Claim.style(), [(0.0, 1.0), (findings.len() as f64, 1.0)]);
    let violated = findings.iter().filter(|finding| finding.verdict.is_violation()).count();
    let says = format!("of {} audits, {violated} are violated", findings.len());
    Some(sheet.done(PlotKind::Overview, "All audits", says))
}

/// Drawing style of an audit's bound.
fn series(finding: &Finding) -> Series {
    if finding.verdict.is_violation() {
        return Series::Violation;
    }
    match finding.numbers().first().map(|number| number.known) {
        Some(Known::Proved) => Series::Proved,
        Some(Known::CertifiedUpper) => Series::CertifiedUpper,
        _ => Series::CertifiedLower,
    }
}
