//! Where a report comes from stands in one part of it, and that part can be left out: the rest is the
//! same from run to run.
#![cfg(all(feature = "cli", unix))]

use crate::support::cli::{Folder, LAPLACE, plaudit, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

/// An audit of a program that is installed; the outcomes do not matter here.
const PROGRAM: &str = r#"
[[audit]]
name = "program"
mechanism = { command = ["tool-of-this-test", "mechanism.txt", "--fast"] }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
trials = 1_000
"#;

/// Runs an audit of `spec.toml` with more arguments, in an environment of its own.
fn audit(folder: &Folder, arguments: &[&str], epoch: Option<&str>) -> Output {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let bin = folder.path().join("bin");
    let path = std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&path)));
    let mut command = plaudit();
    command.current_dir(folder.path()).env("PATH", path.unwrap()).env_remove("SOURCE_DATE_EPOCH");
    if let Some(epoch) = epoch {
        command.env("SOURCE_DATE_EPOCH", epoch);
    }
    command.args(["audit", "spec.toml"]).args(arguments).output().unwrap()
}

fn provenance(folder: &Folder, epoch: Option<&str>) -> Value {
    let output = audit(folder, &["--format", "json", "--jobs", "1"], epoch);
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| {
        panic!("{error}: {}", stderr(&output));
    });
    report["provenance"].clone()
}

/// A program on the path that answers `--version` with a script, and breaks down otherwise.
fn tool(folder: &Folder, version: &str) {
    std::fs::create_dir_all(folder.path().join("bin")).unwrap();
    let script = format!("#!/bin/sh\nif [ \"$1\" = --version ]; then {version}; fi\nexit 3\n");
    folder.program("bin/tool-of-this-test", &script);
}

fn git(folder: &Path, words: &[&str]) -> Option<String> {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
    let output =
        Command::new("git").current_dir(folder).args(identity).args(words).output().ok()?;
    assert!(output.status.success(), "git {words:?}: {output:?}");
    Some(stdout(&output).trim().to_owned())
}

#[test]
fn a_report_says_when_how_and_from_what_it_was_made() {
    let folder = Folder::new();
    folder.spec("spec.toml", &format!("# two\n\n{LAPLACE}{PROGRAM}"));
    folder.spec("mechanism.txt", "abc");
    tool(&folder, "echo; echo 'tool 1.2 (ours)'; echo more; exit 0");
    let told = provenance(&folder, None);
    let started = told["started"].as_str().unwrap();
    assert!(
        started.starts_with("20") && started.ends_with('Z') && started.len() == 20,
        "{started}"
    );
    let command: Vec<_> = told["command"].as_array().unwrap().iter().collect();
    assert_eq!(command, ["plaudit", "audit", "spec.toml", "--format", "json", "--jobs", "1"]);
    assert_eq!(told["jobs"], 1);
    assert!(told["wall_s"].as_f64().unwrap() > 0.0);
    assert!(told["build"].as_str().unwrap().contains(std::env::consts::ARCH));
    let (one, two) = (&told["audits"][0], &told["audits"][1]);
    assert_eq!((&one["audit"], &two["audit"]), (&"laplace".into(), &"program".into()));
    assert_eq!((&one["spec"]["file"], &one["spec"]["line"]), (&"spec.toml".into(), &3.into()));
    // LAPLACE has seven lines, and a blank one comes before the next.
    assert_eq!(two["spec"]["line"], 11);
    assert_eq!(one["spec"]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(one["spec"]["sha256"], two["spec"]["sha256"]);
    assert!(one.get("program").is_none() && one["wall_s"].as_f64().is_some());
    let steps = &one["steps"];
    for step in ["explore_s", "confirm_s", "mechanism_s"] {
        assert!(steps[step].as_f64().unwrap() > 0.0, "{steps}");
    }
    assert_eq!(steps["shrink_s"], 0.0);
    let program = &two["program"];
    assert_eq!(program.as_array().unwrap().len(), 2, "{program}");
    assert_eq!(program[0]["version"], "tool 1.2 (ours)");
    assert!(program[0]["path"].as_str().unwrap().ends_with("bin/tool-of-this-test"));
    // SHA-256 of "abc": FIPS 180-2, B.1.
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(
        (&program[1]["path"], &program[1]["sha256"]),
        (&"mechanism.txt".into(), &abc.into())
    );
}

#[test]
fn the_commit_is_told_and_whether_anything_was_changed_since() {
    let folder = Folder::new();
    folder.spec("spec.toml", LAPLACE);
    let Some(_) = git(folder.path(), &["init", "--quiet"]) else {
        eprintln!("skipped: there is no git here");
        return;
    };
    git(folder.path(), &["add", "spec.toml"]);
    git(folder.path(), &["commit", "--quiet", "-m", "one"]);
    let head = git(folder.path(), &["rev-parse", "HEAD"]).unwrap();
    let told = provenance(&folder, None);
    assert_eq!(told["git"], serde_json::json!({ "commit": head, "clean": true }));
    folder.spec("spec.toml", &format!("{LAPLACE}# changed\n"));
    assert_eq!(provenance(&folder, None)["git"]["clean"], false);
}

#[test]
fn a_program_that_does_not_answer_is_not_waited_for() {
    let folder = Folder::new();
    folder.spec("spec.toml", PROGRAM);
    tool(&folder, "exec sleep 1000000");
    let told = provenance(&folder, None);
    let program = &told["audits"][0]["program"][0];
    assert!(program["sha256"].is_string() && program.get("version").is_none(), "{program}");
}

/// All files below a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            all.extend(
                files(&path).into_iter().map(|(file, text)| (format!("{name}/{file}"), text)),
            );
        } else {
            all.insert(name, std::fs::read(path).unwrap());
        }
    }
    all
}

