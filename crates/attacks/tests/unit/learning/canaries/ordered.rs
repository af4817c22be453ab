use super::super::canary::Canary;
use super::*;

fn test(canaries: u64, delta: f64, alpha: f64) -> OrderedTest {
    OrderedTest { canaries, delta, alpha }
}

/// One number of guesses.
fn at(right: u64, wrong: u64) -> Path {
    Path { order: Order::Both, counts: vec![[right, wrong]] }
}

fn theta(epsilon: f64) -> f64 {
    1.0 / (1.0 + (-epsilon).exp())
}

/// P[Bin(n, θ) = k], by multiplication.
fn chance(k: u64, n: u64, theta: f64) -> f64 {
    (0..k).fold(1.0, |sum, i| sum * (n - i) as f64 / (i + 1) as f64)
        * theta.powi(k as i32)
        * (1.0 - theta).powi((n - k) as i32)
}

/// Probability that one order refutes at any time: `given` guesses are right for sure, then each with probability θ.
fn crossed(canaries: u64, given: u64, theta: f64, refutes: impl Fn(u64, u64) -> bool) -> f64 {
    let mut law = vec![1.0];
    let mut refuted = 0.0;
    for made in 1..=canaries {
        let right = if made <= given { 1.0 } else { theta };
        let mut next = vec![0.0; law.len() + 1];
        for (v, p) in law.iter().enumerate() {
            next[v + 1] += p * right;
            next[v] += p * (1.0 - right);
        }
        for (v, p) in next.iter_mut().enumerate().filter(|(_, p)| **p > 0.0) {
            if refutes(v as u64, made - v as u64) {
                refuted += *p;
                *p = 0.0;
            }
        }
        law = next;
    }
    refuted
}

/// The law of each step, one guess after another: the means of E under q are 1, as those of a martingale.
#[test]
fn evidence_has_no_drift() {
    for epsilon in [0.0, 0.7, 2.0, 5.0] {
        for made in 1..=30 {
            let mean: f64 = (0..=made)
                .map(|right| {
                    let (_, evidence) = at(right, made - right).evidence_of(epsilon);
                    chance(right, made, theta(epsilon)) * evidence.exp()
                })
                .sum();
            assert!((mean - 1.0).abs() < 1e-12, "{made} at {epsilon}: {mean}");
        }
    }
}

impl Path {
    /// E of its only number of guesses, below 1 too.
    fn evidence_of(&self, epsilon: f64) -> ([u64; 2], f64) {
        let [right, wrong] = self.counts[0];
        ([right, wrong], Laws::new(epsilon).ln_evidence(right as f64, wrong as f64))
    }
}

/// Randomized response of each coin: each order refutes with probability at most α/3, and nearly that often.
#[test]
fn size_of_one_order_is_near_a_third_of_alpha() {
    for (alpha, epsilon) in [(0.05, 0.0), (0.05, 1.0), (0.05, 3.0), (0.3, 0.5)] {
        let test = test(1_000, 0.0, alpha);
        let refutes = |v, w| at(v, w).p_value(&test, epsilon) <= alpha;
        let size = crossed(1_000, 0, theta(epsilon), refutes);
        println!("one order at ({epsilon}, 0): {size:.5} of {:.5}", alpha / 3.0);
        assert!(size <= alpha / 3.0, "{alpha} at {epsilon}: {size}");
        // Without the share of an order it would be above α/3.
        let whole = crossed(1_000, 0, theta(epsilon), |v, w| {
            at(v, w).p_value(&test, epsilon) <= 3.0 * alpha
        });
        assert!(whole > alpha / 3.0, "{alpha} at {epsilon}: {whole}");
    }
}

/// All reports and all coins of a few canaries, on all three orders.
fn size_of_reports(canaries: u64, epsilon: f64, alpha: f64) -> [f64; 2] {
    let (q, mut found) = (theta(epsilon), [0.0; 2]);
    for reported in 0..=canaries {
        for pattern in 0..1_u64 << canaries {
            // The lowest are reported out, the highest in; each report is right where its bit is set.
            let canary = |place: u64| Canary {
                score: place as f64,
                included: (place >= canaries - reported) == (pattern >> place & 1 == 1),
                line: place,
            };
            let ranked = Ranked::new(&(0..canaries).map(canary).collect::<Vec<_>>());
            let right = pattern.count_ones() as i32;
            let weight = chance(reported, canaries, 0.5)
                * q.powi(right)
                * (1.0 - q).powi(canaries as i32 - right);
            let test = test(canaries, 0.0, alpha);
            let p = ORDERS.map(|order| Path::new(order, &ranked).p_value(&test, epsilon));
            let least = p.into_iter().fold(1.0, f64::min);
            for (found, level) in found.iter_mut().zip([alpha, 3.0 * alpha]) {
                *found += if least <= level { weight } else { 0.0 };
            }
        }
    }
    found
}

