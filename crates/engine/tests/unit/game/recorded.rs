use super::*;
use rand::SeedableRng;

/// Each of the 20 choices of 3 of 6 is as likely as any other: chi-square with 19 degrees of
/// freedom, whose upper 1e-9 quantile is 82.7.
#[test]
fn every_choice_is_as_likely() {
    const ROUNDS: u64 = 200_000;
    let mut counts = std::collections::BTreeMap::new();
    for round in 0..ROUNDS {
        let mut random = Stream::seed_from_u64(7);
        random.set_stream(round);
        let mut choice = Reservoir { random, coming: 6, wanted: 3 };
        let chosen: Vec<_> = (0..6).filter(|_| choice.next()).collect();
        assert_eq!(chosen.len(), 3);
        *counts.entry(chosen).or_insert(0u64) += 1;
    }
    let expected = ROUNDS as f64 / 20.0;
    let chi2: f64 = counts.values().map(|n| (*n as f64 - expected).powi(2) / expected).sum();
    assert!(counts.len() == 20 && chi2 < 82.7, "{chi2}: {counts:?}");
}

/// Within 6.2 standard deviations: a false alarm has probability below 1e-9.
#[test]
fn the_coins_are_fair() {
    for (coins, seed) in [(1u64, 1), (63, 2), (64, 3), (65, 4), (1000, 5)] {
        let games = 40_000;
        let stream = |game| {
            let mut random = Stream::seed_from_u64(seed);
            random.set_stream(game);
            random
        };
        let sum: u64 = (0..games).map(|game| heads(stream(game), coins)).sum();
        let all = (games * coins) as f64;
        let score = (sum as f64 - all / 2.0) / (all / 4.0).sqrt();
        assert!(score.abs() < 6.2, "{coins}: {score}");
    }
}
