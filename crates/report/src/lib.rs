//! Renderings of findings, and the decisions of the gate.

#[cfg(feature = "cli")]
pub mod gate;
pub mod report;

#[allow(unused_imports)]
use plaudit_accountant::{self as accountant, near, normal, number};
#[allow(unused_imports)]
use plaudit_core::{blank, claim, dataset, finding, inference, loss, random, tally, visible};
