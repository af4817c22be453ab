//! `plaudit gate`: as a CI job would run it.

use crate::support::cli::{Folder, audit, plaudit, stderr, stdout};
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
            .contains("removed-audit: count-with-half-the-noise: this planted mistake is missing")
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
        (["--junit", "no/where.xml"], "its folder does not exist"),
        (["--sarif", "."], "it is a folder"),
        (["--baseline", "none.json"], "give --baseline a report.json"),
        (["--time-budget", "soon"], "not a time"),
        (["--accepted", "none.toml"], "cannot read --accepted"),
        (["--accepted", "audits.toml"], "line 6: unknown field"),
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

/// The report of the last run, kept as a baseline.
fn keep(folder: &Folder, name: &str) {
    std::fs::copy(folder.path().join("reports/report.json"), folder.path().join(name)).unwrap();
}

/// Mechanisms whose bounds are near the claim, far below it, of rare events and of a δ; few trials and more.
fn several(scale: &str) -> String {
    let laplace = |scale: &str| format!("kind = \"laplace\", scale = {scale}");
    let gaussian = |sigma: &str| format!("kind = \"gaussian\", sigma = {sigma}");
    let planted = "trials = 20_000\nexpect = \"violated\"";
    let audits = [
        audit("near", &laplace("1.0"), "epsilon = 1.0", "trials = 40_000"),
        audit("far", &laplace(scale), "epsilon = 3.0", "trials = 40_000\nverify = false"),
        audit("few", &laplace("1.0"), "epsilon = 2.0", "trials = 2_000"),
        audit("delta", &gaussian("3.0"), "epsilon = 1.0, delta = 1e-3", "trials = 20_000"),
        audit("gdp", &gaussian("1.0"), "mu = 1.0", "trials = 20_000"),
        audit("planted", &laplace("0.2"), "epsilon = 1.0", planted),
    ];
    format!("[defaults]\nmin_power = false\n\n{}", audits.concat())
}

