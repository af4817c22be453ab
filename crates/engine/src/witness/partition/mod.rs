//! A partition of the outcomes into boxes: coordinates → boxes → leaves.
//!
//! A *coordinate* is a number of an outcome. A *box* holds the outcomes whose coordinates are in
//! some intervals; an interval of one coordinate is a box with one pair of sides. The partition is
//! a tree: each node tests whether an outcome is in a box, and each leaf is a bin. `grow.rs` grows
//! one from labelled outcomes, by the best interval (`interval.rs`) or the best box (`scan.rs`) of
//! each node; `boxes.rs` has its frozen form.

mod boxes;
pub mod gain;
mod grow;
mod interval;
mod scan;
mod simplest;
mod suggest;
mod table;

pub use boxes::{Branch, Partition, Side};
pub(super) use suggest::suggested;
