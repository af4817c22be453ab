//! Verdicts of evidence, case by case: only a violation survives a reason to doubt.

use super::{Alike, Check, Course, OneSided, Sampled, VerdictEvidence, decide};
use plaudit_core::claim::LossUnit;
use plaudit_core::finding::reason::{
    CertifiedBound, Contradiction, Degenerate, MissingPower, Reason, Stage,
};
use plaudit_core::finding::{
    Bracket, Decision, Proof, ProofDomain, ProofMethod, ProofOf, Quantity, UpperBounds, Verdict,
};

/// Trials that leave a claim of ε = 1 standing, without a doubt.
fn unremarkable() -> Sampled {
    Sampled {
        claim: "1-DP".into(),
        allows_everything: false,
        alpha: 1e-6,
        refutes: false,
        p_value: 0.5,
        bound: CertifiedBound::Epsilon { lower: 0.9, claimed: 1.0, delta: 0.0 },
        lower: [0.9, 0.0],
        broken_point: None,
        can_refute: true,
        guesses: 1000,
        pairs: [1, 1],
        undeclared: None,
        met: None,
        degenerate: None,
        too_little: None,
        alike: None,
        breakdowns: None,
        facts: Vec::new(),
    }
}

fn one_sided() -> Option<OneSided> {
    Some(OneSided { on: [17, 0], p_value: 1.5e-5, level: 1e-3 })
}

fn verdict(sampled: Sampled) -> (Verdict, Reason) {
    let course = Course::Played(Box::new(sampled));
    let decided = decide(&VerdictEvidence { course, proof: None, check: Check::None });
    (decided.verdict, decided.reasons[0].clone())
}

fn met() -> UpperBounds {
    UpperBounds { epsilon_upper: Some(0.95), delta_upper: 0.0, outcomes: 2 }
}

fn too_little() -> MissingPower {
    MissingPower { times: 2.0, unit: LossUnit::Epsilon, detectable: Some(3.0), wanted: 2.0 }
}

fn constant() -> Option<(Degenerate, Option<String>)> {
    Some((Degenerate::Constant("0".into()), None))
}

fn alike() -> Option<Alike> {
    Some(Alike { p_value: 0.5, level: 1e-3, answer: None })
}

#[test]
fn what_leaves_nothing_to_doubt_is_not_refuted() {
    let (verdict, reason) = verdict(unremarkable());
    assert_eq!(verdict, Verdict::NotRefuted);
    assert!(matches!(reason, Reason::NotRefuted { .. }));
}

/// Sampled evidence, and a test that a reason matches it.
type Case = (Sampled, fn(&Reason) -> bool);

#[test]
fn each_reason_to_doubt_makes_a_green_verdict_inconclusive() {
    let base = unremarkable;
    let cases: Vec<Case> = vec![
        (Sampled { can_refute: false, ..base() }, |r| matches!(r, Reason::TooFewTrials)),
        (Sampled { guesses: 0, ..base() }, |r| matches!(r, Reason::WitnessSilent)),
        (Sampled { pairs: [2, 9], ..base() }, |r| {
            matches!(r, Reason::PairsLeft { surveyed: 2, given: 9 })
        }),
        (Sampled { undeclared: Some("3".into()), ..base() }, |r| {
            matches!(r, Reason::Undeclared(_))
        }),
        (Sampled { degenerate: constant(), ..base() }, |r| matches!(r, Reason::Degenerate { .. })),
        // What few trials show is worth more than that they are few.
        (Sampled { degenerate: constant(), can_refute: false, ..base() }, |r| {
            matches!(r, Reason::Degenerate { .. })
        }),
        (Sampled { too_little: Some(too_little()), ..base() }, |r| {
            matches!(r, Reason::TooLittlePower(_))
        }),
        (Sampled { alike: alike(), ..base() }, |r| matches!(r, Reason::NoDifference { .. })),
        (Sampled { breakdowns: one_sided(), alike: alike(), ..base() }, |r| {
            matches!(r, Reason::BreaksDown { on: [17, 0], .. })
        }),
        // A pair on which nothing differs is reported before the effect of more trials.
        (Sampled { alike: alike(), too_little: Some(too_little()), ..base() }, |r| {
            matches!(r, Reason::NoDifference { .. })
        }),
        // Upper bounds do not make up for outcomes that show nothing.
        (Sampled { met: Some(met()), degenerate: constant(), ..base() }, |r| {
            matches!(r, Reason::Degenerate { .. })
        }),
        (Sampled { met: Some(met()), alike: alike(), ..base() }, |r| {
            matches!(r, Reason::NoDifference { .. })
        }),
    ];
    for (sampled, is_it) in cases {
        let (verdict, reason) = verdict(sampled);
        assert_eq!(verdict, Verdict::Inconclusive, "{reason:?}");
        assert!(is_it(&reason), "{reason:?}");
    }
}

