use super::*;

/// The name by which a rule is read and written is that of its row, and no two have the same.
#[test]
fn a_rule_has_one_name() {
    for rule in GateRule::ALL {
        assert_eq!(serde_json::to_value(rule).unwrap(), rule.id());
        assert_eq!(serde_json::from_value::<GateRule>(rule.id().into()).unwrap(), rule);
    }
    let mut all = GateRule::ALL.to_vec();
    all.sort();
    all.dedup();
    assert_eq!(all, GateRule::ALL);
}

/// The list that files of accepted findings have always taken.
#[test]
fn failures_can_be_accepted() {
    let all = GateRule::ALL.into_iter().filter(|rule| rule.is_acceptable());
    let names: Vec<&str> = all.map(GateRule::id).collect();
    let wanted = "violated missed-mistake attack loosened-claim other-neighbors removed-audit removed-mutant \
                  expects-violation waived-check other-pairs other-domain other-data other-sensitivity other-floats \
                  other-clock other-state raised-min-power other-attack other-mutant ledger";
    assert_eq!(names.join(" "), wanted);
}
