use super::*;
use plaudit_core::claim::Claim;
use plaudit_core::finding::Topic;
use plaudit_engine::audit::Audit;

/// The record of an audit of a constant, which needs no luck to end as it does.
fn record_of(claim: Claim, state: &[(Topic, &str)]) -> RegistryRecord {
    let release = |_: &Vec<f64>, _: &mut plaudit_core::random::Stream| 0.0;
    let audit = Audit::of("a", claim, release).pair(vec![0.0], vec![1.0]).trials(200);
    let audit = state.iter().fold(audit, |audit, (topic, words)| audit.state(*topic, *words));
    let report = audit.report().unwrap();
    record(&report, &report.audits[0]).unwrap()
}

#[test]
fn each_form_of_claim_has_its_variant_and_parameters() {
    let cases = [
        (Claim::pure(1.0).unwrap(), "Pure DP", serde_json::json!({ "epsilon": 1.0 })),
        (
            Claim::approximate(1.0, 1e-9).unwrap(),
            "Approximate DP",
            serde_json::json!({ "epsilon": 1.0, "delta": 1e-9 }),
        ),
        (
            Claim::zero_concentrated(0.5).unwrap(),
            "Zero-concentrated DP",
            serde_json::json!({ "rho": 0.5 }),
        ),
        (Claim::renyi([(2.0, 1.0)]).unwrap(), "Renyi DP", Value::Null),
        (Claim::gaussian(1.0).unwrap(), "Custom", Value::Null),
    ];
    for (claim, name, parameters) in cases {
        let record = record_of(claim.clone(), &[]);
        let deployment = &record.value["deployment"];
        assert_eq!(deployment["dp_variant"]["variant_name"], name);
        let loss = &deployment["privacy_loss"];
        assert_eq!(loss["privacy_parameters"], parameters, "{name}");
        // Parameters without a field are in words.
        assert_eq!(loss["privacy_parameters_details"].is_string(), parameters.is_null(), "{name}");
    }
}

#[test]
fn numbers_are_numbers_in_yaml_1_1() {
    let yaml = record_of(Claim::approximate(3.0, 1e-9).unwrap(), &[]).yaml;
    assert!(yaml.contains("      epsilon: 3.0\n      delta: 1.0e-9\n"), "{yaml}");
}

#[test]
fn stated_answers_are_in_the_record_and_unknown_ones_are_listed() {
    let claim = Claim::pure(1.0).unwrap();
    let stated = [
        (Topic::Trust, "the curator sees raw data"),
        (Topic::Unit, "one household"),
        (Topic::Composition, "one release a year"),
        (Topic::Release, "a table"),
    ];
    let (bare, record) = (record_of(claim.clone(), &[]), record_of(claim, &stated));
    let deployment = &record.value["deployment"];
    assert_eq!(deployment["deployment_model"]["model_name_details"], "the curator sees raw data");
    assert_eq!(deployment["deployment_model"]["release_type_details"], "a table");
    assert_eq!(deployment["privacy_loss"]["privacy_unit"], "one household");
    assert_eq!(deployment["accounting"]["composition"], "one release a year");
    assert_eq!(bare.value["deployment"].get("deployment_model"), None);
    let unknown = |record: &RegistryRecord, path: &str| record.optional.iter().any(|p| p == path);
    for path in ["deployment_model.model_name_details", "accounting.composition"] {
        let path = format!("deployment.{path}");
        assert!(unknown(&bare, &path) && !unknown(&record, &path), "{path}");
    }
    // No field with fixed choices is guessed from words.
    assert!(unknown(&record, "deployment.deployment_model.model_name"));
    assert_eq!(bare.required, record.required);
    for field in ["name", "publication_date", "data_curators"] {
        let path = format!("deployment.basic.{field}");
        assert!(record.required.contains(&path), "{path}");
    }
}
