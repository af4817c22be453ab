//! Profiles, regions and trade-off functions against each other and against 50-digit values.

use super::{Claim, ClaimError, Form, REFERENCE_DELTA, Region, Rule, event_divergence};
use plaudit_accountant::normal;

/// Rows (n or μ, parameter, value) of one kind of the golden file.
fn golden(kind: &str) -> Vec<(f64, f64, f64)> {
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/golden.csv"))
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
    all.extend(curves());
    all
}

/// Claims whose regions have straight edges.
fn curves() -> Vec<Claim> {
    let tradeoff = |points: &[(f64, f64)]| Claim::tradeoff(points.to_vec());
    let mut all = vec![
        Claim::zero_concentrated(0.0),
        Claim::zero_concentrated(1e-6),
        Claim::zero_concentrated(0.5),
        Claim::zero_concentrated(20.0),
        Claim::renyi([(8.0, 0.5)]),
        Claim::renyi([(1.5, 0.1), (2.0, 0.2), (32.0, 1.0), (1e6, 1.5)]),
        Claim::profile(vec![(0.0, 0.3), (0.5, 0.1), (1.0, 0.02), (3.0, 1e-9)]),
        Claim::profile(vec![(1.0, 0.1), (4.0, 0.0)]),
        tradeoff(&[(0.0, 1.0)]),
        tradeoff(&[(0.0, 0.9), (0.1, 0.6), (0.4, 0.2)]),
        tradeoff(&[(0.0, 0.0)]),
    ];
    all.push(gaussian_by_points(1.0));
    let of = |expression: &str| Claim::composition(expression.parse().expect("a composition"));
    all.push(of("laplace(scale=4) x 8 + randomized-response(truth=0.25)"));
    all.push(of("gaussian(sigma=1) x 100 @ poisson(0.02)"));
    let groups = [2, 5].map(|size| gaussian_by_points(0.5).and_then(|one| one.for_groups(size)));
    all.extend(groups);
    all.into_iter().map(|claim| claim.expect("a claim")).collect()
}

