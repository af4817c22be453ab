use super::*;
use crate::learning::canaries::{Canaries, CanaryQuestion, Guessing, measure};
use plaudit_core::inference::binomial;
use plaudit_core::random::Stream;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};

/// scipy 1.16, `nct.sf(t, freedom, noncentrality)`.
#[test]
fn the_noncentral_t_distribution_is_scipys() {
    for (t, freedom, noncentrality, expected) in [
        (2.5, 18.0, 1.2, 0.12099775131833583),
        (15.8, 998.0, 14.0, 0.04517499452096012),
        (0.3, 38.0, 2.0, 0.9555252532828791),
        (-1.0, 25.0, 0.5, 0.9299738424594495),
        (40.0, 198.0, 36.0, 0.03810656090128087),
    ] {
        let found = noncentral_t_above(t, freedom, noncentrality);
        assert!((found - expected).abs() < 3e-9, "{t} {freedom}: {found} {expected}");
    }
}

fn training(canaries: usize, random: &mut Stream, score: impl Fn(bool, f64) -> f64) -> Vec<Canary> {
    let one = |line: usize| {
        let included = random.random::<bool>();
        let noise: f64 = StandardNormal.sample(random);
        Canary { score: score(included, noise), included, line: line as u64 + 1 }
    };
    (0..canaries).map(one).collect()
}

/// The bound is at most the truth but with probability α; the guesses' best one is far below it.
fn trainings(count: u64, canaries: usize, mu: f64, seed: u64) -> f64 {
    let (delta, alpha) = (1e-5, 0.05);
    let mut random = Stream::seed_from_u64(seed);
    let truth = gaussian_epsilon(mu, delta);
    let (mut above, mut none, mut ratios) = (0, 0, Vec::new());
    for _ in 0..count {
        let shift = |included: bool, noise: f64| 3.0 * (mu * f64::from(u8::from(included)) + noise);
        let all = training(canaries, &mut random, shift);
        let question = CanaryQuestion { delta, alpha, guessing: Guessing::Bonferroni, claim: None };
        let run = measure(Canaries::new(all).unwrap(), &question, &mut random).unwrap();
        let Some(bounds) = run.normal.unwrap().certified else {
            none += 1;
            continue;
        };
        above += u64::from(bounds.mu > mu);
        assert_eq!(bounds.mu > mu, bounds.epsilon > truth);
        let guesses = run.certified.epsilon.max(run.certified.gaussian_epsilon);
        ratios.push(bounds.epsilon / guesses.max(1e-9));
    }
    // With probability below .001 each.
    assert!(binomial::upper_tail(above, count, alpha) > 1e-3, "{above} of {count} above the truth");
    assert!(binomial::upper_tail(none, count, CONTRADICTED) > 1e-3, "{none} of {count} refused");
    ratios.sort_unstable_by(f64::total_cmp);
    let median = ratios[ratios.len() / 2];
    println!(
        "mu {mu}: {above} of {count} above the truth, {none} refused, {median:.2} times the guesses' best bound"
    );
    median
}

#[test]
fn the_bound_is_right_and_above_that_of_guesses() {
    assert!(trainings(60, 1000, 1.0, 1) > 1.5);
}

#[test]
#[ignore = "several seconds"]
fn the_bound_is_right_in_a_thousand_trainings() {
    assert!(trainings(1000, 1000, 1.0, 2) > 1.5);
    for (canaries, mu) in [(200, 0.5), (200, 2.0), (1000, 4.0)] {
        trainings(300, canaries, mu, 3);
    }
}

#[test]
fn scores_that_are_not_normal_give_no_bound() {
    let mut random = Stream::seed_from_u64(4);
    let in_or_0 = |included: bool| f64::from(u8::from(included));
    // Heavy tails, two humps, another spread of canaries that are in, and an exact copy of the coin.
    let heavy = training(400, &mut random, |included, noise| in_or_0(included) + noise.powi(3));
    let humps = training(400, &mut random, |included, noise| {
        in_or_0(included) + noise + 4.0 * noise.signum()
    });
    let spread =
        training(400, &mut random, |included, noise| noise * (1.0 + 0.5 * in_or_0(included)));
    for all in [heavy, humps, spread] {
        let found = normal_scores(&all, 1e-5, 0.05).unwrap();
        assert!(found.p_value <= CONTRADICTED && found.certified.is_none(), "{found:?}");
    }
    let constant = training(400, &mut random, |included, _| in_or_0(included));
    assert_eq!(normal_scores(&constant, 1e-5, 0.05), None);
    let infinite =
        training(400, &mut random, |_, noise| if noise > 2.0 { f64::INFINITY } else { noise });
    assert_eq!(normal_scores(&infinite, 1e-5, 0.05), None);
}
