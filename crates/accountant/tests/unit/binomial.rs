//! The binomial law against its enumeration, and against values with 40 digits (mpmath).

use super::Binomial;

/// ln C(n, k) + k ln q + (n − k) ln(1 − q), as products of ratios.
fn enumerated(draws: u64, rate: f64) -> Vec<f64> {
    let mut masses = vec![1.0];
    for _ in 0..draws {
        let mut next = vec![0.0; masses.len() + 1];
        for (k, mass) in masses.iter().enumerate() {
            next[k] += mass * (1.0 - rate);
            next[k + 1] += mass * rate;
        }
        masses = next;
    }
    masses
}

#[test]
fn masses_and_tails_are_those_of_the_enumeration() {
    for draws in [1, 2, 7, 16, 40, 300] {
        for rate in [1e-3, 0.1, 0.5, 0.93] {
            let law = Binomial { draws, rate };
            let masses = enumerated(draws, rate);
            for k in 0..=draws {
                let place = usize::try_from(k).expect("small");
                let near = |found: f64, exact: f64| {
                    let error = (found - exact).abs();
                    assert!(error <= 1e-11 * exact + 1e-280, "{law:?} {k}: {found} {exact}");
                };
                near(law.mass(k), masses[place]);
                let from: f64 = masses[place..].iter().rev().sum();
                let below: f64 = masses[..place].iter().sum();
                assert!((law.mass_from(k) - from).abs() <= 1e-11 * from + 1e-15, "{law:?} {k}");
                assert!((law.mass_below(k) - below).abs() <= 1e-11 * below + 1e-15, "{law:?} {k}");
            }
            assert!(law.mass(draws + 1) == 0.0);
        }
    }
}

/// mpmath.binomial(n, k) * q**k * (1 - q)**(n - k) with 40 digits, of the doubles.
#[test]
fn masses_of_many_draws_are_exact() {
    for (draws, rate, k, exact) in VALUES {
        let found = Binomial { draws, rate }.mass(k);
        assert!(
            (found / exact - 1.0).abs() < 0.01 * Binomial::ERROR,
            "{draws} {rate} {k}: {found}"
        );
    }
}

const VALUES: [(u64, f64, u64, f64); 8] = [
    (1000000, 0.25, 250000, 0.0009213173992255514),
    (1000000, 0.25, 252000, 2.1826375353164994e-8),
    (100000000, 0.5, 50000000, 7.97884558808154e-5),
    (100000000, 0.5, 50030000, 1.2151754732681464e-12),
    (1000000000, 0.001, 1000000, 0.00039914186800791017),
    (1000000000, 0.001, 1009000, 1.1096375879477863e-21),
    (1000000000, 0.3, 299900000, 1.2555682132983163e-15),
    (1000000000, 1e-9, 7, 7.299195155499813e-5),
];
