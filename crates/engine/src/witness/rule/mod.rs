//! The rule: on which bins a guesser says D, and on which D', by the bound that this is predicted to certify.

pub mod curve;
pub mod decision;
pub mod folds;
pub mod judged;
pub mod line;
pub mod posterior;
pub mod predict;
pub mod unordered;
