//! Given counts and a claim, the bounds and p-values that they support; and the types that all crates share: datasets,
//! claims, tallies, findings.
//!
//! Invariant: pure functions and plain data; no threads, no files but tables of data. It does not know mechanisms,
//! outcomes or renderings.

pub mod blank;
pub mod claim;
pub mod dataset;
pub mod finding;
pub mod inference;
pub mod law;
pub mod loss;
pub mod random;
pub mod tally;
pub mod visible;
