use super::*;
use rand::SeedableRng;
use rand_distr::{Distribution, StandardNormal};

fn guesses(versions: u64, canaries: u64, made: u64, right: u64) -> VersionGuesses {
    VersionGuesses { versions, canaries, made, right }
}

fn chance(k: u64, n: u64, theta: f64) -> f64 {
    (0..k).fold(1.0, |sum, i| sum * (n - i) as f64 / (i + 1) as f64)
        * theta.powi(k as i32)
        * (1.0 - theta).powi((n - k) as i32)
}

fn right_guess(epsilon: f64, versions: u64) -> f64 {
    epsilon.exp() / (epsilon.exp() + versions as f64 - 1.0)
}

#[test]
fn all_guesses_right_certify_the_root() {
    for versions in [2, 3, 4, 16] {
        let q = 0.05_f64.powf(1e-2);
        let expected = (q * (versions as f64 - 1.0) / (1.0 - q)).ln();
        let found = guesses(versions, 1_000, 100, 100).epsilon_lower(0.0, 0.05);
        assert!((found - expected).abs() < 1e-7, "{versions}: {found} {expected}");
    }
    let two = super::super::guesses::CanaryGuesses { canaries: 50, made: 40, right: 31 };
    let (found, same) = (guesses(2, 50, 40, 31).p_value(0.7, 0.0), two.p_value(0.7, 0.0));
    assert!((found - same).abs() < 1e-12, "{found} {same}");
}

/// Each version is given away with probability δ and then guessed first, else reported by the randomized response of k values
/// that is exactly ε-private. The law by enumeration; `counted` is the m of the test.
fn size(
    [versions, canaries, made]: [u64; 3],
    counted: u64,
    (epsilon, delta): (f64, f64),
    alpha: f64,
) -> f64 {
    let q = right_guess(epsilon, versions);
    // More than 60 are given away with probability below 1e-30.
    (0..=canaries.min(60))
        .flat_map(|given| (0..=made - given.min(made)).map(move |lucky| (given, lucky)))
        .filter(|&(given, lucky)| {
            let right = given.min(made) + lucky;
            guesses(versions, counted, made, right).p_value(epsilon, delta) <= alpha
        })
        .map(|(given, lucky)| {
            chance(given, canaries, delta) * chance(lucky, made - given.min(made), q)
        })
        .sum()
}

#[test]
fn size_never_exceeds_alpha() {
    let mut most = [0.0_f64; 2];
    for made in 1..=16 {
        for epsilon in [0.0, 0.5, 1.0, 2.0, 3.0] {
            for delta in [0.0, 1e-3, 1e-2, 0.05] {
                for canaries in [made, 3 * made] {
                    let found = size([3, canaries, made], canaries, (epsilon, delta), 0.05);
                    assert!(found <= 0.05, "{made} of {canaries} at ({epsilon}, {delta}): {found}");
                    let kind = usize::from(delta > 0.0);
                    most[kind] = most[kind].max(found);
                }
            }
        }
    }
    println!("largest size at k = 3: {:.4} at delta = 0, {:.4} above", most[0], most[1]);
    assert!(most[0] > 0.048 && most[1] > 0.03, "{most:?}");
    // The number of guesses in place of that of canaries would be wrong, and so would k of four for three.
    let forgot = size([3, 2_000, 20], 20, (0.0, 0.002), 0.05);
    println!("with the guesses as m: {forgot:.4}");
    assert!(forgot > 0.05, "{forgot}");
    assert!(size([3, 2_000, 20], 2_000, (0.0, 0.002), 0.05) <= 0.05);
    let with = |versions, v| guesses(versions, 40, 40, v).p_value(1.0, 0.0) <= 0.05;
    let tail = |v: u64| (v..=40).map(|k| chance(k, 40, right_guess(1.0, 3))).sum::<f64>();
    let least = |versions| (0..=40).find(|&v| with(versions, v)).unwrap();
    assert!(tail(least(3)) <= 0.05 && tail(least(4)) > 0.05, "{}", tail(least(4)));
}