fn gaussian_by_points(mu: f64) -> Result<Claim, ClaimError> {
    let whole = Claim::gaussian(mu)?;
    let grid = (0..=240).map(|i| f64::from(i) * 0.05 * mu);
    Claim::profile(grid.map(|epsilon| (epsilon, whole.delta_at(epsilon))).collect())
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
        let value = Claim::gaussian(mu).expect("in range").delta_at(epsilon);
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

#[test]
fn a_region_around_a_curve_contains_it_and_is_hardly_wider() {
    for mu in [0.01, 0.5, 1.0, 4.0] {
        let whole = Region::Gaussian { mu };
        let around = super::Polygon::around(|q| whole.most_power(q));
        for q in rates().into_iter().chain([3e-7, 0.123, 0.777]) {
            let (exact, found) = (whole.most_power(q), around.most_power(q));
            assert!(found >= exact, "mu {mu}, q {q:e}: {found:e} < {exact:e}");
            assert!(
                q < 1e-15 || found <= exact * (1.0 + 3e-4),
                "mu {mu}, q {q:e}: {found:e} {exact:e}"
            );
        }
    }
}

#[test]
fn events_on_the_edge_of_a_renyi_region_have_the_divergence_claimed() {
    for (order, epsilon) in [(1.5, 0.3), (2.0, 0.01), (8.0, 0.5), (100.0, 3.0)] {
        let claim = Claim::renyi([(order, epsilon)]).expect("a claim");
        for q in [1e-9, 1e-4, 0.01, 0.2, 0.5] {
            let p = claim.region().most_power(q);
            let most = |p: f64| event_divergence(order, p, q).max(event_divergence(order, q, p));
            assert!(most(p) >= epsilon * (1.0 - 1e-9), "({order}, {epsilon}) at {q}: {}", most(p));
            // The region is wider than the truth by a share of p.
            let narrower = p - 1e-3 * (p - q).min(1.0 - p);
            assert!(most(narrower) <= epsilon * (1.0 + 1e-3), "({order}, {epsilon}) at {q}");
        }
    }
    // D_2(Bern(3/4) ‖ Bern(1/4)) = ln(9/4 + 1/12) = ln(7/3).
    assert!(relative(event_divergence(2.0, 0.75, 0.25), (7f64 / 3.0).ln()) < 1e-14);
}

#[test]
fn a_gaussian_mechanism_is_within_its_concentrated_claim_and_nearly_fills_it() {
    for mu in [1e-3f64, 0.3, 1.0, 3.0] {
        let claim = Claim::zero_concentrated(0.5 * mu * mu).expect("a claim");
        let whole = Region::Gaussian { mu };
        for q in [1e-9, 1e-5, 0.01, 0.3, 0.5, 0.9, 0.999] {
            let (gaussian, allowed) = (whole.most_power(q), claim.region().most_power(q));
            assert!(allowed >= gaussian * (1.0 - 1e-9), "mu {mu}, q {q}: {allowed} {gaussian}");
            let twice = Region::Gaussian { mu: 2.5 * mu }.most_power(q);
            assert!(allowed <= twice, "mu {mu}, q {q}: {allowed} {twice}");
        }
    }
}

#[test]
fn a_profile_by_points_says_what_its_points_say() {
    let points = vec![(0.0, 0.3), (0.5, 0.1), (1.0, 0.02), (3.0, 1e-9)];
    let claim = Claim::profile(points.clone()).expect("a claim");
    for (epsilon, delta) in points {
        let found = claim.delta_at(epsilon);
        // Rounded in ulps of p, of which δ may be a small part.
        assert!(found >= delta && found <= delta + 1e-14, "{epsilon}: {found} {delta}");
    }
    let (epsilon, delta) = claim.reference_point();
    assert!(epsilon > 1.0 && epsilon < 3.0 && delta == REFERENCE_DELTA);
    // One point is itself.
    let one = Claim::profile(vec![(1.0, 0.1)]).expect("a claim");
    assert_eq!(one.as_epsilon_delta(), Some((1.0, 0.1)));
    let whole = Claim::gaussian(1.0).expect("a claim");
    let points = gaussian_by_points(1.0).expect("a claim");
    for q in rates() {
        let (exact, found) = (whole.region().most_power(q), points.region().most_power(q));
        assert!(found >= exact * (1.0 - 1e-11), "{q}: {found} {exact}");
        assert!(q < 1e-12 || found <= exact * 1.002, "{q}: {found} {exact}");
    }
}

#[test]
fn a_trade_off_function_by_points_is_that_function() {
    let (epsilon, delta) = (1.0f64, 0.1);
    let meet = (1.0 - delta) / (1.0 + epsilon.exp());
    let points = vec![(0.0, 1.0 - delta), (meet, meet), (1.0 - delta, 0.0)];
    let by_points = Claim::tradeoff(points).expect("a claim");
    let whole = Claim::approximate(epsilon, delta).expect("a claim");
    for a in rates() {
        let (found, exact) = (by_points.tradeoff_at(a), whole.tradeoff_at(a));
        assert!((found - exact).abs() < 1e-11, "{a}: {found} {exact}");
    }
    // A claim about one direction is also one about the other: the mirror image holds.
    let lopsided = Claim::tradeoff(vec![(0.0, 0.5), (1.0, 0.0)]).expect("a claim");
    // f is (1 − a)/2, its inverse 1 − 2a: they cross at a third.
    for (a, exact) in [(0.0, 1.0), (0.25, 0.5), (0.5, 0.25), (0.75, 0.125)] {
        let found = lopsided.tradeoff_at(a);
        assert!((found - exact).abs() < 1e-11, "{a}: {found} {exact}");
    }
}

#[test]
fn groups_follow_their_rules() {
    let of = |claim: Result<Claim, ClaimError>, size| {
        claim.and_then(|claim| claim.for_groups(size)).expect("a claim")
    };
    assert_eq!(of(Claim::pure(0.5), 4).as_epsilon_delta(), Some((2.0, 0.0)));
    let (epsilon, delta) =
        of(Claim::approximate(1.0, 1e-6), 3).as_epsilon_delta().expect("a point");
    // (1 + e + e²) 10⁻⁶.
    assert!(epsilon == 3.0 && relative(delta, 11.107_337_927_389_695e-6) < 1e-11, "{delta}");
    assert_eq!(*of(Claim::gaussian(0.5), 4).region(), Region::Gaussian { mu: 2.0 });
    let concentrated = of(Claim::zero_concentrated(0.1), 3);
    let nine = Claim::zero_concentrated(0.1 * 9.0).expect("a claim");
    assert_eq!(concentrated.region(), nine.region());
    // Twice a Gaussian's curve is the curve of twice μ.
    let (twice, whole) = (of(gaussian_by_points(0.5), 2), Region::Gaussian { mu: 1.0 });
    for q in rates() {
        let (found, exact) = (twice.region().most_power(q), whole.most_power(q));
        assert!(found >= exact * (1.0 - 1e-11), "{q}: {found} {exact}");
        assert!(q < 1e-10 || found <= exact * 1.005, "{q}: {found} {exact}");
    }
    let one = of(Claim::gaussian(0.5), 1);
    assert_eq!((one.group_size(), one.region()), (1, &Region::Gaussian { mu: 0.5 }));
}

#[test]
fn rules_of_composition_hold_where_their_theorems_do() {
    let of = |rule: Rule, each, count, delta_prime| rule.composed(each, count, delta_prime);
    let basic = of(Rule::Basic, (0.1, 1e-6), 100, None).expect("composes");
    assert!(relative(basic.0, 10.0) < 1e-14 && relative(basic.1, 1e-4) < 1e-14);
    // 0.1 √(200 ln 10⁵) + 10 (e^0.1 − 1) = 4.798525912 + 1.051709181.
    let advanced = of(Rule::Advanced, (0.1, 0.0), 100, Some(1e-5)).expect("composes");
    assert!((advanced.0 - 5.850_235_093).abs() < 1e-8, "{}", advanced.0);
    assert!(relative(advanced.1, 1e-5) < 1e-14);
    // 0.001 √(800 ln 10⁵) = 0.09597051824.
    let short = of(Rule::AdvancedShort, (0.001, 0.0), 100, Some(1e-5)).expect("composes");
    assert!((short.0 - 0.095_970_518_24).abs() < 1e-9, "{}", short.0);
    let refused = of(Rule::AdvancedShort, (0.1, 0.0), 100, Some(1e-5)).expect_err("beyond 1");
    assert!(refused.must_be.contains("does not hold"), "{refused}");
    // √(−8k ln δ') is not a bound where δ' is nearly 1.
    let refused = of(Rule::AdvancedShort, (0.01107, 0.0), 1_000_000, Some(0.999_000_5));
    assert!(refused.is_err_and(|error| error.name == "delta_prime"));
    for (rule, count, delta_prime) in [
        (Rule::Basic, 0, None),
        (Rule::Basic, 1, Some(0.1)),
        (Rule::Advanced, 10, None),
        (Rule::Advanced, 10, Some(0.0)),
        (Rule::Advanced, 10, Some(1.0)),
        (Rule::AdvancedShort, 10, Some(f64::NAN)),
    ] {
        assert!(
            of(rule, (0.1, 0.0), count, delta_prime).is_err(),
            "{rule:?} {count} {delta_prime:?}"
        );
    }
}

#[test]
fn a_conversion_to_epsilon_and_delta_is_never_stronger_than_the_claim() {
    // The classic conversion is an upper bound of the best one: ε + ln(1/δ)/(α − 1) (Mironov 2017,
    // Proposition 3); and μ-GDP's own profile is below that of the ρ-zCDP that it implies.
    for (order, bound) in [(2.0f64, 0.5), (8.0, 0.5), (64.0, 2.0)] {
        let claim = Claim::renyi([(order, bound)]).expect("a claim");
        for delta in [1e-2f64, 1e-5, 1e-9] {
            let classic = bound + (1.0 / delta).ln() / (order - 1.0);
            let best = claim.delta_at(classic);
            assert!(best <= delta * 1.01, "({order}, {bound}) at {classic}: {best} {delta}");
            assert!(best >= delta * 1e-4, "({order}, {bound}) at {classic}: {best} {delta}");
        }
    }
    let (gaussian, concentrated) = (Claim::gaussian(1.0), Claim::zero_concentrated(0.5));
    let (gaussian, concentrated) = (gaussian.expect("a claim"), concentrated.expect("a claim"));
    for epsilon in [0.0, 0.5, 1.0, 3.0, 5.0] {
        assert!(concentrated.delta_at(epsilon) >= gaussian.delta_at(epsilon) * (1.0 - 1e-9));
    }
}

#[test]
fn a_claim_goes_through_json_as_it_was_stated() {
    let mut all = claims();
    let composed = Form::Composed {
        rule: Rule::Advanced,
        epsilon: 0.1,
        delta: 0.0,
        count: 10,
        delta_prime: Some(1e-6),
    };
    all.push(composed.try_into().expect("a claim"));
    for claim in all {
        let json = serde_json::to_string(&claim).expect("serialises");
        let back: Claim = serde_json::from_str(&json).expect("reads");
        assert_eq!(back, claim, "{json}");
        assert_eq!(back.region(), claim.region(), "{json}");
    }
    for bad in [
        r#"{"form":"epsilon-delta","epsilon":-1.0,"delta":0.0}"#,
        r#"{"form":"renyi","curve":[]}"#,
        r#"{"form":"renyi","curve":[{"order":1.0,"epsilon":1.0}]}"#,
        r#"{"form":"profile","points":[[0.0,0.1],[1.0,0.2]]}"#,
        r#"{"form":"profile","points":[[0.0,0.1],[1.0,0.09],[1.5,0.0]]}"#,
        r#"{"form":"tradeoff","points":[[0.1,0.5]]}"#,
        r#"{"form":"tradeoff","points":[[0.0,0.5],[0.7,0.4]]}"#,
        r#"{"form":"zero-concentrated","rho":1e9}"#,
        r#"{"form":"group","size":0,"of":{"form":"gaussian","mu":1.0}}"#,
        r#"{"form":"group","size":9999999,"of":{"form":"gaussian","mu":1.0}}"#,
        r#"{"form":"group","size":65,"of":{"form":"renyi","curve":[{"order":2.0,"epsilon":1.0}]}}"#,
    ] {
        assert!(serde_json::from_str::<Claim>(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_composition_is_its_profile() {
    let of = |expression: &str| {
        Claim::composition(expression.parse().expect("a composition")).expect("a claim")
    };
    // Four times σ = 2 is μ = 1; its region must contain that of 1-GDP, and be hardly wider.
    let (found, whole) = (of("gaussian(sigma=2) x 4"), Region::Gaussian { mu: 1.0 });
    for q in rates() {
        let (exact, found) = (whole.most_power(q), found.region().most_power(q));
        assert!(found >= exact * (1.0 - 1e-11), "{q:e}: {found:e} {exact:e}");
        assert!(q < 1e-11 || found <= exact * 1.005, "{q:e}: {found:e} {exact:e}");
    }
    let two = of("randomized-response(truth=0.5) x 2");
    // Both answers leak with probability 9/16 against 1/16, or nothing: δ(0) = 1/2, and no loss is
    // above 2 ln 3.
    assert!((two.delta_at(0.0) - 0.5).abs() < 1e-9, "{}", two.delta_at(0.0));
    assert!(two.delta_at(2.0 * 3f64.ln() + 1e-6) < 1e-9);
    assert!((two.delta_at(1.0) - (9.0 - 1f64.exp()) / 16.0).abs() < 1e-3, "{}", two.delta_at(1.0));
    assert!(two.for_groups(2).expect("a claim").delta_at(0.0) > 0.5);
}

#[test]
fn large_claims_have_a_reference_point_and_claims_of_nothing_are_the_square() {
    for rho in [10.0, 30.0, 100.0] {
        let claim = Claim::zero_concentrated(rho).expect("a claim");
        let (epsilon, delta) = claim.reference_point();
        assert_eq!(delta, REFERENCE_DELTA, "rho {rho}");
        // ρ + 2√(ρ ln(1/δ)) is an upper bound (Bun, Steinke 2016, Proposition 1.3).
        let classic = rho + 2.0 * (rho * 1e5f64.ln()).sqrt();
        assert!(epsilon > 0.5 * rho && epsilon < classic, "rho {rho}: {epsilon} {classic}");
    }
    for claim in [
        Claim::tradeoff(vec![(0.0, 0.0)]),
        Claim::profile(vec![(0.0, 1.0), (1.0, 1.0)]),
        Claim::zero_concentrated(1e4),
    ] {
        let claim = claim.expect("a claim");
        let (epsilon, delta) = claim.reference_point();
        assert!(epsilon >= 0.0 && (0.0..=1.0).contains(&delta), "{claim}: {epsilon} {delta}");
    }
    // What passes for f(1) = 0 is 0.
    let slack = Claim::tradeoff(vec![(0.0, 0.1), (0.1, 1e-10), (1.0, 1e-10)]).expect("a claim");
    assert!(slack.region().most_power(0.0) >= 0.9);
}
