//! Plots of a finding, as SVG: charts of plotters on a backend of our own.
//!
//! Every shape has a class of `plot.css`, which the page has once and each separate file includes.
//! Lines that can meet differ in their dashes, bars by being filled or hollow: colour is never the
//! only difference. A plot that cannot show why a claim is violated says so.

mod about;
mod attack;
mod axis;
mod backend;
mod canvas;
mod composition;
mod deciding;
mod loss;
mod outcomes;
mod overview;
mod posterior;
mod profile;
mod series;
mod svg;
mod tradeoff;

pub use attack::attack;
pub use composition::{ProfileCurve, composition};
pub use deciding::deciding;
pub use loss::{beyond, loss};
pub use outcomes::outcomes;
pub use overview::overview;
pub use posterior::{posterior, reach};
pub use profile::profile;
pub use svg::{Plot, PlotKind, STYLE};
pub use tradeoff::tradeoff;

use plaudit_core::finding::Finding;

/// Plots of a finding that have something to show, in the order of [`PlotKind`]. For a finding
/// without counts only a proof does.
pub fn all(finding: &Finding) -> Vec<Plot> {
    let all = [outcomes, loss, profile, tradeoff, posterior];
    all.into_iter().filter_map(|plot| plot(finding)).collect()
}
