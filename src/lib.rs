//! plaudit audits privacy-loss claims.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod audit;
pub mod claim;
#[cfg(feature = "cli")]
pub mod cli;
pub mod dataset;
pub mod game;
pub mod inference;
pub mod loss;
pub mod mechanism;
pub mod number;
pub mod report;
pub mod spec;
pub mod tally;
pub mod witness;
