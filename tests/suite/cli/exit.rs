//! Exit codes of `plaudit audit` and what it leaves behind.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, LAPLACE, UNDERSTATED, plaudit, stderr, stdout};
use plaudit::cli::exit;
use serde_json::Value;

/// Runs one spec; its exit code.
fn code(spec: &str) -> u8 {
    let folder = Folder::new();
    folder.spec("a.toml", spec);
    let output = plaudit().current_dir(folder.path()).args(["audit", "a.toml"]).output().unwrap();
    u8::try_from(output.status.code().unwrap()).unwrap()
}

#[test]
fn verdicts_as_expected_exit_0() {
    assert_eq!(code(LAPLACE), exit::AS_EXPECTED);
    assert_eq!(code(&format!("{UNDERSTATED}expect = \"violated\"\n")), exit::AS_EXPECTED);
}

#[test]
fn a_violation_that_nobody_expected_exits_1() {
    assert_eq!(code(UNDERSTATED), exit::UNEXPECTED);
}

#[test]
fn a_violation_that_was_expected_and_not_found_exits_1() {
    assert_eq!(code(&format!("{LAPLACE}expect = \"violated\"\n")), exit::UNEXPECTED);
}

#[test]
fn an_unexpected_violation_outranks_as_expected_ones() {
    assert_eq!(code(&format!("{UNDERSTATED}\n{LAPLACE}")), exit::UNEXPECTED);
}

#[test]
fn mistakes_in_specs_exit_2_and_nothing_runs() {
    let folder = Folder::new();
    folder.spec("a.toml", LAPLACE);
    folder.spec("b.toml", &UNDERSTATED.replace("epsilon = 1.0 }", "epsilon = -1.0 }"));
    let output = plaudit().current_dir(folder.path()).args(["audit", "."]).output().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(exit::FAILED)));
    let said = stderr(&output);
    assert!(said.contains("b.toml:6:21\n") && said.contains("epsilon = -1 is invalid"), "{said}");
    assert!(output.stdout.is_empty());
    assert!(!folder.path().join("reports").exists());
}

#[test]
fn paths_that_do_not_exist_exit_2() {
    let folder = Folder::new();
    for arguments in [&["audit"][..], &["audit", "nowhere.toml"], &["list", "nowhere"]] {
        let output = plaudit().current_dir(folder.path()).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(exit::FAILED)), "{arguments:?}");
        assert!(stderr(&output).contains("no such file or folder"), "{}", stderr(&output));
    }
}

#[test]
fn folders_without_specs_and_filters_without_matches_exit_4() {
    let folder = Folder::new();
    folder.spec("a.toml", LAPLACE);
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    for arguments in [
        &["audit", "empty"][..],
        &["list", "empty"],
        &["audit", "a.toml", "--filter", "^no-such-audit$"],
    ] {
        let output = plaudit().current_dir(folder.path()).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(exit::NOTHING_SELECTED)), "{arguments:?}");
        assert!(!folder.path().join("reports").exists());
    }
}

#[test]
fn an_output_folder_that_cannot_be_written_exits_2_before_anything_runs() {
    let folder = Folder::new();
    folder.spec("a.toml", LAPLACE);
    folder.spec("file", "in the way\n");
    // Below a file there can be no folder, not even for root.
    for out in ["file", "file/reports"] {
        let output = plaudit()
            .current_dir(folder.path())
            .args(["audit", "a.toml", "--trials", "1e12", "--out", out])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(i32::from(exit::FAILED)), "{out}");
        assert!(stderr(&output).contains("file"), "{}", stderr(&output));
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("file")).unwrap(), "in the way\n");
}

#[test]
fn a_full_disk_on_standard_output_exits_2_without_a_panic() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = plaudit().arg("schema").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(exit::FAILED)));
    assert!(stderr(&output).contains("cannot write to standard output"), "{}", stderr(&output));
}

