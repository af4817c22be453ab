//! When plaudit itself is killed, with a signal that nobody can catch, nothing that its programs have started
//! stays. Nothing here is random.
#![cfg(all(target_os = "linux", feature = "cli"))]

use crate::support::cli::{Folder, plaudit};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Starts two grandchildren, one of which leaves its process group, says which, and never answers.
const PROGRAM: &str = r#"#!/bin/sh
sleep 1000 &
echo $! >> pids
setsid sleep 1000 &
echo $$ >> pids
sleep 1000
"#;

/// Longest wait for what must come about: a limit for failures only.
const LONG: Duration = Duration::from_secs(60);

fn wait_for(what: &str, mut is: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is() {
        assert!(start.elapsed() < LONG, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The processes that work in this folder (a zombie works nowhere).
fn in_folder(folder: &Path) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let here = processes.filter(|process| {
        std::fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == folder)
    });
    here.map(|process| process.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn grandchildren_end_with_a_plaudit_that_is_killed() {
    let folder = Folder::new();
    folder.program("program", PROGRAM);
    folder.spec(
        "a.toml",
        "[[audit]]\nname = \"hangs\"\nmechanism = { command = [\"./program\"] }\nrelation = { linf = 1.0 }\n\
         pairs = [{ d = [0.0], d_prime = [1.0] }]\nclaim = { epsilon = 1.0 }\n",
    );
    let place = folder.path().canonicalize().unwrap();
    let mut running = plaudit();
    // Elsewhere, so that all who work in the folder are its programs.
    running.current_dir("/").arg("audit").arg(place.join("a.toml"));
    running.arg("--out").arg(place.join("reports")).arg("--no-provenance");
    let mut running = running.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // Two copies, of four processes each.
    wait_for("its programs have not started", || in_folder(&place).len() == 8);
    running.kill().unwrap();
    running.wait().unwrap();
    wait_for("a process stayed", || in_folder(&place).is_empty());
}
