//! `plaudit sheet`: evaluation sheets, and records that meet the schema of the registry of deployments.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use plaudit::Report;
use plaudit::finding::reason::{Reason, Reasons};
use plaudit::report::evaluation;
use plaudit::report::registry::{RegistryRecord, record, schema, violations};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use yaml_rust2::{Yaml, YamlLoader};

const SAMPLE: &str = include_str!("../../data/sample-report.json");

fn sample() -> Report {
    serde_json::from_str(SAMPLE).unwrap()
}

fn records(report: &Report) -> Vec<RegistryRecord> {
    report.audits.iter().map(|finding| record(report, finding).unwrap()).collect()
}

/// A document of YAML as JSON.
fn json_of(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::Hash(fields) => fields
            .iter()
            .map(|(name, value)| (name.as_str().unwrap().to_owned(), json_of(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Yaml::Array(items) => items.iter().map(json_of).collect::<Vec<_>>().into(),
        Yaml::String(text) => text.as_str().into(),
        Yaml::Integer(number) => (*number).into(),
        Yaml::Real(_) => yaml.as_f64().unwrap().into(),
        other => panic!("{other:?}"),
    }
}

fn read(yaml: &str) -> Vec<Value> {
    YamlLoader::load_from_str(yaml).unwrap().iter().map(json_of).collect()
}

/// By the program's own check; `python/tests/test_schemas.py` has that of another.
fn valid(value: &Value) -> bool {
    violations(schema(), value).is_empty()
}

#[test]
fn records_of_shipped_audits_meet_the_schema() {
    let folder = Folder::new();
    let specs = ["laplace", "claims", "survey"]
        .map(|name| format!("{}/audits/{name}.toml", env!("CARGO_MANIFEST_DIR")));
    let audit = ["audit", "--trials", "1000", "--out", "r", "--no-progress"];
    let arguments: Vec<&str> = audit.into_iter().chain(specs.iter().map(String::as_str)).collect();
    let ran = folder.run(&arguments);
    assert!([0, 1, 3].contains(&ran.status.code().unwrap()), "{}", stderr(&ran));
    let output = folder.run(&["sheet", "r/report.json", "--format", "registry"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let documents = read(&stdout(&output));
    let report: Report =
        serde_json::from_slice(&std::fs::read(folder.path().join("r/report.json")).unwrap())
            .unwrap();
    assert_eq!(documents.len(), report.audits.len());
    assert!(documents.len() > 15 && documents.iter().all(valid), "{}", stdout(&output));
    for (document, record) in documents.iter().zip(records(&report)) {
        assert_eq!(*document, record.value, "the YAML of {} says the same", record.audit);
    }
}

#[test]
fn the_schema_has_no_keyword_that_the_check_ignores() {
    fn keywords(schema: &Value, found: &mut BTreeSet<String>) {
        for (name, value) in schema.as_object().unwrap() {
            match name.as_str() {
                "properties" => {
                    value.as_object().unwrap().values().for_each(|s| keywords(s, found))
                }
                "items" => keywords(value, found),
                _ => drop(found.insert(name.clone())),
            }
        }
    }
    let mut found = BTreeSet::new();
    keywords(schema(), &mut found);
    let checked = ["additionalProperties", "enum", "format", "minItems", "required", "type"];
    let words = ["$comment", "description", "description_long", "tier"];
    let known: BTreeSet<String> = checked.into_iter().chain(words).map(str::to_owned).collect();
    assert_eq!(found, known);
}

#[test]
fn a_record_with_one_mistake_is_invalid() {
    let good = records(&sample()).remove(0).value;
    assert!(valid(&good) && violations(schema(), &good).is_empty());
    // The registry's own examples (tests/bad_deployments), and others.
    let mistakes: [(&str, Value); 9] = [
        ("/surprise", json!("...")),
        ("/status", Value::Null),
        ("/tier", json!(0)),
        ("/deployment/basic/publication_date", json!("1/1/2026")),
        ("/deployment/basic/publication_date", json!("2026-02-29")),
        ("/deployment/basic/data_curators", json!([])),
        ("/deployment/basic/data_product_type", json!("A poem")),
        ("/deployment/privacy_loss/privacy_parameters", json!({ "epsilon": "1e-05" })),
        ("/deployment/administrative/registry_authors", json!([1])),
    ];
    for (path, mistake) in mistakes {
        let mut bad = good.clone();
        let (parent, name) = path.rsplit_once('/').unwrap();
        let parent = bad.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        match mistake {
            Value::Null => drop(parent.remove(name)),
            mistake => drop(parent.insert(name.into(), mistake)),
        }
        let found = violations(schema(), &bad);
        assert_eq!((found.len(), valid(&bad)), (1, false), "{path}: {found:?}");
        assert!(found[0].contains(name), "{path}: {found:?}");
    }
}

#[test]
fn hostile_text_stays_text_in_yaml() {
    let mut report = sample();
    for text in
        ["a: b # c", "\"", "'\\n\n- x", "|-\n  x: 1\n---\n", "\u{1b}\u{2028}\u{85}", "{{", "é 🦀"]
    {
        report.audits[0].name = text.into();
        report.audits[0].reasons = Reasons(vec![Reason::Sentences(text.into())]);
        report.audits[0].mechanism.description = text.into();
        let record = records(&report).remove(0);
        assert_eq!(read(&record.yaml), [record.value], "{text:?}");
        assert!(!record.yaml.contains(['\u{1b}', '\u{2028}', '\u{85}']), "{}", record.yaml);
    }
}

#[test]
fn a_refuted_claim_is_not_registered_unseen() {
    let folder = Folder::new();
    folder.spec("report.json", SAMPLE);
    let audit = ["--audit", "laplace-understated", "--output", "record.yaml"];
    let arguments = ["sheet", "report.json", "--format", "registry"].into_iter().chain(audit);
    let output = folder.run(&arguments.collect::<Vec<_>>());
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), ""));
    let told = stderr(&output);
    assert!(told.contains("laplace-understated: fill in url_slug, tier, "), "{told}");
    assert!(told.contains("laplace-understated: the audit refuted its claim"), "{told}");
    let record = std::fs::read_to_string(folder.path().join("record.yaml")).unwrap();
    assert_eq!(read(&record).len(), 1);
    assert!(record.contains("The audit refuted the claim: do not publish it"), "{record}");
}

#[test]
fn sheets_are_those_of_the_report_folder() {
    let folder = Folder::new();
    folder.spec("report.json", SAMPLE);
    let markdown = folder.run(&["sheet", "report.json"]);
    assert_eq!(stdout(&markdown), evaluation::markdown(&sample()));
    let json = folder.run(&["sheet", "report.json", "--format", "json", "--audit", "svt-4"]);
    let json: Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!((json.as_array().unwrap().len(), &json[0]["audit"]), (1, &"svt-4".into()));
}

#[test]
fn mistakes_are_named() {
    let folder = Folder::new();
    folder.spec("report.json", SAMPLE);
    folder.spec("other.json", "{}");
    let near = folder.run(&["sheet", "report.json", "--audit", "svt-5"]);
    assert_eq!(near.status.code(), Some(4));
    assert!(stderr(&near).contains("did you mean `svt-4`?"), "{}", stderr(&near));
    for name in ["other.json", "none.json", "."] {
        let output = plaudit().current_dir(folder.path()).args(["sheet", name]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stderr(&output).contains("give a report.json"), "{}", stderr(&output));
    }
}
