//! Audits that are interrupted: what they had found is told, and trials that did not end are not judged.
//!
//! The mechanisms are broken so far that every block of trials shows it: that one is not violated where it
//! must be has probability below 1e-100.

use plaudit::audit::Audited;
use plaudit::game::Control;
use plaudit::search::{SearchDomain, Values};
use plaudit::{Audit, Claim, Relation, Stream, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const TRIALS: u64 = 200_000;

/// Releases the first row as it is, and sets the flag at this run.
fn leaky(flag: &Arc<AtomicBool>, at: u64) -> Audit<Vec<f64>> {
    let (flag, runs) = (flag.clone(), AtomicU64::new(0));
    let release = move |rows: &Vec<f64>, _: &mut Stream| {
        if runs.fetch_add(1, Ordering::Relaxed) + 1 >= at {
            flag.store(true, Ordering::Relaxed);
        }
        rows.first().copied().unwrap_or(-1.0)
    };
    Audit::of("leaky", Claim::pure(1.0).unwrap(), release).trials(TRIALS)
}

fn on_a_pair(flag: &Arc<AtomicBool>, at: u64) -> Audit<Vec<f64>> {
    leaky(flag, at).pair(vec![0.0], vec![1.0])
}

fn on_a_domain(flag: &Arc<AtomicBool>, at: u64) -> Audit<Vec<f64>> {
    let values = Values::Numbers { lower: -10.0, upper: 10.0, not_finite: false };
    let domain = SearchDomain::numbers(values, 20..=30).unwrap();
    leaky(flag, at).search(domain, Relation::Substitution)
}

fn run(flag: &Arc<AtomicBool>, audit: &Audit<Vec<f64>>) -> Audited {
    audit.run(Control { interrupted: flag, ..Control::unattended() }).unwrap()
}

/// Runs of an audit that nobody interrupts, before those that shrink, and in all.
fn runs_of(make: fn(&Arc<AtomicBool>, u64) -> Audit<Vec<f64>>) -> Audited {
    let flag = Arc::default();
    let audited = run(&flag, &make(&flag, u64::MAX));
    assert!(!audited.interrupted && audited.finding.verdict == Verdict::Violated);
    audited
}

#[test]
fn confirm_trials_that_did_not_end_are_not_judged() {
    let whole = runs_of(on_a_pair).finding.trials;
    // At the beginning, and so late that all but the last blocks show the violation.
    for at in [whole.explore + 1, whole.explore + whole.confirm / 2, whole.total - 20_000] {
        let flag = Arc::default();
        let Audited { finding, certificate, interrupted, .. } = run(&flag, &on_a_pair(&flag, at));
        assert!(interrupted && certificate.is_none());
        assert_eq!(finding.verdict, Verdict::Inconclusive, "{at}: {}", finding.reason());
        assert!(!finding.as_expected && finding.p_value == 1.0 && finding.epsilon_lower == 0.0);
        assert_eq!((finding.trials.explore, finding.trials.confirm), (whole.explore, 0));
        assert_eq!(finding.tally.trials(), 0);
        assert!(!finding.witness.description.is_empty(), "the witness is shown");
        assert!(finding.reason().contains("is not valid for fewer"), "{}", finding.reason());
    }
}

#[test]
fn a_search_tells_the_best_pair_so_far() {
    let looked_at = runs_of(on_a_domain).finding.pair.surveyed;
    let flag = Arc::default();
    let Audited { finding, interrupted, .. } = run(&flag, &on_a_domain(&flag, 20_000));
    assert!(interrupted);
    assert_eq!(finding.verdict, Verdict::Inconclusive, "{}", finding.reason());
    assert!(finding.pair.name.starts_with("found by search"), "{:?}", finding.pair);
    assert!((1..=looked_at).contains(&finding.pair.surveyed), "{:?}", finding.pair);
    assert!(finding.reason().contains("looked best"), "{}", finding.reason());
    // Before anything was looked at there is nothing to tell.
    let flag = Arc::default();
    let Audited { finding, .. } = run(&flag, &on_a_domain(&flag, 1));
    assert_eq!(finding.verdict, Verdict::Inconclusive);
    assert!(finding.reason().starts_with("Interrupted while it explored"), "{}", finding.reason());
}

#[test]
fn a_violation_stays_one_if_shrinking_is_interrupted() {
    let whole = runs_of(on_a_domain);
    let most = whole.finding.smallest.as_ref().unwrap().steps;
    assert!(most > 1, "{most}");
    // In the first and in the second attempt, each of 3125 runs.
    for after in [1, 3_200] {
        let flag = Arc::default();
        let audit = on_a_domain(&flag, TRIALS + after);
        let Audited { finding, certificate, interrupted, .. } = run(&flag, &audit);
        assert!(interrupted, "{after}");
        assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
        let certificate = certificate.unwrap();
        let first = whole.certificate.as_ref().unwrap();
        assert_eq!((&certificate.tally, &certificate.pair), (&first.tally, &first.pair));
        assert!(finding.smallest.is_none_or(|smallest| smallest.steps < most), "{after}");
    }
}

#[test]
fn an_interruption_that_comes_too_late_changes_nothing() {
    let flag = Arc::default();
    let audit = on_a_pair(&flag, u64::MAX);
    let done = AtomicU64::new(0);
    let count = |trials| _ = done.fetch_add(trials, Ordering::Relaxed);
    audit.run(Control { progress: &count, ..Control::unattended() }).unwrap();
    let last = done.swap(0, Ordering::Relaxed);
    assert_eq!(last, TRIALS);
    let at_the_end = |trials| {
        if done.fetch_add(trials, Ordering::Relaxed) + trials == last {
            flag.store(true, Ordering::Relaxed);
        }
    };
    let control = Control { interrupted: &flag, progress: &at_the_end, ..Control::unattended() };
    let audited = audit.run(control).unwrap();
    assert!(flag.load(Ordering::Relaxed));
    assert!(!audited.interrupted);
    assert_eq!(audited.finding.verdict, Verdict::Violated, "{}", audited.finding.reason());
}

#[test]
fn an_audit_that_was_not_begun_is_inconclusive() {
    let flag = Arc::default();
    let finding = on_a_pair(&flag, 1).expect_violated().not_begun();
    assert_eq!(finding.verdict, Verdict::Inconclusive);
    assert!(!finding.as_expected && finding.trials.total == 0);
}
