//! Given an audit (a mechanism, neighboring datasets, a claim), its finding: explore freezes a witness, confirm counts
//! other outcomes, inference judges the counts; or a proof.
//!
//! Invariants: code before the frozen witness may be clever, code after it must be right; only a tally passes from
//! running to reasoning; one file, `audit/decide.rs`, chooses the verdict. It does not know the catalog, specs, renderings
//! or the command line.

pub mod audit;
pub mod game;
pub mod mechanism;
pub mod search;
pub mod verify;
pub mod witness;
