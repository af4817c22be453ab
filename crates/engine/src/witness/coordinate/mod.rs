//! Features of an outcome (a number, a category, keys, bits), and the samples with them.

pub mod coarse;
pub mod facet;
pub mod keys;
pub mod list;
pub mod operators;
pub mod rounding;
pub mod sample;
pub mod shape;
pub mod spelled;
pub mod statistic;
pub mod trees;
pub mod vectors;
pub mod weighted;
