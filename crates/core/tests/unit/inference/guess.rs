use super::*;

/// P[Bin(n, p) >= k], by the definition.
fn tail(k: u64, n: u64, p: f64) -> f64 {
    let choose = |k: u64| (1..=k).fold(1.0, |sum, i| sum * (n - k + i) as f64 / i as f64);
    (k..=n).map(|k| choose(k) * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32)).sum()
}

/// P[Bin(K − b, θ) >= W − b], with θ the chance of randomized response.
fn by_chance(guesses: Guesses, epsilon: f64, b: u64) -> f64 {
    let Guesses { right, made, .. } = guesses;
    let odds = epsilon.exp();
    if b >= right { 1.0 } else { tail(right - b, made - b, odds / (1.0 + odds)) }
}

const CASES: [(u64, u64, u64); 7] =
    [(9, 10, 20), (10, 10, 10), (18, 20, 20), (12, 24, 30), (20, 22, 25), (1, 1, 30), (0, 4, 9)];

fn cases() -> impl Iterator<Item = Guesses> {
    CASES.into_iter().map(|(right, made, trials)| Guesses { right, made, trials })
}

#[test]
fn p_values_are_the_sums_that_define_them() {
    for guesses in cases() {
        for (epsilon, delta) in [(0.0, 0.0), (1.0, 0.0), (0.5, 0.01), (0.0, 0.1), (2.0, 0.3)] {
            for alpha in [0.2, 0.05, 1e-3] {
                let more = |b: u64| tail(b + 1, guesses.trials, delta);
                let b = (0..).find(|&b| delta == 0.0 || more(b) <= alpha / 5.0).expect("T at most");
                let error = if delta > 0.0 { more(b) } else { 0.0 };
                let exact = (by_chance(guesses, epsilon, b) + error).min(1.0);
                let p = guesses.p_value(epsilon, delta, alpha);
                assert!(
                    p >= exact * (1.0 - 1e-14),
                    "{guesses:?} {epsilon} {delta} {alpha}: {p} {exact}"
                );
                assert!(
                    p <= exact * (1.0 + 2e-10),
                    "{guesses:?} {epsilon} {delta} {alpha}: {p} {exact}"
                );
            }
        }
    }
}

/// The ε at which the p-value is α: just below is refuted, just above is not. Ten right guesses of ten
/// have the bound logit α^(1/10).
#[test]
fn the_bound_on_epsilon_is_where_the_p_value_passes_the_level() {
    for guesses in cases() {
        for (delta, alpha) in [(0.0, 0.05), (0.0, 1e-3), (0.01, 0.05), (0.1, 0.2)] {
            let bound = guesses.epsilon_lower(delta, alpha);
            let p = |epsilon: f64| guesses.p_value(epsilon, delta, alpha);
            if bound > 0.0 {
                assert!(p(bound) <= alpha, "{guesses:?} {delta} {alpha}: {bound}");
            }
            assert!(p(bound + 1e-8) > alpha, "{guesses:?} {delta} {alpha}: {bound}");
        }
    }
    let all = Guesses { right: 10, made: 10, trials: 10 };
    let theta = f64::powf(0.05, 0.1);
    let exact = (theta / (1.0 - theta)).ln();
    assert!((all.epsilon_lower(0.0, 0.05) - exact).abs() < 1e-9);
}

/// The bound on δ by its definition: the last b with f(b) <= 4α/5, and what is left beyond it.
#[test]
fn the_bound_on_delta_is_the_one_that_its_proof_gives() {
    for guesses in cases() {
        for (epsilon, alpha) in [(0.0, 0.05), (0.0, 0.3), (0.7, 0.05), (0.0, 1e-3), (1.5, 0.5)] {
            let trials = guesses.trials;
            let f = |b| by_chance(guesses, epsilon, b);
            // The δ at which more than b coins are revealed with this probability.
            let beyond = |b: u64, level: f64| {
                if b >= trials {
                    return 1.0;
                }
                let (mut low, mut high) = (0.0, 1.0);
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if tail(b + 1, trials, middle) <= level { low = middle } else { high = middle }
                }
                low
            };
            let first = (0..).find(|&b| f(b) > 0.8 * alpha).expect("f is 1 in the end");
            let whole = if first == 0 { 0.0 } else { beyond(first - 1, alpha / 5.0) };
            let left = alpha - f(first);
            let exact = f64::max(whole, if left > 0.0 { beyond(first, left) } else { 0.0 });
            let bound = guesses.delta_lower(epsilon, alpha);
            assert!(bound <= exact, "{guesses:?} {epsilon} {alpha}: {bound} {exact}");
            assert!(
                bound >= exact * (1.0 - 1e-8),
                "{guesses:?} {epsilon} {alpha}: {bound} {exact}"
            );
        }
    }
}
