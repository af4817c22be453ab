use crate::{Bracket, Composition, Curve, normal};

fn curve(expression: &str) -> Curve {
    expression.parse::<Composition>().unwrap().curve().unwrap()
}

fn at(expression: &str, alpha: f64) -> Bracket {
    curve(expression).true_positives_at(alpha)
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

/// Rates near 1 are exact in 1 minus them.
#[test]
fn rates_near_one_are_bracketed() {
    let exact = normal::cdf(normal::quantile(0.1) + 10.0);
    holds(at("gaussian(sigma=1) x 100", 0.1), exact, 1e-9, "far apart");
    let exact = 1.0 - (-30.0_f64).exp() * 0.9;
    holds(at("epsilon-delta(epsilon=30)", 0.1), exact, 1e-9, "pure");
}

/// The whole curve of Gaussian noise fits its own μ, over every range.
#[test]
fn the_mu_of_gaussian_noise_is_its_own() {
    for (expression, mu) in [
        ("gaussian(sigma=2)", 0.5),
        ("gaussian(sigma=1) x 100", 10.0),
        ("gaussian(sigma=0.03)", 1.0 / 0.03),
        ("gaussian(sigma=100)", 0.01),
    ] {
        for (least, most) in [(0.005, 0.5), (1e-4, 0.9), (0.1, 0.1)] {
            let found = curve(expression).mu_between(least, most);
            holds(found, mu, 1e-5 * mu, &format!("{expression} {least}"));
        }
    }
}

/// ε-DP alone: TPR is the smaller of e^ε α and 1 − e^−ε (1 − α), and does best where the two meet.
#[test]
fn the_mu_of_a_pure_claim_is_that_of_its_corner() {
    for epsilon in [0.1_f64, 1.0, 3.0] {
        let corner = 1.0 / (1.0 + epsilon.exp());
        let claim = curve(&format!("epsilon-delta(epsilon={epsilon})"));
        let lift = |alpha: f64, rate: f64| normal::quantile(rate) - normal::quantile(alpha);
        let exact = lift(corner, 1.0 - corner);
        holds(claim.mu_between(0.005, 0.5), exact, 1e-6, &format!("{epsilon}"));
        // Where the corner is outside, an end of the range.
        let least = 0.5 * (1.0 + corner);
        let rate = 1.0 - (-epsilon).exp() * (1.0 - least);
        holds(claim.mu_between(least, 0.9), lift(least, rate), 1e-6, &format!("{epsilon}"));
    }
    // dp_accounting's curve of two pure mechanisms.
    let two = curve("epsilon-delta(epsilon=1) + epsilon-delta(epsilon=2)").mu_between(0.005, 0.5);
    assert!(two.lower <= 2.3585 && two.upper >= 2.3575 && two.upper - two.lower < 1e-6, "{two:?}");
}

#[test]
fn no_rate_is_above_that_of_the_mu_that_fits() {
    for expression in [
        "laplace(scale=1) x 3 + gaussian(sigma=2)",
        "gaussian(sigma=0.8) x 20 @ poisson(0.05)",
        "exponential-mechanism(epsilon=0.5) x 4",
        "epsilon-delta(epsilon=0.5, delta=0.01) x 2",
        // The bracket of its profile is jagged.
        "discrete-laplace(scale=3) x 7 + randomized-response(truth=0.3) x 4 @ poisson(.1)",
        // The brackets are wide.
        "renyi(alpha=4, epsilon=0.1)",
        "gaussian(sigma=4) x 10 @ without-replacement(0.01)",
    ] {
        let curve = curve(expression);
        let mu = curve.mu_between(0.005, 0.5);
        let mut highest = Bracket { lower: 0.0, upper: 0.0 };
        for alpha in (0..=100).map(|i| (0.005 * 100.0_f64.powf(f64::from(i) / 100.0)).min(0.5)) {
            let lift = |rate: f64| normal::quantile(rate) - normal::quantile(alpha);
            let found = curve.true_positives_at(alpha);
            highest.lower = highest.lower.max(lift(found.lower));
            highest.upper = highest.upper.max(lift(found.upper));
        }
        // Little is missed between points that are 5% apart.
        let what = format!("{expression}: {highest:?} {mu:?}");
        assert!(highest.lower <= mu.upper + 1e-12 && mu.lower <= 1.01 * highest.upper, "{what}");
        // Lower ends are jagged, and fewer are looked at.
        assert!(0.95 * highest.lower <= mu.lower && mu.upper <= 1.01 * highest.upper, "{what}");
    }
}

#[test]
fn a_mu_without_a_bound_is_infinite() {
    let nothing = curve("epsilon-delta(epsilon=0)").mu_between(0.005, 0.5);
    assert!(nothing.lower == 0.0 && nothing.upper < 1e-9, "{nothing:?}");
    let all = curve("epsilon-delta(epsilon=0, delta=1)").mu_between(0.005, 0.5);
    assert!(all.lower > 30.0 && all.upper == f64::INFINITY, "{all:?}");
    for (least, most) in [(0.0, 0.5), (0.5, 0.1), (0.1, 1.0), (f64::NAN, 0.5)] {
        let wide = Bracket { lower: 0.0, upper: f64::INFINITY };
        assert_eq!(curve("gaussian(sigma=1)").mu_between(least, most), wide);
    }
}

/// Randomized response tells the truth with probability e^ε/(1 + e^ε): a guess is right as often, or goes by the prior.
#[test]
fn guesses_about_randomized_response_are_right_as_often_as_it() {
    for epsilon in [0.3_f64, 1.0, 4.0] {
        let truth = epsilon.exp() / (1.0 + epsilon.exp());
        let claim = curve(&format!("epsilon-delta(epsilon={epsilon})"));
        // 2 t − 1 is the share of rows that `randomized-response` answers truly by intent.
        let coin = curve(&format!("randomized-response(truth={})", 2.0 * truth - 1.0));
        for prior in [1e-6_f64, 0.1, 0.5, 0.7, 0.999] {
            let exact = truth.max(prior).max(1.0 - prior);
            for curve in [&claim, &coin] {
                holds(curve.success_at(prior), exact, 1e-9, &format!("{epsilon} {prior}"));
            }
            // No guess is surer than the posterior π e^ε/(1 − π + π e^ε) of the likelier one.
            let likelier = prior.max(1.0 - prior);
            let surest = likelier * epsilon.exp() / (1.0 - likelier + likelier * epsilon.exp());
            assert!(exact <= surest * (1.0 + 1e-12), "{epsilon} {prior}");
        }
    }
}

/// Half the advantage more than chance; and, for Gaussian noise, the threshold of Neyman and Pearson.
#[test]
fn guesses_about_gaussian_noise_have_their_closed_form() {
    let curve = curve("gaussian(sigma=2)");
    for prior in [0.01_f64, 0.3, 0.5, 0.9] {
        // Reject where x > ln((1 − π)/π)/μ + μ/2.
        let (mu, odds) = (0.5, ((1.0 - prior) / prior).ln());
        let threshold = odds / mu + 0.5 * mu;
        let exact = prior * normal::cdf(mu - threshold) + (1.0 - prior) * normal::cdf(threshold);
        holds(curve.success_at(prior), exact, 1e-9, &format!("{prior}"));
    }
    let even = curve.success_at(0.5);
    let half = curve.delta_at(0.0);
    holds(even, 0.5 + 0.25 * (half.lower + half.upper), 1e-9, "even odds");
    for prior in [0.0, 1.0, -0.1, f64::NAN] {
        assert_eq!(curve.success_at(prior), Bracket { lower: 0.0, upper: 1.0 });
    }
}
