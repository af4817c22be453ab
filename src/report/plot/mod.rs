//! Plots of a finding, as SVG. The only room that knows plotters.
//!
//! Every plot is drawn in a handful of fixed colours, so that a page can recolour it for dark mode
//! with attribute selectors; dashed lines are those of the claim.

mod axis;
mod canvas;
mod composition;
mod loss;
mod outcomes;
mod posterior;
mod profile;
mod svg;
mod tradeoff;

pub use composition::{ProfileCurve, composition};
pub use loss::loss;
pub use outcomes::outcomes;
pub use posterior::{posterior, reach};
pub use profile::profile;
pub use svg::{Kind, Plot};
pub use tradeoff::tradeoff;

use super::Finding;

/// All plots of a finding, in the order of [`Kind`].
pub fn all(finding: &Finding) -> Vec<Plot> {
    vec![outcomes(finding), loss(finding), profile(finding), tradeoff(finding), posterior(finding)]
}