#[test]
fn json_on_standard_output_is_the_report_and_nothing_else() {
    let folder = Folder::new();
    folder.spec("a.toml", LAPLACE);
    let output = plaudit()
        .current_dir(folder.path())
        .args(["audit", "a.toml", "--format", "json", "--jobs", "1", "--seed", "9"])
        .output()
        .unwrap();
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let written = std::fs::read(folder.path().join("reports/report.json")).unwrap();
    assert_eq!(printed, serde_json::from_slice::<Value>(&written).unwrap());
    assert_eq!(printed["provenance"]["jobs"], 1);
    assert_eq!(printed["run"]["seed"], 9);
    assert_eq!(printed["audits"][0]["seed"], 9);
    assert_eq!(stderr(&output), "");
}

#[test]
fn people_are_told_the_verdict_and_where_the_report_is() {
    let folder = Folder::new();
    folder.spec("a.toml", &format!("{LAPLACE}verify = false\n\n{UNDERSTATED}"));
    let output = plaudit()
        .current_dir(folder.path())
        .args(["audit", "a.toml", "--out", "o"])
        .output()
        .unwrap();
    let said = stdout(&output);
    for words in ["laplace", "not refuted", "violated", "The report is in o", "ertificate"] {
        assert!(said.contains(words), "{words:?} is not in {said}");
    }
    assert!(!said.contains('\x1b'), "{said}");
}

#[test]
fn the_command_line_outranks_the_spec() {
    let folder = Folder::new();
    folder.spec("a.toml", &format!("{LAPLACE}alpha = 1e-3\nseed = 1\n"));
    let arguments = ["audit", "a.toml", "--format", "json", "--trials", "3e3", "--alpha", "0.01"];
    let output = plaudit().current_dir(folder.path()).args(arguments).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let finding = &report["audits"][0];
    assert_eq!(finding["trials"]["total"], 3000);
    assert_eq!(finding["alpha"], 0.01);
    assert_eq!(finding["seed"], 1);
}

/// Something gets in the way of the report while the audits run: they are not lost.
#[cfg(unix)]
#[test]
fn what_was_found_is_told_even_if_the_report_cannot_be_written() {
    let gets_in_the_way = r#"
[[audit]]
name = "gets-in-the-way"
mechanism = { command = ["sh", "-c", "mkdir -p reports/index.html/mine; exit 1"], timeout = 10 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
"#;
    for format in ["human", "json"] {
        let folder = Folder::new();
        folder.spec("a.toml", &format!("{UNDERSTATED}{gets_in_the_way}"));
        let output = plaudit()
            .current_dir(folder.path())
            .args(["audit", "a.toml", "--format", format])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(i32::from(exit::FAILED)), "{}", stderr(&output));
        assert!(stderr(&output).contains("in the way"), "{}", stderr(&output));
        let said = stdout(&output);
        assert!(said.contains("laplace-understated") && said.contains("violated"), "{said}");
        assert!(!said.contains("The report is in"), "{said}");
    }
}

#[test]
fn the_table_is_as_wide_as_columns_say() {
    let folder = Folder::new();
    let long = LAPLACE.replace("\"laplace\"\n", "\"laplace-of-a-rather-long-name\"\n");
    folder.spec("a.toml", &format!("{long}verify = false\n"));
    let head = |columns: &str| {
        let mut command = plaudit();
        command.current_dir(folder.path()).env("COLUMNS", columns).args(["audit", "a.toml"]);
        let said = stdout(&command.output().unwrap());
        assert!(said.contains("laplace-of-a-rather-long-name "), "{said}");
        said.lines().next().unwrap().to_owned()
    };
    // Columns give way, and the name does not.
    let name = "laplace-of-a-rather-long-name".len();
    assert!(head("200").contains(&format!("{:name$}  claim ", "audit")));
    let narrow = head("60");
    assert!(!narrow.contains("time") && narrow.ends_with("claim allows"), "{narrow}");
    // Where the last column ends is as the audit's time has digits.
    assert_eq!(head("nonsense").find("claim"), head("140").find("claim"));
}

