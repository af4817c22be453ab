//! The betting test: its e-value against 60-digit values, its size and that of its bounds by
//! enumeration (exact sums: no false alarms of these tests), also against an adversary who adapts
//! to how the game goes, and how soon it rejects.

use plaudit::inference::{BettingTest, Guessed, Guesses, Stakes, binomial, power};
use plaudit::{Stream, laplace, rand::SeedableRng};
use rand::RngExt;
use rayon::prelude::*;

const ALPHAS: [f64; 3] = [0.05, 0.01, 1e-3];
const EPSILONS: [f64; 5] = [0.0, 0.1, 0.5, 1.0, 3.0];
const DELTAS: [f64; 4] = [0.0, 1e-3, 0.05, 0.3];
const SIDES: [Guessed; 2] = [Guessed::One, Guessed::Both];

fn counts(right: u64, made: u64, trials: u64) -> Guesses {
    Guesses { right, made, trials }
}

/// Probabilities of a right and of a wrong guess in a trial of a mechanism that just meets a claim,
/// for the share `busy` of the most outcomes on which its guesser can speak.
fn tight((epsilon, delta): (f64, f64), sides: Guessed, busy: f64) -> (f64, f64) {
    let odds = f64::exp(epsilon);
    match sides {
        // Right with probability e^ε w + δ, wrong with w.
        Guessed::Both => {
            let wrong = busy * (1.0 - delta) / (1.0 + odds);
            (odds * wrong + delta, wrong)
        }
        // The event has probability e^ε q + δ under the dataset it names and q under the other.
        Guessed::One => {
            let q = busy * (1.0 - delta) / odds;
            (0.5 * (odds * q + delta), 0.5 * q)
        }
    }
}

/// Values by a script in mpmath, from the definition: the sum over the stakes k with shares w of w
/// (1 + k(1 − fee))^right (1 − k(e^ε + fee))^wrong (1 − k fee)^none, fee = δ sides/2. The largest
/// stake is L = 1/(e^ε + δ) of the claim that they are made for; with R = max(ln(max(trials L,
/// 1))/2, 1/4) and n = round(4 R): 0.99 L and L e^(−R i/n), i = 1..n, share 0.85 evenly; L e^(−R −
/// j/2), j = 1..24, share 0.15 in proportion to e^(−j/8).
#[test]
fn e_values_and_bounds_match_an_independent_computation() {
    type Row = ((u64, u64, u64), Guessed, (f64, f64), (f64, f64), f64);
    let rows: [Row; 7] = [
        ((0, 0, 100), Guessed::Both, (1.0, 0.0), (1.0, 0.0), 0.0),
        ((73, 100, 146), Guessed::Both, (0.5, 0.0), (0.5, 0.0), 1.632_363_406_844_990_4),
        ((100, 100, 100), Guessed::One, (1.0, 0.0), (1.0, 0.0), 28.817_319_359_196_137),
        ((7_000, 9_500, 20_000), Guessed::Both, (0.9, 1e-3), (0.9, 1e-3), 12.580_338_400_490_84),
        ((40, 41, 100_000), Guessed::One, (1.0, 1e-5), (1.0, 1e-5), 5.759_950_841_341_149),
        (
            (731_000, 1_000_000, 1_462_000),
            Guessed::Both,
            (0.9, 0.0),
            (0.95, 0.0),
            240.467_819_386_273_5,
        ),
        ((60, 120, 200), Guessed::Both, (1.0, 0.1), (0.3, 0.05), -1.782_343_014_645_524_5),
    ];
    for ((right, made, trials), sides, made_for, (epsilon, delta), exact) in rows {
        let stakes = Stakes::new(made_for.0, made_for.1, trials);
        let test = BettingTest::new(counts(right, made, trials), sides, stakes);
        let value = test.ln_e_value(epsilon, delta);
        let what = format!("{right} of {made} of {trials}: {value:e} {exact:e}");
        assert!(value <= exact + 1e-14, "rounded up: {what}");
        assert!((value - exact).abs() <= 1e-8, "{what}");
        let p = (-exact).exp().min(1.0);
        assert!((test.p_value(epsilon, delta) / p - 1.0).abs() < 1e-7, "{what}");
    }
    let bounds: [(_, _, _, f64, f64, f64); 3] = [
        (
            (100_011, 136_800, 200_000),
            Guessed::Both,
            (1.0, 0.0),
            0.0,
            0.05,
            0.980_735_018_103_458_4,
        ),
        ((7_000, 9_500, 20_000), Guessed::Both, (0.9, 1e-3), 1e-3, 1e-6, 0.894_784_705_322_087_4),
        ((40, 40, 1_000), Guessed::One, (1.0, 0.0), 0.0, 0.05, 1.738_469_409_872_767),
    ];
    for ((right, made, trials), sides, made_for, delta, alpha, exact) in bounds {
        let stakes = Stakes::new(made_for.0, made_for.1, trials);
        let test = BettingTest::new(counts(right, made, trials), sides, stakes);
        let bound = test.epsilon_lower(delta, alpha);
        assert!(bound <= exact && exact - bound < 1e-8, "{right} of {made}: {bound} {exact}");
    }
}

