use super::*;

/// Copies of the sample report's first audit, which was sampled: with these p-values.
fn report(p_values: &[f64], change: impl Fn(usize, &mut Finding)) -> Report {
    let text =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sample-report.json"));
    let mut report: Report = serde_json::from_str(text).unwrap();
    let one = report.audits[0].clone();
    report.audits = vec![one; p_values.len()];
    for (at, (finding, p_value)) in report.audits.iter_mut().zip(p_values).enumerate() {
        (finding.p_value, finding.expected, finding.proof) =
            (*p_value, Expectation::NotViolated, None);
        change(at, finding);
    }
    report.run.alpha = 0.05;
    report
}

#[test]
fn sampled_claims_are_held_together() {
    let (family, adjusted) = together(&report(&[0.01, 0.04, 0.03, 0.005], |_, _| {}));
    assert_eq!((family.claims, family.refuted, family.level), (4, 2, 0.05));
    assert!((adjusted[3].unwrap() - 0.02).abs() < 1e-12);
    assert_eq!(
        family.words(),
        "over the 4 sampled claims together (Holm): 2 refuted at level 0.05"
    );
}

#[test]
fn planted_mistakes_and_what_was_not_sampled_are_no_part_of_it() {
    let others = |at: usize, finding: &mut Finding| match at {
        0 => finding.expected = Expectation::Violated,
        1 => finding.trials.total = 0,
        _ => {}
    };
    let (family, adjusted) = together(&report(&[0.0, 0.0, 0.02, 1.0], others));
    assert_eq!((family.claims, family.refuted), (2, 1));
    assert_eq!(adjusted, [None, None, Some(0.04), Some(1.0)]);
    let (none, _) = together(&report(&[], |_, _| {}));
    assert_eq!((none.claims, none.refuted), (0, 0));
}
