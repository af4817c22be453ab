//! Noise that is right in the real numbers and wrong in doubles is found by its lowest bits, and
//! numbers on a grid are not taken for it.
//!
//! Violations that are there are found with certainty as far as these seeds tell; the claims that
//! are true are audited at level 1e-6, so that a test of n of them fails by chance with probability
//! below n·10⁻⁶ over the choice of its seeds, and never by a rerun.

use crate::tier;
use plaudit::dataset::{Dataset, Pair};
use plaudit::finding::Finding;
use plaudit::game::Control;
use plaudit::mechanism::catalog::{self, analytic_sigma};
use plaudit::{Audit, Certificate, Claim, Outcome, Stream, Verdict, laplace};
use rand_distr::{Distribution, StandardNormal};
use serde_json::json;

const TRIALS: u64 = 100_000;

fn of_catalog(kind: &str, claim: Claim, size: f64, pair: (&[f64], &[f64])) -> Audit<Dataset> {
    let name = if kind.starts_with("gaussian") { "sigma" } else { "scale" };
    let mechanism = catalog::build(kind, json!({ name: size })).unwrap();
    let numbers = |entries: &[f64]| Dataset::Numbers(entries.to_vec());
    Audit::of_mechanism(format!("{kind} {size} {pair:?}"), claim, mechanism)
        .pair(numbers(pair.0), numbers(pair.1))
        .trials(TRIALS)
}

fn finding<D: serde::Serialize + Send + Sync + 'static>(audit: Audit<D>, seed: u64) -> Finding {
    audit.seed(seed).report().unwrap().audits.remove(0)
}

fn pure(epsilon: f64) -> Claim {
    Claim::pure(epsilon).unwrap()
}

/// A mechanism on a number.
type Release = fn(&f64, &mut Stream) -> f64;

/// Audits a closure on two numbers, claimed to be 1-DP.
fn closure<O: Into<Outcome>>(
    name: &str,
    (d, d_prime): (f64, f64),
    release: impl Fn(&f64, &mut Stream) -> O + Send + Sync + 'static,
) -> Audit<f64> {
    Audit::of(name, pure(1.0), release).pair(d, d_prime).trials(TRIALS)
}

/// Answers within a few times the scale, at scales from 10⁻⁶ to 10⁹.
fn answers() -> Vec<(f64, f64)> {
    let mut pairs =
        vec![(0.0, 1000.0), (0.1, 1.1), (-0.5, 0.5), (-2.0, -1.0), (1.0, 2.0), (3.0, 4.0)];
    pairs.extend((-6..=9).map(|digits| (0.0, 10f64.powi(digits))));
    let tenths = |digits| (0.3 * 10f64.powi(digits), 1.3 * 10f64.powi(digits));
    pairs.extend((-6..=9).step_by(3).map(tenths));
    pairs
}

#[test]
fn laplace_noise_in_floats_is_found_at_every_scale() {
    for (d, d_prime) in answers() {
        for seed in 1..=3 {
            let size = d_prime - d;
            let audit = of_catalog("laplace-in-floats", pure(1.0), size, (&[d], &[d_prime]));
            let finding = finding(audit, seed);
            assert_eq!(finding.verdict, Verdict::Violated, "{d} {d_prime}: {}", finding.reason());
            assert_eq!(finding.witness.kind, "lattice", "{d} {d_prime}: {}", finding.reason());
            assert!(finding.witness.bins.len() < 400);
        }
    }
}

#[test]
#[ignore = "takes several seconds"]
fn gaussian_noise_in_floats_is_found_at_every_scale() {
    let claim = Claim::approximate(1.0, 1e-5).unwrap();
    for (d, d_prime) in answers() {
        for seed in 1..=3 {
            let sigma = analytic_sigma(1.0, 1e-5, d_prime - d);
            let audit = of_catalog("gaussian-in-floats", claim.clone(), sigma, (&[d], &[d_prime]));
            let finding = finding(audit, seed);
            assert_eq!(finding.verdict, Verdict::Violated, "{d} {d_prime}: {}", finding.reason());
            assert_eq!(finding.witness.kind, "lattice", "{d} {d_prime}: {}", finding.reason());
        }
    }
    let gdp = Claim::gaussian(1.0).unwrap();
    let finding = finding(of_catalog("gaussian-in-floats", gdp, 1.0, (&[0.0], &[1.0])), 1);
    assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
}

