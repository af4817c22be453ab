//! Wide and narrow losses, tiny samples and long compositions: answered, with brackets around what
//! closed forms say.

use plaudit::accountant::{Bracket, Composition, Method};

fn epsilon(expression: &str, delta: f64) -> Bracket {
    epsilon_by(expression, delta, Method::Pld)
}

fn epsilon_by(expression: &str, delta: f64, method: Method) -> Bracket {
    expression.parse::<Composition>().unwrap().epsilon_at(delta, method).unwrap()
}

fn delta(expression: &str, epsilon: f64) -> Bracket {
    expression.parse::<Composition>().unwrap().delta_at(epsilon, Method::Pld).unwrap()
}

#[test]
fn what_needs_no_composition_is_answered_from_single_uses() {
    let nothing = Bracket { lower: 0.0, upper: 0.0 };
    // Ten samples of 10⁻⁹ are together no more than 10⁻⁸ apart in total variation.
    assert_eq!(epsilon("laplace(scale=1e-4) x 10 @ without-replacement(1e-9)", 1e-6), nothing);
    assert_eq!(epsilon("zero-concentrated(rho=1e4) x 1e6 @ poisson(1e-4)", 1.0), nothing);
    let all = epsilon("gdp(mu=1e4) x 10 @ without-replacement(1e-9)", 0.0);
    assert_eq!((all.lower, all.upper), (f64::INFINITY, f64::INFINITY));
}

#[test]
fn many_uses_that_hardly_lose_are_nearly_one_gaussian() {
    // r √n √(e^(1/σ²) − 1) = 10⁻⁴ (the central limit of Bu, Dong, Long, Su 2020).
    let limit = epsilon("gdp(mu=1e-4)", 1e-6);
    let found = epsilon("gaussian(sigma=1e3) x 1e6 @ poisson(1e-4)", 1e-6);
    assert!(found.upper >= 0.98 * limit.lower && found.lower <= 1.02 * limit.upper, "{found:?}");
    assert!(found.upper - found.lower <= 0.05 * limit.upper, "{found:?} {limit:?}");
    // Here the limit has δ(0) = 4·10⁻⁷.
    let found = epsilon("gaussian(sigma=1e5) x 1e6 @ poisson(1e-4)", 1e-6);
    assert!(found.lower == 0.0 && found.upper <= 1e-6, "{found:?}");
}

#[test]
fn at_the_end_of_the_support_rounding_is_counted() {
    // The double next to 1/3 is below it by 1.85·10⁻¹⁷, and half of that is δ.
    for expression in ["laplace(scale=3)", "exponential-mechanism(epsilon=0.3333333333333333)"] {
        let found = delta(expression, 1.0 / 3.0);
        assert!(found.lower <= 9.25e-18 && found.upper < 1e-15, "{expression}: {found:?}");
    }
    assert!(delta("laplace(scale=3)", 1.0 / 3.0).upper >= 9.26e-18);
    // Far beyond the rounding there is nothing.
    assert_eq!(delta("laplace(scale=3)", 0.3334).upper, 0.0);
}

#[test]
fn ratios_beyond_the_exponents_of_a_double_are_no_trouble() {
    // The last loss has the mass 1/(1 + e^(−1/scale)).
    let truth = 746.0 + (-1e-6 * (1.0 + (-1.0_f64).exp())).ln_1p();
    let found = epsilon("discrete-laplace(scale=1, sensitivity=746)", 1e-6);
    assert!(found.lower <= truth && truth <= found.upper, "{found:?} {truth}");
    assert!(found.upper - found.lower <= 1e-11, "{found:?}");
    // All three samples have the row with probability 10⁻³, and then lose 9000 + ln 0.1 each.
    let found = epsilon("discrete-laplace(scale=1, sensitivity=9000) x 3 @ poisson(0.1)", 1e-6);
    let truth = 3.0 * (9000.0 + 0.1_f64.ln());
    assert!((found.lower - truth).abs() < 0.1 && (found.upper - truth).abs() < 0.1, "{found:?}");
    let found = epsilon("laplace(scale=1e-4) x 1000 @ poisson(0.5)", 0.5);
    assert!(0.0 < found.lower && found.upper < 1000.0 * 1e4, "{found:?}");
}

