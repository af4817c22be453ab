//! Upper bounds from samples, for mechanisms whose outcomes are declared.

use plaudit::{Audit, Claim, Stream, Verdict};
use rand::RngExt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Randomized response at e^ε = 3.
fn response(truth: &i64, random: &mut Stream) -> i64 {
    if random.random_bool(0.75) { *truth } else { 1 - truth }
}

fn audit(claim: Claim, outcomes: impl IntoIterator<Item = i64>) -> Audit<i64> {
    Audit::of("response", claim, response).pair(0, 1).outcomes(outcomes).trials(400_000)
}

fn finding(audit: Audit<i64>, seed: u64) -> plaudit::finding::Finding {
    audit.seed(seed).report().unwrap().audits.remove(0)
}

#[test]
fn a_claim_with_room_is_bounded_and_a_tight_one_is_not() {
    for seed in 1..=5 {
        let roomy = finding(audit(Claim::pure(1.2).unwrap(), [0, 1]), seed);
        assert_eq!(roomy.verdict, Verdict::Bounded, "{}", roomy.reason());
        assert!(roomy.as_expected && roomy.reason().contains("this pair"), "{}", roomy.reason());
        let upper = roomy.upper.unwrap();
        let epsilon = upper.epsilon_upper.unwrap();
        assert!(epsilon > 3f64.ln() && epsilon <= 1.2, "{epsilon}");
        assert_eq!((upper.outcomes, upper.delta_upper), (2, 0.0));
        let tight = finding(audit(Claim::pure(3f64.ln()).unwrap(), [0, 1]), seed);
        assert_eq!(tight.verdict, Verdict::NotRefuted, "{}", tight.reason());
        assert!(tight.upper.unwrap().epsilon_upper.unwrap() > 3f64.ln());
        let broken = finding(audit(Claim::pure(1.0).unwrap(), [0, 1]), seed);
        assert_eq!(broken.verdict, Verdict::Violated, "{}", broken.reason());
    }
}

#[test]
fn nothing_is_bounded_by_an_alphabet_that_is_not_all() {
    let finding = finding(audit(Claim::pure(1.2).unwrap(), [0, 2]), 1);
    assert_eq!(finding.verdict, Verdict::Inconclusive, "{}", finding.reason());
    assert!(
        finding.reason().contains("not among those that were declared"),
        "{}",
        finding.reason()
    );
    assert!(finding.upper.is_none() && !finding.as_expected);
}

#[test]
fn several_pairs_are_not_bounded_by_one() {
    let several = audit(Claim::pure(1.2).unwrap(), [0, 1]).pair(1, 0);
    let finding = finding(several, 1);
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
    assert!(finding.upper.is_some());
}

#[test]
fn outcomes_that_never_came_are_bounded_too() {
    let claim = Claim::approximate(1.2, 1e-3).unwrap();
    let finding = finding(audit(claim, [0, 1, 2]), 1);
    assert_eq!(finding.verdict, Verdict::Bounded, "{}", finding.reason());
    let upper = finding.upper.unwrap();
    assert!(upper.delta_upper > 0.0 && upper.delta_upper < 1e-3 && upper.outcomes == 3);
}

/// An outcome that only explore comes upon: the first of all runs give it.
#[test]
fn an_outcome_that_was_not_declared_bounds_nothing_in_whatever_phase_it_comes() {
    let calls = AtomicU64::new(0);
    let leaks_at_first =
        move |truth: &i64, random: &mut Stream| match calls.fetch_add(1, Ordering::Relaxed) {
            5 => "leak".to_owned(),
            _ => response(truth, random).to_string(),
        };
    let audit = Audit::of("leak", Claim::pure(1.2).unwrap(), leaks_at_first).pair(0, 1);
    let finding = finding(audit.outcomes(["0", "1"]).trials(400_000), 1);
    assert_eq!(finding.verdict, Verdict::Inconclusive, "{}", finding.reason());
    assert!(finding.reason().contains("1 outcome (such as \"leak\")"), "{}", finding.reason());
    assert!(finding.upper.is_none());
}