#[test]
fn ten_thousand_runs_a_side_certify_five_and_say_why() {
    for seed in 1..=10 {
        let audit = of_catalog("laplace-in-floats", pure(1.0), 1.0, (&[0.0], &[1.0]));
        let finding = finding(audit.trials(20_000).alpha(0.05), seed);
        let bits = finding.leaks.expect("values and bits are told apart").representation;
        assert!(bits.epsilon_lower > 5.0, "seed {seed}: {}", bits.epsilon_lower);
        let said = &bits.witness;
        assert!(said.contains("the output is not a multiple of 2^-5"), "{said}");
    }
}

/// Answers so large that the sum has no more bits than they have: nothing is left of the noise's.
#[test]
fn what_is_rounded_away_by_large_answers_is_not_found() {
    for seed in 1..=10 {
        let audit = of_catalog("laplace-in-floats", pure(1.0), 1.0, (&[100.0], &[101.0]));
        let finding = finding(audit, seed);
        assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
    }
}

/// The noise by other samplers than the catalog's: a ziggurat's.
#[test]
fn the_sampler_does_not_matter() {
    for seed in 1..=3 {
        let audit = closure("ziggurat", (0.0, 1.0), |x, random| x + laplace(random, 1.0));
        let found = finding(audit, seed);
        assert_eq!(found.verdict, Verdict::Violated, "{}", found.reason());
        let sigma = analytic_sigma(1.0, 1e-5, 1.0);
        let claim = Claim::approximate(1.0, 1e-5).unwrap();
        let release = move |x: &f64, random: &mut Stream| {
            let unit: f64 = StandardNormal.sample(random);
            x + sigma * unit
        };
        let audit = Audit::of("ziggurat", claim, release).pair(0.0, 1.0).trials(TRIALS);
        let found = finding(audit, seed);
        assert_eq!(found.verdict, Verdict::Violated, "{}", found.reason());
    }
}

#[test]
fn single_precision_is_found_too() {
    let single = |x: &f64, random: &mut Stream| f64::from(*x as f32 + laplace(random, 1.0) as f32);
    for (d, d_prime) in [(0.0, 1.0), (0.1, 1.1), (3.0, 4.0)] {
        for seed in 1..=3 {
            let finding = finding(closure("single", (d, d_prime), single), seed);
            assert_eq!(finding.verdict, Verdict::Violated, "{d} {d_prime}: {}", finding.reason());
            assert_eq!(finding.witness.kind, "lattice");
        }
    }
}

#[test]
fn each_entry_of_a_vector_is_looked_at() {
    // Of the entry that tells, of 24.
    let places: &[usize] = tier::of([&[23][..], &[0, 4, 23], &[0, 4, 23]]);
    for place in places.iter().copied() {
        let mut d = vec![2.5; 24];
        let mut d_prime = d.clone();
        (d[place], d_prime[place]) = (1.0, 0.0);
        let audit = of_catalog("laplace-in-floats", pure(1.0), 1.0, (&d, &d_prime));
        let finding = finding(audit, 1);
        assert_eq!(finding.verdict, Verdict::Violated, "{place}: {}", finding.reason());
        let said = &finding.witness.description;
        assert!(said.contains(&format!("entry {place} is not a multiple of 2^-")), "{said}");
    }
}

/// The noise is on a grid and the answers are not: each dataset has a grid of its own, away from 0
/// by an answer that nobody told the auditor.
#[test]
fn a_grid_around_an_unknown_answer_is_found() {
    let on_grid = |x: &f64, random: &mut Stream| {
        x + (laplace(random, 1.0) * 2f64.powi(24)).round() / 2f64.powi(24)
    };
    for (d, d_prime) in [(0.1, 1.0), (0.1, 0.7), (12.3, 13.2), (1e3 / 7.0, 1e3 / 7.0 + 0.9)] {
        for seed in 1..=3 {
            let finding = finding(closure("a grid", (d, d_prime), on_grid), seed);
            assert_eq!(finding.verdict, Verdict::Violated, "{d} {d_prime}: {}", finding.reason());
            assert_eq!(finding.witness.kind, "lattice", "{}", finding.reason());
        }
    }
    // The sums have the same lowest bits, those of 0.1; the grids are 2⁻³⁰ apart.
    for seed in 1..=3 {
        let audit = closure("a grid", (0.1, 0.1 + 0.5 + 2f64.powi(-30)), on_grid);
        let finding = finding(audit, seed);
        assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
        let said = &finding.witness.description;
        assert!(said.contains("(the output "), "{said}");
    }
}

