use super::*;

fn guesses(canaries: u64, made: u64, right: u64) -> CanaryGuesses {
    CanaryGuesses { canaries, made, right }
}

/// P[Bin(n, θ) = k], by multiplication.
fn chance(k: u64, n: u64, theta: f64) -> f64 {
    (0..k).fold(1.0, |sum, i| sum * (n - i) as f64 / (i + 1) as f64)
        * theta.powi(k as i32)
        * (1.0 - theta).powi((n - k) as i32)
}

fn theta(epsilon: f64) -> f64 {
    1.0 / (1.0 + (-epsilon).exp())
}

#[test]
fn guesses_by_chance_are_coin_tosses() {
    let p = guesses(10, 10, 10).p_value(0.0, 0.0);
    assert!((p * 1024.0 - 1.0).abs() < 1e-8 && p >= 1.0 / 1024.0, "{p}");
    assert_eq!(guesses(10, 10, 0).p_value(3.0, 0.0), 1.0);
    // All of r guesses right: θ^r = α.
    let root = 0.05_f64.powf(1e-2);
    let bound = guesses(1000, 100, 100).epsilon_lower(0.0, 0.05);
    assert!((bound - (root / (1.0 - root)).ln()).abs() < 1e-7, "{bound}");
}

/// The theorem's formula term by term, with every i from 1 to m.
#[test]
fn p_values_are_those_of_the_theorem() {
    for (canaries, made) in [(6, 6), (12, 5), (30, 20)] {
        for right in 0..=made {
            for (epsilon, delta) in [(0.0, 0.0), (0.3, 1e-3), (1.0, 1e-2), (2.5, 1e-6), (4.0, 0.1)]
            {
                let law: Vec<f64> = (0..=made).map(|k| chance(k, made, theta(epsilon))).collect();
                let between =
                    |low: u64, high: u64| -> f64 { law[low as usize..high as usize].iter().sum() };
                let beta = between(right, made + 1);
                let most = (1..=canaries)
                    .map(|i| between(right.saturating_sub(i), right) / i as f64)
                    .fold(0.0, f64::max);
                let expected = (beta + 2.0 * canaries as f64 * delta * most).min(1.0);
                let found = guesses(canaries, made, right).p_value(epsilon, delta);
                assert!(
                    found >= expected * (1.0 - 1e-13) && found <= expected * (1.0 + 1e-8) + 1e-15,
                    "{right} of {made} of {canaries} at ({epsilon}, {delta}): {found} {expected}"
                );
            }
        }
    }
}

/// By 50-digit arithmetic from the formula of Theorem 5.2.
#[test]
fn bounds_are_those_of_a_slow_evaluation() {
    for (canaries, made, right, delta, alpha, expected) in GOLDEN {
        let found = guesses(canaries, made, right).epsilon_lower(delta, alpha);
        assert!(
            found <= expected + 1e-9 && found > expected - 1e-6,
            "{right} of {made} of {canaries} at {delta}: {found} {expected}"
        );
    }
}

/// Randomized response on each canary reveals its coin with probability θ: the guesses of r canaries are right as often
/// as Bin(r, θ). No bound may be above ε more often than α.
#[test]
fn size_never_exceeds_alpha_for_randomized_response() {
    for alpha in [0.05, 0.01] {
        for made in 1..=14 {
            for step in 0..=12 {
                let epsilon = f64::from(step) * 0.25;
                let wrong: f64 = (0..=made)
                    .filter(|right| {
                        guesses(made, made, *right).epsilon_lower(0.0, alpha) > epsilon + 1e-9
                    })
                    .map(|right| chance(right, made, theta(epsilon)))
                    .sum();
                assert!(
                    wrong <= alpha * (1.0 + 1e-9),
                    "{made} guesses at {epsilon}: {wrong} > {alpha}"
                );
            }
        }
    }
}

