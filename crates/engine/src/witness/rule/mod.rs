//! The rule: the bins on which a guesser says D, and those on which it says D', by the predicted
//! bound.

pub mod curve;
pub mod decision;
pub mod folds;
pub mod judged;
pub mod line;
pub mod posterior;
pub mod predict;
pub mod unordered;