#[test]
fn no_doubt_undoes_a_violation() {
    let sampled = Sampled {
        refutes: true,
        undeclared: Some("3".into()),
        degenerate: constant(),
        too_little: Some(too_little()),
        alike: alike(),
        met: Some(met()),
        ..unremarkable()
    };
    let (verdict, reason) = verdict(sampled);
    assert_eq!(verdict, Verdict::Violated);
    assert!(matches!(reason, Reason::Refuted { .. }));
}

#[test]
fn upper_bounds_that_meet_the_claim_need_no_power() {
    let sampled = Sampled { met: Some(met()), too_little: Some(too_little()), ..unremarkable() };
    assert_eq!(verdict(sampled).0, Verdict::Bounded);
}

#[test]
fn a_claim_that_allows_everything_is_inconclusive() {
    let sampled = Sampled { allows_everything: true, guesses: 0, ..unremarkable() };
    assert_eq!(verdict(sampled), (Verdict::Inconclusive, Reason::AllowsEverything));
}

fn proof(decision: Decision, covers_relation: bool) -> Proof {
    let bracket = |upper| Bracket { lower: Some(0.0), upper: Some(upper) };
    let (datasets, laws, pairs) = (Some(2), Some(2), Some(1));
    Proof {
        method: ProofMethod::Enumeration,
        of: ProofOf::Code,
        decision,
        covers_relation,
        statement: "Proved.".into(),
        domain: ProofDomain { words: "all".into(), datasets, laws, pairs },
        budget: None,
        runs: 2,
        unresolved: 0.0,
        epsilon: bracket(1.0),
        epsilon_decimal: None,
        exp_epsilon: None,
        delta: bracket(0.0),
        profile: Vec::new(),
        compared: None,
        renyi: None,
        worst: None,
    }
}

fn with(sampled: Sampled, proof: &Proof, check: Check) -> (Verdict, Vec<Reason>) {
    let course = Course::Played(Box::new(sampled));
    let decided = decide(&VerdictEvidence { course, proof: Some(proof), check });
    (decided.verdict, decided.reasons)
}

#[test]
fn a_proof_decides_unless_it_covers_less_than_the_relation() {
    for (decision, covers, expected) in [
        (Decision::Verified, true, Verdict::Verified),
        (Decision::Verified, false, Verdict::NotRefuted),
        (Decision::Undecided, true, Verdict::NotRefuted),
        (Decision::Refuted, false, Verdict::Violated),
    ] {
        let (verdict, _) = with(unremarkable(), &proof(decision, covers), Check::None);
        assert_eq!(verdict, expected, "{decision:?} {covers}");
    }
}

#[test]
fn what_cannot_be_true_with_a_proof_is_inconclusive() {
    let verified = proof(Decision::Verified, true);
    let refuted = Sampled { refutes: true, ..unremarkable() };
    let (verdict, reasons) = with(refuted, &verified, Check::None);
    assert_eq!(verdict, Verdict::Inconclusive);
    assert!(matches!(reasons[0], Reason::Contradicted { by: Contradiction::Verified, .. }));
    let beyond = Sampled { lower: [1.01, 0.0], ..unremarkable() };
    let (verdict, reasons) = with(beyond, &verified, Check::None);
    assert_eq!(verdict, Verdict::Inconclusive);
    let Reason::Contradicted { by: Contradiction::Beyond { parameter, .. }, .. } = &reasons[0]
    else {
        panic!("{reasons:?}")
    };
    assert_eq!(*parameter, Quantity::Epsilon);
}

#[test]
fn a_sensitivity_that_was_not_checked_leaves_only_violations() {
    let not_made = || Check::NotMade("no query".into());
    let verified = proof(Decision::Verified, true);
    assert_eq!(with(unremarkable(), &verified, not_made()).0, Verdict::Inconclusive);
    let refuted = proof(Decision::Refuted, true);
    assert_eq!(with(unremarkable(), &refuted, not_made()).0, Verdict::Violated);
    let (verdict, reasons) = with(unremarkable(), &verified, Check::Held(7));
    assert_eq!(verdict, Verdict::Verified);
    assert_eq!(reasons.last(), Some(&Reason::SensitivityHeld(7)));
}

#[test]
fn what_was_not_played_is_inconclusive_even_if_a_program_broke_after_a_proof() {
    let verified = proof(Decision::Verified, true);
    let end =
        |course, proof| decide(&VerdictEvidence { course, proof, check: Check::None }).verdict;
    assert_eq!(end(Course::Broken("it ended".into()), Some(&verified)), Verdict::Inconclusive);
    assert_eq!(end(Course::Interrupted(Stage::Exploring(None)), None), Verdict::Inconclusive);
    // A proof stays valid, however the trials ended.
    let interrupted = Course::Interrupted(Stage::Confirming);
    assert_eq!(end(interrupted, Some(&verified)), Verdict::Verified);
}
