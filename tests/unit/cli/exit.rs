use super::*;

#[test]
fn an_unexpected_verdict_outranks_an_inconclusive_one_and_that_an_expected_one() {
    let good = (Verdict::NotRefuted, true);
    let found = (Verdict::Violated, true);
    let bad = (Verdict::Violated, false);
    let missed = (Verdict::NotRefuted, false);
    let unclear = (Verdict::Inconclusive, false);
    assert_eq!(of_verdicts([]), NOTHING_SELECTED);
    assert_eq!(of_verdicts([good, found]), AS_EXPECTED);
    assert_eq!(of_verdicts([good, unclear, found]), INCONCLUSIVE);
    assert_eq!(of_verdicts([unclear, bad, good]), UNEXPECTED);
    assert_eq!(of_verdicts([missed, unclear]), UNEXPECTED);
}
