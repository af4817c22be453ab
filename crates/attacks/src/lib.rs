//! Attacks, and audits of training by canaries: given scores, released tables or answers, what an attacker achieves and
//! which ε that certifies.
//!
//! Invariant: pure except for random streams, threads and the files of scores and tables. Of the engine it uses
//! readers of files alone: it does not know audits of mechanisms, specs or reports.

pub mod attack;
mod files;
pub mod learning;
pub mod scores;
