use super::*;
use plaudit_core::inference::binomial;

fn guesses(canaries: u64, made: u64, right: u64) -> CanaryGuesses {
    CanaryGuesses { canaries, made, right }
}

/// A slow evaluation in another language, with its own normal functions, of the recursion and a bisection.
#[test]
fn bounds_are_those_of_a_slow_evaluation() {
    for (canaries, made, right, alpha, expected) in GOLDEN {
        let found = guesses(canaries, made, right).mu_lower(alpha);
        assert!(
            (found - expected).abs() < 1e-6,
            "{right} of {made} of {canaries}: {found} {expected}"
        );
    }
}

/// Gaussian noise on each canary alone: a guess by the sign is right with probability Φ(μ/2), the most that μ-GDP allows.
#[test]
fn size_never_exceeds_alpha_for_gaussian_noise() {
    for alpha in [0.05, 0.01] {
        for made in [1, 2, 5, 10, 40] {
            for mu in [0.1, 0.5, 1.0, 2.0, 4.0] {
                let theta = normal::cdf(mu / 2.0);
                let wrong: f64 = (0..=made)
                    .filter(|right| guesses(made, made, *right).mu_lower(alpha) > mu)
                    .map(|right| binomial::ln_probability(right, made, theta).exp())
                    .sum();
                assert!(wrong <= alpha, "{made} guesses at {mu}: {wrong} > {alpha}");
            }
        }
    }
}

/// A tail that a mechanism of the curve has contradicts nothing: randomized response under its own curve, at any
/// number of canaries that are not guessed.
#[test]
fn tails_of_true_laws_contradict_nothing() {
    for (canaries, made) in [(10, 10), (50, 10), (60, 40)] {
        for epsilon in [0.1_f64, 1.0, 3.0] {
            let theta = 1.0 / (1.0 + (-epsilon).exp());
            let inverse = |power: f64| {
                (power * (-epsilon).exp()).max(1.0 - epsilon.exp() * (1.0 - power)).max(0.0)
            };
            for right in 1..=made {
                let tail = binomial::upper_tail(right, made, theta);
                let counts = guesses(canaries, made, right);
                assert!(
                    !counts.contradicts(tail, |power| inverse(power) * (1.0 - 1e-12)),
                    "{right} of {made} of {canaries} at {epsilon}"
                );
            }
        }
    }
}

#[test]
fn p_values_and_bounds_agree() {
    for right in 0..=100 {
        let counts = guesses(200, 100, right);
        for mu in [0.3, 1.0, 2.0] {
            let p = counts.gaussian_p_value(mu);
            assert!((0.0..=1.0).contains(&p));
            assert_eq!(p <= 0.05, counts.mu_lower(0.05) >= mu, "{right} at {mu}: {p}");
        }
    }
}

#[test]
fn more_right_guesses_never_certify_less() {
    let bounds: Vec<f64> = (0..=60).map(|right| guesses(100, 60, right).mu_lower(0.05)).collect();
    assert!(bounds.windows(2).all(|two| two[0] <= two[1]), "{bounds:?}");
    assert_eq!(bounds[30], 0.0);
    assert!(bounds[60] > 1.0, "{bounds:?}");
}

#[test]
fn the_epsilon_of_a_mu_is_that_of_its_profile() {
    for (mu, delta) in [(0.5, 1e-5), (1.0, 1e-5), (3.0, 1e-9), (20.0, 1e-5)] {
        let epsilon = gaussian_epsilon(mu, delta);
        let found = gaussian_profile(mu, epsilon);
        assert!(found >= delta && found < delta * (1.0 + 1e-6), "{mu} {delta}: {epsilon} {found}");
    }
    assert_eq!(gaussian_epsilon(0.0, 0.0), 0.0);
    assert_eq!(gaussian_epsilon(1.0, 0.0), f64::INFINITY);
}

/// Canaries, guesses, right ones, α, bound.
const GOLDEN: [(u64, u64, u64, f64, f64); 4] = [
    (1000, 1000, 1000, 0.05, 2.368_073_90),
    (1000, 100, 95, 0.05, 0.786_811_81),
    (500, 500, 320, 0.01, 0.172_273_79),
    (1000, 100, 100, 0.05, 1.225_533_45),
];
