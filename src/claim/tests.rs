//! Profiles, regions and trade-off functions against each other and against 50-digit values.

use super::{Claim, REFERENCE_DELTA, Region, normal};

/// Rows (n or μ, parameter, value) of one kind of the golden file.
fn golden(kind: &str) -> Vec<(f64, f64, f64)> {
    include_str!("../../tests/data/golden.csv")
        .lines()
        .filter_map(|line| {
            let cells: Vec<_> = line.split(',').collect();
            let number = |i: usize| cells[i].parse::<f64>().expect("a number");
            (cells[0] == kind).then(|| (number(2), number(3), number(4)))
        })
        .collect()
}

fn relative(value: f64, exact: f64) -> f64 {
    if value == exact { 0.0 } else { ((value - exact) / exact).abs() }
}

fn claims() -> Vec<Claim> {
    let mut all = Vec::new();
    for epsilon in [0.0, 1e-9, 0.1, 1.0, 5.0, 40.0, 700.0, 1000.0] {
        for delta in [0.0, 1e-12, 1e-5, 0.1, 0.9, 1.0] {
            all.push(Claim::approximate(epsilon, delta).expect("in range"));
        }
    }
    for mu in [0.0, 1e-6, 0.01, 0.5, 1.0, 6.0, 40.0] {
        all.push(Claim::gaussian(mu).expect("in range"));
    }
    all
}

fn rates() -> Vec<f64> {
    let mut all: Vec<f64> = (0..=200).map(|i| f64::from(i) / 200.0).collect();
    all.extend((1..60).map(|i| 10f64.powf(-f64::from(i) / 4.0)));
    all.extend((1..50).map(|i| 1.0 - 10f64.powf(-f64::from(i) / 4.0)));
    all.sort_by(f64::total_cmp);
    all
}

#[test]
fn the_normal_law_matches_forty_digit_values_in_the_tails() {
    for (_, x, exact) in golden("ncdf") {
        assert!(relative(normal::cdf(x), exact) < 2e-14, "Φ({x}): {} {exact}", normal::cdf(x));
    }
    for (_, x, exact) in golden("nln") {
        assert!(relative(normal::ln_cdf(x), exact) < 1e-14, "ln Φ({x})");
        let p = exact.exp();
        if p > 1e-300 && x < 6.0 {
            // An ulp of p moves the quantile by eps/hazard.
            let slack = 1e-13 * (1.0 + x.abs()) + 1e-16 / normal::density(x);
            assert!((normal::quantile(p) - x).abs() < slack, "Φ⁻¹({p}) = {x}");
        }
    }
}

#[test]
fn the_normal_law_is_whole_at_infinity() {
    assert_eq!(normal::cdf(f64::INFINITY), 1.0);
    assert_eq!(normal::cdf(f64::NEG_INFINITY), 0.0);
    assert_eq!(normal::cdf(1e200), 1.0);
    assert_eq!(normal::quantile(1.0), f64::INFINITY);
    assert_eq!(normal::quantile(0.0), f64::NEG_INFINITY);
}

#[test]
fn gaussian_profiles_match_forty_digit_values() {
    for (mu, epsilon, exact) in golden("gdp") {
        let value = Claim::Gaussian { mu }.delta_at(epsilon);
        if exact < 1e-300 {
            assert!(value < 1e-290);
        } else {
            assert!(relative(value, exact) < 1e-11, "mu {mu}, epsilon {epsilon}: {value} {exact}");
        }
    }
}

#[test]
fn gaussian_regions_are_never_narrower_than_the_truth_and_hardly_wider() {
    let rows = golden("gdp_power");
    assert!(rows.len() > 40);
    for (mu, q, exact) in rows {
        let g = Region::Gaussian { mu }.most_power(q);
        assert!(g >= exact && relative(g, exact) <= 1e-12, "mu {mu}, q {q:e}: {g:e} {exact:e}");
    }
}

#[test]
fn approximate_regions_are_never_narrower_than_the_truth_and_hardly_wider() {
    // Whole powers of two and e^0 need no rounding: the truth is a double.
    for q in [0.0, 0.25, 2f64.powi(-40), 0.5, 0.75, 1.0] {
        for delta in [0.0, 0.125, 2f64.powi(-30)] {
            let g = Region::EpsilonDelta { epsilon: 0.0, delta }.most_power(q);
            let exact = (q + delta).min(1.0);
            assert!(g >= exact && relative(g, exact) <= 1e-12, "{q} {delta}");
        }
    }
    // e to 20 digits: both pieces, from below and from above.
    let one = Region::EpsilonDelta { epsilon: 1.0, delta: 0.0 };
    for (q, exact) in [
        (1e-20, 2.718_281_828_459_045e-20),
        (0.1, 0.271_828_182_845_904_5),
        (0.6, 0.852_848_223_531_423_1),
        (0.999, 0.999_632_120_558_828_5),
    ] {
        let g = one.most_power(q);
        assert!(g >= exact && relative(g, exact) <= 1e-12, "{q}: {g} {exact}");
    }
}