#[test]
fn without_provenance_a_report_is_the_same_byte_for_byte() {
    let folder = Folder::new();
    folder.spec("spec.toml", LAPLACE);
    // The threads are not the same, nor are the times.
    let ways: [(&[&str], Option<&str>); 2] =
        [(&["--no-provenance"], None), (&[], Some("1700000000"))];
    for (arguments, epoch) in ways {
        let mut written = Vec::new();
        for _ in 0..2 {
            let output = audit(&folder, &[&["--out", "r"], arguments].concat(), epoch);
            assert!(output.status.success(), "{}", stderr(&output));
            written.push(files(&folder.path().join("r")));
        }
        assert!(written[0].len() > 2 && written[0] == written[1], "{arguments:?} {epoch:?}");
        let report: Value = serde_json::from_slice(&written[0]["report.json"]).unwrap();
        let told = report.get("provenance");
        match epoch {
            None => assert!(told.is_none(), "{told:?}"),
            Some(_) => {
                let told = told.unwrap();
                assert_eq!(told["started"], "2023-11-14T22:13:20Z");
                assert!(told.get("jobs").is_none() && told.get("wall_s").is_none());
                assert!(told["audits"][0].get("wall_s").is_none());
            }
        }
    }
}

#[test]
fn all_that_differs_from_run_to_run_is_in_that_part() {
    let folder = Folder::new();
    folder.spec("spec.toml", LAPLACE);
    let report = |jobs: &str| {
        let output = audit(&folder, &["--format", "json", "--jobs", jobs], None);
        let mut report: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let provenance = report.as_object_mut().unwrap().remove("provenance");
        assert!(provenance.is_some());
        report.to_string()
    };
    assert_eq!(report("1"), report("2"));
}

#[test]
fn a_time_that_is_none_is_refused_before_anything_runs() {
    let folder = Folder::new();
    folder.spec("spec.toml", LAPLACE);
    for epoch in ["", "yesterday", "-1", "1e9", "99999999999999"] {
        let output = audit(&folder, &["--out", "r"], Some(epoch));
        assert_eq!(output.status.code(), Some(2), "{epoch}");
        assert!(stderr(&output).contains("SOURCE_DATE_EPOCH is"), "{}", stderr(&output));
        assert!(!folder.path().join("r").exists());
    }
}

#[test]
fn a_profile_stands_under_the_table() {
    let folder = Folder::new();
    folder.spec("spec.toml", LAPLACE);
    let words = ["audit", "spec.toml", "--profile", "--out", "r"];
    let told = stdout(&folder.run(&words));
    let lines: Vec<&str> = told.lines().collect();
    let at = lines.iter().position(|line| line.starts_with("where the time went")).unwrap();
    assert!(lines[at + 1].ends_with("mechanism  runs/s  audit"), "{told}");
    assert!(lines[at + 2].ends_with("  laplace"), "{told}");
    // Where standard output is for a program, it is on standard error.
    let output = folder.run(&[&words[..], &["--format", "json"]].concat());
    assert!(!stdout(&output).contains("where the time went"));
    assert!(stderr(&output).contains("where the time went"));
}
