//! `plaudit replay`: certificates that hold, that do not, and that lie.
#![cfg(feature = "cli")]

mod cli_support;

use cli_support::{Folder, UNDERSTATED, plaudit, stderr, stdout};
use plaudit::cli::exit;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Output;

fn replay(certificate: &Path, arguments: &[&str]) -> Output {
    plaudit().arg("replay").arg(certificate).args(arguments).output().unwrap()
}

fn code(output: &Output) -> Option<u8> {
    output.status.code().and_then(|code| u8::try_from(code).ok())
}

/// The certificate of a violation: epsilon = 4 where 1 is claimed, 40 000 trials.
fn certificate(folder: &Folder) -> Value {
    folder.spec("a.toml", UNDERSTATED);
    let output = plaudit()
        .current_dir(folder.path())
        .args(["audit", "a.toml", "--seed", "11"])
        .output()
        .unwrap();
    assert_eq!(code(&output), Some(exit::UNEXPECTED), "{}", stderr(&output));
    let said = stdout(&output);
    let path = said
        .lines()
        .find_map(|line| line.strip_prefix("Certificate of laplace-understated: "))
        .unwrap_or_else(|| panic!("no certificate is named in {said}"));
    let text = std::fs::read_to_string(folder.path().join(path)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn save(folder: &Folder, certificate: &Value) -> std::path::PathBuf {
    folder.spec("certificate.json", &certificate.to_string())
}

/// The loss is so far above the claim that fresh randomness misses it with probability below
/// 1e-9; the seeds are fixed all the same.
#[test]
fn a_violation_holds_with_fresh_randomness() {
    let folder = Folder::new();
    let path = save(&folder, &certificate(&folder));
    let output = replay(&path, &["--seed", "12"]);
    assert_eq!(code(&output), Some(exit::AS_EXPECTED), "{}", stderr(&output));
    assert!(stdout(&output).contains("the violation of 1-DP holds"), "{}", stdout(&output));
    assert!(!stdout(&output).contains("no new evidence"));
    let output = replay(&path, &["--format", "json", "--jobs", "1"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["holds"], true);
    assert_ne!(answer["seed"], 11);
}

#[test]
fn the_seed_of_the_certificate_is_no_new_evidence() {
    let folder = Folder::new();
    let certificate = certificate(&folder);
    let path = save(&folder, &certificate);
    let output = replay(&path, &["--seed", "11"]);
    assert_eq!(code(&output), Some(exit::AS_EXPECTED), "{}", stderr(&output));
    assert!(stdout(&output).contains("no new evidence"), "{}", stdout(&output));
    let output = replay(&path, &["--seed", "11", "--format", "json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["tally"], certificate["tally"]);
}

/// False alarm: a claim of the true epsilon is refuted with probability at most 1e-6, and the seed
/// is fixed.
#[test]
fn a_certificate_against_a_true_claim_does_not_hold() {
    let folder = Folder::new();
    let mut certificate = certificate(&folder);
    certificate["claim"]["epsilon"] = json!(4.0);
    let output = replay(&save(&folder, &certificate), &["--seed", "12"]);
    assert_eq!(code(&output), Some(exit::UNEXPECTED), "{}", stderr(&output));
    assert!(stdout(&output).contains("did not show again"), "{}", stdout(&output));
}

#[test]
fn certificates_of_closures_are_explained() {
    let folder = Folder::new();
    let mut certificate = certificate(&folder);
    certificate["mechanism"]["kind"] = json!("closure");
    let output = replay(&save(&folder, &certificate), &[]);
    assert_eq!(code(&output), Some(exit::FAILED));
    assert!(stderr(&output).contains("closure"), "{}", stderr(&output));
}

#[test]
fn certificates_that_lie_are_refused() {
    let folder = Folder::new();
    let true_one = certificate(&folder);
    let lies: [(&str, Value, &str); 18] = [
        ("/schema_version", json!("2"), "schema version"),
        ("/confirm", json!(10_u64.pow(18)), "confirm"),
        ("/confirm", json!(0), "confirm"),
        ("/confirm", json!(-1), "no certificate"),
        ("/alpha", json!(0.0), "alpha"),
        ("/alpha", json!(0.9), "alpha"),
        ("/claim/epsilon", json!(-1.0), "epsilon"),
        ("/claim/delta", json!(2.0), "delta"),
        ("/tally/d", json!([]), "tally"),
        ("/tally/d", json!([u64::MAX, u64::MAX]), "tally"),
        ("/relation", json!("friendship"), "relation"),
        ("/relation", json!("l1 distance 0.5"), "neighbors"),
        ("/pair/d_prime", json!({ "numbers": [3.0] }), "neighbors"),
        ("/pair/d_prime", json!({ "numbers": ["NaN"] }), ""),
        ("/pair/d", json!({ "table": { "columns": ["a"], "rows": [[1, 2]] } }), "row"),
        ("/pair/d", json!("x"), "no dataset"),
        ("/mechanism/kind", json!("no-such-kind"), "unknown mechanism"),
        ("/mechanism/parameters", json!({ "epsilon": null }), "null"),
    ];
    for (field, value, words) in lies {
        let mut certificate = true_one.clone();
        *certificate.pointer_mut(field).unwrap() = value;
        let output = replay(&save(&folder, &certificate), &[]);
        let said = stderr(&output);
        assert_eq!(code(&output), Some(exit::FAILED), "{field}: {said}");
        assert!(said.contains(words) && !said.contains("panicked"), "{field}: {said}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn certificates_without_a_field_or_with_another_are_refused() {
    let folder = Folder::new();
    let whole = certificate(&folder);
    for field in whole.as_object().unwrap().keys() {
        let mut certificate = whole.clone();
        certificate.as_object_mut().unwrap().remove(field);
        let output = replay(&save(&folder, &certificate), &[]);
        assert_eq!(code(&output), Some(exit::FAILED), "without {field}: {}", stderr(&output));
    }
    let mut certificate = whole;
    certificate["trust_me"] = json!(true);
    let output = replay(&save(&folder, &certificate), &[]);
    assert_eq!(code(&output), Some(exit::FAILED));
    assert!(stderr(&output).contains("trust_me"), "{}", stderr(&output));
}

#[test]
fn what_is_no_certificate_is_refused() {
    let folder = Folder::new();
    let nested = "[".repeat(1_000_000);
    let texts = ["", "{}", "null", "not JSON", "{\"schema_version\": 1", nested.as_str()];
    for text in texts {
        let output = replay(&folder.spec("certificate.json", text), &[]);
        let said = stderr(&output);
        assert_eq!(code(&output), Some(exit::FAILED), "{said}");
        assert!(said.contains("no certificate") && !said.contains("panicked"), "{said}");
    }
    for path in ["nowhere.json", "."] {
        let output = replay(&folder.path().join(path), &[]);
        assert_eq!(code(&output), Some(exit::FAILED), "{path}");
        assert!(stderr(&output).contains("cannot replay"), "{}", stderr(&output));
    }
}

#[test]
fn certificates_cannot_steer_the_terminal() {
    let folder = Folder::new();
    let whole = certificate(&folder);
    for field in ["/relation", "/mechanism/kind", "/schema_version", "/audit"] {
        let mut certificate = whole.clone();
        *certificate.pointer_mut(field).unwrap() = json!("\u{1b}[2J\u{7}");
        let output = replay(&save(&folder, &certificate), &["--color", "always"]);
        let said = stdout(&output) + &stderr(&output);
        assert!(!said.contains("\u{1b}[2J") && !said.contains('\u{7}'), "{field}: {said:?}");
    }
}

/// A certificate whose pair was shrunk: noise that is bounded, where any two answers are told apart.
fn shrunk(folder: &Folder) -> Value {
    let spec = r#"[[audit]]
name = "bounded"
mechanism = { kind = "bounded-noise", bound = 2.0 }
relation = { linf = 1.0 }
domain = { lower = -10, upper = 10, size = [4, 8] }
claim = { epsilon = 1.0 }
trials = 100_000
"#;
    folder.spec("a.toml", spec);
    let output = plaudit().current_dir(folder.path()).args(["audit", "a.toml"]).output().unwrap();
    assert_eq!(code(&output), Some(exit::UNEXPECTED), "{}", stderr(&output));
    let path = folder.path().join("reports/certificates/bounded.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The smallest pair tells the datasets apart in a good part of 70 000 trials, so that fresh
/// randomness misses it with probability below 1e-9.
#[test]
fn the_smallest_pair_is_played_as_well() {
    let folder = Folder::new();
    let certificate = shrunk(&folder);
    assert!(certificate["smallest"].is_object());
    let path = save(&folder, &certificate);
    let output = replay(&path, &["--seed", "12"]);
    assert_eq!(code(&output), Some(exit::AS_EXPECTED), "{}", stderr(&output));
    assert!(stdout(&output).contains("the violation holds there, too"), "{}", stdout(&output));
    let output = replay(&path, &["--seed", "12", "--format", "json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let smallest = &answer["smallest"];
    assert_eq!((&smallest["holds"], &smallest["same_seed"]), (&json!(true), &json!(false)));
    let trials = |tally: &Value| -> u64 {
        let sides = [&tally["d"], &tally["d_prime"]];
        sides.iter().flat_map(|side| side.as_array().unwrap()).filter_map(Value::as_u64).sum()
    };
    assert_eq!(trials(&smallest["tally"]), certificate["confirm"].as_u64().unwrap());
    // A smallest pair on which nothing shows changes no exit code, and is told.
    let mut other = certificate.clone();
    let d = other["smallest"]["pair"]["d"]["numbers"].clone();
    let mut near = d.clone();
    near[0] = json!(d[0].as_f64().unwrap() + 1e-9);
    other["smallest"]["pair"]["d_prime"]["numbers"] = near;
    let output = replay(&save(&folder, &other), &["--seed", "12"]);
    assert_eq!(code(&output), Some(exit::AS_EXPECTED), "{}", stderr(&output));
    assert!(stdout(&output).contains("did not show there"), "{}", stdout(&output));
    let lies = [
        ("/smallest/pair/d_prime", json!({ "numbers": [300.0] }), "neighbors"),
        ("/smallest/pair/d", json!("x"), "no dataset"),
        ("/smallest/tally/d", json!([]), "tally"),
        ("/smallest/p_value", json!(7.0), "p-value"),
        ("/smallest/test", json!("divination"), "no certificate"),
    ];
    for (field, value, words) in lies {
        let mut lie = certificate.clone();
        *lie.pointer_mut(field).unwrap() = value;
        let output = replay(&save(&folder, &lie), &[]);
        let said = stderr(&output);
        assert_eq!(code(&output), Some(exit::FAILED), "{field}: {said}");
        assert!(said.contains(words) && !said.contains("panicked"), "{field}: {said}");
    }
}

/// A program that is not where plaudit is started.
#[cfg(unix)]
#[test]
fn a_program_that_is_looked_for_elsewhere_is_told_from_where() {
    let folder = Folder::new();
    let mut certificate = certificate(&folder);
    certificate["mechanism"] = json!({ "kind": "process", "description": "Runs a script.",
        "parameters": { "command": ["sh", "no-such-script"], "folder": "somewhere" } });
    let path = save(&folder, &certificate);
    std::fs::create_dir(folder.path().join("somewhere")).unwrap();
    let output = plaudit()
        .current_dir(folder.path())
        .args(["replay", "--run-program"])
        .arg(&path)
        .output()
        .unwrap();
    let said = stderr(&output);
    assert_eq!(code(&output), Some(exit::FAILED), "{said}");
    assert!(said.contains("broke down") && said.contains("./somewhere"), "{said}");
    assert!(said.contains("start plaudit where the audit was run"), "{said}");
}
