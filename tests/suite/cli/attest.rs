//! `plaudit attest`: an attestation is accepted as it was made, and refused once anything in it, in the report or in a
//! program was changed. The keys in `tests/data/minisign` are of `minisign -G` 0.11: `plain` and `other` with `-W`,
//! `locked` with the password "secret". They sign nothing else.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use plaudit::number::hex;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;
use std::process::Output;

const SAMPLE: &str = include_str!("../../data/sample-report.json");
const TOOL: &str = "print(0)\n";
const HISTOGRAM: usize = 7;

fn key(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/minisign").join(name)
}

fn sample() -> Value {
    let mut report: Value = serde_json::from_str(SAMPLE).unwrap();
    let program = &mut report["provenance"]["audits"][HISTOGRAM]["program"][0];
    program["path"] = "tool.py".into();
    program["sha256"] = hex(Sha256::digest(TOOL)).into();
    report
}

/// A folder with a report, a certificate and a program.
fn reported(report: &Value) -> Folder {
    let folder = Folder::new();
    fs::create_dir_all(folder.path().join("r/certificates")).unwrap();
    folder.spec("r/report.json", &report.to_string());
    folder.spec("r/certificates/laplace-understated.json", "{}");
    folder.spec("tool.py", TOOL);
    folder
}

fn made(report: &Value) -> Folder {
    let folder = reported(report);
    let output = make(&folder, "plain.key");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    folder
}

fn make(folder: &Folder, name: &str) -> Output {
    let mut command = plaudit();
    command.current_dir(folder.path()).args(["attest", "make", "r", "--key"]).arg(key(name));
    command.output().unwrap()
}

fn verify(folder: &Folder, more: &[&str]) -> Output {
    let mut command = plaudit();
    command.current_dir(folder.path()).args(["attest", "verify", "r/attestation.json", "--key"]);
    command.arg(key("plain.pub")).args(more).output().unwrap()
}

/// The attestation with something in it changed, checked but for the signature.
fn changed(change: impl FnOnce(&mut Value)) -> Output {
    let folder = made(&sample());
    let path = folder.path().join("r/attestation.json");
    let mut statement: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut statement);
    fs::write(path, statement.to_string()).unwrap();
    let signed = verify(&folder, &[]);
    refused(&signed, &["the signature in"]);
    folder.run(&["attest", "verify", "r/attestation.json", "--unsigned"])
}

fn refused(output: &Output, words: &[&str]) {
    let told = stderr(output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("is refused: ") && told.lines().count() == 1, "{told}");
    assert!(words.iter().all(|word| told.contains(word)), "{words:?}: {told}");
    assert_eq!(stdout(output), "");
}

#[test]
fn an_attestation_is_accepted_as_it_was_made() {
    let folder = made(&sample());
    let output = verify(&folder, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let words = stdout(&output);
    let counts = "signature valid; report.json, 1 certificate and 1 of 1 program file unchanged";
    assert!(words.contains(counts), "{words}");
    assert!(words.contains("laplace-understated: 1-DP, violated ("), "{words}");
    let statement = fs::read(folder.path().join("r/attestation.json")).unwrap();
    let statement: Value = serde_json::from_slice(&statement).unwrap();
    assert_eq!(statement["_type"], "https://in-toto.io/Statement/v1");
    let subjects = statement["subject"].as_array().unwrap();
    let names: Vec<&str> = subjects.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["report.json", "certificates/laplace-understated.json", "tool.py"]);
    let range = &statement["predicate"]["audits"][0]["range"];
    for part in ["relation", "unit", "domain", "pairs", "mechanism"] {
        assert!(range.get(part).is_some(), "{part}: {range}");
    }
}

#[test]
fn a_change_of_the_report_or_of_a_certificate_is_refused() {
    let folder = made(&sample());
    let path = folder.path().join("r/report.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("\"seed\":", "\"seed\": ", 1)).unwrap();
    refused(&verify(&folder, &[]), &["`report.json` in `r`", "SHA-256", "get the report again"]);
    fs::write(&path, text).unwrap();
    assert_eq!(verify(&folder, &[]).status.code(), Some(0));
    folder.spec("r/certificates/laplace-understated.json", "{ }");
    refused(&verify(&folder, &[]), &["`certificates/laplace-understated.json` in `r`"]);
    folder.spec("r/certificates/laplace-understated.json", "{}");
    folder.spec("r/certificates/more.json", "{}");
    refused(&verify(&folder, &[]), &["`certificates/more.json`", "is not attested"]);
    fs::remove_dir_all(folder.path().join("r/certificates")).unwrap();
    refused(&verify(&folder, &[]), &["is attested and is not in `r`", "--report"]);
}