/// Whatever came before, the next trial of a mechanism that just meets the claim leaves the wealth
/// as it is on average.
#[test]
fn the_wealth_is_a_martingale_at_the_edge_of_the_claim() {
    for (epsilon, delta) in EPSILONS.iter().flat_map(|&e| DELTAS.map(|d| (e, d))) {
        for (sides, busy) in SIDES.iter().flat_map(|&s| [0.0, 0.1, 0.7, 1.0].map(|b| (s, b))) {
            let (right, wrong) = tight((epsilon, delta), sides, busy);
            let wealth = |guesses: Guesses| {
                let stakes = Stakes::new(epsilon, delta, 1_000);
                BettingTest::new(guesses, sides, stakes).ln_e_value(epsilon, delta).exp()
            };
            for (r, w, none) in [(0u64, 0u64, 0u64), (3, 1, 0), (20, 5, 9), (1, 8, 2), (7, 0, 100)]
            {
                let after = |dr, dw, dn| {
                    wealth(counts(r + dr, r + dr + w + dw, r + w + none + dr + dw + dn))
                };
                let mean = right * after(1, 0, 0)
                    + wrong * after(0, 1, 0)
                    + (1.0 - right - wrong) * after(0, 0, 1);
                let ratio = mean / after(0, 0, 0);
                assert!((ratio - 1.0).abs() < 1e-10, "{epsilon} {delta} {sides:?} {busy}: {ratio}");
            }
        }
    }
}

/// The logarithms of all wealths up to so many trials, by trials, right and wrong guesses.
fn wealths(trials: usize, claim: (f64, f64), sides: Guessed) -> Vec<Vec<Vec<f64>>> {
    let stakes = Stakes::new(claim.0, claim.1, trials as u64);
    let wealth = |t: usize, right: usize, wrong: usize| {
        let guesses = counts(right as u64, (right + wrong) as u64, t as u64);
        BettingTest::new(guesses, sides, stakes.clone()).ln_e_value(claim.0, claim.1)
    };
    (0..=trials)
        .map(|t| {
            (0..=t)
                .map(|right| (0..=t - right).map(|wrong| wealth(t, right, wrong)).collect())
                .collect()
        })
        .collect()
}

