//! 1000 audits of programs whose claims are exactly tight.

use crate::process::sharing::{audit_with_alpha, program};
use crate::support::program::python;
use plaudit::Verdict;
use plaudit::inference::binomial;

/// Randomized response that is 1-DP to the last digit, at α = 0.05.
#[test]
#[ignore = "takes minutes"]
fn a_thousand_right_programs_are_violated_as_rarely_as_alpha_says() {
    const AUDITS: u64 = 1000;
    if !python() {
        return;
    }
    let truth = 1f64.exp() / (1.0 + 1f64.exp());
    let code = program("", "", &format!("int(data) ^ (r.random() >= {truth:?})"));
    let violated = |seed: &u64| {
        let finding = audit_with_alpha(&code, 1_000, *seed, 0.05);
        finding.verdict == Verdict::Violated
    };
    let violated = (0..AUDITS).filter(violated).count() as u64;
    let limit = binomial::upper_quantile(1e-9, AUDITS, 0.05);
    println!("{violated} of {AUDITS} violated, limit {limit}");
    assert!(violated <= limit, "{violated} of {AUDITS}");
}