/// How often a test whose term of δ has `counted` canaries refutes (ε, δ), where each of `canaries` coins is given away
/// with probability δ, else reported by randomized response at θ: exactly (ε, δ) where the coins given away are
/// recognisable. The auditor guesses those that were given away first, and as many others as are left of `made`.
fn size_of_giving_away(
    [counted, canaries, made]: [u64; 3],
    (epsilon, delta): (f64, f64),
    alpha: f64,
) -> f64 {
    let mut law = vec![0.0; made as usize + 1];
    for given in 0..=canaries {
        let sure = given.min(made);
        for lucky in 0..=made - sure {
            law[(sure + lucky) as usize] +=
                chance(given, canaries, delta) * chance(lucky, made - sure, theta(epsilon));
        }
    }
    let refuted = |right: &u64| guesses(counted, made, *right).p_value(epsilon, delta) <= alpha;
    (0..=made).filter(refuted).map(|right| law[right as usize]).sum()
}

#[test]
fn size_never_exceeds_alpha_where_coins_are_given_away() {
    for [canaries, made] in [[12, 3], [40, 5], [20, 20], [200, 4], [200, 10]] {
        for epsilon in [0.0, 0.5, 1.5] {
            for delta in [1e-3, 1e-2, 0.05] {
                let wrong = size_of_giving_away([canaries, canaries, made], (epsilon, delta), 0.05);
                assert!(wrong <= 0.05, "{made} of {canaries} at ({epsilon}, {delta}): {wrong}");
            }
        }
    }
    // The number of guesses in place of that of canaries would be wrong.
    assert!(size_of_giving_away([10, 200, 10], (0.0, 0.01), 0.05) > 0.05);
}

#[test]
fn more_right_guesses_never_certify_less() {
    for delta in [0.0, 1e-4, 1e-2] {
        let bounds: Vec<f64> =
            (0..=60).map(|right| guesses(100, 60, right).epsilon_lower(delta, 0.05)).collect();
        assert!(bounds.windows(2).all(|two| two[0] <= two[1] + 1e-9), "{bounds:?}");
        assert_eq!(bounds[30], 0.0);
        let p: Vec<f64> =
            (0..=60).map(|right| guesses(100, 60, right).p_value(1.0, delta)).collect();
        assert!(p.windows(2).all(|two| two[0] >= two[1]), "{p:?}");
    }
}

#[test]
fn a_larger_delta_and_more_canaries_certify_less() {
    let bound = |canaries, delta| guesses(canaries, 100, 95).epsilon_lower(delta, 0.05);
    assert!(bound(100, 0.0) > bound(100, 1e-4) && bound(100, 1e-4) > bound(1000, 1e-4));
    assert_eq!(bound(100, 0.0), bound(100_000, 0.0));
    assert_eq!(bound(1000, 0.5), 0.0);
}

#[test]
fn a_claim_is_refuted_where_the_bound_is_above_it() {
    for (epsilon, delta) in [(0.5, 0.0), (1.0, 1e-5), (2.0, 1e-3), (3.0, 1e-5)] {
        for right in 50..=100 {
            let counts = guesses(1000, 100, right);
            let p = counts.p_value_of_claim(epsilon, delta, 0.05);
            let bound = counts.epsilon_lower(delta, 0.05);
            assert_eq!(p <= 0.05, bound >= epsilon, "{right}: {p} {bound} at {epsilon}");
        }
    }
}

/// Canaries, guesses, right ones, δ, α, bound.
const GOLDEN: [(u64, u64, u64, f64, f64, f64); 6] = [
    (1000, 1000, 1000, 0.0, 0.05, 5.809_068_339),
    (1000, 100, 95, 0.0, 0.05, 2.172_434_043),
    (1000, 100, 95, 1e-5, 0.05, 2.165_175_800),
    (1000, 100, 95, 1e-3, 0.05, 0.594_313_632),
    (500, 500, 320, 1e-5, 0.01, 0.355_301_317),
    (1000, 100, 100, 1e-5, 0.05, 3.465_376_348),
];