/// 240 audits of what is released on a grid, of any spacing: none is a violation, and lattices are
/// hardly ever what they are looked at through (with probability some 10⁻⁷ an audit).
#[test]
#[ignore = "takes several seconds"]
fn what_is_on_a_grid_is_no_lattice() {
    let mut lattices = 0;
    let mut check = |finding: Finding| {
        assert_eq!(finding.verdict, Verdict::NotRefuted, "{}: {}", finding.name, finding.reason());
        lattices += usize::from(finding.witness.kind == "lattice");
    };
    let release: [(&str, Release); 5] = [
        ("decimals", |x, random| ((x + laplace(random, 1.0)) * 1e3).round() / 1e3),
        ("fine decimals", |x, random| ((x + laplace(random, 1.0)) * 1e7).round() / 1e7),
        ("whole numbers", |x, random| (x + laplace(random, 1.0)).round()),
        ("single precision on a grid", |x, random| {
            f64::from((((x + laplace(random, 1.0)) * 1024.0).round() / 1024.0) as f32)
        }),
        ("a fine grid", |x, random| {
            ((x + laplace(random, 1.0)) * 2f64.powi(35)).round() / 2f64.powi(35)
        }),
    ];
    let sigma = analytic_sigma(1.0, 1e-5, 1.0);
    let approximate = Claim::approximate(1.0, 1e-5).unwrap();
    for seed in 1..=30 {
        let quick = 20_000;
        for (d, d_prime) in [(0.0, 1.0), (0.1, 1.1)] {
            let laplace = of_catalog("laplace", pure(1.0), 1.0, (&[d], &[d_prime]));
            check(finding(laplace.trials(quick), seed));
        }
        let gaussian = of_catalog("gaussian", approximate.clone(), sigma, (&[0.1], &[1.1]));
        check(finding(gaussian.trials(quick), seed));
        for (name, release) in release {
            check(finding(closure(name, (0.1, 1.1), release).trials(quick), seed));
        }
    }
    assert!(lattices <= 2, "{lattices}");
}

#[test]
fn a_certificate_is_read_back_and_holds_with_other_randomness() {
    for (kind, entries) in [("laplace-in-floats", 1), ("laplace-in-floats", 3)] {
        let pair = (vec![0.0; entries], [vec![1.0], vec![0.0; entries - 1]].concat());
        let audit = of_catalog(kind, pure(1.0), 1.0, (&pair.0, &pair.1)).seed(5);
        let audited = audit.run(Control::unattended()).unwrap();
        let certificate = audited.certificate.unwrap();
        let written = serde_json::to_string(&certificate).unwrap();
        let read: Certificate = serde_json::from_str(&written).unwrap();
        assert_eq!(read, certificate);
        let numbers = |entries: &[f64]| Dataset::Numbers(entries.to_vec());
        let pair = Pair { name: "again".into(), d: numbers(&pair.0), d_prime: numbers(&pair.1) };
        let replay = |seed| read.replay(audit.mechanism(), &pair, seed, Control::unattended());
        let same = replay(5).unwrap();
        assert!(same.holds && same.same_counts);
        let other = replay(6).unwrap();
        assert!(other.holds && !other.same_counts);

        let mut damaged: serde_json::Value = serde_json::from_str(&written).unwrap();
        damaged["witness"]["scorer"]["rows"][0]["edges"][0] = json!(5000);
        let damaged: Certificate = serde_json::from_value(damaged).unwrap();
        let refused = damaged.replay(audit.mechanism(), &pair, 5, Control::unattended());
        assert!(refused.is_err());
    }
}
