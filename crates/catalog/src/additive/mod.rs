//! Mechanisms that add noise to exact answers.

pub(super) mod calibration;
pub(super) mod discrete;
pub(super) mod floats;
pub(super) mod gaussian;
pub(super) mod noise;
pub(super) mod snapping;

pub use calibration::analytic_sigma;
