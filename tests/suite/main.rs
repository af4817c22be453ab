//! The first tier of tests: all that `cargo test --release` runs. A folder is a room of `src`, a file a subject.
//! `tests/long` has the second tier.

mod support;

/// `true` with `--features long`: these numbers as `.ci/run` has them, for the tests that use them. Without it each is
/// smaller, so that `cargo test --release` takes minutes. `tests/long` is larger still.
const LONG: bool = cfg!(feature = "long");

/// Audits of true claims, of each test that counts false alarms. The second tier runs 10 000.
const NULL_AUDITS: u64 = if LONG { 500 } else { 250 };

/// Audits of each mechanism that is held against an oracle. The second tier runs 60.
const ORACLE_SEEDS: u64 = 20;

/// Audits of each mechanism of the benchmark whose bounds are held against the truth. The second tier runs 2.
const BENCHMARK_SEEDS: u64 = 1;

/// One of so many combinations of extreme numbers is proved. The second tier proves all.
const PROOFS: usize = 6;

/// Claims that are drawn, afresh each time, for each property of conversions. The second tier draws 256.
const CASES: u32 = if LONG { 64 } else { 24 };

/// Rows of datasets whose copies are counted. The second tier has a million.
const ROWS: usize = 250_000;

/// Sizes of tests are enumerated at all counts up to this one. The second tier goes to 30.
const ALL_COUNTS: u64 = if LONG { 12 } else { 10 };

/// Numbers of runs of which all pairs are enumerated where there are many levels and claims: the smallest, an odd
/// one, an even one and a large one. The second tier has seven of them.
const SOME_SIZES: &[u64] = if LONG { &[1, 4, 9, 20] } else { &[1, 4, 9, 15] };

/// Audits of each program that remembers earlier runs. The second tier runs 50.
const MEMORY_SEEDS: u64 = 1;

/// One of so many of these programs is audited: with 34 of them, 4. The second tier audits all.
const EACH_MEMORY: usize = if LONG { 5 } else { 9 };

/// Audits of each form of claim at the loss that is said to be seen. The second tier runs 200.
const POWER_SEEDS: u64 = if LONG { 200 } else { 20 };

/// One of so many shipped audits is compared with what it found. The second tier compares all.
const EACH_SHIPPED: usize = if LONG { 1 } else { 8 };

/// One of so many odd claims is audited: with 138 of them, 28. The second tier audits all.
const EACH_CLAIM: usize = if LONG { 1 } else { 5 };

/// Shipped audits whose headlines are looked for in all that is written. The second tier takes all.
#[cfg(feature = "cli")]
const HEADLINES: &[&str] = if LONG {
    &["audits"]
} else {
    &[
        "audits/claims.toml",
        "audits/keys.toml",
        "audits/discrete.toml",
        "audits/broken-failures.toml",
    ]
};

/// Whether edits of a spec are tried one by one, or those of different audits at once. The second tier tries each alone.
const EACH_EDIT_ALONE: bool = LONG;

/// Specs whose numbers are edited, afresh each time. The second tier has 12.
const EDITED_SPECS: u32 = if LONG { 12 } else { 4 };

/// One of so many mechanisms is held against an oracle: with 11 of them, 4. The second tier has all.
const EACH_ORACLE: usize = if LONG { 1 } else { 3 };

/// One of so many mechanisms of the benchmark is audited: with some 70 of them, 18. The second tier has all.
const EACH_CASE: usize = if LONG { 1 } else { 4 };

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
mod process;
mod recorded;
mod report;
mod search;
mod spec;
mod verify;
mod wire;
