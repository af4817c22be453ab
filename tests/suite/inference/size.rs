//! Enumerated size: over every outcome, the exact probability of a false rejection and of a bound
//! above the truth, at the least favourable laws. Exact sums: no false alarms of these tests.
//!
//! The second tier enumerates more and larger counts (`all_counts`, `some_sizes`).

use crate::tier;
use plaudit::claim::{Claim, Region};
use plaudit::inference::{Corner, EventCounts, EventTest, Guesses, binomial, proportion};
use rayon::prelude::*;

const ALPHAS: [f64; 3] = [0.05, 0.01, 1e-3];

/// Probabilities of Bin(n, p).
fn law(n: u64, p: f64) -> Vec<f64> {
    (0..=n).map(|k| binomial::ln_probability(k, n, p).exp()).collect()
}

fn assert_size(size: f64, alpha: f64, what: impl Fn() -> String) {
    assert!(size <= alpha * (1.0 + 1e-9), "size {size} > {alpha}: {}", what());
}

/// Truths to hold bounds against: a hair below each of (a thinned list of) the values that the bound
/// takes, where "above the truth" takes in the most outcomes.
fn truths(bounds: &[Vec<f64>], most: usize) -> Vec<f64> {
    let mut all: Vec<f64> = bounds.iter().flatten().copied().filter(|&b| b > 0.0).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    let step = all.len() / most + 1;
    all.into_iter().step_by(step).map(|b| b * (1.0 - 1e-9)).collect()
}

#[test]
fn clopper_pearson_bounds_are_above_the_truth_at_most_alpha_of_the_time() {
    for n in 1..=30 {
        for alpha in ALPHAS {
            let low: Vec<f64> = (0..=n).map(|x| proportion::lower(x, n, alpha)).collect();
            let high: Vec<f64> = (0..=n).map(|x| proportion::upper(x, n, alpha)).collect();
            let near = low.iter().map(|b| b * (1.0 - 1e-9));
            let above = high.iter().map(|b| b * (1.0 + 1e-9));
            for p in (1..200).map(|i| f64::from(i) / 200.0).chain(near).chain(above) {
                if !(p > 0.0 && p < 1.0) {
                    continue;
                }
                let law = law(n, p);
                let miss = |wrong: &dyn Fn(usize) -> bool| -> f64 {
                    (0..law.len()).filter(|&x| wrong(x)).map(|x| law[x]).sum()
                };
                assert_size(miss(&|x| low[x] > p), alpha, || format!("lower, n {n}, p {p}"));
                assert_size(miss(&|x| high[x] < p), alpha, || format!("upper, n {n}, p {p}"));
            }
        }
    }
}

/// Probability of each number of right guesses when all revealed coins (of T) are guessed, up to K,
/// and the rest of the K guesses are randomized response: the least favourable law.
fn right_guesses(made: u64, trials: u64, epsilon: f64, delta: f64) -> Vec<f64> {
    let theta = 1.0 / (1.0 + (-epsilon).exp());
    let mut law_of_right = vec![0.0; made as usize + 1];
    for (revealed, &mass) in law(trials, delta).iter().enumerate() {
        let known = (revealed as u64).min(made);
        for (lucky, &share) in law(made - known, theta).iter().enumerate() {
            law_of_right[known as usize + lucky] += mass * share;
        }
    }
    law_of_right
}

#[test]
fn the_guess_test_keeps_its_size_for_all_small_counts() {
    let epsilons = [0.0, 0.1, 0.5, 1.0, 2.0, 5.0];
    let deltas = [0.0, 1e-3, 0.01, 0.1, 0.4];
    let counts: Vec<_> = (1..=all_counts()).flat_map(|t| (1..=t).map(move |k| (k, t))).collect();
    counts.par_iter().for_each(|&(made, trials)| {
        let guesses = |right| Guesses { right: right as u64, made, trials };
        for alpha in ALPHAS {
            for delta in deltas {
                for epsilon in epsilons {
                    let law = right_guesses(made, trials, epsilon, delta);
                    let size = |wrong: &dyn Fn(usize) -> bool| -> f64 {
                        (0..law.len()).filter(|&w| wrong(w)).map(|w| law[w]).sum()
                    };
                    let what = |of: &str| {
                        format!("{of} K {made} T {trials} α {alpha} ε {epsilon} δ {delta}")
                    };
                    let p = |w: usize| guesses(w).p_value(epsilon, delta, alpha);
                    assert_size(size(&|w| p(w) <= alpha), alpha, || what("p-value"));
                    let bound = |w: usize| guesses(w).epsilon_lower(delta, alpha);
                    assert_size(size(&|w| bound(w) > epsilon), alpha, || what("ε"));
                    let bound = |w: usize| guesses(w).delta_lower(epsilon, alpha);
                    assert_size(size(&|w| bound(w) > delta), alpha, || what("δ"));
                }
            }
        }
    });
}