#[test]
fn black_boxes_keep_what_they_lose_beyond_600() {
    for (expression, most) in [
        ("zero-concentrated(rho=1000)", 1.05),
        ("zero-concentrated(rho=1e4)", 1.01),
        ("zero-concentrated(rho=1e4) x 1000", 1.001),
        ("renyi(alpha=2, epsilon=1e4)", 2.0),
    ] {
        let found = epsilon(expression, 1e-6);
        let rdp = epsilon_by(expression, 1e-6, Method::Rdp);
        assert!(found.lower > 600.0 && found.lower <= found.upper, "{expression}: {found:?}");
        assert!(found.upper <= most * found.lower, "{expression}: {found:?}");
        // Both convert in the same way, at somewhat other orders.
        assert!((found.upper / rdp.upper - 1.0).abs() < 0.01, "{expression}: {found:?} {rdp:?}");
    }
    let found = epsilon("renyi(alpha=2, epsilon=1e4) x 3 @ without-replacement(0.1)", 1e-6);
    assert!(found.lower > 600.0 && found.upper < 4e4, "{found:?}");
}

#[test]
fn sampled_black_boxes_are_bounded_by_rdp() {
    for expression in [
        "renyi(alpha=2, epsilon=1) @ poisson(0.1)",
        "zero-concentrated(rho=0.1) x 10 @ poisson(0.1)",
    ] {
        let (rdp, pld) = (epsilon_by(expression, 1e-6, Method::Rdp), epsilon(expression, 1e-6));
        assert!(rdp.upper.is_finite() && rdp.upper >= pld.lower, "{expression}: {rdp:?} {pld:?}");
    }
}

#[test]
#[ignore = "takes several seconds"]
fn extremes_have_a_finite_bracket() {
    for (expression, delta) in [
        ("gaussian(sigma=1) x 1e12 @ poisson(1e-12)", 1e-6),
        ("gaussian(sigma=1e-3) x 1e9 @ poisson(1e-9)", 1e-6),
        ("gaussian(sigma=1e6) x 1e12 @ poisson(0.5)", 1e-6),
        ("laplace(scale=1e10) x 1e12 @ poisson(1e-5)", 1e-6),
        ("laplace(scale=1e-4) x 1e9", 1e-6),
        ("laplace(scale=1e-4) + laplace(scale=1e8) x 1000", 1e-6),
        ("laplace(scale=1e-4) x 3 + gaussian(sigma=1e5) x 1000 @ poisson(0.3)", 1e-6),
        ("randomized-response(truth=0.999999999999, values=1e9) x 1e9", 1e-6),
        ("exponential-mechanism(epsilon=1e4) x 1e6", 1e-6),
        ("discrete-gaussian(sigma=1, sensitivity=10000) x 3 @ poisson(1e-9)", 1e-6),
        ("zero-concentrated(rho=1e4) x 1e6 @ poisson(1e-4)", 1e-150),
        ("zero-concentrated(rho=1e4) x 1e12", 1e-6),
        ("renyi(alpha=1.000001, epsilon=1e-12) x 1e12", 1e-6),
        ("gdp(mu=1e-12) x 1e12 @ poisson(0.9)", 1e-6),
        ("gdp(mu=1e4) x 10 @ without-replacement(1e-9)", 1e-10),
        ("gdp(mu=1e4) x 1e12", 1e-6),
        ("gaussian(sigma=1) @ poisson(0.9999999999999999) x 3", 1e-6),
        ("gaussian(sigma=1) x 1000 @ poisson(0.01)", 1e-200),
        ("laplace(scale=0.1) x 1000", 5e-324),
    ] {
        let found = epsilon(expression, delta);
        let holds = 0.0 <= found.lower && found.lower <= found.upper && found.upper.is_finite();
        assert!(holds, "{expression} at {delta}: {found:?}");
    }
}

#[test]
fn small_deltas_of_poisson_samples_are_in_narrow_brackets() {
    let deltas = [1e-5, 1e-8, 1e-12, 1e-20, 1e-30];
    for expression in [
        "gaussian(sigma=0.4) x 50 @ poisson(0.01)",
        "gaussian(sigma=1) x 100 @ poisson(0.01)",
        "gaussian(sigma=1) x 1000 @ poisson(0.01)",
        "gaussian(sigma=2) + gaussian(sigma=0.5) x 20 @ poisson(0.001)",
    ] {
        let composition: Composition = expression.parse().unwrap();
        for delta in deltas {
            let Bracket { lower, upper } = composition.epsilon_at(delta, Method::Pld).unwrap();
            assert!(lower <= upper, "{expression} at {delta}: [{lower}, {upper}]");
            assert!(upper - lower <= 1e-4 * upper, "{expression} at {delta}: [{lower}, {upper}]");
        }
    }
}
