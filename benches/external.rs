//! What an audit costs beside the program that it audits: `numpy.random.laplace` over arrays.
//!
//! Three measures of what is the mechanism's own, each as a share of the seconds of the audit and of its
//! processor time (plaudit and all copies of the program, starts and ends included), which what else
//! the machine does changes little:
//!
//! * *copies*: the processor time of all copies of the program in the audit, with their starts, their
//!   ends, and what the system does for them when they write; of the processor time only;
//! * *alone*: the same program in as many copies, asked for the same runs by a bare pipe, its
//!   answers read by nobody; audits and this in turns;
//! * *drawing*: what the program spends in drawing its noise, by its own clock, in the audit; of the
//!   seconds, the mean over its copies.
//!
//! `cargo bench --bench external [-- PYTHON [RUNS ...]]`; PYTHON must have numpy.

use plaudit::dataset::Dataset;
use plaudit::mechanism::process::Process;
use plaudit::mechanism::program::{Format, ProgramSettings};
use plaudit::{Audit, Claim};
use serde_json::json;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

const RUNS: [u64; 3] = [20_000_000, 200_000_000, 1_000_000_000];
const BATCH: usize = 1 << 15;
const TURNS: usize = 5;

/// The mechanism: the seconds and processor seconds that it drew for go to a file at the end.
const PROGRAM: &str = r#"
import json, sys, time
import numpy
own = processor = 0.0
for line in sys.stdin.buffer:
    request = json.loads(line)
    start, start_processor = time.perf_counter(), time.thread_time()
    stream = numpy.random.default_rng(request["seed"])
    outcomes = request["dataset"] + stream.laplace(0.0, 1.0, request["runs"])
    own += time.perf_counter() - start
    processor += time.thread_time() - start_processor
    numpy.save(sys.stdout.buffer, outcomes)
    sys.stdout.buffer.flush()
if len(sys.argv) > 1:
    with open(sys.argv[1], "a") as file:
        print(own, processor, file=file)
"#;

/// Seconds, and seconds of processor time.
type Cost = [f64; 2];

/// What `work` costs, with all processes that it starts and waits for.
fn cost(work: impl FnOnce()) -> Cost {
    let (start, before) = (Instant::now(), processor_seconds(OWN) + processor_seconds(COPIES));
    work();
    let after = processor_seconds(OWN) + processor_seconds(COPIES);
    [start.elapsed().as_secs_f64(), after - before]
}

/// The cost of an audit, that of drawing in it, and the processor time of the copies.
fn audit(python: &str, runs: u64, own: &std::path::Path) -> ([Cost; 2], f64) {
    let command = [python, "-c", PROGRAM, own.to_str().expect("a path in words")];
    let settings = ProgramSettings {
        command: command.map(str::to_owned).into(),
        clean: None,
        folder: std::path::PathBuf::new(),
        format: Format::Npy,
        timeout: 60.0,
        batch: Some(BATCH),
        patience: 60.0,
        interleaved: false,
    };
    let audit =
        Audit::of_mechanism("numpy", Claim::pure(1.0).expect("a claim"), Process::new(settings))
            .pair(Dataset::Json(json!(0.0)), Dataset::Json(json!(1.0)))
            .trials(runs);
    let before = processor_seconds(COPIES);
    let whole = cost(|| {
        let report = audit.report().expect("a report");
        assert_eq!(report.audits[0].trials.total, runs, "{:?}", report.audits[0].notes);
    });
    // The copies end when the audit does.
    let times = std::fs::read_to_string(own).expect("the copies wrote their times");
    let sum = |place| -> f64 {
        let word = |line: &str| line.split(' ').nth(place)?.parse::<f64>().ok();
        times.lines().filter_map(word).sum()
    };
    let drawing = [sum(0) / rayon::current_num_threads() as f64, sum(1)];
    ([whole, drawing], processor_seconds(COPIES) - before)
}

/// Where the processor time of this process stands, in user and in kernel mode.
const OWN: usize = 11;
/// And that of those that it has waited for.
const COPIES: usize = 13;

/// Processor time of one of them (Linux; elsewhere no number).
fn processor_seconds(whose: usize) -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = after_name.split(' ').skip(whose).take(2).map(|word| word.parse::<f64>());
    ticks.sum::<Result<f64, _>>().unwrap_or(f64::NAN) / TICKS
}

/// Ticks a second, on any Linux.
const TICKS: f64 = 100.0;

/// The same requests without an auditor: the answers go nowhere.
fn alone(python: &str, runs: u64) {
    let threads = rayon::current_num_threads();
    let requests = runs as usize / BATCH / threads;
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
    let turn = |turn: usize| {
        let ([whole, drawing], copies) = audit(python, runs, &folder.path().join(turn.to_string()));
        [whole, cost(|| alone(python, runs)), drawing, [f64::NAN, copies]]
    };
    let turns: Vec<[Cost; 4]> = (0..TURNS).map(turn).collect();
    let share = |of: usize, kind: usize| {
        100.0 * median(turns.iter().map(|turn| turn[of][kind] / turn[0][kind]).collect())
    };
    let seconds = |kind: usize| median(turns.iter().map(|turn| turn[0][kind]).collect());
    println!(
        "{runs:.0e} runs on {} threads, medians of {TURNS}: an audit takes {:.2} s and {:.2} s of \
         processor time; the copies of the program {:.0} % of it (at least 80), the program alone \
         {:.0} % and {:.0} %, drawing {:.0} % and {:.0} %",
        rayon::current_num_threads(),
        seconds(0),
        seconds(1),
        share(3, 1),
        share(1, 0),
        share(1, 1),
        share(2, 0),
        share(2, 1),
        runs = runs as f64,
    );
}
