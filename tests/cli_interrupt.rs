//! Ctrl-C.
#![cfg(all(feature = "cli", target_os = "linux"))]

mod cli_support;

use cli_support::{Folder, LAPLACE, plaudit, stderr};
use plaudit::cli::exit;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Longest wait for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts an endless audit, sends it a signal once it listens, and waits for its end; whatever
/// happens, it is not left running.
fn interrupted(folder: &Folder, signal: &str) -> Output {
    let mut child = plaudit()
        .current_dir(folder.path())
        .args(["audit", "a.toml", "--trials", "1e12"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let id = child.id().to_string();
    let listened = wait_until(|| listens(&id));
    let sent = Command::new("kill").args([signal, &id]).status().is_ok_and(|kill| kill.success());
    let ended = wait_until(|| !matches!(child.try_wait(), Ok(None)));
    // If it has ended, there is nothing to kill.
    let _ = child.kill();
    let output = child.wait_with_output().unwrap();
    assert!(listened && sent && ended, "{listened} {sent} {ended}: {}", stderr(&output));
    output
}

fn wait_until(mut done: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while !done() {
        if start.elapsed() > PATIENCE {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

/// Whether a process has a handler for SIGINT (signal 2: bit 1 of the mask).
fn listens(id: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:\t"));
    caught.is_some_and(|mask| u64::from_str_radix(mask, 16).is_ok_and(|mask| mask & 2 != 0))
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn an_interrupted_run_exits_130_and_leaves_the_previous_report_as_it_was() {
    let folder = Folder::new();
    folder.spec("a.toml", LAPLACE);
    let first = plaudit().current_dir(folder.path()).args(["audit", "a.toml"]).output().unwrap();
    assert_eq!(first.status.code(), Some(i32::from(exit::AS_EXPECTED)), "{}", stderr(&first));
    let reports = folder.path().join("reports");
    let before = files(&reports);
    assert!(before.contains_key(&reports.join("report.json")));
    for signal in ["-INT", "-TERM"] {
        let output = interrupted(&folder, signal);
        assert_eq!(output.status.code(), Some(i32::from(exit::INTERRUPTED)), "{}", stderr(&output));
        assert!(stderr(&output).contains("no report was written"), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
        assert!(files(&reports) == before, "the report changed");
    }
}
