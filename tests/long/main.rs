//! What needs a feature that is off by default (`cargo test --release --features long,parquet,png --test long`: files in
//! Parquet, reports and SARIF by schemas), and audits in full, which take hours (`-- --include-ignored`), for changes to
//! the flow of an audit: that every shipped verdict is as expected, searches over the whole catalog, programs.
//!
//! Numbers of the suite's own tests are larger with `PLAUDIT_TESTS=all` (`tests/suite/tier.rs`).

// Not all that tests share is used here.
#[allow(dead_code)]
#[path = "../suite/support/mod.rs"]
mod support;
#[allow(dead_code)]
#[path = "../suite/tier.rs"]
mod tier;

#[global_allocator]
static HEAP: support::heap::Counting = support::heap::Counting;

mod catalog;
#[cfg(feature = "parquet")]
#[path = "../suite/recorded/parquet.rs"]
mod parquet;
mod process;
mod sarif;
mod schema;
mod shipped;
