//! The accountant against closed forms and exact convolutions in 40-digit arithmetic
//! (tests/data/accountant.py).

use plaudit::accountant::{Composition, Curve};

fn rows() -> Vec<(String, f64, f64)> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/accountant-golden.csv");
    let mut reader = csv::Reader::from_path(file).unwrap();
    let rows = reader.records().map(|record| {
        let record = record.unwrap();
        (record[0].to_owned(), record[1].parse().unwrap(), record[2].parse().unwrap())
    });
    rows.collect()
}

fn curve(expression: &str) -> Curve {
    expression.parse::<Composition>().unwrap().curve().unwrap()
}

/// The table has 25 digits, of which a double keeps 16.
const READ: f64 = 2.0 * f64::EPSILON;

#[test]
fn golden_values_lie_in_the_bracket() {
    let rows = rows();
    assert!(rows.len() > 120);
    for (expression, epsilon, delta) in rows {
        let bracket = curve(&expression).delta_at(epsilon);
        let holds = bracket.lower <= delta * (1.0 + READ) && delta * (1.0 - READ) <= bracket.upper;
        assert!(holds, "{expression} at {epsilon}: {delta} {bracket:?}");
        let back = curve(&expression).epsilon_at(delta);
        let slack = 1e-12 * (1.0 + epsilon);
        assert!(back.lower <= epsilon + slack, "{expression} at {delta}: {epsilon} {back:?}");
        assert!(back.upper >= epsilon - slack, "{expression} at {delta}: {epsilon} {back:?}");
    }
}

#[test]
fn closed_forms_have_twelve_digits() {
    for (expression, epsilon, delta) in rows() {
        // In a sample the loss is a difference of numbers near 1, and the distance is not relative.
        if expression.contains(" x ") || expression.contains('@') || delta < 1e-200 {
            continue;
        }
        let bracket = curve(&expression).delta_at(epsilon);
        for end in [bracket.lower, bracket.upper] {
            let error = (end / delta - 1.0).abs();
            assert!(error <= 1e-12, "{expression} at {epsilon}: {delta} {bracket:?}");
        }
    }
}

#[test]
fn exact_lattices_and_samples_have_eight_digits() {
    for (expression, epsilon, delta) in rows() {
        if delta < 1e-30 {
            continue;
        }
        let bracket = curve(&expression).delta_at(epsilon);
        let width = (bracket.upper - bracket.lower) / delta;
        assert!(width <= 1e-8, "{expression} at {epsilon}: {delta} {bracket:?}");
    }
}

#[test]
fn tiny_deltas_keep_a_narrow_bracket() {
    // 100 Gaussian events as one, against the same with a factor that does nearly nothing.
    for delta in [1e-12, 1e-20, 1e-50, 1e-100] {
        let exact = curve("gaussian(sigma=1)").epsilon_at(delta);
        let mixed = curve("gaussian(sigma=1) + epsilon-delta(epsilon=1e-9)").epsilon_at(delta);
        assert!(mixed.lower <= exact.upper + 1e-9 && mixed.upper >= exact.lower);
        assert!(mixed.upper - mixed.lower <= 1e-3, "{delta}: {mixed:?}");
    }
}

#[test]
fn a_thousand_million_uses_are_answered() {
    for expression in [
        "gaussian(sigma=30000) x 1e9",
        "laplace(scale=1e5) x 1e9",
        "gaussian(sigma=1) x 1e9 @ poisson(1e-5)",
        "randomized-response(truth=1e-5) x 1e9",
        "epsilon-delta(epsilon=1e-5, delta=1e-16) x 1e9",
        "discrete-gaussian(sigma=1000) x 1e9",
        "exponential-mechanism(epsilon=1e-5) x 1e9",
        "zero-concentrated(rho=1e-9) x 1e9",
        "renyi(alpha=10, epsilon=1e-9) x 1e9",
        "gaussian(sigma=1) x 1e9",
    ] {
        let bracket = curve(expression).epsilon_at(1e-5);
        assert!(bracket.lower <= bracket.upper, "{expression}: {bracket:?}");
        assert!(bracket.upper.is_finite(), "{expression}: {bracket:?}");
    }
    let exact = curve("gaussian(sigma=1)").epsilon_at(1e-5);
    let many = curve("gaussian(sigma=31622.776601683792) x 1e9").epsilon_at(1e-5);
    assert!((many.upper - exact.upper).abs() < 1e-10);
}

#[test]
fn an_event_without_loss_changes_nothing() {
    for other in ["zero-concentrated(rho=0.1)", "gaussian(sigma=2) x 3", "laplace(scale=2) x 4"] {
        for nothing in
            ["exponential-mechanism(epsilon=0)", "gdp(mu=0) x 9", "epsilon-delta(epsilon=0)"]
        {
            let with = curve(&format!("{nothing} + {other}")).epsilon_at(1e-5);
            assert_eq!(with, curve(other).epsilon_at(1e-5), "{nothing} + {other}");
        }
    }
}
