//! The hot path: millions of outcomes into bins.

pub mod counter;
pub mod dyadic_grid;
pub mod edges;
pub mod grid;
