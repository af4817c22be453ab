//! `plaudit gate`: as a CI job would run it.

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use serde_json::Value;
use std::process::Output;

const RIGHT: &str = r#"
[defaults]
trials = 20_000
min_power = false

[[audit]]
name = "count"
mechanism = { kind = "laplace", epsilon = 1.0, sensitivity = 1.0 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = EPSILON }

[[audit]]
name = "count-with-half-the-noise"
mechanism = { kind = "laplace", scale = 0.2 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
expect = "violated"
"#;

fn gate(folder: &Folder, epsilon: &str, cut: bool, arguments: &[&str]) -> Output {
    let text = RIGHT.replace("EPSILON", epsilon);
    let text =
        if cut { text.split("\n[[audit]]\nname = \"count-with").next().unwrap() } else { &text };
    folder.spec("audits.toml", text);
    let arguments = ["gate", "audits.toml"].iter().chain(arguments);
    plaudit()
        .current_dir(folder.path())
        .env_remove("GITHUB_STEP_SUMMARY")
        .args(arguments)
        .output()
        .unwrap()
}

fn read(folder: &Folder, file: &str) -> String {
    std::fs::read_to_string(folder.path().join(file)).unwrap()
}

#[test]
fn a_broken_change_is_red_in_every_format_and_the_fix_is_green() {
    let folder = Folder::new();
    let outputs = [
        "--junit",
        "junit.xml",
        "--sarif",
        "plaudit.sarif",
        "--markdown",
        "comment.md",
        "--code-quality",
        "quality.json",
        "--summary",
        "summary.json",
        "--annotations",
    ];
    let red = gate(&folder, "0.3", false, &outputs);
    assert_eq!(red.status.code(), Some(1), "{}", stderr(&red));
    assert!(stderr(&red).contains("gate: red: 1 failed"), "{}", stderr(&red));
    assert!(
        stdout(&red).contains("::error file=audits.toml,line=6,title=count::"),
        "{}",
        stdout(&red)
    );
    let xml = read(&folder, "junit.xml");
    assert!(xml.contains("failures=\"1\"") && xml.contains("type=\"violated\""), "{xml}");
    let sarif: Value = serde_json::from_str(&read(&folder, "plaudit.sarif")).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!((&sarif["version"], &result["ruleId"]), (&"2.1.0".into(), &"violated".into()));
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "audits.toml");
    assert_eq!(place["region"]["startLine"], 6);
    assert!(read(&folder, "comment.md").contains("**Failed**"));
    let quality: Value = serde_json::from_str(&read(&folder, "quality.json")).unwrap();
    assert_eq!(quality.as_array().unwrap().len(), 1);
    let summary: Value = serde_json::from_str(&read(&folder, "summary.json")).unwrap();
    assert_eq!((&summary["red"], &summary["counts"]["failed"]), (&true.into(), &1.into()));

    let green = gate(&folder, "1.0", false, &outputs);
    assert_eq!(green.status.code(), Some(0), "{}", stderr(&green));
    assert!(stderr(&green).contains("gate: green: 0 failed"), "{}", stderr(&green));
    let sarif: Value = serde_json::from_str(&read(&folder, "plaudit.sarif")).unwrap();
    assert_eq!(sarif["runs"][0]["results"], Value::Array(vec![]));
    assert_eq!(gate(&folder, "0.3", false, &["--exit-zero"]).status.code(), Some(0));
}

#[test]
fn a_looser_claim_and_an_audit_that_is_gone_are_red() {
    let folder = Folder::new();
    assert_eq!(gate(&folder, "1.0", false, &[]).status.code(), Some(0));
    std::fs::copy(folder.path().join("reports/report.json"), folder.path().join("main.json"))
        .unwrap();
    let baseline = ["--baseline", "main.json"];
    assert_eq!(gate(&folder, "1.0", false, &baseline).status.code(), Some(0));
    let looser = gate(&folder, "1.5", false, &baseline);
    assert_eq!(looser.status.code(), Some(1));
    assert!(stderr(&looser).contains("loosened-claim: count"), "{}", stderr(&looser));
    let gone = gate(&folder, "1.0", true, &baseline);
    assert_eq!(gone.status.code(), Some(1));
    assert!(
        stderr(&gone)
            .contains("removed-audit: count-with-half-the-noise: this planted mistake is gone")
    );
}

#[test]
fn what_was_not_reached_is_no_pass() {
    let folder = Folder::new();
    let stopped = gate(&folder, "0.3", false, &["--fail-fast"]);
    assert_eq!(stopped.status.code(), Some(1));
    assert!(
        stderr(&stopped).contains("1 failed, 1 inconclusive, 0 passed"),
        "{}",
        stderr(&stopped)
    );
}

#[test]
fn what_cannot_be_written_is_told_before_anything_runs() {
    let folder = Folder::new();
    for (arguments, words) in [
        (["--junit", "no/where.xml"], "its folder is not there"),
        (["--sarif", "."], "it is a folder"),
        (["--baseline", "none.json"], "give --baseline a report.json"),
        (["--time-budget", "soon"], "not a time"),
    ] {
        let output = gate(&folder, "1.0", false, &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
    }
    let both = gate(&folder, "1.0", false, &["--annotations", "--format", "json"]);
    assert_eq!(both.status.code(), Some(2));
    assert!(stderr(&both).contains("choose one"), "{}", stderr(&both));
    assert!(!folder.path().join("reports").exists());
}
