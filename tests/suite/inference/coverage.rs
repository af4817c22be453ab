//! Coverage at the least favourable law, generalised randomized response, by simulation at sizes that
//! cannot be enumerated. Seeded, so a run repeats itself; the probability that a valid test fails here
//! for a fresh seed is below 10^-9 for each bar.

use crate::tier;
use plaudit::claim::{Claim, Region};
use plaudit::inference::{EventCounts, EventTest, Guesses};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand_distr::{Binomial, Distribution};
use rayon::prelude::*;

/// Errors of `runs` independent runs that a level of `alpha` exceeds with probability below 10^-9:
/// Bernstein's bound.
fn bar(runs: u64, alpha: f64) -> u64 {
    let (l, runs) = (1e9_f64.ln(), runs as f64);
    let reach = l / 3.0 + (l * l / 9.0 + 2.0 * l * runs * alpha * (1.0 - alpha)).sqrt();
    (runs * alpha + reach).ceil() as u64
}

/// How many of `runs` seeded runs err.
fn errors(runs: u64, errs: impl Fn(&mut ChaCha8Rng) -> bool + Sync) -> u64 {
    let run = |i| errs(&mut ChaCha8Rng::seed_from_u64(i));
    (0..runs).into_par_iter().filter(|&i| run(i)).count() as u64
}

fn draw(rng: &mut ChaCha8Rng, n: u64, p: f64) -> u64 {
    Binomial::new(n, p).expect("a probability").sample(rng)
}

#[test]
fn guess_bounds_cover_generalised_randomized_response() {
    // Revealed with probability δ, else right with probability θ; a tenth of the trials abstained.
    let (trials, runs, alpha) = (100_000, 6_000, 0.05);
    for (epsilon, delta) in [(1.0, 0.0), (0.5, 1e-4), (2.0, 0.01)] {
        let theta = 1.0 / (1.0 + f64::exp(-epsilon));
        let play = |rng: &mut ChaCha8Rng| {
            let revealed = draw(rng, trials, delta);
            let made = revealed + draw(rng, trials - revealed, 0.9);
            Guesses { right: revealed + draw(rng, made - revealed, theta), made, trials }
        };
        let above = errors(runs, |rng| play(rng).epsilon_lower(delta, alpha) > epsilon);
        assert!(above <= bar(runs, alpha), "ε {epsilon} δ {delta}: {above} of {runs} above");
        let above = errors(runs, |rng| play(rng).delta_lower(epsilon, alpha) > delta);
        assert!(above <= bar(runs, alpha), "δ {delta} at ε {epsilon}: {above} of {runs} above");
        // The pure test is no looser than it has to be: it errs about as often as it may.
        if delta == 0.0 {
            let above = errors(runs, |rng| play(rng).epsilon_lower(delta, alpha) > epsilon);
            assert!(above >= 2 * (runs as f64 * alpha) as u64 - bar(runs, alpha), "{above}");
        }
    }
}

#[test]
#[ignore = "simulation; inference::size enumerates smaller numbers of runs"]
fn event_bounds_cover_the_edge_of_the_region() {
    let runs = tier::of([120, 120, 400]);
    let (n, m, alpha) = (20_000, 20_000, 0.05);
    let cases = [
        (Claim::pure(1.0), 0.15),
        (Claim::pure(1.0), 0.5),
        (Claim::pure(2.0), 1e-3),
        (Claim::approximate(1.0, 0.01), 0.02),
        (Claim::gaussian(1.0), 0.3),
        (Claim::zero_concentrated(0.3), 0.05),
    ];
    for (claim, q) in cases {
        let claim = claim.expect("in range");
        let region = claim.region();
        let p = region.most_power(q);
        let above = errors(runs, |rng| {
            let (hits, other_hits) = (draw(rng, n, p), draw(rng, m, q));
            let counts = EventCounts { hits, n, other_hits, other_n: m };
            EventTest::new(counts, &claim, alpha).p_value(region) <= alpha
        });
        assert!(above <= bar(runs, alpha), "{claim} at q {q}: {above} of {runs} refuted");
        // With neither piece of the region left out: the mirrored event lies on the other one.
        if let Region::EpsilonDelta { .. } = region {
            let above = errors(runs, |rng| {
                let (hits, other_hits) = (draw(rng, n, 1.0 - q), draw(rng, m, 1.0 - p));
                let counts = EventCounts { hits, n, other_hits, other_n: m };
                EventTest::new(counts, &claim, alpha).p_value(region) <= alpha
            });
            assert!(above <= bar(runs, alpha), "{claim} mirrored: {above} of {runs} refuted");
        }
    }
}
