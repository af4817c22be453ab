//! Ctrl-C.
#![cfg(target_os = "linux")]

mod cli_support;

use cli_support::{Folder, LAPLACE, plaudit, stderr};
use plaudit::cli::exit;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Starts an endless audit and waits until it listens to signals.
fn endless(folder: &Folder) -> Child {
    let child = plaudit()
        .current_dir(folder.path())
        .args(["audit", "a.toml", "--trials", "1e12"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let start = Instant::now();
    loop {
        let status = std::fs::read_to_string(&status).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:\t")).unwrap();
        // SIGINT is signal 2: bit 1.
        if u64::from_str_radix(caught, 16).unwrap() & 2 != 0 {
            return child;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "it does not listen");
        std::thread::sleep(Duration::from_millis(5));
    }
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
        let child = endless(&folder);
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(exit::INTERRUPTED)), "{}", stderr(&output));
        assert!(stderr(&output).contains("no report was written"), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
        assert!(files(&reports) == before, "the report changed");
    }
}