#[test]
fn a_change_of_a_program_is_refused_and_a_missing_one_is_named() {
    let folder = made(&sample());
    folder.spec("tool.py", "print(1)\n");
    refused(&verify(&folder, &[]), &["tool.py` is not the audited one", "--program-root"]);
    let elsewhere = verify(&folder, &["--program-root", "r"]);
    assert_eq!(elsewhere.status.code(), Some(0), "{}", stderr(&elsewhere));
    let words = stdout(&elsewhere);
    assert!(words.contains("0 of 1 program file unchanged"), "{words}");
    assert!(words.contains("    not here, so not compared: tool.py\n"), "{words}");
    folder.spec("r/tool.py", TOOL);
    let there = stdout(&verify(&folder, &["--program-root", "r"]));
    assert!(there.contains("1 of 1 program file unchanged"), "{there}");
}

#[test]
fn absolute_paths_of_programs_also_begin_at_the_program_root() {
    let mut report = sample();
    let program = &mut report["provenance"]["audits"][HISTOGRAM]["program"][0];
    program["path"] = "/no-such-folder/tool.py".into();
    let folder = made(&report);
    assert!(stdout(&verify(&folder, &[])).contains("not compared: /no-such-folder/tool.py\n"));
    fs::create_dir_all(folder.path().join("r/no-such-folder")).unwrap();
    folder.spec("r/no-such-folder/tool.py", TOOL);
    let there = stdout(&verify(&folder, &["--program-root", "r"]));
    assert!(there.contains("1 of 1 program file unchanged"), "{there}");
    folder.spec("r/no-such-folder/tool.py", "print(1)\n");
    refused(&verify(&folder, &["--program-root", "r"]), &["r/no-such-folder/tool.py"]);
}

#[test]
fn a_statement_that_contradicts_the_report_is_refused_whatever_its_signature() {
    for (pointer, value) in [
        ("range/relation", "substitution"),
        ("range/unit", "one household"),
        ("range/domain", "all tables"),
        ("range/pairs/confirmed", "another pair"),
        ("range/mechanism/kind", "gaussian"),
        ("range/mechanism/parameters/epsilon", "0.5"),
        ("claim/words", "0.1-DP"),
        ("claim/note", "a field that nobody knows"),
        ("reason", "It is private."),
        ("verdict", "verified"),
    ] {
        let output = changed(|statement| {
            let mut place = &mut statement["predicate"]["audits"][0];
            for name in pointer.split('/') {
                place = &mut place[name];
            }
            *place = value.into();
        });
        let place = pointer.replace('/', ".");
        refused(&output, &["contradicts the report", "audit `laplace-understated`", &place]);
    }
}

#[test]
fn what_is_left_out_of_a_statement_or_added_to_it_is_refused() {
    let audits = |statement: &mut Value| {
        statement["predicate"]["audits"].as_array_mut().unwrap().remove(0);
    };
    refused(&changed(audits), &["contradicts the report", "audit `laplace-understated`, "]);
    let last = |statement: &mut Value| {
        statement["predicate"]["audits"].as_array_mut().unwrap().pop();
    };
    refused(&changed(last), &["audits: a list of 7 is attested, a list of 8 is reported"]);
    let seed = |statement: &mut Value| statement["predicate"]["seed"] = 77.into();
    refused(&changed(seed), &["contradicts the report, seed: 77 is attested"]);
    let tool = |statement: &mut Value| statement["predicate"]["tool"]["version"] = "9".into();
    refused(&changed(tool), &["contradicts the report, tool.version"]);
    for (at, word) in [(0, "`report.json`"), (1, "`certificates/"), (2, "`tool.py`")] {
        let subject = |statement: &mut Value| {
            statement["subject"].as_array_mut().unwrap().remove(at);
        };
        refused(&changed(subject), &[word]);
    }
    let program = |statement: &mut Value| {
        statement["subject"][2]["digest"]["sha256"] = hex(Sha256::digest("other")).into();
    };
    refused(&changed(program), &["the program file `tool.py` is not the same in both"]);
}

#[test]
fn the_signature_is_that_of_the_key() {
    let folder = made(&sample());
    let verify_with = |name: &str| {
        let mut command = plaudit();
        command.current_dir(folder.path()).args(["attest", "verify", "r/attestation.json"]);
        command.arg("--key").arg(key(name)).output().unwrap()
    };
    refused(&verify_with("other.pub"), &["not one of this key", "another key signed it"]);
    let output = verify_with("plain.key");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("give the public key of the signer"), "{}", stderr(&output));
    fs::remove_file(folder.path().join("r/attestation.json.minisig")).unwrap();
    let output = verify(&folder, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--signature"), "{}", stderr(&output));
    let output = folder.run(&["attest", "verify", "r/attestation.json"]);
    assert_eq!(output.status.code(), Some(2), "neither a key nor --unsigned");
    let output = folder.run(&["attest", "verify", "r/attestation.json", "--unsigned"]);
    assert!(stdout(&output).contains("signature not checked (--unsigned)"), "{}", stderr(&output));
}