/// What a reader must know of how a program was run.
#[cfg(unix)]
#[test]
fn notes_are_said_once_under_the_table_or_on_standard_error_beside_json() {
    let folder = Folder::new();
    // It breaks down on its first batch, and answers afterwards.
    let program = r#"import json, os, random, sys
for line in sys.stdin:
    request = json.loads(line)
    if not os.path.exists("broke-down"):
        open("broke-down", "w").close()
        sys.exit(3)
    for _ in range(request["runs"]):
        print(int(random.random() < 0.5))
    sys.stdout.flush()
"#;
    folder.spec("program.py", program);
    let spec = r#"[[audit]]
name = "breaks-down"
mechanism = { command = ["python3", "program.py"] }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
trials = 2_000
no_difference = "allowed"
"#;
    folder.spec("a.toml", spec);
    let output = plaudit().current_dir(folder.path()).args(["audit", "a.toml"]).output().unwrap();
    let (out, error) = (stdout(&output), stderr(&output));
    assert!(!error.contains("breaks-down: "), "{error}{out}");
    assert!(out.contains("* breaks-down: ") && out.contains("as expected*"), "{out}");
    std::fs::remove_file(folder.path().join("broke-down")).unwrap();
    let json = ["audit", "a.toml", "--format", "json"];
    let output = plaudit().current_dir(folder.path()).args(json).output().unwrap();
    assert!(stderr(&output).contains("note: breaks-down: "), "{}", stderr(&output));
}

/// What nothing refutes is green only if something could have been.
#[test]
fn an_audit_that_could_have_seen_nothing_is_inconclusive() {
    let folder = Folder::new();
    let spec = LAPLACE.replace("trials = 20_000", "trials = 300\nverify = false");
    folder.spec("a.toml", &spec);
    let run = |more: &[&str]| {
        let output =
            plaudit().current_dir(folder.path()).args(["audit", "a.toml"]).args(more).output();
        let output = output.unwrap();
        (output.status.code(), stdout(&output))
    };
    let (code, words) = run(&[]);
    assert_eq!(code, Some(3), "{words}");
    assert!(words.contains("could not have seen a loss of 2 times the claim"), "{words}");
    assert_eq!(run(&["--min-power", "false"]).0, Some(0));
    assert_eq!(run(&["--trials", "20000"]).0, Some(0));
    assert_eq!(run(&["--min-power", "0.9"]).0, Some(2));
    folder.spec("a.toml", &format!("[defaults]\nmin_power = false\n\n{spec}"));
    assert_eq!(run(&[]).0, Some(0));
    folder.spec("a.toml", &format!("{spec}min_power = 100\n"));
    assert_eq!(run(&[]).0, Some(0), "a loss of 100 would have been seen");
}

/// In sentences numbers have four digits, and none is written as 0.000e0 or 0.0000.
#[test]
fn sentences_have_numbers_of_four_digits() {
    let folder = Folder::new();
    let nothing = LAPLACE.replace("\"laplace\"\n", "\"nothing\"\n").replace("[1.0]", "[1e-9]");
    let spec = format!("{UNDERSTATED}\n{LAPLACE}verify = false\n\n{nothing}verify = false\n");
    folder.spec("a.toml", &spec);
    let arguments = ["audit", "a.toml", "--format", "json"];
    let output = plaudit().current_dir(folder.path()).args(arguments).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let digits = |word: &str| {
        let mantissa = word.split('e').next().unwrap_or_default();
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        digits.trim_start_matches('0').len()
    };
    for finding in report["audits"].as_array().unwrap() {
        for words in [&finding["reason"], &finding["power"]["words"]] {
            let words = words.as_str().unwrap();
            let numbers = words.split(|c: char| c.is_whitespace() || "(),:;".contains(c));
            for number in numbers.filter(|word| word.starts_with(|c: char| c.is_ascii_digit())) {
                assert!(digits(number.trim_end_matches('.')) <= 4, "{number} in {words}");
            }
            assert!(!words.contains("e0") && !words.contains("0.0000"), "{words}");
        }
    }
    let reason = report["audits"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("(p ≤ 1e-300)"), "{reason}");
}