/// The number given away is the best of all there are.
#[test]
fn p_value_is_the_least_of_all_numbers_given_away() {
    let mut compared = 0;
    for (canaries, made, right, versions) in [(50, 50, 44, 3), (400, 300, 290, 16), (30, 12, 12, 2)]
    {
        for delta in [0.0, 1e-5, 1e-3, 0.02] {
            for epsilon in [0.0, 0.5, 1.0, 2.0, 3.0] {
                let q = right_guess(epsilon, versions);
                let of = |given: u64| {
                    let tail: f64 = (right + 1 - given..=made).map(|k| chance(k, made, q)).sum();
                    tail + canaries as f64 * delta * (1.0 - q) / given as f64
                };
                let expected = (1..=right).map(of).fold(1.0, f64::min);
                let found = guesses(versions, canaries, made, right).p_value(epsilon, delta);
                // From about a half on, not all are tried; the slow sum underflows.
                if (1e-290..0.3).contains(&expected) {
                    compared += 1;
                    assert!(
                        (found / expected - 1.0).abs() < 1e-8,
                        "{right} of {made} at ({epsilon}, {delta}): {found} {expected}"
                    );
                }
                assert!(found >= expected);
            }
        }
    }
    assert!(compared > 30, "{compared}");
}

/// Where a larger ε is refuted, so is a smaller one, and the bound is the largest: the term of δ falls as ε rises.
#[test]
fn every_claim_below_a_refuted_one_is_refuted() {
    let mut random = Stream::seed_from_u64(4);
    let canary = |line| {
        let version = random.random_range(0..16);
        let scores = (0..16).map(|place| if place == version { 1.0 } else { 0.0 }).collect();
        VersionedCanary { scores, version, line }
    };
    let canaries: Vec<VersionedCanary> = (1..=5_000).map(canary).collect();
    let (delta, mut last) = (3.4e-4, true);
    for epsilon in [0.0, 0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0] {
        let question =
            CanaryQuestion { claim: Claim::approximate(epsilon, delta).ok(), ..question(delta) };
        let found = measure_versions(&canaries, &question, &mut Stream::seed_from_u64(0)).unwrap();
        let refuted = found.judged.unwrap().refuted;
        println!("({epsilon}, {delta}): refuted {refuted}, bound {}", found.epsilon);
        assert!(last || !refuted, "{epsilon}");
        assert_eq!(refuted, epsilon <= found.epsilon, "{epsilon}: {}", found.epsilon);
        assert!(found.ceiling == found.epsilon && found.epsilon > 6.0, "{}", found.epsilon);
        last = refuted;
    }
    assert!(!last);
    // No more than 64 given away, as a test of 0 alone, would certify nothing.
    let all = guesses(16, 5_000, 5_000, 5_000);
    let capped =
        binomial::lower_tail(63, 5_000, 15.0 / 16.0) + 5_000.0 * delta * 15.0 / 16.0 / 64.0;
    assert!(capped > 0.05 / 3.0 && all.p_value(0.0, delta) < capped, "{capped}");
}

/// The least p-value of those from a claim up to the bound, on a mix of counts.
#[test]
fn verdict_and_bound_agree() {
    for (made, right) in [(40, 33), (200, 190), (1_000, 700), (1_000, 1_000)] {
        for delta in [0.0, 1e-5, 1e-4, 1e-3] {
            let guesses = guesses(4, 1_000, made, right);
            let bound = guesses.epsilon_lower(delta, 0.05);
            let refuted = |epsilon| guesses.p_value_of_claim(epsilon, delta, (bound, 0.05)) <= 0.05;
            if bound > 0.0 {
                assert!((0..=50).all(|part| refuted(bound * f64::from(part) / 50.0)), "{bound}");
            }
            assert!((1..=50).all(|part| !refuted(bound + f64::from(part) * 0.01)), "{bound}");
        }
    }
}

fn telling(count: u64, versions: usize, mu: f64, random: &mut Stream) -> Vec<VersionedCanary> {
    let canary = |line| {
        let version = random.random_range(0..versions);
        let score = |place| {
            let noise: f64 = StandardNormal.sample(random);
            noise + if place == version { mu } else { 0.0 }
        };
        VersionedCanary { scores: (0..versions).map(score).collect(), version, line }
    };
    (1..=count).map(canary).collect()
}

fn question(delta: f64) -> CanaryQuestion {
    CanaryQuestion {
        delta,
        alpha: 0.05,
        guessing: Guessing::Bonferroni,
        claim: Claim::approximate(1.0, delta).ok(),
    }
}