/// The largest probability that the wealth ever reaches 1/α in so many trials, when each trial's
/// law meets the claim given the past, and is otherwise chosen, by how the game went so far, to
/// make that probability as large as possible: how often the guesser speaks, and whether a trial
/// tells anything. An upper bound of what any mechanism with a memory does, over this choice of
/// laws.
fn worst_stateful(wealth: &[Vec<Vec<f64>>], claim: (f64, f64), sides: Guessed, alpha: f64) -> f64 {
    let laws: Vec<(f64, f64)> =
        [0.0, 0.02, 0.3, 0.7, 1.0].map(|busy| tight(claim, sides, busy)).into();
    let trials = wealth.len() - 1;
    let mut value: Vec<Vec<f64>> = Vec::new();
    for t in (0..=trials).rev() {
        let next = value;
        let at = |right: usize, wrong: usize| {
            if wealth[t][right][wrong] >= -alpha.ln() {
                return 1.0;
            }
            if t == trials {
                return 0.0;
            }
            let mean = |&(r, w): &(f64, f64)| {
                r * next[right + 1][wrong]
                    + w * next[right][wrong + 1]
                    + (1.0 - r - w) * next[right][wrong]
            };
            laws.iter().map(mean).fold(0.0, f64::max)
        };
        value = (0..=t).map(|r| (0..=t - r).map(|w| at(r, w)).collect()).collect();
    }
    value[0][0]
}

#[test]
fn no_mechanism_with_a_memory_is_falsely_accused_more_often_than_alpha() {
    let cases: Vec<_> = EPSILONS
        .iter()
        .flat_map(|&e| DELTAS.map(|d| (e, d)))
        .flat_map(|claim| SIDES.map(|sides| (claim, sides)))
        .collect();
    let worst = cases.par_iter().map(|&(claim, sides)| {
        let mut worst = 0.0f64;
        for trials in [1, 2, 5, 12, 30] {
            let wealth = wealths(trials, claim, sides);
            for alpha in ALPHAS {
                let size = worst_stateful(&wealth, claim, sides, alpha);
                assert!(
                    size <= alpha * (1.0 + 1e-9),
                    "{claim:?} {sides:?} {trials} {alpha}: {size}"
                );
                worst = worst.max(size / alpha);
            }
        }
        worst
    });
    let worst = worst.reduce(|| 0.0, f64::max);
    println!("the worst size is {worst} α");
    // The adversary is no straw man: for these few trials the worst is 0.43 α.
    assert!(worst > 0.4, "{worst}");
}

/// The law of (right, wrong) after so many trials.
fn law(trials: usize, (right, wrong): (f64, f64)) -> Vec<Vec<f64>> {
    let n = trials as u64;
    let spoken = |made: u64| binomial::ln_probability(made, n, right + wrong).exp();
    let share = right / (right + wrong);
    (0..=n)
        .map(|r| {
            let each = |w| spoken(r + w) * binomial::ln_probability(r, r + w, share).exp();
            (0..=n - r).map(each).collect()
        })
        .collect()
}

#[test]
#[ignore = "takes several seconds"]
fn bounds_are_above_the_truth_at_most_alpha_of_the_time() {
    let truths: Vec<_> = EPSILONS.iter().flat_map(|&e| DELTAS.map(|d| (e, d))).collect();
    truths.par_iter().for_each(|&truth| {
        let (epsilon, delta) = truth;
        // Those of generalised randomized response.
        let profile = |at: f64| {
            let theta = 1.0 / (1.0 + (-epsilon).exp());
            delta + (1.0 - delta) * (theta - at.exp() * (1.0 - theta)).max(0.0)
        };
        for (trials, alpha) in [(1, 0.05), (6, 0.05), (17, 0.01), (30, 0.05), (30, 1e-3)] {
            for (sides, busy) in [(Guessed::Both, 1.0), (Guessed::Both, 0.4), (Guessed::One, 0.8)] {
                let law = law(trials, tight(truth, sides, busy));
                // Stakes for another claim than the truth are as valid.
                for made_for in [truth, (0.7, 0.0)] {
                    let mut wrong = [0.0; 3];
                    for (r, row) in law.iter().enumerate() {
                        for (w, mass) in row.iter().enumerate() {
                            let guesses = counts(r as u64, (r + w) as u64, trials as u64);
                            let stakes = Stakes::new(made_for.0, made_for.1, trials as u64);
                            let test = BettingTest::new(guesses, sides, stakes);
                            let grid: Vec<f64> = (0..8).map(|i| f64::from(i) * 0.5).collect();
                            let curve = test.profile_lower(&grid, alpha);
                            let above = |(e, d): (&f64, &f64)| *d > profile(*e);
                            let said = [
                                test.epsilon_lower(delta, alpha) > epsilon,
                                test.delta_lower(epsilon, alpha) > delta,
                                grid.iter().zip(&curve).any(above),
                            ];
                            wrong
                                .iter_mut()
                                .zip(said)
                                .filter(|(_, said)| *said)
                                .for_each(|(sum, _)| *sum += mass);
                        }
                    }
                    let what = format!("{truth:?} {trials} {alpha} {sides:?} {busy} {made_for:?}");
                    assert!(
                        wrong.iter().all(|sum| *sum <= alpha * (1.0 + 1e-9)),
                        "{what}: {wrong:?}"
                    );
                }
            }
        }
    });
}

