//! What changed since an earlier report.
#![cfg(all(feature = "cli", unix))]

use crate::support::cli::{Folder, LAPLACE, plaudit, stderr, stdout};
use serde_json::{Value, json};

#[test]
fn verdicts_claims_bounds_and_missing_audits_are_compared() {
    let folder = Folder::new();
    folder.spec("spec.toml", LAPLACE);
    let run = |arguments: &[&str]| {
        let mut command = plaudit();
        command.current_dir(folder.path()).args(["audit", "spec.toml", "--trials", "20000"]);
        command.args(arguments).output().unwrap()
    };
    assert!(run(&["--out", "before"]).status.success());
    let same = run(&["--previous", "before/report.json", "--format", "json"]);
    let report: Value = serde_json::from_str(&stdout(&same)).unwrap();
    let changes = &report["changes"];
    for list in ["verdicts", "claims", "bounds", "added", "removed"] {
        assert_eq!(changes[list], json!([]), "{list}");
    }
    // An earlier report that said something else.
    let path = folder.path().join("before/report.json");
    let mut before: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    before["audits"][0]["verdict"] = "inconclusive".into();
    let mut gone = before["audits"][0].clone();
    gone["name"] = "gone\u{1b}[2J".into();
    before["audits"].as_array_mut().unwrap().push(gone);
    std::fs::write(&path, before.to_string()).unwrap();
    let changed = run(&["--previous", "before/report.json"]);
    let words = stdout(&changed);
    assert!(words.contains("since the previous report:\n    verdict of "), "{words}");
    assert!(words.contains(": inconclusive → "), "{words}");
    assert!(words.contains("gone: gone[U+001B][2J"), "{words}");
    let page = std::fs::read_to_string(folder.path().join("reports/index.html")).unwrap();
    assert!(page.contains("Since the previous report"));
}

#[test]
fn what_is_no_report_is_refused_before_anything_runs() {
    let folder = Folder::new();
    folder.spec("spec.toml", LAPLACE);
    std::fs::write(folder.path().join("other.json"), "{}").unwrap();
    for (file, why) in [("other.json", "not a report of plaudit"), ("none.json", "No such file")] {
        let mut command = plaudit();
        command.current_dir(folder.path()).args(["audit", "spec.toml", "--previous", file]);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let words = stderr(&output);
        assert!(words.contains(file) && words.contains(why), "{words}");
        assert!(words.contains("give --previous a report.json"), "{words}");
        assert!(!folder.path().join("reports/report.json").exists());
    }
}
