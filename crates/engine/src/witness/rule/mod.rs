//! The rule: the bins that say D, and those that say D', by the predicted bound.

pub mod curve;
pub mod decision;
pub mod folds;
pub mod judged;
pub mod line;
pub mod posterior;
pub mod predict;
pub mod unordered;
