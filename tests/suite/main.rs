//! The first tier of tests: all that `cargo test --release` runs. A folder is a room of `src`, a file a subject.
//! `tests/long` has the second tier.

mod support;

/// Audits of true claims, of each test that counts false alarms. The second tier runs 10 000.
const NULL_AUDITS: u64 = 1_000;

#[global_allocator]
static HEAP: support::heap::Counting = support::heap::Counting;

mod accountant;
mod audit;
mod benchmark;
mod catalog;
mod claim;
mod cli;
mod dataset;
mod docs;
mod game;
mod inference;
mod process;
mod recorded;
mod report;
mod search;
mod spec;
mod verify;
mod wire;
