//! Mechanisms, the privacy game, witnesses, proofs and audits.

pub mod audit;
pub mod game;
pub mod mechanism;
pub mod search;
pub mod verify;
pub mod witness;

#[allow(unused_imports)]
use plaudit_accountant::{self as accountant, near, normal, number};
#[allow(unused_imports)]
use plaudit_core::{blank, claim, dataset, finding, inference, loss, random, tally, visible};
