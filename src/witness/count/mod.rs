//! The hot path: millions of outcomes into bins.

pub mod counter;
pub mod edges;
pub mod grid;
pub mod ruler;
