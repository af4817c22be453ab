//! The first tier of tests: all that `cargo test --release` runs. A folder is a room of `src`, a file a subject.
//! `tier.rs` says how
//! the same tests do more (`SUITE`); `tests/parquet.rs` has what needs a feature.

mod support;
mod tier;

#[global_allocator]
static HEAP: support::heap::Counting = support::heap::Counting;

mod accountant;
mod attack;
mod audit;
mod benchmark;
mod catalog;
mod claim;
mod cli;
mod dataset;
mod docs;
mod finding;
mod game;
mod inference;
mod learning;
mod long;
mod process;
mod recorded;
mod report;
mod search;
mod spec;
mod verify;
mod wire;
