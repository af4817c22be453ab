//! All audits of a report at once: what is known of each loss, over what its claim allows.

use super::axis::Axis;
use super::canvas::{LegendKey, PlotSheet};
use super::series::Series;
use super::svg::{Plot, PlotKind};
use crate::report::triage::excess;
use plaudit_core::finding::{Expectation, Finding, Known};

/// Ends of the axis: a bound ten times below its claim, or a hundred times above it, is drawn at the end.
const ENDS: (f64, f64) = (0.1, 100.0);
/// Share of its place that a bar leaves free on either side.
const FREE: f64 = 0.15;
/// Width of the place of an audit at the lower end of the axis: where much is to be seen, there is room.
const NARROW: f64 = 0.2;

/// A bar for each audit, in this order: its bound over what the claim allows. `None` for a single audit, whose card
/// shows more.
pub fn overview(findings: &[&Finding]) -> Option<Plot> {
    if findings.len() < 2 {
        return None;
    }
    let mut sheet = PlotSheet::new();
    let all: Vec<Series> = findings.iter().map(|finding| series(finding)).collect();
    let kinds = [
        Series::OverClaim,
        Series::Planted,
        Series::CertifiedLower,
        Series::CertifiedUpper,
        Series::Proved,
    ];
    let mut keys: Vec<LegendKey> =
        kinds.into_iter().filter(|kind| all.contains(kind)).map(LegendKey::of).collect();
    keys.push(LegendKey::of(Series::Claim));
    sheet.legend(&keys);
    let heights: Vec<f64> = findings.iter().map(|finding| excess(finding).min(ENDS.1)).collect();
    let widths = || heights.iter().map(|height| if *height > ENDS.0 { 1.0 } else { NARROW });
    let end: f64 = widths().sum();
    let mut x = Axis::linear(0.0, end, "audits, in the order of the tables");
    // Places are not numbers.
    x.ticks.clear();
    let mut chart = sheet.chart(x, Axis::log(ENDS.0, ENDS.1, "bound over claim"));
    let mut left = 0.0;
    for ((height, series), width) in heights.iter().zip(&all).zip(widths()) {
        let (from, to) = (left + FREE * width, left + (1.0 - FREE) * width);
        left += width;
        if *height <= 0.0 {
            continue;
        }
        chart.bar(series.band(), (from, 0.0), (to, *height));
        chart.line(series.style(), [(from, *height), (to, *height)]);
    }
    chart.line(Series::Claim.style(), [(0.0, 1.0), (end, 1.0)]);
    let violated = findings.iter().filter(|finding| finding.verdict.is_violation()).count();
    let says = format!("of {} audits, {violated} are violated", findings.len());
    Some(sheet.done(PlotKind::Overview, "All audits", says))
}

/// Drawing style of an audit's bound.
fn series(finding: &Finding) -> Series {
    if finding.verdict.is_violation() {
        let planted = finding.expected == Expectation::Violated;
        return if planted { Series::Planted } else { Series::OverClaim };
    }
    match finding.numbers().first().map(|number| number.known) {
        Some(Known::Proved) => Series::Proved,
        Some(Known::CertifiedUpper) => Series::CertifiedUpper,
        _ => Series::CertifiedLower,
    }
}