#[test]
fn versions_that_tell_are_refuted_and_equal_scores_are_not() {
    let mut random = Stream::seed_from_u64(1);
    let canaries = telling(1_000, 4, 3.0, &mut random);
    let found = measure_versions(&canaries, &question(1e-5), &mut random).unwrap();
    assert!(found.judged.as_ref().unwrap().refuted && found.epsilon > 2.0, "{found:?}");
    assert!(found.ceiling > found.epsilon);
    assert!(found.looks.windows(2).all(|two| two[0].gap_from >= two[1].gap_from));
    // All scores but those of one canary are equal: a guess is as good as any.
    let flat: Vec<VersionedCanary> = canaries
        .iter()
        .enumerate()
        .map(|(at, it)| VersionedCanary {
            scores: if at == 0 { it.scores.clone() } else { vec![0.0; 4] },
            ..it.clone()
        })
        .collect();
    let found = measure_versions(&flat, &question(0.0), &mut random).unwrap();
    let [made, right] = [found.looks[2].guesses.made, found.looks[2].guesses.right];
    // 1 000 guesses of four: 250, give or take 14; 150 or 350 by chance with probability below 1e-11.
    assert!(made == 1_000 && (150..350).contains(&right), "{right}");
}

#[test]
fn losses_of_versions_are_warned_of() {
    for versions in [2, 4, 16] {
        let canaries = telling(400, versions, 3.0, &mut Stream::seed_from_u64(5));
        let warned = |sign: f64| {
            let signed = |it: &VersionedCanary| VersionedCanary {
                scores: it.scores.iter().map(|score| sign * score).collect(),
                ..it.clone()
            };
            let all: Vec<VersionedCanary> = canaries.iter().map(signed).collect();
            measure_versions(&all, &question(1e-5), &mut Stream::seed_from_u64(0)).unwrap().warnings
        };
        assert!(warned(-1.0)[0].contains("negate the scores"), "{versions}");
        assert_eq!((warned(1.0), warned(0.0001)), (vec![], vec![]));
    }
    let flat = telling(400, 4, 0.0, &mut Stream::seed_from_u64(6));
    let found = measure_versions(&flat, &question(1e-5), &mut Stream::seed_from_u64(0)).unwrap();
    assert!(found.warnings.is_empty(), "{:?}", found.warnings);
}

#[test]
fn canaries_of_which_nothing_can_be_said_are_refused() {
    let mut random = Stream::seed_from_u64(2);
    let canaries = telling(60, 3, 1.0, &mut random);
    let measured = |canaries: &[VersionedCanary]| {
        measure_versions(canaries, &question(0.0), &mut Stream::seed_from_u64(0))
    };
    assert!(matches!(
        measured(&canaries[..19]),
        Err(CanariesError::TooFew { count: 19, line: 19 })
    ));
    let of = |change: fn(&mut VersionedCanary)| {
        let mut all = canaries.clone();
        all.iter_mut().for_each(change);
        measured(&all)
    };
    let one = of(|canary| canary.version = 1);
    assert!(matches!(
        one,
        Err(CanariesError::UnfairVersions { version: 1, included: 60, line: 1, .. })
    ));
    let flat = of(|canary| canary.scores = vec![canary.line as f64; 3]);
    assert!(matches!(flat, Err(CanariesError::OneScoreOfAllVersions { line: 1 })));
}

/// The table of docs/canaries.md.
#[test]
#[ignore = "prints a table"]
fn what_more_versions_certify() {
    for versions in [2, 4, 16] {
        for mu in [1.0, 3.0] {
            let runs = 100;
            let found: Vec<f64> = (0..runs)
                .filter_map(|seed| {
                    let mut random = Stream::seed_from_u64(seed);
                    let canaries = telling(1_000, versions, mu, &mut random);
                    measure_versions(&canaries, &question(1e-5), &mut random).ok()
                })
                .map(|found| found.epsilon)
                .collect();
            let mean = found.iter().sum::<f64>() / found.len() as f64;
            println!("k = {versions}, mu = {mu}: epsilon {mean:.3} of {} runs", found.len());
            assert!(mean > 0.5, "{mean}");
        }
    }
}
