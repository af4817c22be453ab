//! Renderings of findings, and the decisions of the gate.

#[cfg(feature = "cli")]
pub mod gate;
pub mod report;