#[test]
#[ignore = "takes several seconds"]
fn other_seeds_of_the_same_code_warn_of_nothing_and_a_loss_that_rose_does() {
    let folder = Folder::new();
    let run = |seed: &str, scale: &str, more: &[&str]| {
        folder.spec("audits.toml", &several(scale));
        let mut command = plaudit();
        command.current_dir(folder.path()).env_remove("GITHUB_STEP_SUMMARY");
        command.args(["gate", "audits.toml", "--seed", seed]).args(more).output().unwrap()
    };
    assert_eq!(run("1", "1.0", &[]).status.code(), Some(0));
    keep(&folder, "main.json");
    for seed in ["2", "3", "4", "5"] {
        let same = run(seed, "1.0", &["--baseline", "main.json"]);
        assert_eq!(same.status.code(), Some(0), "{}", stderr(&same));
        assert!(!stderr(&same).contains("warning: changed"), "{seed}: {}", stderr(&same));
    }
    let outputs = [
        "--baseline",
        "main.json",
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
    let rose = run("2", "0.4", &outputs);
    assert_eq!(rose.status.code(), Some(0), "{}", stderr(&rose));
    assert!(
        stderr(&rose).contains("warning: changed since the baseline: far: ε ≥ "),
        "{}",
        stderr(&rose)
    );
    assert!(stderr(&rose).contains("warning: changed since the baseline: far: the mechanism was"));
    assert!(stdout(&rose).contains("::warning file=audits.toml,line="), "{}", stdout(&rose));
    for file in ["junit.xml", "plaudit.sarif", "comment.md", "quality.json", "summary.json"] {
        assert!(read(&folder, file).contains(" was certified, and "), "{file}");
    }
    let fewer = run("1", "1.0", &["--baseline", "main.json", "--trials", "1000"]);
    assert_eq!(fewer.status.code(), Some(0), "{}", stderr(&fewer));
    assert!(
        stderr(&fewer).contains("near: it had 40 000 runs at most, and 1 000 now"),
        "{}",
        stderr(&fewer)
    );
    assert!(stderr(&fewer).contains("would have been caught, and "), "{}", stderr(&fewer));
}

#[test]
fn checks_that_are_waived_and_claims_that_are_given_up_are_red() {
    let folder = Folder::new();
    let spec = RIGHT.replace("EPSILON", "1.0").replace("min_power = false", "min_power = 9");
    let run = |text: &str| {
        folder.spec("audits.toml", text);
        let mut command = plaudit();
        command.current_dir(folder.path()).args(["gate", "audits.toml"]);
        if folder.path().join("main.json").exists() {
            command.args(["--baseline", "main.json"]);
        }
        command.output().unwrap()
    };
    assert_eq!(run(&spec).status.code(), Some(0));
    keep(&folder, "main.json");
    let waived = run(&spec.replace("min_power = 9", "min_power = false"));
    assert_eq!(waived.status.code(), Some(1));
    assert!(stderr(&waived).contains("waived-check: count: it now waives"), "{}", stderr(&waived));
    let broken = spec
        .replace(
            "kind = \"laplace\", epsilon = 1.0, sensitivity = 1.0",
            "kind = \"laplace\", scale = 0.2",
        )
        .replacen(
            "claim = { epsilon = 1.0 }",
            "claim = { epsilon = 1.0 }\nexpect = \"violated\"",
            1,
        );
    let given_up = run(&broken);
    assert_eq!(given_up.status.code(), Some(1));
    assert!(
        stderr(&given_up).contains("expects-violation: count: its claim"),
        "{}",
        stderr(&given_up)
    );
    // A baseline of another version is told from what is no report.
    let other = read(&folder, "main.json")
        .replace("\"schema_version\": \"1\"", "\"schema_version\": \"0\"");
    std::fs::write(folder.path().join("main.json"), other).unwrap();
    let old = run(&spec);
    assert_eq!(old.status.code(), Some(2));
    assert!(
        stderr(&old).contains("version \"0\", but this plaudit reads \"1\""),
        "{}",
        stderr(&old)
    );
}

#[test]
fn an_accepted_failure_is_green_until_it_expires_and_told_in_every_format() {
    let folder = Folder::new();
    let entry = |audit: &str| {
        format!(
            "[[accepted]]\naudit = \"{audit}\"\nrule = \"violated\"\nreason = \"until the next release\"\nexpires = 2026-12-31\n"
        )
    };
    folder.spec("accepted.toml", &(entry("count") + &entry("another")));
    let run = |now: &str| {
        folder.spec("audits.toml", &RIGHT.replace("EPSILON", "0.3"));
        let mut command = plaudit();
        command.current_dir(folder.path()).env("SOURCE_DATE_EPOCH", now);
        command.env_remove("GITHUB_STEP_SUMMARY").args([
            "gate",
            "audits.toml",
            "--accepted",
            "accepted.toml",
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
        ]);
        command.output().unwrap()
    };
    // The last second of 2026-12-31, and the first one after it.
    let accepted = run("1798761599");
    assert_eq!(accepted.status.code(), Some(0), "{}", stderr(&accepted));
    let words = stderr(&accepted);
    assert!(
        words.contains("gate: green: 0 failed, 1 accepted, 0 inconclusive, 1 passed"),
        "{words}"
    );
    assert!(words.contains("accepted: violated: count: "), "{words}");
    assert!(
        words.contains("warning: another: nothing failed that matches its acceptance"),
        "{words}"
    );
    assert!(words.contains("(Holm): 1 refuted at level 1e-6"), "{words}");
    assert!(stdout(&accepted).contains("::notice file=audits.toml,line=6,title=count::"));
    assert!(stdout(&accepted).contains("::warning file=accepted.toml,line=6,title=another::"));
    let why = "accepted until 2026-12-31: until the next release";
    let xml = read(&folder, "junit.xml");
    assert!(xml.contains("<skipped message=") && xml.contains(why), "{xml}");
    let sarif: Value = serde_json::from_str(&read(&folder, "plaudit.sarif")).unwrap();
    let suppression = &sarif["runs"][0]["results"][0]["suppressions"][0];
    assert_eq!(
        (&suppression["status"], &suppression["justification"]),
        (&"accepted".into(), &why.into())
    );
    let comment = read(&folder, "comment.md");
    assert!(comment.contains("**Accepted**") && comment.contains("**Out of date**"), "{comment}");
    let summary: Value = serde_json::from_str(&read(&folder, "summary.json")).unwrap();
    assert_eq!((&summary["red"], &summary["counts"]["accepted"]), (&false.into(), &1.into()));
    assert_eq!(summary["accepted"][0]["accepted"], why);
    assert_eq!(
        (&summary["family"]["claims"], &summary["family"]["refuted"]),
        (&1.into(), &1.into())
    );
    assert!(read(&folder, "quality.json").contains("\"severity\": \"info\""));
    let expired = run("1798761600");
    assert_eq!(expired.status.code(), Some(1));
    assert!(
        stderr(&expired).contains("its acceptance expired on 2026-12-31"),
        "{}",
        stderr(&expired)
    );
}
