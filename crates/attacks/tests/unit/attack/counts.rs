use super::*;
use plaudit_core::claim::Claim;

fn question(claim: Option<Claim>) -> Question {
    Question { delta: 1e-5, epsilon: 1.0, alpha: 0.05, claim }
}

fn calls(true_positives: u64, false_positives: u64, members: u64, non_members: u64) -> Calls {
    Calls { true_positives, false_positives, members, non_members }
}

#[test]
fn the_intervals_are_those_of_clopper_and_pearson() {
    let found = measure_calls(calls(9, 0, 10, 20), &question(None)).unwrap();
    // Of 9 in 10: the roots of the binomial tails at 0.025; of 0 in 20: 1 − 0.025^(1/20).
    assert!((found.true_positives.lower - 0.554_984).abs() < 1e-6);
    assert!((found.true_positives.upper - 0.997_471).abs() < 1e-6);
    assert_eq!(found.false_positives.lower, 0.0);
    assert!((found.false_positives.upper - (1.0 - 0.025_f64.powf(0.05))).abs() < 1e-12);
}

#[test]
fn each_bound_is_the_better_of_both_events() {
    let by_high = measure_calls(calls(300, 10, 1000, 1000), &question(None)).unwrap();
    assert_eq!(by_high.certified.epsilon.likelier, Group::Members);
    let by_low = measure_calls(calls(990, 700, 1000, 1000), &question(None)).unwrap();
    assert_eq!(by_low.certified.epsilon.likelier, Group::NonMembers);
    // The two are mirror images.
    assert_eq!(by_high.certified.epsilon.lower, by_low.certified.epsilon.lower);
    assert_eq!(by_high.certified.advantage.lower, by_low.certified.advantage.lower);
    let estimate = (0.3_f64 / 0.01).ln();
    let lower = by_high.certified.epsilon.lower;
    assert!(lower > 2.0 && lower < estimate, "{lower} {estimate}");
    assert!((by_high.certified.level - 0.05 / 8.0).abs() < 1e-15);
}

#[test]
fn a_claim_is_refuted_where_the_bound_is_above_it() {
    for epsilon in [0.5, 1.0, 2.0, 2.5, 3.0, 4.0] {
        let claim = Claim::approximate(epsilon, 1e-5).unwrap();
        let found = measure_calls(calls(300, 10, 1000, 1000), &question(Some(claim))).unwrap();
        let judged = found.judged.unwrap();
        assert_eq!(judged.refuted, found.certified.epsilon.lower > epsilon, "{epsilon}");
    }
}

#[test]
fn as_many_of_each_group_certify_nothing() {
    let found = measure_calls(calls(50, 50, 100, 100), &question(None)).unwrap();
    assert_eq!(found.certified.epsilon.lower, 0.0);
    assert_eq!(found.certified.mu.lower, 0.0);
}

#[test]
fn counts_that_cannot_be_are_refused() {
    for (counts, words) in [
        (calls(0, 0, 0, 1), "there are 0 members"),
        (calls(0, 0, 1, 0), "there are 0 non-members"),
        (calls(2, 0, 1, 1), "2 of 1 members"),
        (calls(0, 2, 1, 1), "2 of 1 non-members"),
        (calls(0, 0, 1, u64::MAX), "at most"),
    ] {
        assert!(counts.check().unwrap_err().to_string().contains(words), "{words}");
    }
    assert_eq!(calls(1, 0, 1, 1).check(), Ok(()));
}
