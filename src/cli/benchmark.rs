//! `plaudit benchmark`.

use super::args::{BenchmarkArguments, OutputFormat};
use super::running::progress::Progress;
use super::running::{interrupt, jobs, lock};
use super::{Failure, exit, output, python};
use crate::benchmark::{Benchmark, Case, MechanismRow, cases, markdown};
use plaudit_core::finding::Tool;
use plaudit_engine::audit::AuditError;
use plaudit_engine::game::Control;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Runs of each auditor on a mechanism, unless given.
const PEER_RUNS: u64 = 100_000;

/// Audits the mechanisms of the benchmark, and writes what came out.
pub(super) fn run(raw: &BenchmarkArguments) -> Result<u8, Failure> {
    if raw.peers {
        return peers(raw);
    }
    let mut cases = cases().map_err(|error| Failure::Message(error.to_string()))?;
    if let Some(filter) = &raw.filter {
        let all = cases.len();
        cases.retain(|case| filter.is_match(&case.audit.name));
        if cases.is_empty() {
            let message =
                format!("none of the {all} mechanisms has a name that matches `{filter}`");
            return Err(Failure::NothingSelected(message));
        }
    }
    std::fs::create_dir_all(&raw.out)
        .map_err(|error| Failure::of_file("cannot make the folder", &raw.out, &error))?;
    let _lock = lock::hold(&raw.out)?;
    let interrupted = interrupt::listen()?;
    let pool = jobs::pool(raw.jobs)?;
    let start = Instant::now();
    let rows = pool.install(|| play(raw, cases, interrupted))?;
    let benchmark = Benchmark {
        tool: Tool::this(),
        confidence: 1.0 - raw.alpha,
        seeds: raw.seeds,
        jobs: pool.current_num_threads(),
        wall_s: start.elapsed().as_secs_f64(),
        rows,
    };
    let table = markdown(&benchmark);
    write(&raw.out, &benchmark, &table)?;
    match raw.format {
        OutputFormat::Human => output::print(&table)?,
        OutputFormat::Json => output::print_json(&benchmark)?,
    }
    Ok(exit::AS_EXPECTED)
}

/// Runs the benchmark of several auditors, which is in Python as most of them are.
fn peers(raw: &BenchmarkArguments) -> Result<u8, Failure> {
    const PROGRAM: &str = "benchmark/run.py";
    let here = std::env::current_dir().map_err(|error| Failure::Message(error.to_string()))?;
    let found = here.ancestors().map(|folder| folder.join(PROGRAM)).find(|path| path.is_file());
    let program = found.ok_or_else(|| {
        Failure::Message(format!(
            "{PROGRAM} is not in this folder or above: run it in the repository of plaudit"
        ))
    })?;
    // Several budgets are the default of the other benchmark.
    let runs = if let [runs] = raw.trials[..] { runs } else { PEER_RUNS };
    // The environment that benchmark/install.sh makes for plaudit.
    let own =
        program.ancestors().nth(2).map(|root| root.join("target/benchmark/plaudit/bin/python"));
    let own = own.filter(|path| path.is_file());
    let mut arguments = vec![program.into_os_string(), "--runs".into(), runs.to_string().into()];
    if let Some(filter) = &raw.filter {
        arguments.extend(["--filter".into(), filter.as_str().into()]);
    }
    arguments.extend(["--out".into(), raw.out.clone().into_os_string()]);
    python::run(&arguments, own.as_deref())
}

fn play(
    raw: &BenchmarkArguments,
    cases: Vec<Case>,
    interrupted: &AtomicBool,
) -> Result<Vec<MechanismRow>, Failure> {
    let each = raw.trials.iter().sum::<u64>().saturating_mul(raw.seeds);
    let progress = Progress::new(!raw.no_progress, each.saturating_mul(cases.len() as u64));
    let advance = |trials| progress.advance(trials);
    let control = Control { interrupted, progress: &advance, ..Control::unattended() };
    let row = |mut case: Case| {
        progress.start(&case.audit.name, each);
        case.run(&raw.trials, raw.seeds, raw.alpha, control).map_err(|error| match error {
            AuditError::Interrupted => {
                Failure::Interrupted("interrupted: the benchmark was not written".into())
            }
            error => Failure::Message(error.to_string()),
        })
    };
    cases.into_iter().map(row).collect()
}

fn write(folder: &Path, benchmark: &Benchmark, table: &str) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(benchmark)
        .map_err(|error| Failure::Message(format!("cannot write the benchmark: {error}")))?;
    let files = [("benchmark.json", json + "\n"), ("benchmark.md", table.to_owned())];
    files.into_iter().try_for_each(|(name, text)| {
        let file = folder.join(name);
        std::fs::write(&file, text).map_err(|error| Failure::of_file("cannot write", &file, &error))
    })
}
