//! The privacy profile of a composition, by several methods.

use super::axis::Axis;
use super::canvas::{self, CERTIFIED, CHANCE, CLAIM, D, D_PRIME, ESTIMATE, HEIGHT, Key};
use super::canvas::{chart, legend, line, sheet};
use super::svg::{Kind, Plot};

/// A curve δ(ε), from below and from above.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileCurve {
    /// What it comes from.
    pub name: String,
    /// (ε, lower δ, upper δ), ascending in ε.
    pub points: Vec<(f64, f64, f64)>,
}

/// The upper ends of all curves; of the first one the lower end, too.
pub fn composition(name: &str, curves: &[ProfileCurve]) -> Plot {
    const COLORS: [&plotters::style::RGBColor; 6] =
        [&CERTIFIED, &D, &D_PRIME, &ESTIMATE, &CLAIM, &CHANCE];
    sheet(Kind::Profile, name, HEIGHT, |root| {
        let keys: Vec<Key> = curves
            .iter()
            .zip(COLORS)
            .map(|(curve, color)| Key::line(*color, curve.name.clone()))
            .collect();
        let rest = legend(root, &keys)?;
        let points = || curves.iter().flat_map(|curve| &curve.points);
        let end = points().map(|point| point.0).fold(0.0, f64::max);
        let x = Axis::linear(0.0, end, "ε");
        let shown = points().map(|point| point.2).filter(|delta| *delta >= 1e-12);
        let y = Axis::of_shares(shown, "δ(ε)");
        let mut chart = chart(&rest, &x, &y)?;
        for (place, (curve, color)) in curves.iter().zip(COLORS).enumerate().rev() {
            let upper = curve.points.iter().map(|point| (x.at(point.0), y.at(point.2)));
            line(&mut chart, upper, *color, canvas::LINE)?;
            if place == 0 {
                let lower = curve.points.iter().map(|point| (x.at(point.0), y.at(point.1)));
                line(&mut chart, lower, *color, canvas::LINE)?;
            }
        }
        Ok(())
    })
}