#[test]
fn regions_are_increasing_concave_and_above_the_diagonal() {
    for claim in claims() {
        let region = claim.region();
        let curve: Vec<_> = rates().into_iter().map(|q| (q, region.most_power(q))).collect();
        for pair in curve.windows(2) {
            assert!(pair[1].1 >= pair[0].1 * (1.0 - 1e-12), "{claim} at {}", pair[1].0);
        }
        for (q, g) in &curve {
            assert!(g.is_finite() && g >= q && *g <= 1.0, "{claim} at {q}");
        }
        for three in curve.windows(3) {
            let share = (three[1].0 - three[0].0) / (three[2].0 - three[0].0);
            let chord = three[0].1 + share * (three[2].1 - three[0].1);
            assert!(three[1].1 >= chord * (1.0 - 2e-12), "{claim} at {}", three[1].0);
        }
    }
}

#[test]
fn trade_off_functions_are_their_own_inverse() {
    for claim in claims() {
        for a in rates() {
            let b = claim.tradeoff_at(a);
            // f is its own inverse where it is positive. b = 1 − g(a) is known to 10^-12, which a
            // steep f magnifies: f(b − slip) >= a >= f(b + slip).
            let slip = 2e-12;
            if b > slip && b < 1.0 - slip {
                let (high, low) = (claim.tradeoff_at(b - slip), claim.tradeoff_at(b + slip));
                assert!(high >= a - slip && low <= a + slip, "{claim}: f({a}) = {b}, {high} {low}");
            }
        }
    }
}

#[test]
fn the_profile_is_the_convex_dual_of_the_region() {
    // δ(ε) = sup_q g(q) − e^ε q: no q exceeds it, and a fine grid comes close.
    for claim in claims() {
        for epsilon in [0.0, 0.05, 0.5, 1.0, 2.0, 4.9] {
            let delta = claim.delta_at(epsilon);
            let gap = |q: f64| claim.region().most_power(q) - epsilon.exp() * q;
            let mut best = rates().into_iter().map(gap).fold(0.0, f64::max);
            for i in 0..=20_000 {
                best = best.max(gap(f64::from(i) / 20_000.0));
            }
            assert!(best <= delta + 2e-12, "{claim} at {epsilon}: {best} > {delta}");
            assert!(best >= delta - 2e-3, "{claim} at {epsilon}: {best} < {delta}");
        }
    }
}

#[test]
fn profiles_fall_and_stay_between_zero_and_one() {
    for claim in claims() {
        let mut last = 1.0;
        for i in 0..400 {
            let delta = claim.delta_at(f64::from(i) * 0.05);
            assert!((0.0..=1.0).contains(&delta), "{claim}: {delta}");
            assert!(delta <= last * (1.0 + 1e-10), "{claim} at {i}: {delta} > {last}");
            last = delta;
        }
    }
}

#[test]
fn the_profile_of_pure_randomized_response_below_its_epsilon_is_known() {
    // RR(θ) with θ = 3/4: δ(0) = 1/2; at e^ε = 2 it is 3/4 − 2/4 = 1/4.
    let claim = Claim::pure(3f64.ln()).expect("in range");
    assert!(relative(claim.delta_at(0.0), 0.5) < 1e-15);
    assert!(relative(claim.delta_at(2f64.ln()), 0.25) < 1e-15);
    // A hair below its own ε nothing cancels.
    let near = claim.delta_at(3f64.ln() - 1e-12);
    assert!(relative(near, 0.75e-12) < 1e-3);
}

#[test]
fn reference_points_lie_on_the_profile() {
    for mu in [0.0, 1e-6, 2e-5, 3e-5, 0.01, 1.0, 6.0, 40.0] {
        let claim = Claim::gaussian(mu).expect("in range");
        let (epsilon, delta) = claim.reference_point();
        assert_eq!(delta, REFERENCE_DELTA);
        assert!(epsilon.is_finite() && epsilon >= 0.0);
        assert!(claim.delta_at(epsilon) <= REFERENCE_DELTA);
        if epsilon > 0.0 {
            assert!(claim.delta_at(epsilon * (1.0 - 1e-9)) >= REFERENCE_DELTA * (1.0 - 1e-12));
        }
    }
    let one = Claim::gaussian(1.0).expect("in range").reference_point().0;
    assert!((one - 4.377_178).abs() < 1e-6);
    assert_eq!(Claim::approximate(2.0, 0.1).expect("in range").reference_point(), (2.0, 0.1));
}

#[test]
fn impossible_claims_are_refused() {
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(Claim::pure(bad).is_err());
        assert!(Claim::gaussian(bad).is_err());
    }
    for bad in [-1e-300, 1.1, f64::NAN] {
        assert!(Claim::approximate(1.0, bad).is_err());
    }
    assert!(Claim::approximate(0.0, 1.0).is_ok());
}