#[test]
fn nothing_is_written_without_a_key_that_signs_or_a_report_that_is_one() {
    let folder = reported(&sample());
    let nothing = |output: &Output, words: &str| {
        assert_eq!(output.status.code(), Some(2), "{}", stderr(output));
        assert!(stderr(output).contains(words), "{words}: {}", stderr(output));
        assert!(!folder.path().join("r/attestation.json").exists());
    };
    nothing(&make(&folder, "plain.pub"), "it is not a secret key of minisign");
    nothing(&make(&folder, "locked.key"), "it is encrypted; set PLAUDIT_KEY_PASSWORD");
    let stored = fs::read_to_string(key("plain.key")).unwrap();
    // Within the key itself, which has no checksum.
    let damaged = stored.replace("K2mSobpqGi4", "K2mSobpqGi5");
    folder.spec("damaged.key", &damaged);
    assert_ne!(stored, damaged);
    nothing(&folder.run(&["attest", "make", "r", "--key", "damaged.key"]), "this one is damaged");
    folder.spec("r/report.json", "{}");
    nothing(&make(&folder, "plain.key"), "cannot read `r`: not a report of plaudit");
    let mut twice = sample();
    let mut other = twice["provenance"]["audits"][HISTOGRAM].clone();
    other["program"][0]["sha256"] = hex(Sha256::digest("other")).into();
    twice["provenance"]["audits"][0] = other;
    folder.spec("r/report.json", &twice.to_string());
    nothing(&make(&folder, "plain.key"), "the program file `tool.py` changed while the audits ran");
    fs::remove_file(folder.path().join("r/report.json")).unwrap();
    nothing(&make(&folder, "plain.key"), "give the folder of a report");
}

#[test]
fn hostile_files_are_refused_in_one_line_without_control_characters() {
    let mut report = sample();
    report["audits"][0]["name"] = "a\u{1b}[2J\nb\u{202e}".into();
    report["provenance"]["audits"][HISTOGRAM]["program"][0]["path"] = "no\u{1b}where".into();
    let folder = made(&report);
    let words = stdout(&verify(&folder, &[]));
    assert!(words.contains("a[U+001B][2J b[U+202E]: "), "{words}");
    assert!(words.contains("not compared: no[U+001B]where\n"), "{words}");
    let unsigned = |text: &[u8]| {
        fs::write(folder.path().join("r/attestation.json"), text).unwrap();
        let output = folder.run(&["attest", "verify", "r/attestation.json", "--unsigned"]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let told = stderr(&output);
        assert!(told.contains("give an attestation") && told.lines().count() == 1, "{told}");
        assert!(!told.contains('\u{1b}'), "{told}");
    };
    unsigned(b"");
    unsigned(b"\xff\xfe");
    unsigned("[".repeat(100_000).as_bytes());
    unsigned(br#"{"_type": "\u001b[2J", "subject": [], "predicateType": "", "predicate": 1}"#);
    let statement = serde_json::json!({
        "_type": "\u{1b}", "subject": [], "predicateType": "", "predicate":
        { "tool": { "name": "", "version": "" }, "seed": 0, "alpha": 0.5, "audits": [] }
    });
    unsigned(statement.to_string().as_bytes());
    let output = folder.run(&["attest", "verify", "r", "--unsigned"]);
    assert!(stderr(&output).contains("it is not a regular file"), "{}", stderr(&output));
}

#[test]
#[ignore = "takes several seconds"]
fn an_encrypted_key_signs_with_its_password() {
    let folder = reported(&sample());
    let make = |password: &str| {
        let mut command = plaudit();
        command.current_dir(folder.path()).env("PLAUDIT_KEY_PASSWORD", password);
        command.args(["attest", "make", "r", "--key"]).arg(key("locked.key")).output().unwrap()
    };
    let output = make("wrong");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("Wrong password"), "{}", stderr(&output));
    assert_eq!(make("secret").status.code(), Some(0));
    let mut command = plaudit();
    command.current_dir(folder.path()).args(["attest", "verify", "r/attestation.json", "--key"]);
    assert_eq!(command.arg(key("locked.pub")).output().unwrap().status.code(), Some(0));
}

#[test]
fn help_has_examples_and_exit_codes() {
    for words in [&["attest"][..], &["attest", "make"], &["attest", "verify"], &["sheet"]] {
        let output = plaudit().args(words).arg("--help").output().unwrap();
        let help = stdout(&output);
        assert!(help.contains("Examples:") && help.contains("Exit codes:"), "{help}");
    }
}
