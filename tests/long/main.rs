//! The second tier of tests, for changes to the flow of an audit: `cargo test --release --features long --test
//! long -- --include-ignored`.
//!
//! The null audits are those of the first tier, in full number; shipped audits run at the trials they ship with,
//! and searches over the whole catalog.

// Not all that tests share is used here.
#[allow(dead_code)]
#[path = "../suite/support/mod.rs"]
mod support;

/// Audits of true claims, of each test that counts false alarms.
const NULL_AUDITS: u64 = 10_000;

/// Audits of each mechanism that is held against an oracle.
const ORACLE_SEEDS: u64 = 60;

/// Audits of each mechanism of the benchmark whose bounds are held against the truth.
const BENCHMARK_SEEDS: u64 = 2;

/// One of so many combinations of extreme numbers is proved: all.
const PROOFS: usize = 1;

/// Claims that are drawn, afresh each time, for each property of conversions.
const CASES: u32 = 256;

/// Rows of datasets whose copies are counted.
const ROWS: usize = 1_000_000;

/// Sizes of tests are enumerated at all counts up to this one.
const ALL_COUNTS: u64 = 30;

/// Numbers of runs of which all pairs are enumerated where there are many levels and claims.
const SOME_SIZES: &[u64] = &[1, 3, 6, 10, 15, 22, 30];

/// Audits of each program that remembers earlier runs.
const MEMORY_SEEDS: u64 = 50;

/// One of so many of these programs is audited: all.
const EACH_MEMORY: usize = 1;

/// Audits of each form of claim at the loss that is said to be seen.
const POWER_SEEDS: u64 = 200;

/// One of so many shipped audits is compared with what it found: all.
const EACH_SHIPPED: usize = 1;

/// One of so many odd claims is audited: all.
const EACH_CLAIM: usize = 1;

/// Shipped audits whose headlines are looked for in all that is written: all.
const HEADLINES: &[&str] = &["audits"];

/// Whether edits of a spec are tried one by one, or those of different audits at once.
const EACH_EDIT_ALONE: bool = true;

/// Specs whose numbers are edited, afresh each time.
const EDITED_SPECS: u32 = 12;

/// One of so many mechanisms is held against an oracle: all.
const EACH_ORACLE: usize = 1;

/// One of so many mechanisms of the benchmark is audited: all.
const EACH_CASE: usize = 1;

#[global_allocator]
static HEAP: support::heap::Counting = support::heap::Counting;

#[path = "../suite/report/agree.rs"]
mod agree;
#[path = "../suite/cli/baseline.rs"]
mod baseline;
#[path = "../suite/benchmark/catalog.rs"]
mod benchmark;
mod catalog;
#[path = "../suite/claim/conversions.rs"]
mod conversions;
#[path = "../suite/verify/extreme.rs"]
mod extreme;
#[path = "../suite/audit/false_alarms.rs"]
mod false_alarms;
#[path = "../suite/audit/golden.rs"]
mod golden;
#[path = "../suite/report/headline.rs"]
mod headline;
#[path = "../suite/audit/leaks.rs"]
mod leaks;
#[path = "../suite/search/memory.rs"]
mod memory;
#[path = "../suite/audit/oracle.rs"]
mod oracle;
#[cfg(feature = "parquet")]
#[path = "../suite/recorded/parquet.rs"]
mod parquet;
#[path = "../suite/audit/power.rs"]
mod power;
mod process;
mod sarif;
mod schema;
mod shipped;
#[path = "../suite/inference/size.rs"]
mod size;
