//! `plaudit.toml`, `PLAUDIT_*` and `plaudit config`.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, LAPLACE, plaudit, stderr, stdout};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

/// A folder with the file, and with `audits/a.toml`.
fn project(settings: &str) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("audits")).unwrap();
    folder.spec("audits/a.toml", &LAPLACE.replace("trials = 20_000", "min_power = false"));
    folder.spec("plaudit.toml", settings);
    folder
}

fn run(folder: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = plaudit();
    command.current_dir(folder).env_remove("GITHUB_STEP_SUMMARY");
    command.envs(variables.iter().copied()).args(arguments).output().unwrap()
}

/// The value and the source of a setting.
fn in_force(
    folder: &Path,
    variables: &[(&str, &str)],
    command: &str,
    name: &str,
) -> (Value, String) {
    let output = run(folder, variables, &["config", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let all: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let mut rows = all[command].as_array().unwrap().iter();
    let row = rows.find(|row| row["name"] == name).unwrap();
    (row["value"].clone(), row["source"].as_str().unwrap().to_owned())
}

/// Trials of the first audit of the last report, explore and confirm together, and the report's seed.
fn played(folder: &Path) -> (u64, u64) {
    let text = std::fs::read_to_string(folder.join("reports/report.json")).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    let trials = &report["audits"][0]["trials"];
    let sum = ["explore", "confirm"].iter().map(|phase| trials[phase].as_u64().unwrap()).sum();
    (sum, report["run"]["seed"].as_u64().unwrap())
}

#[test]
fn flags_go_over_the_environment_and_that_over_the_file() {
    let folder = project("[audit]\ntrials = 2_000\nseed = 5\n\n[gate]\ntrials = 3e3\n");
    let at = folder.path();
    let trials = [("PLAUDIT_TRIALS", "4000")];
    assert_eq!(run(at, &[], &["audit"]).status.code(), Some(0));
    assert_eq!(played(at), (2_000, 5));
    assert_eq!(run(at, &[], &["gate"]).status.code(), Some(0));
    assert_eq!(played(at), (3_000, 5));
    assert_eq!(run(at, &trials, &["--color", "never", "gate"]).status.code(), Some(0));
    assert_eq!(played(at), (4_000, 5));
    let typed = ["gate", "audits", "--trials", "5000"];
    assert_eq!(run(at, &trials, &typed).status.code(), Some(0));
    assert_eq!(played(at), (5_000, 5));

    let seed = |command| in_force(at, &[], command, "seed");
    assert_eq!(seed("audit"), ("5".into(), "plaudit.toml:3".to_owned()));
    assert_eq!(seed("gate"), ("5".into(), "plaudit.toml:3".to_owned()));
    let gate = in_force(at, &[], "gate", "trials");
    assert_eq!(gate, ("3e3".into(), "plaudit.toml:6".to_owned()));
    assert_eq!(
        in_force(at, &trials, "gate", "trials"),
        ("4000".into(), "PLAUDIT_TRIALS".to_owned())
    );
    let nowhere = (Value::from("the spec's, else 1e-6"), "default".to_owned());
    assert_eq!(in_force(at, &[], "audit", "alpha"), nowhere);
    let flag = in_force(at, &[], "gate", "fail-fast");
    assert_eq!(flag, ("false".into(), "default".to_owned()));
    let table = stdout(&run(at, &[], &["config"]));
    let words: Vec<Vec<&str>> =
        table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(words.contains(&vec!["trials", "2000", "plaudit.toml:2"]), "{table}");
    assert!(words.contains(&vec!["trials", "3e3", "plaudit.toml:6"]), "{table}");
}

#[test]
fn a_file_of_a_parent_counts_up_to_the_root_of_the_repository_and_its_paths_are_its_own() {
    let folder = project("[audit]\npaths = [\"audits\"]\nout = \"out\"\ntrials = 1000\n");
    let deep = folder.path().join("deep/deeper");
    std::fs::create_dir_all(&deep).unwrap();
    assert_eq!(in_force(&deep, &[], "audit", "out").1, "default");
    std::fs::create_dir(folder.path().join(".git")).unwrap();
    let (paths, source) = in_force(&deep, &[], "gate", "paths");
    assert_eq!(paths, serde_json::json!(["../../audits"]));
    assert_eq!(source, "../../plaudit.toml:2");
    let output = run(&deep, &[], &["audit"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(folder.path().join("out/report.json").exists());
    // The nearest one counts.
    std::fs::write(deep.join("plaudit.toml"), "[gate]\nseed = 9\n").unwrap();
    assert_eq!(in_force(&deep, &[], "gate", "seed").1, "plaudit.toml:2");
    assert_eq!(in_force(&deep, &[], "gate", "out").1, "default");
}

#[test]
fn flags_without_a_value_are_true_or_false() {
    let folder = project("[gate]\nno-provenance = true\nfail-fast = false\n");
    let report = folder.path().join("reports/report.json");
    let trials = [("PLAUDIT_TRIALS", "1000")];
    let says = |variables: &[_]| {
        let output = run(folder.path(), variables, &["gate"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        std::fs::read_to_string(&report).unwrap().contains("\"provenance\"")
    };
    assert!(!says(&trials));
    assert!(says(&[trials[0], ("PLAUDIT_NO_PROVENANCE", "0")]));
}

#[test]
fn a_mistake_in_the_file_is_said_with_its_line() {
    for (text, words) in [
        (
            "[audit]\n\ntrails = 5\n",
            "plaudit.toml:3: unknown key `trails` in [audit]; did you mean `trials`?",
        ),
        ("[audit]\nmin_power = 2\n", "did you mean `min-power`?"),
        ("[audit]\ntime-budget = \"5min\"\n", "it belongs under [gate]"),
        ("[gates]\n", "plaudit.toml:1: unknown key `gates`; did you mean [gate]?"),
        ("trials = 1000\n", "settings belong under [audit] or [gate]"),
        ("[audit]\ntrials = 5\n", "plaudit.toml:2: invalid value '5' for '--trials <N>'"),
        ("[gate]\ninconclusive = \"maybe\"\n", "[possible values: fail, warn, pass]"),
        ("[gate]\nfail-fast = \"yes\"\n", "`fail-fast` must be true or false"),
        ("[audit]\npaths = [1]\n", "`paths` must be a string or an array of strings"),
        ("[audit]\ntrials = [1000]\n", "plaudit.toml:2: `trials` must be"),
        ("[audit\n", "plaudit.toml:1: "),
        ("[gate]\nchanged-since = \"-x\"\n", "no revision of git starts with `-`"),
    ] {
        let folder = project(text);
        for command in ["audit", "gate", "config"] {
            let output = run(folder.path(), &[], &[command]);
            assert_eq!(output.status.code(), Some(2), "{text}");
            assert!(stderr(&output).contains(words), "{text}: {}", stderr(&output));
        }
        assert!(!folder.path().join("reports").exists());
        // Who asks for no settings hears of no mistake in them.
        assert_eq!(run(folder.path(), &[], &["list"]).status.code(), Some(0));
    }
}

#[test]
fn a_mistake_in_the_environment_is_said_with_its_variable() {
    let folder = project("");
    for (name, value, words) in [
        ("PLAUDIT_TRAILS", "1000", "did you mean PLAUDIT_TRIALS?"),
        ("PLAUDIT_TRIALS", "5", "PLAUDIT_TRIALS: invalid value '5' for '--trials <N>'"),
        ("PLAUDIT_EXIT_ZERO", "maybe", "PLAUDIT_EXIT_ZERO: `exit-zero` is true or false"),
        ("PLAUDIT_QQQQQQQQQQQQQQQQ", "1", "`plaudit config` lists the settings"),
    ] {
        let output = run(folder.path(), &[(name, value)], &["gate"]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stderr(&output).contains(words), "{name}: {}", stderr(&output));
    }
    // Its own and those without a value.
    let others =
        [("PLAUDIT_AUDIT", "x"), ("PLAUDIT_UPDATE", "1"), ("PLAUDIT_TRAILS", ""), ("PLAUDIT", "1")];
    assert_eq!(run(folder.path(), &others, &["config"]).status.code(), Some(0));
}

#[test]
fn a_folder_of_specs_may_have_settings_in_it() {
    let folder = project("[audit]\ntrials = 1000\n");
    std::fs::copy(folder.path().join("audits/a.toml"), folder.path().join("a.toml")).unwrap();
    let output = run(folder.path(), &[], &["audit", "."]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
