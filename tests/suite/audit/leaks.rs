//! What values leak and what the bits of doubles leak are told apart: two witnesses, two bounds, from the
//! same confirm trials.
//!
//! Claims that hold are audited at level 1e-6, so that a test of n of them fails by chance with probability
//! below n·10⁻⁶ over the choice of its seed; violations that are there are found with certainty as far as these
//! seeds tell. The count of wrong statements among 10 000 audits says its own limit.

use crate::tier::null_audits;
use plaudit::finding::{Finding, Floats, LeakKind, Leaks};
use plaudit::game::Control;
use plaudit::inference::binomial;
use plaudit::mechanism::FromFn;
use plaudit::witness::Scorer;
use plaudit::{Audit, Claim, Outcome, Stream, Verdict};
use rand::RngExt;
use rayon::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;

const TRIALS: u64 = 100_000;

/// Laplace noise as a textbook has it, in doubles, of this scale.
fn textbook(random: &mut Stream, scale: f64) -> f64 {
    let u: f64 = random.random::<f64>() - 0.5;
    -scale * u.signum() * (1.0 - 2.0 * u.abs()).ln()
}

fn audit<O: Into<Outcome> + 'static>(
    name: &str,
    release: impl Fn(&f64, &mut Stream) -> O + Send + Sync + 'static,
) -> Audit<f64> {
    let claim = Claim::pure(1.0).unwrap();
    Audit::of(name, claim, release).pair(0.0, 1.0).trials(TRIALS).seed(3)
}

fn finding(audit: &Audit<f64>) -> Finding {
    audit.run(Control::unattended()).unwrap().finding
}

fn leaks(finding: &Finding) -> &Leaks {
    finding.leaks.as_ref().unwrap_or_else(|| panic!("{}: {}", finding.name, finding.reason()))
}

/// A way to release a number.
type Form = fn(f64, &mut Stream) -> Outcome;

/// Ways to release a number of which bits tell, and what else they hold.
fn forms() -> Vec<(&'static str, Form)> {
    vec![
        ("a number", |x, _| x.into()),
        ("a list", |x, random| vec![7.0 + textbook(random, 1.0), x].into()),
        ("a map", |x, _| BTreeMap::from([("mean".to_owned(), x)]).into()),
        ("nested", |x, _| Outcome::Structure(format!("[{{\"mean\": [{x:e}, \"n\"]}}]"))),
    ]
}

#[test]
fn right_noise_in_doubles_leaks_by_its_bits_and_not_by_its_values() {
    for (name, form) in forms() {
        let audit = audit(name, move |x, random| {
            let noisy = x + textbook(random, 1.0);
            form(noisy, random)
        });
        let audited = audit.run(Control::unattended()).unwrap();
        let finding = &audited.finding;
        let leaks = leaks(finding);
        assert_eq!(finding.verdict, Verdict::Violated, "{name}");
        assert_eq!(leaks.headline, LeakKind::Representation, "{name}");
        assert!(leaks.representation.refutes && leaks.representation.epsilon_lower > 4.0, "{name}");
        assert!(!leaks.values.refutes, "{name}: {}", leaks.values.witness);
        assert!((0.8..=1.0).contains(&leaks.values.epsilon_lower), "{name}: {leaks:?}");
        assert!(leaks.values.witness.contains("to the nearest multiple of 2^-"), "{name}");
        assert_eq!(leaks.values.alpha + leaks.representation.alpha, finding.alpha);
        assert_eq!(finding.epsilon_lower, leaks.representation.epsilon_lower);
        assert!(finding.reason().contains("Mironov 2012"), "{}", finding.reason());
        let certificate = audited.certificate.unwrap();
        assert_eq!(certificate.leak, Some(LeakKind::Representation));
        assert_eq!(certificate.alpha, leaks.representation.alpha);
        assert!(audited.other_leak.is_none(), "the values refute nothing");
        assert_eq!(certificate.disagreements(), Ok(vec![]), "{name}");
    }
}

