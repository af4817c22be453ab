use crate::{Bracket, Composition, normal};

fn at(expression: &str, alpha: f64) -> Bracket {
    expression.parse::<Composition>().unwrap().curve().unwrap().true_positives_at(alpha)
}

fn holds(found: Bracket, exact: f64, width: f64, what: &str) {
    // Quantiles are right to 3e-13, relative.
    let room = 1e-11 * exact;
    assert!(
        found.lower <= exact + room && exact - room <= found.upper,
        "{what}: {found:?} {exact}"
    );
    assert!(found.upper - found.lower <= width, "{what}: {found:?} {exact}");
}

/// Φ(Φ⁻¹(α) + μ) (Dong, Roth, Su 2022, (6)).
#[test]
fn gaussian_noise_has_its_closed_form() {
    for (sigma, mu) in [(1.0, 1.0), (4.0, 0.25), (0.25, 4.0)] {
        for alpha in [1e-9, 1e-3, 0.1, 0.5, 0.97] {
            let exact = normal::cdf(normal::quantile(alpha) + mu);
            holds(
                at(&format!("gaussian(sigma={sigma})"), alpha),
                exact,
                1e-6,
                &format!("{mu} {alpha}"),
            );
        }
    }
    let exact = normal::cdf(normal::quantile(0.1) + 1.0);
    holds(at("gaussian(sigma=10) x 100", 0.1), exact, 1e-6, "composed");
}

/// The rates of randomized response lie on lines between its corners.
#[test]
fn claims_have_lines() {
    let epsilon = 1.0_f64;
    let corner = 1.0 / (1.0 + epsilon.exp());
    for alpha in [0.01, 0.1, corner, 0.5, 0.9] {
        let exact = (alpha * epsilon.exp()).min(1.0 - (-epsilon).exp() * (1.0 - alpha));
        holds(at("epsilon-delta(epsilon=1)", alpha), exact, 1e-6, &format!("{alpha}"));
    }
    let exact = 0.1 + 0.05 * epsilon.exp();
    holds(at("epsilon-delta(epsilon=1, delta=0.1)", 0.05), exact, 1e-6, "with a delta");
    holds(at("epsilon-delta(epsilon=1, delta=0.1)", 0.0), 0.1, 1e-9, "no false positive");
    holds(at("epsilon-delta(epsilon=1, delta=0.1)", 1.0), 1.0, 1e-9, "all positive");
    // dp_accounting's test of two pure mechanisms, to four digits.
    let two = at("epsilon-delta(epsilon=1) + epsilon-delta(epsilon=2)", 0.1);
    assert!(
        two.lower <= 0.82865 && two.upper >= 0.82855 && two.upper - two.lower <= 1e-5,
        "{two:?}"
    );
}

#[test]
fn nothing_private_is_no_better_than_chance() {
    for alpha in [0.0, 1e-6, 0.3, 1.0] {
        holds(at("epsilon-delta(epsilon=0)", alpha), alpha, 1e-6, &format!("{alpha}"));
    }
    for alpha in [-0.1, 1.1, f64::NAN] {
        assert_eq!(at("gaussian(sigma=1)", alpha), Bracket { lower: 0.0, upper: 1.0 });
    }
}
