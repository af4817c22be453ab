//! What an audit costs above the mechanism's own samples: the audit of the scalar Laplace mechanism
//! at 10⁷ runs against a bare loop that draws as many samples with the same generator, sampler,
//! blocks and threads and does nothing else. The two take turns; medians are compared.

use plaudit::dataset::Dataset;
use plaudit::game::{BLOCK, Phase, Streams};
use plaudit::mechanism::catalog;
use plaudit::{Audit, Claim, laplace};
use rayon::prelude::*;
use serde_json::json;
use std::hint::black_box;
use std::time::Instant;

const RUNS: u64 = 10_000_000;
const REPETITIONS: usize = 41;

fn audit() -> f64 {
    let parameters = json!({ "epsilon": 1.0, "sensitivity": 1.0 });
    let mechanism = catalog::build("laplace", &parameters).expect("a mechanism");
    let numbers = |x| Dataset::Numbers(vec![x]);
    let claim = Claim::pure(1.0).expect("a claim");
    let audit = Audit::of_mechanism("laplace", claim, mechanism)
        .pair(numbers(0.0), numbers(1.0))
        .trials(RUNS);
    seconds(|| drop(black_box(audit.report())))
}

fn bare() -> f64 {
    let stream = Streams::new(0, "laplace").block(0, Phase::Confirm);
    seconds(|| {
        (0..RUNS.div_ceil(BLOCK)).into_par_iter().for_each(|block| {
            let mut random = stream(block);
            for _ in 0..BLOCK.min(RUNS - block * BLOCK) {
                black_box(laplace(&mut random, 1.0));
            }
        });
    })
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    // Warm.
    audit();
    bare();
    let turns: Vec<(f64, f64)> = (0..REPETITIONS).map(|_| (audit(), bare())).collect();
    let (audits, loops): (Vec<f64>, Vec<f64>) = turns.iter().copied().unzip();
    let ratio = median(turns.iter().map(|(audit, bare)| audit / bare).collect());
    let (audit, bare) = (median(audits), median(loops));
    println!(
        "{RUNS:.0e} runs on {} threads, medians of {REPETITIONS}: audit {:.1} ms, bare loop \
         {:.1} ms; ratio of the medians {:.3}, median of the ratios {ratio:.3} (at most 1.5)",
        rayon::current_num_threads(),
        1e3 * audit,
        1e3 * bare,
        audit / bare,
        RUNS = RUNS as f64,
    );
}
