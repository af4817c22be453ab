//! Unit tests of `witness::propose::entries`.

use super::*;
use crate::mechanism::Stream;
use rand::SeedableRng;
use rand_distr::{Distribution, Exp1};

fn lists(seed: u64, count: usize, scale: impl Fn(usize) -> (f64, f64)) -> Outcomes {
    let mut random = Stream::seed_from_u64(seed);
    let mut outcomes = Outcomes::new();
    for _ in 0..count {
        let list = (0..80).map(|at| {
            let (center, scale) = scale(at);
            let noise: f64 = Exp1.sample(&mut random);
            let other: f64 = Exp1.sample(&mut random);
            center + scale * (noise - other)
        });
        outcomes.push_vector(&list.collect::<Vec<f64>>());
    }
    outcomes
}

#[test]
fn entries_that_move_or_spread_are_found_and_others_are_not() {
    let plain = lists(1, 2000, |_| (0.0, 1.0));
    let changed = lists(2, 2000, |at| match at {
        57 => (1.0, 1.0),
        63 => (0.0, 2.0),
        _ => (0.0, 1.0),
    });
    let sample = Sample { d: vec![&plain], d_prime: vec![&changed] };
    let found = telling_entries(&sample, 24..80);
    assert_eq!(found[0], 57);
    assert!(found[..2].contains(&63), "{found:?}");
    assert!(telling_entries(&sample, 24..24).is_empty());
    let again = lists(3, 2000, |_| (0.0, 1.0));
    let same = Sample { d: vec![&plain], d_prime: vec![&again] };
    assert!(telling_entries(&same, 24..80).len() < MOST_TELLING);
}
