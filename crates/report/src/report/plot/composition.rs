//! The privacy profile of a composition, by several methods.

use super::axis::Axis;
use super::backend::Style;
use super::canvas::{LegendKey, PlotSheet};
use super::svg::{Plot, PlotKind};

/// A curve δ(ε), from below and from above.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileCurve {
    pub name: String,
    /// (ε, lower δ, upper δ), ascending in ε.
    pub points: Vec<(f64, f64, f64)>,
}

/// Upper ends of all curves; for the first one the lower end as well.
pub fn composition(name: &str, curves: &[ProfileCurve]) -> Plot {
    use Style::{Certified, Chance, Claim, Estimated, LineD, LineDPrime};
    const STYLES: [Style; 6] = [Certified, LineD, LineDPrime, Estimated, Claim, Chance];
    let styled = || curves.iter().zip(STYLES).enumerate();
    let keys: Vec<LegendKey> =
        styled().map(|(_, (curve, style))| LegendKey::line(style, curve.name.clone())).collect();
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let end = points().map(|point| point.0).fold(0.0, f64::max);
    let shown = points().map(|point| point.2).filter(|delta| *delta >= 1e-12);
    let mut sheet = PlotSheet::new();
    sheet.legend(&keys);
    let mut chart = sheet.chart(Axis::linear(0.0, end, "ε"), Axis::of_shares(shown, "δ(ε)"));
    let mut all: Vec<_> = styled().collect();
    all.reverse();
    for (place, (curve, style)) in all {
        chart.line(style, curve.points.iter().map(|point| (point.0, point.2)));
        if place == 0 {
            chart.line(style, curve.points.iter().map(|point| (point.0, point.1)));
        }
    }
    let names: Vec<&str> = curves.iter().map(|curve| curve.name.as_str()).collect();
    sheet.done(PlotKind::Profile, name, format!("the privacy profile by {}", names.join(", ")))
}

#[cfg(test)]
#[path = "../../../tests/unit/report/plot/composition.rs"]
mod tests;
