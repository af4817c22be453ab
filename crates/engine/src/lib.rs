//! Mechanisms, the privacy game, witnesses, proofs and audits.

pub mod audit;
pub mod game;
pub mod mechanism;
pub mod search;
pub mod verify;
pub mod witness;
