//! `--time-budget`: the time is shared among the audits, and their trials are cut beforehand to what it allows.
#![cfg(all(feature = "cli", unix))]

use crate::support::cli::{Folder, plaudit, stderr};
use serde_json::Value;
use std::process::Output;

/// A run takes a quarter of a millisecond at least.
const SLOW: &str = r#"count=0
while read -r line; do
    seed=${line#*'"seed": '}; seed=${seed%%[!0-9]*}
    runs=${line#*'"runs": '}; runs=${runs%%[!0-9]*}
    while [ "$runs" -gt 0 ]; do
        seed=$(( (seed * 1103515245 + 12345) & 2147483647 ))
        count=$((count + 1))
        [ $((count % 8)) = 0 ] && sleep 0.002
        echo $((seed >> 30))
        runs=$((runs - 1))
    done
done
"#;

/// An audit of it: its trials would take minutes.
fn slow(name: &str) -> String {
    format!(
        "[[audit]]\nname = \"{name}\"\nmechanism = {{ command = [\"sh\", \"slow.sh\"] }}\n\
         relation = {{ linf = 1.0 }}\npairs = [{{ d = [0.0], d_prime = [1.0] }}]\n\
         claim = {{ epsilon = 1.0 }}\nno_difference = \"allowed\"\nmin_power = false\ntrials = 1_000_000\n"
    )
}

/// No program: it has time enough.
const FAST: &str = r#"[[audit]]
name = "fast"
mechanism = { kind = "laplace", epsilon = 1.0, sensitivity = 1.0 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
trials = 20_000
verify = false
"#;

fn gate(folder: &Folder, budget: &str) -> (Output, Value) {
    let mut command = plaudit();
    command.current_dir(folder.path()).env_remove("GITHUB_STEP_SUMMARY");
    let output =
        command.args(["gate", "a.toml", "--jobs", "2", "--time-budget", budget]).output().unwrap();
    let text = std::fs::read_to_string(folder.path().join("reports/report.json"));
    let text = text.unwrap_or_else(|_| panic!("{}", stderr(&output)));
    (output, serde_json::from_str(&text).unwrap())
}

/// Whether a note of an audit says so.
fn notes(audit: &Value, words: &str) -> bool {
    let mut notes = audit["notes"].as_array().into_iter().flatten();
    notes.any(|note| note.as_str().unwrap().contains(words))
}

#[test]
#[ignore = "takes several seconds"]
fn trials_are_cut_so_that_every_audit_has_its_turn() {
    let folder = Folder::new();
    folder.spec("slow.sh", SLOW);
    folder.spec("a.toml", &[slow("first"), slow("second"), slow("third"), FAST.into()].concat());
    let (output, report) = gate(&folder, "6s");
    let said = stderr(&output);
    let audits = report["audits"].as_array().unwrap();
    let names: Vec<_> = audits.iter().map(|audit| audit["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["first", "second", "third", "fast"]);
    for audit in &audits[..3] {
        // On two threads six seconds have room for no more.
        let trials = audit["trials"]["total"].as_u64().unwrap();
        assert!((100..=48_000).contains(&trials), "{trials}: {said}");
        assert!(notes(audit, "Its share of the time budget, "), "{audit}");
        assert!(notes(audit, " cut its trials from 1 000 000 to "), "{audit}");
    }
    assert_eq!(audits[3]["trials"]["total"], 20_000);
    assert!(!notes(&audits[3], "time budget"), "{}", audits[3]);
    assert!(!said.contains("not-reached"), "{said}");
}

#[test]
fn a_budget_that_is_long_enough_changes_nothing() {
    let folder = Folder::new();
    folder.spec("a.toml", FAST);
    let (output, with) = gate(&folder, "1h");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mut command = plaudit();
    let without = command.current_dir(folder.path()).args(["gate", "a.toml"]).output().unwrap();
    assert_eq!(without.status.code(), Some(0), "{}", stderr(&without));
    let text = std::fs::read_to_string(folder.path().join("reports/report.json")).unwrap();
    let without: Value = serde_json::from_str(&text).unwrap();
    for field in ["trials", "tally", "verdict", "notes", "p_value"] {
        assert_eq!(with["audits"][0][field], without["audits"][0][field], "{field}");
    }
}

#[test]
fn what_a_filter_leaves_out_is_not_gone_and_what_is_gone_is() {
    let folder = Folder::new();
    let both = FAST.to_owned() + &FAST.replace("\"fast\"", "\"other\"");
    let run = |text: &str, arguments: &[&str]| {
        folder.spec("a.toml", text);
        let mut command = plaudit();
        command.current_dir(folder.path()).env_remove("GITHUB_STEP_SUMMARY");
        command.args(["gate", "a.toml"]).args(arguments).output().unwrap()
    };
    assert_eq!(run(&both, &[]).status.code(), Some(0));
    std::fs::copy(folder.path().join("reports/report.json"), folder.path().join("main.json"))
        .unwrap();
    let filtered = ["--filter", "^fast$", "--baseline", "main.json"];
    let green = run(&both, &filtered);
    let said = stderr(&green);
    assert_eq!(green.status.code(), Some(0), "{said}");
    assert!(said.contains("left out 1 of 2 audits: their names do not match `^fast$`\n"), "{said}");
    assert!(said.contains("0 failed, 0 inconclusive, 1 passed"), "{said}");
    let red = run(FAST, &filtered);
    assert_eq!(red.status.code(), Some(1), "{}", stderr(&red));
    assert!(stderr(&red).contains("removed-audit: other: "), "{}", stderr(&red));
}
