//! Threads.

use crate::cli::Failure;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZero;

/// Pool with the requested number of threads, by default one for each core.
pub(in crate::cli) fn pool(jobs: Option<usize>) -> Result<ThreadPool, Failure> {
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    ThreadPoolBuilder::new()
        .num_threads(jobs.unwrap_or_else(cores))
        .build()
        .map_err(|error| Failure::Message(format!("cannot start the threads: {error}")))
}
