//! Audits of running times: they advise, unless the gate is told to fail.
#![cfg(all(feature = "cli", unix))]

use crate::support::cli::{Folder, LAPLACE, plaudit, stderr, stdout};
use crate::support::program::python;
use serde_json::Value;
use std::process::Output;

/// Its values tell nothing, and the time that it says of each run tells which dataset it had, if it is told to.
const PROGRAM: &str = r#"import json, random, sys
more = int(sys.argv[1])
for line in sys.stdin:
    request = json.loads(line)
    noise = random.Random(request["seed"])
    for which in request.get("order", [0] * request["runs"]):
        time = 1000 + more * which + noise.randrange(100)
        print(json.dumps({"$ns": time, "value": noise.randrange(2)}))
    sys.stdout.flush()
"#;

fn timed(name: &str, more: u32, expect: &str) -> String {
    format!(
        "[[audit]]\nname = \"{name}\"\nmechanism = {{ command = [\"python3\", \"timed.py\", \"{more}\"], interleaved = true }}\n\
         relation = {{ linf = 1.0 }}\npairs = [{{ d = [0.0], d_prime = [1.0] }}]\nclaim = {{ epsilon = 1.0 }}\n\
         clock = true\ntrials = 4_000\nmin_power = false\nno_difference = \"allowed\"\nexpect = \"{expect}\"\n\n"
    )
}

fn gate(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = plaudit();
    command.current_dir(folder.path()).env_remove("GITHUB_STEP_SUMMARY");
    command.args(["gate", "a.toml", "--summary", "summary.json", "--annotations"]);
    command.args(arguments).output().unwrap()
}

fn counts(folder: &Folder) -> [u64; 4] {
    let text = std::fs::read_to_string(folder.path().join("summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&text).unwrap();
    let count = |word: &str| summary["counts"][word].as_u64().unwrap();
    ["failed", "advisory", "inconclusive", "passed"].map(count)
}

#[test]
fn a_clock_makes_no_gate_red_unless_it_is_asked_to() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.spec("timed.py", PROGRAM);
    let slow = timed("slow", 1000, "not violated");
    let missed = timed("missed", 0, "violated");
    let caught = timed("caught", 1000, "violated");
    folder.spec("a.toml", &[&slow, &missed, &caught, LAPLACE].concat());
    // An advisory finding ends no gate early, either.
    let advised = gate(&folder, &["--fail-fast"]);
    let said = stderr(&advised);
    assert_eq!(advised.status.code(), Some(0), "{said}");
    assert!(said.contains("gate: green: 0 failed, 2 advisory, 0 inconclusive, 2 passed"), "{said}");
    assert!(said.contains("advisory: violated: slow: "), "{said}");
    assert!(said.contains("advisory: missed-mistake: missed: "), "{said}");
    let lines = stdout(&advised);
    assert!(lines.contains("::warning file=a.toml,line=1,title=slow::"), "{lines}");
    assert!(!lines.contains("::error"), "{lines}");
    assert_eq!(counts(&folder), [0, 2, 0, 2]);
    let failed = gate(&folder, &["--clock", "fail"]);
    assert_eq!(failed.status.code(), Some(1), "{}", stderr(&failed));
    assert_eq!(counts(&folder), [2, 0, 0, 2]);
    assert!(stdout(&failed).contains("::error file=a.toml,line=1,title=slow::"));
    let stopped = gate(&folder, &["--clock", "fail", "--fail-fast"]);
    assert_eq!(stopped.status.code(), Some(1));
    assert_eq!(counts(&folder), [1, 0, 3, 0]);
}
