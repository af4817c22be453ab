//! Attacks, and audits of training by canaries.

pub mod attack;
pub mod learning;
pub mod scores;
