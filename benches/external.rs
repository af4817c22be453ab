//! What an audit costs beside the program that it audits: `numpy.random.laplace` over arrays
//! against the same program asked for the same runs by nobody but a shell pipe, in turns.
//!
//! `cargo bench --bench external [-- PYTHON [RUNS ...]]`; PYTHON must have numpy.

use plaudit::dataset::Dataset;
use plaudit::mechanism::process::{Format, Process, Settings};
use plaudit::{Audit, Claim};
use serde_json::json;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

const RUNS: [u64; 3] = [20_000_000, 200_000_000, 1_000_000_000];
const BATCH: usize = 1 << 15;
const TURNS: usize = 5;

/// The mechanism: its own time, by its own clock, goes to standard error at the end.
const PROGRAM: &str = r#"
import json, sys, time
import numpy
own = 0.0
for line in sys.stdin.buffer:
    request = json.loads(line)
    start = time.perf_counter()
    stream = numpy.random.default_rng(request["seed"])
    outcomes = request["dataset"] + stream.laplace(0.0, 1.0, request["runs"])
    own += time.perf_counter() - start
    numpy.save(sys.stdout.buffer, outcomes)
    sys.stdout.buffer.flush()
if len(sys.argv) > 1:
    with open(sys.argv[1], "a") as file:
        print(own, file=file)
"#;

/// Seconds of the audit, and of these the mechanism's own, the mean over its copies.
fn audit(python: &str, runs: u64, own: &std::path::Path) -> (f64, f64) {
    let command = [python, "-c", PROGRAM, own.to_str().expect("a path in words")];
    let settings = Settings {
        command: command.map(str::to_owned).into(),
        folder: std::path::PathBuf::new(),
        format: Format::Npy,
        timeout: 60.0,
        batch: Some(BATCH),
        patience: 60.0,
    };
    let audit =
        Audit::of_mechanism("numpy", Claim::pure(1.0).expect("a claim"), Process::new(settings))
            .pair(Dataset::Json(json!(0.0)), Dataset::Json(json!(1.0)))
            .trials(runs);
    let start = Instant::now();
    let report = audit.report().expect("a report");
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(report.audits[0].trials.total, runs, "{:?}", report.audits[0].notes);
    // The copies end when the audit does.
    let times = std::fs::read_to_string(own).expect("the copies wrote their times");
    let times: f64 = times.lines().filter_map(|line| line.parse::<f64>().ok()).sum();
    (seconds, times / rayon::current_num_threads() as f64)
}

/// Seconds of the same requests without an auditor: the answers go nowhere.
fn bare(python: &str, runs: u64) -> f64 {
    let threads = rayon::current_num_threads();
    let requests = runs as usize / BATCH / threads;
    let start = Instant::now();
    let copies: Vec<_> = (0..threads)
        .map(|_| {
            let mut copy = Command::new(python)
                .args(["-c", PROGRAM])
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .spawn()
                .expect("python starts");
            let mut input = copy.stdin.take().expect("a pipe");
            for seed in 0..requests {
                let request = json!({ "runs": BATCH, "seed": seed, "dataset": 0.0 });
                writeln!(input, "{request}").expect("it reads");
            }
            copy
        })
        .collect();
    for mut copy in copies {
        copy.wait().expect("it ends");
    }
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let python = arguments.first().map_or("python3", String::as_str);
    let asked = arguments.iter().skip(1).map(|a| a.parse::<f64>().expect("a number") as u64);
    let mut budgets: Vec<u64> = asked.collect();
    if budgets.is_empty() {
        budgets = RUNS.into();
    }
    for runs in budgets {
        turns(python, runs);
    }
}

fn turns(python: &str, runs: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let turns: Vec<((f64, f64), f64)> = (0..TURNS)
        .map(|turn| {
            (audit(python, runs, &folder.path().join(turn.to_string())), bare(python, runs))
        })
        .collect();
    let seconds = median(turns.iter().map(|((seconds, _), _)| *seconds).collect());
    let own = median(turns.iter().map(|((seconds, own), _)| own / seconds).collect());
    let bare = median(turns.iter().map(|((seconds, _), bare)| bare / seconds).collect());
    println!(
        "{runs:.0e} runs on {} threads, medians of {TURNS}: audit {seconds:.2} s; drawing the \
         noise takes {:.0} % of it, the program without an auditor {:.0} % (at least 80)",
        rayon::current_num_threads(),
        100.0 * own,
        100.0 * bare,
        runs = runs as f64,
    );
}
