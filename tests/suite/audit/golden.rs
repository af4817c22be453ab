//! Golden results: what every shipped audit found at one seed. A change that should change nothing shows here
//! if it does. `PLAUDIT_UPDATE=1` writes `tests/data/golden.json` anew; the commit says why. The first tier compares
//! some of them, the second one all.
//!
//! Verdict, test, kind of the witness and counts must be equal. Numbers that go through the platform's libm
//! may differ by one part in 10⁹. Prose, times and provenance are left out, and so is the audit with a clock.
//! A violation's witness is compared whole. Elsewhere no audit hands its frozen witness out: its kind, the number
//! of its bins and the digest of its counts stand for it.

use crate::support::agree::disagreements;
use crate::tier;
use plaudit::audit::Audited;
use plaudit::game::Control;
use plaudit::spec::{Overrides, load};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::path::Path;

const FILE: &str = "tests/data/golden.json";
const TOLERANCE: f64 = 1e-9;

fn digest(value: &Value) -> String {
    Sha256::digest(value.to_string()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The certificate without prose and without the numbers that stand beside it or go through libm.
fn digest_of_certificate(audited: &Audited) -> Value {
    let Some(certificate) = &audited.certificate else { return Value::Null };
    let mut json = serde_json::to_value(certificate).unwrap();
    let fields = json.as_object_mut().unwrap();
    for prose in ["tool", "relation", "witness_words", "notes"] {
        fields.remove(prose);
    }
    for beside in ["witness", "p_value", "epsilon_lower", "delta_lower", "digest"] {
        fields.remove(beside);
    }
    fields["mechanism"].as_object_mut().unwrap().remove("description");
    // The smallest pair has a witness and bounds of its own; its counts and its pair are digested.
    if let Some(smallest) = fields.get_mut("smallest").and_then(Value::as_object_mut) {
        for field in ["witness", "witness_words", "p_value", "epsilon_lower"] {
            smallest.remove(field);
        }
    }
    Value::from(digest(&json))
}

fn golden(audited: &Audited) -> Value {
    let finding = serde_json::to_value(&audited.finding).unwrap();
    let upper = finding.get("upper").cloned().unwrap_or_default();
    let witness = match &audited.certificate {
        Some(certificate) => serde_json::to_value(&certificate.witness).unwrap(),
        None => json!({
            "kind": finding["witness"]["kind"],
            "bins": finding["witness"]["bins"].as_array().map(Vec::len),
        }),
    };
    json!({
        "verdict": finding["verdict"],
        "test": finding["test"],
        "epsilon_lower": finding["epsilon_lower"],
        "delta_lower": finding["delta_lower"],
        "epsilon_upper": upper["epsilon_upper"],
        "delta_upper": upper["delta_upper"],
        "p_value": finding["p_value"],
        "tally": digest(&finding["tally"]),
        "witness": witness,
        "certificate": digest_of_certificate(audited),
    })
}

/// Where two values differ by more than the tolerance.
fn differences(at: &str, was: &Value, is: &Value, found: &mut Vec<String>) {
    match (was, is) {
        (Value::Object(a), Value::Object(b)) => {
            for key in a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))) {
                match (a.get(key), b.get(key)) {
                    (Some(was), Some(is)) => differences(&format!("{at}.{key}"), was, is, found),
                    (Some(_), None) => found.push(format!("{at}.{key}: is gone")),
                    (None, _) => found.push(format!("{at}.{key}: is new")),
                }
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let pairs = a.iter().zip(b).enumerate();
            pairs.for_each(|(i, (was, is))| differences(&format!("{at}[{i}]"), was, is, found));
        }
        (Value::Number(a), Value::Number(b)) => {
            let [a, b] = [a, b].map(|number| number.as_f64().unwrap());
            if (a - b).abs() > TOLERANCE * a.abs().max(b.abs()) {
                found.push(format!("{at}: was {was}, is {is}"));
            }
        }
        _ if was == is => {}
        _ => found.push(format!("{at}: was {was}, is {is}")),
    }
}

#[test]
fn every_shipped_audit_finds_what_it_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let overrides = Overrides {
        trials: Some(200_000),
        seed: Some(1),
        min_power: Some(f64::INFINITY),
        ..Overrides::default()
    };
    let loaded = load(&[root.join("audits")], &overrides).unwrap();
    let without_clock = || loaded.iter().filter(|loaded| !loaded.file.ends_with("clock.toml"));
    let updates = std::env::var_os("PLAUDIT_UPDATE").is_some();
    let mut disagree = Vec::new();
    let found: Map<String, Value> = without_clock()
        .step_by(if updates { 1 } else { tier::of([8, 1, 1]) })
        .map(|loaded| {
            let audited = loaded.audit.run(Control::unattended()).unwrap();
            disagree.extend(disagreements(&audited.finding.clone().with_headline()));
            (audited.finding.name.clone(), golden(&audited))
        })
        .collect();
    let file = root.join(FILE);
    if updates {
        let lines: Vec<String> =
            found.iter().map(|(name, golden)| format!("{}: {golden}", json!(name))).collect();
        std::fs::write(&file, format!("{{\n{}\n}}\n", lines.join(",\n"))).unwrap();
    }
    let mut golden: Map<String, Value> =
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let mut names: Vec<&str> = without_clock().map(|loaded| loaded.audit.name()).collect();
    names.sort_unstable();
    assert!(names.len() > 100, "{}", names.len());
    assert_eq!(golden.keys().collect::<Vec<_>>(), names, "audits are new, or gone");
    golden.retain(|name, _| found.contains_key(name));
    let mut changed = Vec::new();
    differences("", &golden.into(), &found.into(), &mut changed);
    assert!(disagree.is_empty(), "{}", disagree.join("\n"));
    assert!(changed.is_empty(), "changed (PLAUDIT_UPDATE=1 accepts it):\n{}", changed.join("\n"));
}

#[test]
fn what_differs_is_told() {
    let mut found = Vec::new();
    let was = json!({ "a": [1.0, "x"], "b": null });
    differences("", &was, &json!({ "a": [1.0 + 1e-12, "x"], "b": null }), &mut found);
    assert_eq!(found, [""; 0]);
    differences("", &was, &json!({ "a": [1.001, "y"], "b": 0 }), &mut found);
    assert_eq!(found.len(), 3, "{found:?}");
    differences("", &was, &json!({ "a": [1.0] }), &mut found);
    assert_eq!(found.len(), 5, "{found:?}");
    differences("", &was, &json!({ "a": [1.0, "x"], "b": null, "c": 1 }), &mut found);
    assert_eq!(found[5..], [".c: is new"]);
}
