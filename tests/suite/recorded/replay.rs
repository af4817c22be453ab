//! Certificates of recorded outcomes: they are counted again, never run again; and threads change
//! nothing.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use plaudit::cli::exit;
use plaudit::{Stream, laplace};
use rand::SeedableRng;
use serde_json::Value;
use std::process::Output;

/// 30 000 runs each: the answers 0 and 1 with Laplace noise of scale 1/4 (epsilon = 4), claimed to be
/// 1-DP. That this is found is certain but with probability below 1e-9.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut random = Stream::seed_from_u64(1);
    for (name, answer) in [("d.jsonl", 0.0), ("e.jsonl", 1.0)] {
        let line = |_| format!("{:?}\n", answer + laplace(&mut random, 0.25));
        folder.spec(name, &(0..30_000).map(line).collect::<String>());
    }
    folder.spec(
        "spec.toml",
        "[[audit]]\nname = \"recorded\"\nrecorded = { d = \"d.jsonl\", d_prime = \"e.jsonl\" }\n\
         relation = \"substitution\"\nclaim = { epsilon = 1.0 }\nexpect = \"violated\"\n",
    );
    folder
}

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    plaudit().current_dir(folder.path()).args(arguments).output().unwrap()
}

fn code(output: &Output) -> Option<u8> {
    output.status.code().and_then(|code| u8::try_from(code).ok())
}

const CERTIFICATE: &str = "reports/certificates/recorded.json";

#[test]
fn a_certificate_is_counted_again() {
    let folder = folder();
    let output = run(&folder, &["audit", "spec.toml"]);
    assert_eq!(code(&output), Some(exit::AS_EXPECTED), "{}", stderr(&output));
    let output = run(&folder, &["replay", CERTIFICATE]);
    assert_eq!(code(&output), Some(exit::AS_EXPECTED), "{}", stderr(&output));
    assert!(stdout(&output).contains("the outcomes in the files show the violation of 1-DP"));
    assert!(stdout(&output).contains("cannot be run again"), "{}", stdout(&output));
    assert!(stdout(&output).contains("adds no evidence"));
    let output = run(&folder, &["replay", CERTIFICATE, "--format", "json", "--jobs", "1"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["holds"], &answer["same_counts"]), (&true.into(), &true.into()));
    let output = run(&folder, &["replay", CERTIFICATE, "--seed", "99"]);
    assert_eq!(code(&output), Some(exit::FAILED));
    assert!(stderr(&output).contains("cannot be run again with another seed"));
}

#[test]
fn other_files_are_told_from_those_that_were_counted() {
    let folder = folder();
    run(&folder, &["audit", "spec.toml"]);
    let mut text = std::fs::read_to_string(folder.path().join("d.jsonl")).unwrap();
    text = text.lines().rev().map(|line| format!("{line}\n")).collect();
    folder.spec("d.jsonl", &text);
    let output = run(&folder, &["replay", CERTIFICATE]);
    assert_eq!(code(&output), Some(exit::UNEXPECTED), "{}", stderr(&output));
    assert!(stdout(&output).contains("the files do not give the certificate's counts"));
    std::fs::remove_file(folder.path().join("d.jsonl")).unwrap();
    let output = run(&folder, &["replay", CERTIFICATE]);
    assert_eq!(code(&output), Some(exit::FAILED));
    let said = stderr(&output);
    assert!(said.contains("cannot replay") && said.contains("d.jsonl"), "{said}");
}

#[test]
fn threads_change_nothing() {
    let folder = folder();
    let report = |jobs: &str| {
        let options = ["--format", "json", "--no-provenance", "--jobs", jobs];
        let output = run(&folder, &[&["audit", "spec.toml"][..], &options].concat());
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let one = report("1");
    assert_eq!(one["audits"][0]["verdict"], "violated");
    assert_eq!(one, report("4"));
}

/// What was recorded of a run is audited like the run: 2·10⁴ trials of scale 1, and the counts of the
/// witness are of the law that was recorded.
#[test]
fn what_was_run_can_be_recorded_and_read_back() {
    let folder = Folder::new();
    let audits = [
        ("numbers", "{ kind = \"laplace\", scale = 1.0 }", "npy"),
        ("failures", "{ kind = \"fault\", fault = \"panic\", on = 1.0, scale = 1.0 }", "jsonl"),
        ("vectors", "{ kind = \"prefix-sum\", scale = 1.0 }", "npy"),
    ];
    let mut direct = String::new();
    for (name, mechanism, _) in audits {
        direct += &format!(
            "[[audit]]\nname = \"{name}\"\nmechanism = {mechanism}\nrelation = {{ linf = 1.0 }}\n\
             pairs = [{{ d = [0.0], d_prime = [1.0] }}]\nclaim = {{ epsilon = 1.0 }}\ntrials = \
             20_000\nexpect = \"{}\"\n",
            if name == "failures" { "violated" } else { "not violated" }
        );
    }
    folder.spec("direct.toml", &direct);
    let files = |jobs: &str| {
        let arguments = ["audit", "direct.toml", "--jobs", jobs, "--record", "outcomes"];
        let output = run(&folder, &arguments);
        assert_eq!(code(&output), Some(exit::AS_EXPECTED), "{}", stderr(&output));
        let mut files: Vec<_> = std::fs::read_dir(folder.path().join("outcomes"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.clone(), std::fs::read(path).unwrap()))
            .collect();
        files.sort();
        files
    };
    let one = files("1");
    assert_eq!(one.len(), 6);
    assert_eq!(one, files("4"));
    let mut again = String::new();
    for (name, _, extension) in audits {
        again += &format!(
            "[[audit]]\nname = \"{name}-again\"\nrecorded = {{ d = \"outcomes/{name}-d.{extension}\", \
             d_prime = \"outcomes/{name}-d_prime.{extension}\" }}\nrelation = {{ linf = 1.0 }}\n\
             claim = {{ epsilon = 1.0 }}\nexpect = \"{}\"\n",
            if name == "failures" { "violated" } else { "not violated" }
        );
    }
    folder.spec("again.toml", &again);
    let output = run(&folder, &["audit", "again.toml", "--format", "json"]);
    assert_eq!(code(&output), Some(exit::AS_EXPECTED), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    // All but the explore trials, three tenths at most, and what the coins leave over.
    assert!(report["audits"][0]["trials"]["total"].as_u64().unwrap() > 12_700);
    let output = run(&folder, &["audit", "again.toml", "--record", "more"]);
    assert_eq!(code(&output), Some(exit::FAILED));
    assert!(stderr(&output).contains("recorded already"), "{}", stderr(&output));
    let output = run(&folder, &["audit", "direct.toml", "--record", "more", "--trials", "1e9"]);
    assert_eq!(code(&output), Some(exit::FAILED));
    assert!(stderr(&output).contains("take more than 1073741824 bytes"), "{}", stderr(&output));
    assert!(!folder.path().join("more").exists());
}
