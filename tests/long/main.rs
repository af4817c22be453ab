//! The second tier of tests, for changes to the flow of an audit: `cargo test --release --features long --test long`.
//!
//! The null audits are those of the first tier, in full number; shipped audits run at the trials they ship with,
//! and searches over the whole catalog.

// Not all that tests share is used here.
#[allow(dead_code)]
#[path = "../suite/support/mod.rs"]
mod support;

/// Audits of true claims, of each test that counts false alarms.
const NULL_AUDITS: u64 = 10_000;

mod catalog;
#[path = "../suite/audit/false_alarms.rs"]
mod false_alarms;
#[path = "../suite/audit/leaks.rs"]
mod leaks;
mod shipped;
