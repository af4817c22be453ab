use super::*;
use plaudit_core::claim::Claim;
use plaudit_engine::audit::Audit;

#[test]
fn a_violation_can_be_pasted_whole_and_nothing_in_it_is_markup() {
    let release = |data: &Vec<f64>, _: &mut plaudit_core::random::Stream| data[0];
    let audit = Audit::of("a_b<i>", Claim::pure(1.0).unwrap(), release);
    let report = audit.pair(vec![0.0], vec![1.0]).trials(1_000).report().unwrap();
    let text = reproducer(&report, &report.audits[0], "x").unwrap();
    for part in [
        r"### a\_b\<i\> violates 1-DP",
        "* **Witness:** says D when",
        "* **Counts:** ",
        "* **Found:** ε ≥ ",
        "claim allows 1",
        "```json\n[0.0]\n```",
        "plaudit replay certificates/x.json",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let held = Finding { verdict: Verdict::NotRefuted, ..report.audits[0].clone() };
    assert_eq!(reproducer(&report, &held, "x"), None);
}
