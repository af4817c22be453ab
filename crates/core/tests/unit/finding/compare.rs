use super::*;
use crate::claim::Claim;
use crate::finding::{ClaimSummary, Waiver};

#[test]
fn a_claim_is_looser_if_it_allows_more_anywhere() {
    let claim = |epsilon, delta| Claim::approximate(epsilon, delta).unwrap();
    let profile = |last| Claim::profile(vec![(20.5, 0.3), (last, 1e-4)]).unwrap();
    for (old, new, looser) in [
        (claim(1.0, 0.0), claim(1.0, 0.0), false),
        (claim(1.0, 0.0), claim(0.5, 0.0), false),
        (claim(1.0, 0.0), claim(1.001, 0.0), true),
        (claim(1.0, 0.0), claim(1.0, 1e-12), true),
        (claim(1.0, 1e-5), claim(1.0, 1e-6), false),
        // More δ at a smaller ε, or less at a larger one: neither implies the other.
        (claim(1.0, 1e-6), claim(0.5, 1e-3), true),
        (claim(0.5, 1e-3), claim(1.0, 1e-6), true),
        (Claim::gaussian(1.0).unwrap(), Claim::gaussian(1.1).unwrap(), true),
        (Claim::gaussian(1.0).unwrap(), Claim::gaussian(0.9).unwrap(), false),
        (profile(25.0), profile(30.0), true),
        (profile(30.0), profile(25.0), false),
        (claim(1.0, 0.0), Claim::gaussian(0.1).unwrap(), true),
        (Claim::gaussian(2.0).unwrap(), claim(0.5, 0.0), false),
        (profile(25.0), Claim::zero_concentrated(10.0).unwrap(), true),
    ] {
        assert_eq!(is_looser(&old, &new), looser, "{old} to {new}");
    }
}

/// The sample report with its first audits changed.
fn report(change: impl Fn(&mut Finding)) -> Report {
    let text =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sample-report.json"));
    let mut report: Report = serde_json::from_str(text).unwrap();
    report.audits.truncate(2);
    change(&mut report.audits[1]);
    report
}

/// Differences in the second audit of the sample report, which is not refuted, after a change.
fn differences(change: impl Fn(&mut Finding)) -> Vec<(DifferenceKind, Importance)> {
    let all = compare(&report(|_| {}), &report(change));
    all.into_iter().map(|it| (it.kind, it.importance)).collect()
}

#[test]
fn the_same_report_does_not_differ() {
    assert_eq!(differences(|_| {}), []);
    assert_eq!(
        differences(|it| (it.p_value, it.epsilon_lower) = (0.2, it.epsilon_lower * 1.001)),
        []
    );
}

#[test]
fn what_is_weaker_is_told_from_what_is_only_worth_knowing() {
    use Importance::{Info, Warning, Weaker};
    type Change = fn(&mut Finding);
    let cases: [(Change, DifferenceKind, Importance); 18] = [
        (|it| it.name = "other".into(), DifferenceKind::Removed, Weaker),
        (
            |it| it.claim = ClaimSummary::of(&Claim::pure(2.0).unwrap()),
            DifferenceKind::Claim,
            Weaker,
        ),
        (
            |it| it.claim = ClaimSummary::of(&Claim::pure(0.99).unwrap()),
            DifferenceKind::Claim,
            Info,
        ),
        (|it| it.expected = Expectation::Violated, DifferenceKind::ExpectsViolation, Weaker),
        (|it| it.scope.neighbors = "others".into(), DifferenceKind::Neighbors, Weaker),
        (|it| it.scope.waived = vec![Waiver::MinPower], DifferenceKind::Waiver, Weaker),
        (|it| it.verdict = Verdict::Violated, DifferenceKind::Verdict, Info),
        (|it| it.alpha = 1e-9, DifferenceKind::Level, Warning),
        (|it| it.alpha = 1e-3, DifferenceKind::Level, Warning),
        (|it| it.epsilon_lower *= 1.02, DifferenceKind::Bound, Info),
        (|it| it.epsilon_lower *= 0.5, DifferenceKind::Bound, Info),
        (|it| it.epsilon_lower *= 1.2, DifferenceKind::Bound, Warning),
        (|it| it.power.detectable = Some(1.2), DifferenceKind::Power, Warning),
        (|it| it.power.detectable = None, DifferenceKind::Power, Warning),
        (|it| it.power.detectable = Some(0.5), DifferenceKind::Power, Info),
        (|it| it.trials.total /= 2, DifferenceKind::Trials, Warning),
        (|it| it.trials.total *= 2, DifferenceKind::Trials, Info),
        (|it| it.mechanism.description = "another".into(), DifferenceKind::Mechanism, Info),
    ];
    for (at, (change, kind, importance)) in cases.into_iter().enumerate() {
        let all = differences(change);
        assert!(all.contains(&(kind, importance)), "{at}: {all:?}");
        let largest = all.iter().map(|(_, importance)| *importance).max();
        assert_eq!(largest, Some(importance), "{at}: {all:?}");
    }
    // Dropped again, a waiver makes nothing weaker; a proof that is gone does.
    let waived = report(|it| it.scope.waived = vec![Waiver::MinPower]);
    let all = compare(&waived, &report(|_| {}));
    assert_eq!((all.len(), all[0].kind, all[0].importance), (1, DifferenceKind::Waiver, Info));
    let verified = report(|it| it.verdict = Verdict::Verified);
    let all = compare(&verified, &report(|_| {}));
    assert!(
        all.iter().any(|it| (it.kind, it.importance) == (DifferenceKind::Verdict, Warning)),
        "{all:?}"
    );
}

#[test]
fn a_rise_within_two_margins_is_chance() {
    // The sample could see a loss of 1.034 where 1 is claimed: a margin of 0.034.
    let risen = |from: f64, by: f64| {
        let before = report(|it| it.epsilon_lower = from);
        let now = report(|it| it.epsilon_lower = from + by);
        rise(&before.audits[1], &now.audits[1]).is_some()
    };
    assert!(!risen(0.1, 0.067) && risen(0.1, 0.069));
    assert!(!risen(2.0, 0.19) && risen(2.0, 0.21));
    assert!(!risen(0.5, -0.3));
}

#[test]
fn witnesses_are_compared_where_both_are_violations() {
    let witness = |words: &'static str, verdict| {
        report(move |it| (it.witness.description, it.verdict) = (words.into(), verdict))
    };
    let kinds =
        |a: &Report, b: &Report| compare(a, b).into_iter().map(|it| it.kind).collect::<Vec<_>>();
    let before = witness("a", Verdict::Violated);
    assert!(kinds(&before, &witness("b", Verdict::Violated)).contains(&DifferenceKind::Witness));
    assert!(!kinds(&before, &witness("a", Verdict::Violated)).contains(&DifferenceKind::Witness));
    let quiet = witness("a", Verdict::NotRefuted);
    assert!(!kinds(&quiet, &witness("b", Verdict::NotRefuted)).contains(&DifferenceKind::Witness));
}