/// Bounds of the event test over all outcomes of n and m: rows x, columns y.
fn table(
    n: u64,
    m: u64,
    claim: &Claim,
    (alpha, own_share): (f64, f64),
    f: impl Fn(&EventTest) -> f64,
) -> Vec<Vec<f64>> {
    let levels = Corner::leaning(alpha, own_share);
    let test = |hits, other_hits| {
        let counts = EventCounts { hits, n, other_hits, other_n: m };
        EventTest::with_corner(counts, claim, alpha, levels)
    };
    (0..=n).map(|x| (0..=m).map(|y| f(&test(x, y))).collect()).collect()
}

/// The largest probability along the edge of a region of the outcomes marked.
fn size_on_edge(marked: &[Vec<bool>], region: &Region) -> (f64, f64) {
    let (n, m) = (marked.len() as u64 - 1, marked[0].len() as u64 - 1);
    let rates = (0..=60).map(|i| (f64::from(i) / 60.0 * std::f64::consts::FRAC_PI_2).sin().powi(2));
    rates
        .map(|q| {
            let (x, y) = (law(n, region.most_power(q)), law(m, q));
            let sum = marked.iter().zip(&x).map(|(row, px)| {
                px * row.iter().zip(&y).filter(|(hit, _)| **hit).map(|(_, py)| py).sum::<f64>()
            });
            (sum.sum::<f64>(), q)
        })
        .fold((0.0, 0.0), |best, at| if at.0 > best.0 { at } else { best })
}

/// Holds bounds against truths, and rejections against the claim.
fn check(n: u64, m: u64, claim: &Claim, alpha: f64, bound: &Bound<'_>) {
    let bounds = table(n, m, claim, (alpha, 0.5), bound.of);
    for truth in truths(&bounds, 12) {
        let above: Vec<Vec<bool>> =
            bounds.iter().map(|row| row.iter().map(|&b| b > truth).collect()).collect();
        let (size, q) = size_on_edge(&above, &(bound.region)(truth));
        assert_size(size, alpha, || {
            format!("{} {n} {m} {claim} α {alpha} truth {truth} q {q}", bound.name)
        });
    }
}

struct Bound<'a> {
    name: &'a str,
    of: &'a (dyn Fn(&EventTest) -> f64 + Sync),
    region: &'a (dyn Fn(f64) -> Region + Sync),
}

fn check_all(sizes: &[(u64, u64)], alphas: &[f64], claims: &[Claim], bounds: &[Bound<'_>]) {
    sizes.par_iter().for_each(|&(n, m)| {
        for &alpha in alphas {
            for claim in claims {
                for bound in bounds {
                    check(n, m, claim, alpha, bound);
                }
            }
        }
    });
}

/// Pairs of sizes, the large ones first for an even load.
fn pairs(sizes: &[u64]) -> Vec<(u64, u64)> {
    sizes.iter().rev().flat_map(|&n| sizes.iter().rev().map(move |&m| (n, m))).collect()
}

/// Sizes of tests are enumerated at all counts up to this one.
fn all_counts() -> u64 {
    tier::of([10, 12, 30])
}

/// All pairs of sizes up to 30 cost a quarter of a minute for one level and one claim: all small ones are
/// enumerated for one, some for the others; all of them if `PLAUDIT_ALL_SIZES` is set.
fn all_sizes() -> Vec<u64> {
    (1..=all_counts()).collect()
}

/// Numbers of runs of which all pairs are enumerated where there are many levels and claims: the smallest, an odd one, an
/// even one and a large one.
fn some_sizes() -> &'static [u64] {
    tier::of([&[1, 4, 9, 15], &[1, 4, 9, 20], &[1, 3, 6, 10, 15, 22, 30]])
}

fn approximate(epsilon: f64, delta: f64) -> Claim {
    Claim::approximate(epsilon, delta).expect("in range")
}