#[test]
fn everything_below_a_bound_is_refuted_and_a_little_above_it_is_not() {
    for (right, made, trials) in [
        (9, 9, 9),
        (700, 900, 1_000),
        (700, 1_000, 5_000),
        (73_100, 100_000, 146_000),
        (20, 20, 1_000_000),
    ] {
        for sides in SIDES {
            let stakes = Stakes::new(1.0, 1e-3, trials);
            let test = BettingTest::new(counts(right, made, trials), sides, stakes);
            let mut before = f64::INFINITY;
            for epsilon in (0..200).map(|i| f64::from(i) * 0.05) {
                let now = test.ln_e_value(epsilon, 1e-3);
                assert!(now <= before + 1e-9, "rises at ε = {epsilon}");
                before = now;
            }
            let mut before = f64::INFINITY;
            for delta in (0..=200).map(|i| f64::from(i) / 200.0) {
                let now = test.ln_e_value(0.5, delta);
                assert!(now <= before + 1e-9, "rises at δ = {delta}");
                before = now;
            }
            for alpha in ALPHAS {
                for delta in [0.0, 1e-6, 0.01] {
                    let bound = test.epsilon_lower(delta, alpha);
                    if bound > 0.0 {
                        assert!(test.p_value(bound, delta) <= alpha);
                        assert!(test.p_value(0.5 * bound, delta) <= alpha);
                    }
                    assert!(test.p_value(bound + 1e-6, delta) > alpha, "{right} {made} {bound}");
                }
                for epsilon in [0.0, 0.5, 2.0] {
                    let bound = test.delta_lower(epsilon, alpha);
                    if bound > 0.0 {
                        assert!(test.p_value(epsilon, bound) <= alpha);
                        assert!(test.p_value(epsilon, 0.5 * bound) <= alpha);
                    }
                    assert!(test.p_value(epsilon, bound + 1e-6) > alpha, "{right} {made} {bound}");
                }
            }
        }
    }
}

#[test]
fn extreme_counts_and_claims_give_the_trivial_answers() {
    for (epsilon, delta) in [(0.0, 1.0), (1e4, 0.0), (800.0, 0.5), (0.0, 0.0)] {
        for (right, made, trials) in [(0, 0, 0), (0, 5, 5), (0, 0, 1_000_000_000_000)] {
            let stakes = Stakes::new(epsilon, delta, trials);
            let test = BettingTest::new(counts(right, made, trials), Guessed::Both, stakes);
            assert_eq!(test.p_value(epsilon, delta), 1.0);
            assert_eq!(test.epsilon_lower(delta, 0.05), 0.0);
            assert_eq!(test.delta_lower(epsilon, 0.05), 0.0);
        }
    }
    let all = counts(1_000_000_000_000, 1_000_000_000_000, 1_000_000_000_000);
    let test = BettingTest::new(all, Guessed::Both, Stakes::new(1.0, 0.0, all.trials));
    assert!(test.epsilon_lower(0.0, 1e-6) > 10.0);
    assert!(test.delta_lower(1.0, 1e-6) > 0.99);
    assert!(test.p_value(1.0, 0.0) < 1e-300);
}

