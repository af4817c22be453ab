//! The program's first line in the README: all audits that ship at their default trials, with their
//! report. Wall time and the most memory the process ever held.

#[path = "support/memory.rs"]
mod support;

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use support::most_memory;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_plaudit"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["audit", "audits", "--no-progress", "--out"])
        .arg(folder.path())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let process = child.id().to_string();
    let mut most = None;
    let status = loop {
        // It only grows, so the last look is the peak.
        most = most_memory(&process).or(most);
        if let Some(status) = child.try_wait().expect("it is our own process") {
            break status;
        }
        sleep(Duration::from_millis(10));
    };
    println!(
        "plaudit audit audits: {status}, {:.1} s (at most 30 s), {} (at most 300 MB)",
        start.elapsed().as_secs_f64(),
        most.unwrap_or_else(|| "peak memory is not known here".into()),
    );
}
