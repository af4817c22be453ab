//! Audits that could not have found anything are not green: mechanisms that fail on every run, give NaN,
//! or always the same outcome. Their verdicts do not depend on chance.

use plaudit::report::Finding;
use plaudit::{Audit, Claim, Outcome, Stream, Verdict, laplace};

fn finding<O: Into<Outcome>>(
    release: impl Fn(&f64, &mut Stream) -> O + Send + Sync + 'static,
    change: impl Fn(Audit<f64>) -> Audit<f64>,
) -> Finding {
    let audit = Audit::of("dull", Claim::pure(1.0).unwrap(), release).pair(0.0, 1.0);
    change(audit.trials(20_000)).report().unwrap().audits.remove(0)
}

fn is_inconclusive(finding: &Finding, words: &str) {
    assert_eq!(finding.verdict, Verdict::Inconclusive, "{}", finding.reason);
    assert!(!finding.as_expected);
    assert!(finding.reason.contains(words), "{}", finding.reason);
    assert!(finding.reason.contains("constant = \"allowed\""), "{}", finding.reason);
}

#[test]
fn a_mechanism_that_raises_on_every_run_is_inconclusive_with_its_message() {
    let raises = |_: &f64, _: &mut Stream| Outcome::Failure("KeyError: \"age\"".into());
    is_inconclusive(&finding(raises, |audit| audit), "KeyError");
    // One in 200 answers, which no claim of 1-DP forbids.
    let mostly = |x: &f64, random: &mut Stream| match laplace(random, 1.0) > 4.6 {
        true => Outcome::Number(x + laplace(random, 1.0)),
        false => Outcome::Failure("no rows".into()),
    };
    is_inconclusive(&finding(mostly, |audit| audit), "no rows");
}

#[test]
fn a_mechanism_that_gives_only_nan_is_inconclusive() {
    is_inconclusive(&finding(|_: &f64, _: &mut Stream| f64::NAN, |audit| audit), "NaN");
}

#[test]
fn a_constant_is_inconclusive_unless_it_may_be_one() {
    let constant = |_: &f64, _: &mut Stream| 42.0;
    is_inconclusive(&finding(constant, |audit| audit), "the same: 42");
    let allowed = finding(constant, Audit::may_be_constant);
    assert_eq!(allowed.verdict, Verdict::NotRefuted, "{}", allowed.reason);
    // Nor do upper bounds make it green.
    is_inconclusive(&finding(constant, |audit| audit.outcomes([42.0, 43.0])), "the same: 42");
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
