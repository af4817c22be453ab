//! Attacks, and audits of training by canaries.

pub mod attack;
pub mod learning;
pub mod scores;

#[allow(unused_imports)]
use plaudit_accountant::{self as accountant, near, normal, number};
#[allow(unused_imports)]
use plaudit_core::{blank, claim, dataset, finding, inference, loss, random, tally, visible};
#[allow(unused_imports)]
use plaudit_engine::{audit, game, mechanism, search, verify, witness};
