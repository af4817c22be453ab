use super::*;

/// Probabilities of Bin(n, p), by the definition.
fn law(n: u64, p: f64) -> Vec<f64> {
    let choose = |k: u64| (1..=k).fold(1.0, |sum, i| sum * (n - k + i) as f64 / i as f64);
    (0..=n).map(|k| choose(k) * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32)).collect()
}

/// T of the documentation: of Clopper–Pearson bounds at the levels of the order.
fn statistic(claim: &Claim, levels: Corner, (x, n): (u64, u64), (y, m): (u64, u64)) -> f64 {
    let (p, q) = (proportion::lower(x, n, levels.own), proportion::upper(y, m, levels.other));
    match claim.as_epsilon_delta() {
        Some((_, delta)) => ((p - delta).max(0.0) / q).ln(),
        None => normal::quantile(p) - normal::quantile(q),
    }
}

const COUNTS: [[u64; 4]; 5] =
    [[9, 10, 2, 12], [12, 12, 0, 6], [20, 25, 5, 15], [1, 6, 0, 9], [7, 8, 7, 9]];

/// sup_q P_{g(q), q}(T >= t) + γ, on a grid of q, by sums over all outcomes.
fn p_value(
    claim: &Claim,
    levels: Corner,
    [hits, n, other_hits, m]: [u64; 4],
    region: &Region,
    alpha: f64,
) -> f64 {
    let t = statistic(claim, levels, (hits, n), (other_hits, m));
    let extreme: Vec<(u64, u64)> = (0..=n)
        .flat_map(|x| (0..=m).map(move |y| (x, y)))
        .filter(|&(x, y)| statistic(claim, levels, (x, n), (y, m)) >= t - 1e-9)
        .collect();
    let gamma = (alpha / 1_000.0).min(1e-5);
    let rates = (
        proportion::lower(other_hits, m, gamma / 2.0),
        proportion::upper(other_hits, m, gamma / 2.0),
    );
    let sup = (0..=600).map(|i| {
        let q = rates.0 + (rates.1 - rates.0) * f64::from(i) / 600.0;
        let (x, y) = (law(n, region.most_power(q)), law(m, q));
        extreme.iter().map(|&(i, j)| x[i as usize] * y[j as usize]).sum::<f64>()
    });
    (sup.fold(0.0, f64::max) + gamma).min(1.0)
}

#[test]
fn p_values_are_the_suprema_that_define_them() {
    let approximate = Claim::approximate(0.5, 0.05).expect("in range");
    let claims =
        [Claim::pure(0.7).expect("in range"), approximate, Claim::gaussian(0.8).expect("in range")];
    for (claim, counts) in claims.iter().flat_map(|claim| COUNTS.map(|counts| (claim, counts))) {
        let [hits, n, other_hits, other_n] = counts;
        for (alpha, levels) in [(0.05, Corner::even(0.05)), (0.001, Corner::leaning(0.001, 0.2))] {
            let counts_ = EventCounts { hits, n, other_hits, other_n };
            let test = EventTest::with_corner(counts_, claim, alpha, levels);
            let value = test.p_value(claim.region());
            if statistic(claim, levels, (hits, n), (other_hits, other_n)) == f64::NEG_INFINITY {
                assert_eq!(value, 1.0);
                continue;
            }
            let exact = p_value(claim, levels, counts, claim.region(), alpha);
            let what = format!("{claim} {counts:?} {alpha}: {value} {exact}");
            assert!(value >= exact * (1.0 - 1e-4) && value <= exact * 1.011, "{what}");
        }
    }
}

#[test]
fn bounds_lie_a_hair_on_the_side_of_the_rejected() {
    let alpha = 0.05;
    for claim in [Claim::pure(0.3), Claim::approximate(0.2, 0.01), Claim::gaussian(0.5)] {
        let claim = claim.expect("in range");
        for [hits, n, other_hits, other_n] in
            [[9, 10, 2, 12], [60, 100, 20, 90], [20, 25, 5, 15], [700, 9_000, 40, 8_000]]
        {
            let test = EventTest::new(EventCounts { hits, n, other_hits, other_n }, &claim, alpha);
            let meets = |bound: f64, region: Region, what: &str| {
                let p = test.p_value(&region);
                assert!(
                    bound > 0.0 && p <= alpha && p >= alpha * (1.0 - 4e-4),
                    "{claim} {hits} {what} {bound}: {p}"
                );
            };
            for delta in [0.0, 0.01] {
                let epsilon = test.epsilon_lower(delta);
                meets(epsilon, Region::EpsilonDelta { epsilon, delta }, "ε");
            }
            for epsilon in [0.0, 0.3] {
                let delta = test.delta_lower(epsilon);
                meets(delta, Region::EpsilonDelta { epsilon, delta }, "δ");
            }
            let mu = test.mu_lower();
            meets(mu, Region::Gaussian { mu }, "μ");
        }
    }
    // No evidence: as many hits on the other side.
    let counts = EventCounts { hits: 10, n: 50, other_hits: 10, other_n: 50 };
    let test = EventTest::new(counts, &Claim::pure(0.3).expect("in range"), alpha);
    assert_eq!((test.epsilon_lower(0.0), test.delta_lower(0.0), test.mu_lower()), (0.0, 0.0, 0.0));
}

/// z/√2 = 1.1631 at α = 0.05, so each side has the level 0.1224 (mpmath).
#[test]
fn the_corner_has_two_bounds_of_equal_level() {
    let counts = EventCounts { hits: 9, n: 10, other_hits: 2, other_n: 12 };
    let test = EventTest::new(counts, &Claim::pure(1.0).expect("in range"), 0.05);
    let each = 0.122_397_071_826_674_76;
    let (p, q) = test.corner(0.05);
    assert!((p - proportion::lower(9, 10, each)).abs() < 1e-12, "{p}");
    assert!((q - proportion::upper(2, 12, each)).abs() < 1e-12, "{q}");
}

/// The least p at which the outcomes at least as extreme have the probability, by sums over all outcomes.
#[test]
fn the_rate_that_reaches_a_probability_is_the_least() {
    let claim = Claim::pure(0.7).expect("in range");
    let (levels, [hits, n, other_hits, other_n]) = (Corner::even(0.05), [20, 25, 5, 15]);
    let test = EventTest::new(EventCounts { hits, n, other_hits, other_n }, &claim, 0.05);
    let t = statistic(&claim, levels, (hits, n), (other_hits, other_n));
    let probability = |p: f64, q: f64| -> f64 {
        let (x, y) = (law(n, p), law(other_n, q));
        let all = (0..=n).flat_map(|x| (0..=other_n).map(move |y| (x, y)));
        all.filter(|&(i, j)| statistic(&claim, levels, (i, n), (j, other_n)) >= t - 1e-9)
            .map(|(i, j)| x[i as usize] * y[j as usize])
            .sum()
    };
    for q in [0.2, 1.0 / 3.0] {
        for share in [0.5, 0.9] {
            let p = test.rate_reaching(q, share).expect("reached");
            // A thousandth of 0.08, the deviation of 20 of 25.
            assert!(probability(p, q) >= share * (1.0 - 1e-8), "{q} {share} {p}");
            assert!(probability(p - 8.1e-5, q) < share, "{q} {share} {p}");
        }
    }
    assert_eq!(test.rate_reaching(0.9, 0.9), None);
    assert!((binomial_deviation(25, 20) - 0.08).abs() < 1e-15);
    assert_eq!(binomial_deviation(25, 0), 0.04);
}
