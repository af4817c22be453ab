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

fn right(epsilon: f64, versions: u64) -> f64 {
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
    let q = right(epsilon, versions);
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
    let tail = |v: u64| (v..=40).map(|k| chance(k, 40, right(1.0, 3))).sum::<f64>();
    let least = |versions| (0..=40).find(|&v| with(versions, v)).unwrap();
    assert!(tail(least(3)) <= 0.05 && tail(least(4)) > 0.05, "{}", tail(least(4)));
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
