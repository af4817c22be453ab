//! Audits that could not have found anything are not green: mechanisms that fail on every run, give NaN,
//! or always the same outcome. Their verdicts do not depend on chance.

use plaudit::finding::Finding;
use plaudit::{Audit, Claim, Outcome, Stream, Verdict, laplace};

fn finding<O: Into<Outcome>>(
    release: impl Fn(&f64, &mut Stream) -> O + Send + Sync + 'static,
    change: impl Fn(Audit<f64>) -> Audit<f64>,
) -> Finding {
    let audit = Audit::of("dull", Claim::pure(1.0).unwrap(), release).pair(0.0, 1.0);
    change(audit.trials(20_000)).report().unwrap().audits.remove(0)
}

fn is_inconclusive(finding: &Finding, words: &str) {
    assert_eq!(finding.verdict, Verdict::Inconclusive, "{}", finding.reason());
    assert!(!finding.as_expected);
    assert!(finding.reason().contains(words), "{}", finding.reason());
}

/// Whether the reason says how to allow it. Of failures it must not: a broken harness is to be mended.
fn may_be_allowed(finding: &Finding) -> bool {
    finding.reason().contains("constant = \"allowed\"")
}

#[test]
fn a_mechanism_that_raises_on_every_run_is_inconclusive_with_its_message() {
    let raises = |_: &f64, _: &mut Stream| Outcome::Failure("KeyError: \"age\"".into());
    let finding_of_all = finding(raises, |audit| audit);
    is_inconclusive(&finding_of_all, "KeyError");
    // To be fixed first; allowed where refusing is the point.
    assert!(
        finding_of_all.reason().contains("Fix that first. If refusing these datasets is the point")
    );
    // One in 200 answers, which no claim of 1-DP forbids.
    let mostly = |x: &f64, random: &mut Stream| match laplace(random, 1.0) > 4.6 {
        true => Outcome::Number(x + laplace(random, 1.0)),
        false => Outcome::Failure("no rows".into()),
    };
    is_inconclusive(&finding(mostly, |audit| audit), "no rows");
}

#[test]
fn a_mechanism_that_gives_only_nan_is_inconclusive() {
    let finding = finding(|_: &f64, _: &mut Stream| f64::NAN, |audit| audit);
    is_inconclusive(&finding, "NaN");
    assert!(may_be_allowed(&finding), "{}", finding.reason());
}

#[test]
fn a_constant_is_inconclusive_unless_it_may_be_one() {
    let constant = |_: &f64, _: &mut Stream| 42.0;
    is_inconclusive(&finding(constant, |audit| audit), "the same: 42");
    let allowed = finding(constant, Audit::may_be_constant);
    assert_eq!(allowed.verdict, Verdict::NotRefuted, "{}", allowed.reason());
    // Nor do upper bounds make it green.
    is_inconclusive(&finding(constant, |audit| audit.outcomes([42.0, 43.0])), "the same: 42");
}

#[test]
fn a_pair_on_which_nothing_differs_is_inconclusive_unless_nothing_may_differ() {
    // A hundredfold too little noise, and a pair that moves nothing.
    let dead = |_: &f64, random: &mut Stream| laplace(random, 0.01);
    let found = finding(dead, |audit| audit);
    is_inconclusive(&found, "no difference between D and D′");
    assert!(found.reason().contains("no_difference = \"allowed\""), "{}", found.reason());
    let allowed = finding(dead, Audit::may_show_no_difference);
    assert_eq!(allowed.verdict, Verdict::NotRefuted, "{}", allowed.reason());
    // Nor do upper bounds make it green.
    let coin = |_: &f64, random: &mut Stream| f64::from(u8::from(laplace(random, 1.0) > 0.0));
    is_inconclusive(&finding(coin, |audit| audit.outcomes([0.0, 1.0])), "no difference");
    // A third of the loss that is claimed is a difference.
    let alive = |x: &f64, random: &mut Stream| (1e3 * (x + laplace(random, 3.0))).round() / 1e3;
    let finding = finding(alive, |audit| audit);
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
}

#[test]
fn failures_that_tell_the_datasets_apart_still_violate() {
    let fails_on_one = |x: &f64, random: &mut Stream| match *x {
        0.0 => Outcome::Failure("empty".into()),
        _ => Outcome::Number(laplace(random, 1.0)),
    };
    assert_eq!(finding(fails_on_one, |audit| audit).verdict, Verdict::Violated);
    let two_messages = |x: &f64, _: &mut Stream| Outcome::Failure(format!("rows: {x}"));
    assert_eq!(finding(two_messages, |audit| audit).verdict, Verdict::Violated);
}

#[test]
fn the_counts_of_the_witness_are_told_in_a_sentence() {
    let noisy = |x: &f64, random: &mut Stream| x + laplace(random, 1.0);
    let finding = finding(noisy, |audit| audit);
    let evidence = &finding.evidence;
    let all = |counts: &[u64]| counts.iter().sum::<u64>();
    assert_eq!(evidence.runs, [all(&finding.tally.d), all(&finding.tally.d_prime)]);
    let said = evidence.on_d.iter().chain(&evidence.on_d_prime).sum::<u64>();
    assert!(said > 0 && said <= evidence.runs.iter().sum(), "{evidence:?}");
    assert!(evidence.words.contains("runs") && evidence.words.contains("on D'"), "{evidence:?}");
}