/// A guesser who names D or D' by which tail of Laplace noise of scale 1 he sees, and abstains
/// between the answers 0 and 1.
fn guess_laplace(random: &mut Stream) -> Option<bool> {
    let on_d = random.random::<bool>();
    let outcome = laplace(random, 1.0) + if on_d { 0.0 } else { 1.0 };
    match outcome {
        y if y < 0.0 => Some(on_d),
        y if y > 1.0 => Some(!on_d),
        _ => None,
    }
}

/// Mean number of pairs of runs until the claim `epsilon` is rejected at 0.05 by a look after each `every` runs, and its
/// standard error.
fn pairs_to_stop(epsilon: f64, (horizon, every): (u64, u64), repetitions: u64) -> (f64, f64) {
    let stakes = Stakes::new(epsilon, 0.0, horizon);
    let stops: Vec<f64> = (0..repetitions)
        .into_par_iter()
        .map(|seed| {
            let mut random = Stream::seed_from_u64(seed);
            let mut seen = Guesses::default();
            loop {
                for guess in (0..every).map(|_| guess_laplace(&mut random)) {
                    seen.trials += 1;
                    seen.made += u64::from(guess.is_some());
                    seen.right += u64::from(guess == Some(true));
                }
                let test = BettingTest::new(seen, Guessed::Both, stakes.clone());
                if test.p_value(epsilon, 0.0) <= 0.05 {
                    break seen.trials as f64 / 2.0;
                }
            }
        })
        .collect();
    let n = repetitions as f64;
    let mean = stops.iter().sum::<f64>() / n;
    let variance = stops.iter().map(|stop| (stop - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// No test can do with less than 83 and 2194 pairs on average (ln 20 over the guesser's information
/// in a pair). A mean that is right lies beyond five standard errors with probability below 1e-6.
#[test]
fn few_more_pairs_are_needed_than_if_the_loss_were_known() {
    for (epsilon, looks, repetitions, (least, most)) in
        [(0.5, (1_000, 1), 4_000, (83.0, 125.0)), (0.9, (20_000, 10), 600, (2_194.0, 3_500.0))]
    {
        let (mean, error) = pairs_to_stop(epsilon, looks, repetitions);
        println!("claim {epsilon}: {mean:.1} pairs, standard error {error:.1}");
        assert!(mean - 5.0 * error < most && mean + 5.0 * error > least, "{mean} {error}");
        assert!(5.0 * error < 0.25 * least, "too few repetitions: {error}");
    }
}

/// With all guesses made and no δ the number of right ones is binomial, and the power exact.
#[test]
fn power_statements_keep_what_they_say() {
    for (trials, epsilon, alpha) in [(1_000, 0.5, 0.05), (100_000, 1.0, 1e-6), (3_000, 0.0, 0.01)] {
        let stakes = Stakes::new(epsilon, 0.0, trials);
        let refuted = |right, made, sides| {
            let test = BettingTest::new(counts(right, made, trials), sides, stakes.clone());
            test.p_value(epsilon, 0.0) <= alpha
        };
        let level = (alpha, &stakes);
        let claim = (epsilon, 0.0);
        let detectable =
            power::betting_detectable_epsilon(trials, (1.0, Guessed::Both), claim, level, [0.9])[0]
                .expect("enough trials");
        let theta = 1.0 / (1.0 + (-detectable).exp());
        let least = (0..=trials).find(|&right| refuted(right, trials, Guessed::Both)).unwrap();
        assert!((binomial::upper_tail(least, trials, theta) - 0.9).abs() < 1e-6);
        let mass = power::betting_smallest_mass(trials, claim, level, 0.9).expect("enough trials");
        let least = (0..=trials).find(|&right| refuted(right, right, Guessed::One)).unwrap();
        assert!((binomial::upper_tail(least, trials, mass / 2.0) - 0.9).abs() < 1e-6);
    }
    let stakes = Stakes::new(1.0, 0.0, 10);
    assert_eq!(power::betting_smallest_mass(10, (1.0, 0.0), (1e-6, &stakes), 0.9), None);
}