const EPSILON_AT_ZERO: Bound<'_> = Bound {
    name: "ε at δ = 0",
    of: &|test| test.epsilon_lower(0.0),
    region: &|epsilon| Region::EpsilonDelta { epsilon, delta: 0.0 },
};
const EPSILON_AT_HUNDREDTH: Bound<'_> = Bound {
    name: "ε at δ = 0.01",
    of: &|test| test.epsilon_lower(0.01),
    region: &|epsilon| Region::EpsilonDelta { epsilon, delta: 0.01 },
};
const EPSILON_AT_TENTH: Bound<'_> = Bound {
    name: "ε at δ = 0.1",
    of: &|test| test.epsilon_lower(0.1),
    region: &|epsilon| Region::EpsilonDelta { epsilon, delta: 0.1 },
};
const DELTA_AT_HALF: Bound<'_> = Bound {
    name: "δ at ε = 0.5",
    of: &|test| test.delta_lower(0.5),
    region: &|delta| Region::EpsilonDelta { epsilon: 0.5, delta },
};
const MU: Bound<'_> =
    Bound { name: "μ", of: &EventTest::mu_lower, region: &|mu| Region::Gaussian { mu } };

/// Every bound under the orders of several claims (a frozen order is valid for any bound).
fn check_orders(sizes: &[(u64, u64)]) {
    let pure = [approximate(1.0, 0.0)];
    let tenth = [approximate(0.5, 0.1)];
    let gaussian = [Claim::gaussian(0.7).expect("in range")];
    let curve = [Claim::zero_concentrated(0.3).expect("in range")];
    check_all(sizes, &[0.05], &curve, &[EPSILON_AT_HUNDREDTH, DELTA_AT_HALF]);
    check_all(sizes, &ALPHAS, &pure, &[EPSILON_AT_ZERO, EPSILON_AT_HUNDREDTH, DELTA_AT_HALF]);
    check_all(sizes, &ALPHAS, &tenth, &[EPSILON_AT_TENTH, DELTA_AT_HALF]);
    check_all(sizes, &ALPHAS, &gaussian, &[MU, EPSILON_AT_HUNDREDTH]);
}

#[test]
fn event_bounds_on_epsilon_keep_their_size_for_all_small_counts() {
    check_all(&pairs(&all_sizes()), &[0.05], &[approximate(1.0, 0.0)], &[EPSILON_AT_ZERO]);
}

#[test]
fn event_bounds_of_every_kind_keep_their_size() {
    // `SUITE=all PLAUDIT_ALL_SIZES=1 cargo test --release --test suite inference::size`: four minutes on two cores.
    let all = std::env::var_os("PLAUDIT_ALL_SIZES").is_some();
    check_orders(&pairs(&if all { all_sizes() } else { some_sizes().to_vec() }));
}

#[test]
fn the_event_test_rejects_a_true_claim_at_most_alpha_of_the_time() {
    let mut claims = vec![];
    for delta in [0.0, 0.01, 0.1] {
        claims.extend([0.0, 0.3, 1.0, 3.0].map(|epsilon| approximate(epsilon, delta)));
    }
    claims.extend([0.0, 0.5, 2.0].map(|mu| Claim::gaussian(mu).expect("in range")));
    // Regions with straight edges, many or few.
    let profile = vec![(0.0, 0.3), (0.5, 0.1), (1.0, 0.02), (3.0, 0.0)];
    let curves = [
        Claim::zero_concentrated(0.3),
        Claim::renyi([(4.0, 0.8)]),
        Claim::profile(profile),
        Claim::tradeoff(vec![(0.0, 0.9), (0.1, 0.6), (0.4, 0.2)]),
    ];
    claims.extend(curves.map(|claim| claim.expect("a claim")));
    // The order may lean to either side: explore chooses.
    let leanings = [0.02, 0.5, 0.98];
    let levels = ALPHAS.into_iter().flat_map(|alpha| leanings.map(|share| (alpha, share)));
    let cases: Vec<_> = levels
        .flat_map(|level| pairs(some_sizes()).into_iter().map(move |pair| (pair, level)))
        .collect();
    cases.par_iter().for_each(|&((n, m), (alpha, share))| {
        for claim in &claims {
            let region = claim.region();
            let p_values = table(n, m, claim, (alpha, share), |test| test.p_value(region));
            let rejected: Vec<Vec<bool>> =
                p_values.iter().map(|row| row.iter().map(|&p| p <= alpha).collect()).collect();
            let (size, q) = size_on_edge(&rejected, region);
            assert_size(size, alpha, || format!("{n} {m} {claim} α {alpha} share {share} q {q}"));
        }
    });
}
