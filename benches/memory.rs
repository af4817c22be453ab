//! Memory does not grow with the runs: an audit of 10⁹ runs, and the most memory it ever held.

use plaudit::dataset::Dataset;
use plaudit::mechanism::catalog;
use plaudit::{Audit, Claim};
use serde_json::json;
use std::time::Instant;

const RUNS: u64 = 1_000_000_000;

fn main() {
    let parameters = json!({ "epsilon": 1.0, "sensitivity": 1.0 });
    let mechanism = catalog::build("laplace", &parameters).expect("a mechanism");
    let numbers = |x| Dataset::Numbers(vec![x]);
    let claim = Claim::pure(1.0).expect("a claim");
    let audit = Audit::of_mechanism("laplace", claim, mechanism).pair(numbers(0.0), numbers(1.0));
    let start = Instant::now();
    let report = audit.trials(RUNS).report().expect("a report");
    let finding = &report.audits[0];
    println!(
        "{:.0e} runs in {:.1} s: {}, certified epsilon {:.5}; {} (at most 100 MB)",
        RUNS as f64,
        start.elapsed().as_secs_f64(),
        finding.verdict.word(),
        finding.epsilon_lower,
        most_memory("self").unwrap_or_else(|| "peak memory is not known here".into()),
    );
}

#[path = "support/memory.rs"]
mod support;
use support::most_memory;
