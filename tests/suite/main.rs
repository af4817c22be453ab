//! The first tier of tests: all that `cargo test --release` runs. A folder is a room of `src`, a file a subject.
//! `tests/long` has the second tier.

mod support;

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
