//! `plaudit audit` and `plaudit replay` of sensitivities that are exceeded: exact, without randomness.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use plaudit::audit::Counterexample;
use plaudit::cli::exit;
use plaudit::finding::WrittenAnswer;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Output;

const SPEC: &str = r#"[[audit]]
name = "clamped-too-late"
mechanism = { kind = "sum", column = "age", lower = 0, upper = 100, clamping = "after", noise = "laplace", epsilon = 1.0, sensitivity = 100.0 }
relation = "substitution"
domain = { columns = { age = { lower = 0, upper = 1000, integers = true } }, size = [1, 20] }
sensitivity = true
claim = { epsilon = 1.0 }
"#;

fn code(output: &Output) -> Option<u8> {
    output.status.code().and_then(|code| u8::try_from(code).ok())
}

fn replay(certificate: &Path, arguments: &[&str]) -> Output {
    plaudit().arg("replay").arg(certificate).args(arguments).output().unwrap()
}

/// Audits; gives the report and where the certificate is.
fn audited(folder: &Folder) -> (Value, PathBuf) {
    folder.spec("a.toml", SPEC);
    let output = plaudit().current_dir(folder.path()).args(["audit", "a.toml"]).output().unwrap();
    assert_eq!(code(&output), Some(exit::UNEXPECTED), "{}", stderr(&output));
    assert!(stdout(&output).contains("Δ₁ ≥"), "{}", stdout(&output));
    let reports = folder.path().join("reports");
    let report = std::fs::read_to_string(reports.join("report.json")).unwrap();
    let page = std::fs::read_to_string(reports.join("index.html")).unwrap();
    assert!(page.contains("Query without noise") && page.contains("plaudit replay"));
    let kept = std::fs::read_to_string(folder.path().join("a.regressions.toml")).unwrap();
    assert!(kept.contains("[[pair]]"), "{kept}");
    let report = serde_json::from_str(&report).unwrap();
    (report, reports.join("certificates/clamped-too-late.json"))
}

#[test]
fn an_exceeded_sensitivity_is_replayed_by_asking_the_query_again() {
    let folder = Folder::new();
    let (report, path) = audited(&folder);
    let finding = &report["audits"][0];
    assert_eq!(finding["verdict"], "violated");
    assert_eq!(finding["trials"]["total"], 0);
    let certificate: Value =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(certificate["distance"], finding["sensitivity"]["distance"]);
    let output = replay(&path, &[]);
    assert_eq!(code(&output), Some(exit::AS_EXPECTED), "{}", stderr(&output));
    assert!(stdout(&output).contains("the declared l1 sensitivity 100 is exceeded"));
    let output = replay(&path, &["--format", "json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["holds"], &answer["same_answers"]), (&json!(true), &json!(true)));
    // The pair is tried first the next time, and nothing else is looked for.
    let (again, _) = audited(&folder);
    let pairs = |report: &Value| report["audits"][0]["sensitivity"]["pairs"].as_u64().unwrap();
    assert!(pairs(&again) < pairs(&report));
}

#[test]
fn counterexamples_that_lie_are_refused_or_do_not_hold() {
    let folder = Folder::new();
    let (_, path) = audited(&folder);
    let whole: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let with = |field: &str, value: Value| {
        let mut lie = whole.clone();
        *lie.pointer_mut(field).unwrap() = value;
        lie.as_object_mut().unwrap().remove("digest");
        replay(&folder.spec("lie.json", &lie.to_string()), &[])
    };
    let lies = [
        ("/schema_version", json!("4"), "schema version"),
        ("/sensitivity/most", json!(-1.0), "above 0"),
        ("/sensitivity/norm", json!("l3"), "not a certificate"),
        ("/neighbors", json!("friendship"), "not a certificate"),
        ("/neighbors", json!("add-remove"), "neighbors"),
        ("/mechanism/kind", json!("closure"), "closure"),
        ("/pair/d", json!({ "table": { "columns": ["x"], "rows": [[1]] } }), "columns"),
        ("/answer_d", json!("three"), "not a certificate"),
    ];
    for (field, value, words) in lies {
        let output = with(field, value);
        let said = stderr(&output);
        assert_eq!(code(&output), Some(exit::FAILED), "{field}: {said}");
        assert!(said.contains(words) && !said.contains("panicked"), "{field}: {said}");
    }
    let described = |kind: &str| {
        let parameters = "column = \"age\"\nlower = 0\nupper = 1\nepsilon = 1\nsensitivity = 1";
        plaudit::mechanism::catalog::build(kind, toml::from_str::<toml::Value>(parameters).unwrap())
            .unwrap()
            .describe()
    };
    let median = json!({ "kind": "median", "description": described("median"), "parameters":
        { "column": "age", "lower": 0, "upper": 1, "epsilon": 1, "sensitivity": 1 } });
    let output = with("/mechanism", median);
    assert_eq!(code(&output), Some(exit::FAILED));
    assert!(stderr(&output).contains("does not report its query's answer"), "{}", stderr(&output));
    // What follows from the rest is computed, and compared.
    let edits = [
        ("/distance", json!(7.0), "`distance` is 7, but"),
        ("/answer_d", json!({ "numbers": [-7.0] }), "`distance` is"),
        ("/relation", json!("histogram"), "`relation` is \"histogram\", but"),
        ("/mechanism/description", json!("is fine"), "`mechanism.description` is"),
        ("/sensitivity/most", json!(1e6), "its own answers do not exceed"),
    ];
    for (field, value, words) in edits {
        let output = with(field, value);
        assert_eq!(code(&output), Some(exit::FAILED), "{field}: {}", stdout(&output));
        assert!(stderr(&output).contains(words), "{field}: {}", stderr(&output));
    }
    let mut edited = whole.clone();
    edited["pair"]["name"] = json!("another");
    let output = replay(&folder.spec("edited.json", &edited.to_string()), &[]);
    assert_eq!(code(&output), Some(exit::FAILED));
    assert!(stderr(&output).contains("it was changed after it was written"), "{}", stderr(&output));
    // Answers are not believed, even if they agree with one another: the query is asked.
    let mut forged: Counterexample = serde_json::from_value(whole.clone()).unwrap();
    forged.answer_d = WrittenAnswer::Numbers(vec![-1e9]);
    forged.distance = {
        let WrittenAnswer::Numbers(other) = &forged.answer_d_prime else { panic!() };
        other[0] + 1e9
    };
    forged.sensitivity.most = 1e6;
    let path = folder.spec("forged.json", &forged.sealed().unwrap().to_string());
    let output = replay(&path, &[]);
    assert_eq!(code(&output), Some(exit::UNEXPECTED), "{}", stderr(&output));
    assert!(stdout(&output).contains("is not exceeded here"), "{}", stdout(&output));
    assert!(stdout(&output).contains("not the answers in the certificate, which are -1000000000"));
    let output = replay(&path, &["--alpha", "0.1"]);
    assert_eq!(code(&output), Some(exit::FAILED));
    let mut program = whole.clone();
    program.as_object_mut().unwrap().remove("digest");
    program["mechanism"] = json!({ "kind": "process", "description": "Runs `no-such-program`.",
        "parameters": { "command": ["no-such-program"] } });
    let path = folder.spec("program.json", &program.to_string());
    assert!(stderr(&replay(&path, &[])).contains("--run-program"));
    let output = replay(&path, &["--run-program"]);
    assert!(stderr(&output).contains("cannot be started"), "{}", stderr(&output));
}
