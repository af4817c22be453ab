use super::*;
use plaudit_core::claim::Claim;
use plaudit_engine::audit::Audit;

fn violated() -> Finding {
    let release = |data: &Vec<f64>, _: &mut plaudit_core::random::Stream| data[0];
    let audit = Audit::of("a <b>", Claim::pure(1.0).unwrap(), release);
    let report = audit.pair(vec![0.0], vec![1.0]).trials(1_000).report().unwrap();
    report.audits[0].clone()
}

#[test]
fn a_violation_is_told_with_all_that_a_reader_asks() {
    let telling = Telling::of(&violated(), "a-b");
    assert_eq!((telling.name.as_str(), telling.verdict.as_str()), ("a <b>", "violated"));
    assert_eq!((telling.judgement, telling.claim.as_str()), ("UNEXPECTED", "1-DP"));
    let kinds: Vec<FactKind> = telling.facts.iter().map(|fact| fact.kind).collect();
    let wanted = [
        FactKind::Mechanism,
        FactKind::Neighbors,
        FactKind::Claim,
        FactKind::Found,
        FactKind::Witness,
        FactKind::Counts,
        FactKind::PValue,
    ];
    assert_eq!(kinds, wanted);
    let lines = telling.lines().join("\n");
    for part in [
        "witness: says D when",
        "\ncounts: ",
        "\nnext: Fix the mechanism",
        "\ncheck it: plaudit replay",
    ] {
        assert!(lines.contains(part), "{part}: {lines}");
    }
    // What was given to the audit stands elsewhere.
    assert!(!lines.contains("neighbors"), "{lines}");
}

#[test]
fn power_is_told_only_where_nothing_was_found() {
    let mut finding = violated();
    assert_eq!(Telling::of(&finding, "a").fact(FactKind::Power), None);
    finding.verdict = Verdict::NotRefuted;
    let telling = Telling::of(&finding, "a");
    assert_eq!(telling.fact(FactKind::Power), Some(finding.power.words.as_str()));
    assert_eq!(telling.replay, None);
}

#[test]
fn a_violation_by_proof_alone_says_so() {
    let mut finding = violated();
    finding.p_value = 0.5;
    let telling = Telling::of(&finding, "a");
    assert!(telling.fact(FactKind::ByProof).unwrap().contains("by proof"));
    assert_eq!(telling.replay, None);
}
