//! Files in Parquet, which need a feature that is off by default.

// Not all that tests share is used here.
#[allow(dead_code)]
#[path = "suite/support/mod.rs"]
mod support;

#[global_allocator]
static HEAP: support::heap::Counting = support::heap::Counting;

#[path = "suite/recorded/parquet.rs"]
mod parquet;
