//! Pairs that a search found are kept beside the spec and tried first in the next run.
#![cfg(feature = "cli")]

use crate::support::cli::{plaudit, stderr};
use plaudit::dataset::Pair;
use plaudit::{Dataset, regressions};
use serde_json::Value;
use std::fs;
use std::path::Path;

const SPEC: &str = r#"[[audit]]
name = "bounded"
mechanism = { kind = "bounded-noise", bound = 2.0 }
relation = { linf = 1.0 }
domain = { lower = -10, upper = 10, size = [1, 4] }
claim = { epsilon = 1.0 }
trials = 40_000
"#;

/// Runs the program on a spec; gives its exit code, the report and what it said.
fn run(spec: &Path, more: &[&str]) -> (i32, Value, String) {
    let out = spec.with_extension("reports");
    let mut command = plaudit();
    command.args(["audit", "--format", "json", "--no-progress", "--out"]).arg(&out).arg(spec);
    let output = command.args(more).output().unwrap();
    let report = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code().unwrap(), report, stderr(&output))
}

#[test]
fn what_was_found_is_tried_first_in_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("search.toml");
    fs::write(&file, SPEC).unwrap();
    let kept = regressions::regressions_of(&file);
    assert_eq!(kept, folder.path().join("search.regressions.toml"));
    let (code, _, words) = run(&file, &["--no-regressions"]);
    assert_eq!((code, kept.exists()), (1, false), "{words}");
    let (code, first, words) = run(&file, &[]);
    assert_eq!(code, 1, "{words}");
    let text = fs::read_to_string(&kept).unwrap();
    assert!(text.starts_with('#') && text.matches("[[pair]]").count() == 2, "{text}");
    let looked_at = |report: &Value| report["audits"][0]["pair"]["surveyed"].as_u64().unwrap();
    assert!(looked_at(&first) > 10);
    let (code, second, words) = run(&file, &["--seed", "5"]);
    assert_eq!((code, looked_at(&second)), (1, 2), "{words}");
    // Of a pair that was kept nothing is kept again; a folder of specs does not read the file as one.
    assert_eq!(fs::read_to_string(&kept).unwrap(), text);
    let (code, ..) = run(folder.path(), &[]);
    assert_eq!(code, 1);
}

#[test]
fn pairs_that_do_not_fit_are_passed_over_and_damaged_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("search.toml");
    fs::write(&file, SPEC).unwrap();
    let kept = regressions::regressions_of(&file);
    let entry = |audit: &str, d: &str, d_prime: &str| {
        format!("[[pair]]\naudit = \"{audit}\"\nd = {d}\nd_prime = {d_prime}\n")
    };
    let elsewhere = [
        entry("bounded", "{ numbers = [50.0] }", "{ numbers = [51.0] }"),
        entry("bounded", "{ numbers = [0.0] }", "{ numbers = [5.0] }"),
        entry("bounded", "{ numbers = [\"NaN\"] }", "{ numbers = [5.0] }"),
        entry("bounded", "{ table = { columns = [\"a\"], rows = [] } }", "{ numbers = [5.0] }"),
        entry("another", "{ numbers = [0.0] }", "{ numbers = [1.0] }"),
    ];
    fs::write(&kept, elsewhere.join("")).unwrap();
    let (code, report, words) = run(&file, &[]);
    assert_eq!(code, 1, "{words}");
    assert!(report["audits"][0]["pair"]["surveyed"].as_u64().unwrap() > 10);
    fs::write(&kept, "[[pair]]\naudit = 3\n").unwrap();
    let (code, _, words) = run(&file, &[]);
    assert_eq!(code, 2, "{words}");
    assert!(words.contains("not stored pairs") && words.contains("--no-regressions"), "{words}");
    assert_eq!(fs::read_to_string(&kept).unwrap(), "[[pair]]\naudit = 3\n");
}

#[test]
fn what_cannot_be_kept_is_said_and_large_pairs_are_not_kept() {
    let list = |n| Dataset::Numbers(vec![1.0; n]);
    let pair = |n| Pair { name: String::new(), d: list(n), d_prime: list(n + 1) };
    let nowhere = Path::new("no-such-folder/search.toml");
    let why = regressions::keep(nowhere, "a", &pair(1), None).unwrap_err();
    assert!(why.contains("cannot write no-such-folder/search.regressions.toml"), "{why}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("search.toml");
    regressions::keep(&file, "a", &pair(10_000), None).unwrap();
    assert!(!regressions::regressions_of(&file).exists());
    for n in 0..30 {
        regressions::keep(&file, "a", &pair(n), None).unwrap();
    }
    let text = fs::read_to_string(regressions::regressions_of(&file)).unwrap();
    assert_eq!(text.matches("[[pair]]").count(), 20);
}
