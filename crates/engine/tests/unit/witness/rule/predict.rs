//! Unit tests of `witness::predict`.

use super::*;

#[test]
fn what_speaks_against_a_claim() {
    let pure = Goal::new(Claim::pure(1.0).unwrap(), 0.05, 1000);
    // By hand: of two outcomes both are right with probability at most (e / (1 + e))².
    let most = 1.0 / (1.0 + (-1f64).exp());
    assert!((pure.against_claim(2, 0, 100.0) + 2.0 * most.ln()).abs() < 1e-12);
    let expected = 9.0 * (0.9 / most).ln() + (0.1 / (1.0 - most)).ln();
    assert!((pure.against_claim(9, 1, 100.0) - expected).abs() < 1e-12);
    // Two to one is less than e to one.
    for (own, other) in [(0, 0), (2, 1), (20, 10), (0, 5)] {
        assert!(pure.against_claim(own, other, 100.0).abs() < 1e-300, "{own} : {other}");
    }
    // Of a hundred trials δ explains one.
    let approximate = Goal::new(Claim::approximate(1.0, 0.01).unwrap(), 0.05, 1000);
    assert!(approximate.against_claim(1, 0, 100.0).abs() < 1e-300);
    assert!((approximate.against_claim(3, 0, 100.0) + 2.0 * most.ln()).abs() < 1e-12);
}

#[test]
fn the_ends_of_a_likelihood_ratio_interval_have_its_deviance() {
    for (hits, n) in [(0.0, 50.0), (1e-3, 10.0), (3.0, 1e6), (40.0, 100.0), (999.0, 1000.0)] {
        for exponent in [0.1, 3.0, 14.0] {
            let share: f64 = hits / n;
            let deviance = |theta: f64| {
                let of = |p: f64, q: f64| if p > 0.0 { p * (p / q).ln() } else { 0.0 };
                n * (of(share, theta) + of(1.0 - share, 1.0 - theta))
            };
            let high = deviance_upper(hits, n, exponent);
            assert!(share <= high && high < 1.0, "{share} {high}");
            assert!((deviance(high) / exponent - 1.0).abs() < 1e-3, "{hits} {n} {exponent} {high}");
        }
    }
}
