//! An attacker's results, as lines: the one picture of an attack.

use super::axis::Axis;
use super::backend::Style;
use super::canvas::{LegendKey, PlotSheet};
use super::svg::{Plot, PlotKind};
use plaudit_core::finding::AttackFinding;

/// Styles of the lines in the order in which they are named: the attacker, and its comparisons.
const STYLES: [Style; 4] = [Style::Violation, Style::Chance, Style::Claim, Style::Estimated];

/// Picture of an attack; `None` if there is nothing to draw.
pub fn attack(finding: &AttackFinding) -> Option<Plot> {
    let picture = &finding.picture;
    let xs = || picture.lines.iter().flat_map(|line| &line.points).map(|point| point[0]);
    let (low, high) =
        xs().fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), x| (low.min(x), high.max(x)));
    if !low.is_finite() {
        return None;
    }
    let mut sheet = PlotSheet::new();
    let drawn = || picture.lines.iter().zip(STYLES);
    let keys: Vec<LegendKey> =
        drawn().map(|(line, style)| LegendKey::line(style, line.name.clone())).collect();
    sheet.legend(&keys);
    let x = match picture.logarithmic && low > 0.0 && high > low {
        true => Axis::powers(low, high, picture.x.clone()),
        false => Axis::linear(low.min(0.0), high, picture.x.clone()),
    };
    let mut chart = sheet.chart(x, Axis::linear(0.0, 1.0, picture.y.clone()));
    for (line, style) in drawn().collect::<Vec<_>>().into_iter().rev() {
        chart.line(style, line.points.iter().map(|point| (point[0], point[1])));
    }
    Some(sheet.done(PlotKind::Attack, &finding.name, finding.outcome.clone()))
}

#[cfg(test)]
#[path = "../../../tests/unit/report/plot/attack.rs"]
mod tests;
