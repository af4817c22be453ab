//! `plaudit init`: what it writes runs as it is, and its planted mistake is caught.
//!
//! The gate is green by a fixed seed. For a fresh one it would be red with probability 1e-6, the level of the audit, if the
//! starter's noise is right.
#![cfg(all(feature = "cli", unix))]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use serde_json::Value;
use std::process::{Command, Output};

fn can(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = plaudit();
    command.current_dir(folder.path()).env_remove("GITHUB_STEP_SUMMARY");
    // The workspace's own settings of cargo are none of the starter's.
    command.env_remove("CARGO_TARGET_DIR").args(arguments).output().unwrap()
}

fn is_green_right_away(folder: &Folder, init: &[&str], specs: &str) {
    let written = run(folder, init);
    assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
    assert!(stdout(&written).contains(&format!("plaudit gate {specs}\n")), "{}", stdout(&written));
    let gate = run(folder, &["gate", specs]);
    assert_eq!(gate.status.code(), Some(0), "{}{}", stdout(&gate), stderr(&gate));
    assert!(stderr(&gate).contains("gate: green: 0 failed, 0 inconclusive, 2 passed"));
    let text = std::fs::read_to_string(folder.path().join("reports/report.json")).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    let verdicts: Vec<_> =
        report["audits"].as_array().unwrap().iter().map(|audit| &audit["verdict"]).collect();
    assert_eq!(verdicts, ["not refuted", "violated"]);
}

#[test]
fn a_starter_in_python_is_green() {
    if can("python3", &["-c", "import json"]) {
        let folder = Folder::new();
        folder.spec("pyproject.toml", "");
        is_green_right_away(&folder, &["init"], "audits");
        assert!(folder.path().join("audits/count.py").exists());
    }
}

#[test]
#[ignore = "takes several seconds"]
fn a_starter_in_another_language_is_green() {
    if can("awk", &["BEGIN { exit 0 }"]) {
        let folder = Folder::new();
        is_green_right_away(&folder, &["init", "privacy"], "privacy");
        assert!(folder.path().join("privacy/count.sh").exists());
    }
}

#[test]
fn a_starter_in_rust_is_green() {
    if can("cargo", &["--version"]) {
        let folder = Folder::new();
        folder.spec("Cargo.toml", "[workspace]\n");
        is_green_right_away(&folder, &["init"], "audits");
        assert!(folder.path().join("audits/count/src/main.rs").exists());
    }
}

#[test]
fn nothing_is_overwritten() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("audits")).unwrap();
    folder.spec("audits/count.py", "mine");
    let refused = run(&folder, &["init", "--language", "python"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("existing files are not overwritten: audits/count.py;"),
        "{}",
        stderr(&refused)
    );
    assert!(!folder.path().join("audits/count.toml").exists());
    let mine = std::fs::read_to_string(folder.path().join("audits/count.py")).unwrap();
    assert_eq!(mine, "mine");
}
