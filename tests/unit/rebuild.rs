use super::*;

#[test]
fn closures_and_unknown_kinds_are_not_rebuilt() {
    for kind in ["closure", "no-such-kind", ""] {
        let summary = MechanismSummary {
            kind: serde_json::from_value(kind.into()).unwrap(),
            parameters: Json::Null,
            description: String::new(),
            post: Vec::new(),
        };
        assert!(rebuild(&summary).is_err(), "{kind}");
    }
}