#[test]
fn size_of_all_orders_never_exceeds_alpha() {
    for (epsilon, alpha) in [(0.0, 0.05), (0.0, 0.3), (0.4, 0.3)] {
        let [size, forgot] = size_of_reports(11, epsilon, alpha);
        println!("three orders at ({epsilon}, 0): {size:.4} of {alpha}; not shared, {forgot:.4}");
        assert!(size <= alpha, "{size} at ({epsilon}, {alpha})");
        assert!(epsilon > 0.0 || forgot > alpha, "{forgot} at ({epsilon}, {alpha})");
    }
}

/// Each coin is given away with probability δ and then guessed first, else reported by randomized response.
#[test]
fn size_never_exceeds_alpha_where_coins_are_given_away() {
    let alpha = 0.05;
    for (canaries, delta, epsilon) in
        [(20, 1e-3, 0.0), (200, 1e-4, 1.0), (200, 1e-3, 1.0), (200, 0.02, 1.0), (400, 0.05, 0.5)]
    {
        let own = test(canaries, delta, alpha);
        let none = test(canaries, 0.0, alpha);
        let size = |test: &OrderedTest| -> f64 {
            let refutes = |v, w| at(v, w).p_value(test, epsilon) <= alpha;
            let most = canaries.min(80);
            let given =
                |n| chance(n, canaries, delta) * crossed(canaries, n, theta(epsilon), refutes);
            (0..=most).map(given).sum()
        };
        let [found, forgot] = [size(&own), size(&none)];
        println!(
            "{canaries} at ({epsilon}, {delta}): {found:.5}; without the term of δ {forgot:.5}"
        );
        assert!(found <= alpha, "{canaries} at ({epsilon}, {delta}): {found}");
        assert!(delta < 0.05 || forgot > alpha, "{canaries} at ({epsilon}, {delta}): {forgot}");
    }
}

/// The bound is the end of one interval from 0, δ or not, so the verdict on a claim is that of the bound.
#[test]
fn every_smaller_epsilon_is_refuted_too() {
    for (right, wrong) in [(30, 0), (62, 4), (300, 80), (900, 100)] {
        for delta in [0.0, 1e-5, 1e-4, 1e-3, 1e-2] {
            for alpha in [0.01, 0.05, 0.5] {
                let test = test(1_000, delta, alpha);
                let path = at(right, wrong);
                let bound = path.epsilon_lower(&test);
                for step in 0..=400 {
                    let epsilon = f64::from(step) / 50.0;
                    let refuted = path.p_value(&test, epsilon) <= alpha;
                    assert!(
                        refuted == (epsilon <= bound) || (epsilon - bound).abs() < 1e-9,
                        "{right}, {wrong} at ({epsilon}, {delta}), {alpha}: {bound}"
                    );
                }
            }
        }
    }
    assert!(at(62, 4).epsilon_lower(&test(1_000, 1e-5, 0.05)) > 1.0);
}

/// Guesses that fit many orders, and the μ that follows from ε.
#[test]
fn bounds_of_mu_follow_from_epsilon() {
    let test = test(1_000, 1e-5, 0.05);
    let path = at(124, 3);
    let bounds = path.bounds(&test);
    assert!(bounds.mu > 0.2 && bounds.gaussian_epsilon <= bounds.epsilon, "{bounds:?}");
    assert!(bounds.gaussian_epsilon > bounds.epsilon * (1.0 - 1e-6), "{bounds:?}");
    let at_most = |factor: f64| path.gaussian_p_value(&test, bounds.mu * factor) <= 0.05;
    assert!(at_most(0.999) && !at_most(1.001));
}

/// The term of δ takes a half of α at ε = 0 at most, and with one coin fewer it would take more.
#[test]
fn coins_given_away_take_half_of_the_level_at_most() {
    for delta in [1e-4, 1e-3, 0.01, 0.05] {
        let test = test(1_000, delta, 0.05);
        let given = test.given_away();
        let term = |given: u64| 1_000.0 * delta / given as f64;
        assert!(term(given) <= 0.025 * (1.0 + 1e-12), "{delta}: {given}");
        assert!(given == 1 || term(given - 1) > 0.025, "{delta}: {given}");
    }
    assert_eq!(test(1_000, 1e-3, 0.05).given_away(), 40);
    assert_eq!(test(1_000, 1e-5, 0.05).given_away(), 1);
    let p = at(1_000, 0).p_value(&test(1_000, 0.0, 0.05), 0.0);
    let most = at(1_000_000, 0).p_value(&test(1_000_000, 0.0, 0.05), 0.0);
    assert!(p > 0.0 && most == f64::MIN_POSITIVE, "{p} {most}");
}