#[test]
fn too_little_noise_is_seen_beside_the_bits_and_goes_first() {
    for (name, form) in forms() {
        let audit = audit(name, move |x, random| {
            let noisy = x + textbook(random, 0.5);
            form(noisy, random)
        });
        let audited = audit.run(Control::unattended()).unwrap();
        let finding = &audited.finding;
        let leaks = leaks(finding);
        assert_eq!(leaks.headline, LeakKind::Values, "{name}: {leaks:?}");
        assert!(leaks.values.refutes && leaks.representation.refutes, "{name}");
        assert!((1.6..=2.0).contains(&leaks.values.epsilon_lower), "{name}: {leaks:?}");
        assert!(leaks.representation.epsilon_lower > 4.0, "{name}: {leaks:?}");
        assert_eq!(finding.epsilon_lower, leaks.values.epsilon_lower);
        let (kind, other) = audited.other_leak.unwrap();
        assert_eq!(kind, LeakKind::Representation);
        for certificate in [audited.certificate.unwrap(), other] {
            assert_eq!(certificate.disagreements(), Ok(vec![]), "{name}");
            let pair = plaudit::dataset::Pair {
                name: certificate.pair.name.clone(),
                d: 0.0,
                d_prime: 1.0,
            };
            let control = Control::unattended();
            let replay = certificate.replay(audit.mechanism(), &pair, 99, control).unwrap();
            assert!(replay.holds, "{name}: {replay:?}");
        }
    }
}

#[test]
fn a_claim_of_ideal_noise_is_decided_by_values_alone() {
    let right = audit("right", |x, random| x + textbook(random, 1.0)).floats(Floats::Ideal);
    let audited = right.run(Control::unattended()).unwrap();
    let finding = audited.finding;
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
    assert_eq!(leaks(&finding).headline, LeakKind::Values);
    assert!(leaks(&finding).representation.refutes);
    assert!(finding.notes.iter().any(|note| note.starts_with("Warning: the lowest bits")));
    assert!(audited.certificate.is_none());
    let (kind, certificate) = audited.other_leak.unwrap();
    assert_eq!(
        (kind, certificate.leak),
        (LeakKind::Representation, Some(LeakKind::Representation))
    );
    let wrong = audit("wrong", |x, random| x + textbook(random, 0.5)).floats(Floats::Ideal);
    let finding = self::finding(&wrong);
    assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
    assert_eq!(finding.epsilon_lower, leaks(&finding).values.epsilon_lower);
}

#[test]
fn a_claim_of_rounded_numbers_is_about_what_is_rounded() {
    let grid = Floats::Rounded(0.001);
    let right = audit("right", |x, random| x + textbook(random, 1.0)).floats(grid);
    let finding = finding(&right);
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
    assert!(finding.leaks.is_none() && finding.epsilon_lower > 0.8);
    assert!(finding.witness.description.contains("multiple of 0.001"));
    let wrong = audit("wrong", |x, random| x + textbook(random, 0.5)).floats(grid);
    assert_eq!(self::finding(&wrong).verdict, Verdict::Violated);
    // What is on one side of a step alone is seen through it.
    let leaky = audit("leaky", |x, random| (x + textbook(random, 1.0)).round() + 0.25 * x);
    assert_eq!(self::finding(&leaky.floats(grid)).verdict, Verdict::Violated);
}

#[test]
fn a_pair_of_which_values_tell_goes_before_one_of_which_only_bits_do() {
    // Too little noise for the answers of 2 and 4, and bits on both pairs.
    let claim = Claim::pure(1.0).unwrap();
    let audit = Audit::of("mean", claim, |x: &f64, random: &mut Stream| {
        x + textbook(random, if *x > 1.5 { 1.0 } else { 2.0 })
    });
    let audit = audit.pair(0.0, 1.0).pair(2.0, 4.0).trials(TRIALS).seed(1);
    let finding = finding(&audit);
    assert_eq!(leaks(&finding).headline, LeakKind::Values, "{}", finding.reason());
    assert!(leaks(&finding).values.epsilon_lower > 1.7);
    assert_eq!(finding.pair.d, json!(2.0));
}

