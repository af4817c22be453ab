//! The gate: the consequences of a report for a change before its merge, and the formats that CI systems read.
//!
//! ```text
//! Report (an earlier one, what is accepted, the ledger) ──> decide ──> GateDecision ──> junit · sarif · markdown · annotations · code quality · summary
//! ```
//!
//! All of it is computed from the values of `finding`: nothing is run here, and no file is read.

mod accepted;
mod annotations;
mod baseline;
mod check;
mod decide;
mod family;
mod junit;
mod ledger;
mod markdown;
mod note;
mod quality;
mod rule;
mod sarif;
mod summary;

pub use accepted::Acceptance;
pub use annotations::annotations;
pub use check::{CheckStatus, GateCheck};
pub use decide::{GateDecision, GateRules, OnInconclusive, decide};
pub use family::ClaimFamily;
pub use junit::junit;
pub use ledger::{LEDGER_VERSION, Ledger, LedgerChange, LedgerEntry, LedgerLine, LedgerTotal};
pub use markdown::markdown;
pub use note::{GateNote, NoteLevel};
pub use quality::code_quality;
pub use rule::GateRule;
pub use sarif::sarif;
pub use summary::summary;

#[cfg(test)]
#[path = "../../tests/unit/gate/formats.rs"]
mod tests;