#[test]
fn noise_without_bits_has_one_witness() {
    let step = 2f64.powi(-20);
    let gridded =
        audit("gridded", move |x, random| x + (textbook(random, 1.0) / step).round() * step);
    let finding = finding(&gridded);
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
    assert!(finding.leaks.is_none());
    let whole = audit("whole", |x, random| (x + 20.0 * textbook(random, 1.0)).round());
    assert!(self::finding(&whole).leaks.is_none());
    // Even noise on odd and even counts: the remainder is the value here, and no low bit.
    let even = audit("even", |x, random| x + 2.0 * (5.0 * textbook(random, 1.0)).round());
    let finding = self::finding(&even);
    assert_eq!(finding.verdict, Verdict::Violated);
    assert!(finding.leaks.is_none() && finding.epsilon_lower > 5.0, "{}", finding.reason());
}

#[test]
fn the_witness_of_values_cannot_see_below_its_grid() {
    let audit = audit("right", |x, random| x + textbook(random, 1.0));
    let audited = audit.floats(Floats::Ideal).trials(20_000).run(Control::unattended()).unwrap();
    let grid = leaks(&audited.finding).grid;
    let (_, bits) = audited.other_leak.unwrap();
    assert!(bits.witness.scorer.sees_bits());
    // One certificate is of the values where they refute; its scorer is inspected there.
    let wrong = self::audit("wrong", |x, random| x + textbook(random, 0.5));
    let certificate = wrong.run(Control::unattended()).unwrap().certificate.unwrap();
    let scorer = &certificate.witness.scorer;
    assert!(matches!(scorer, Scorer::Rounded { .. }), "{scorer:?}");
    let grid = grid.min(scorer.grid().unwrap());
    for at in (-40..40).map(|i| f64::from(i) * 0.37) {
        let center = (at / grid).round() * grid;
        let bin = scorer.bin(center.into());
        for below in [-0.49, -1e-3, -1e-9, 1e-12, 1e-6, 0.3, 0.49] {
            assert_eq!(scorer.bin((center + below * grid).into()), bin);
        }
    }
}

/// Both the sign and the lowest bits of a double tell the dataset; the bits have exactly a loss of ε, and the
/// sign, a copy of them that is wrong now and then, less.
fn doubly(epsilon: f64, x: f64, random: &mut Stream) -> f64 {
    let truth = random.random_bool(epsilon.exp() / (1.0 + epsilon.exp())) == (x > 0.5);
    let copied = random.random_bool(0.9) == truth;
    let coarse = 1.0 + f64::from(random.random::<u32>() >> 4) * 2f64.powi(-28);
    let fine = if truth { coarse + 2f64.powi(-52) } else { coarse };
    if copied { fine } else { -fine }
}

/// At α = 0.05, audits of a claim that is exactly tight for bits: the bits' statements have a share of 0.005, the
/// values' (whose own loss is below the claim) 0.045. Each limit is exceeded with probability at most 1e-9.
#[test]
fn two_witnesses_are_no_two_chances_to_accuse() {
    const EPSILON: f64 = 1.0;
    let run = |seed: u64| -> [usize; 4] {
        let audit = Audit::of_mechanism(
            "doubly",
            Claim::pure(EPSILON).unwrap(),
            FromFn(|x: &f64, random: &mut Stream| doubly(EPSILON, *x, random)),
        );
        let audit = audit.pair(0.0, 1.0).trials(6_000).alpha(0.05).seed(seed);
        let finding = finding(&audit);
        let wrong = |bound: f64| usize::from(bound > EPSILON + 1e-9);
        let accused = usize::from(finding.verdict == Verdict::Violated);
        match &finding.leaks {
            Some(leaks) => [
                1,
                accused,
                wrong(leaks.values.epsilon_lower),
                wrong(leaks.representation.epsilon_lower),
            ],
            None => [0, accused, 0, 0],
        }
    };
    let audits = null_audits();
    let counts = (0..audits).into_par_iter().map(run);
    let [both, accused, values, bits] =
        counts.reduce(|| [0; 4], |a, b| std::array::from_fn(|at| a[at] + b[at]));
    println!("{both} with both witnesses: {accused} accused, values {values}, bits {bits}");
    assert!(both as u64 > audits * 3 / 4, "{both} of {audits} audits had both witnesses");
    let most = |share| binomial::upper_quantile(1e-9, audits, share) as usize;
    assert!(accused <= most(0.05), "{accused} right mechanisms were accused");
    assert!(values <= most(0.045), "{values} bounds of values were wrong");
    assert!(bits <= most(0.005), "{bits} bounds of bits were wrong");
}
