//! Unit tests of `witness::rounding`.

use super::*;
use crate::mechanism::Outcome;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand_distr::Distribution;

fn batch(draw: impl Fn(&mut ChaCha8Rng) -> Outcome) -> Outcomes {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut batch = Outcomes::new();
    (0..8192).for_each(|_| batch.push(draw(&mut random)));
    batch
}

fn grid_of(draw: impl Fn(&mut ChaCha8Rng) -> Outcome) -> Option<f64> {
    let batch = batch(draw);
    grid(&Sample { d: vec![&batch], d_prime: vec![&batch] })
}

fn normal(random: &mut ChaCha8Rng) -> f64 {
    rand_distr::StandardNormal.sample(random)
}

#[test]
fn the_grid_is_far_below_the_noise_and_far_above_the_spacing_of_doubles() {
    for scale in [1e-9, 1.0, 3e7] {
        for center in [0.0, 1e3 * scale, -1e6 * scale] {
            let grid = grid_of(|random| (center + scale * normal(random)).into())
                .expect("doubles have bits below");
            assert!(grid < scale / 1e3, "{grid} for noise of {scale} around {center}");
            assert!(grid > 64.0 * f64::EPSILON * center.abs(), "{grid} around {center}");
            assert_eq!(grid.log2().fract(), 0.0);
        }
    }
}

#[test]
fn outcomes_on_a_coarse_grid_of_their_own_have_none() {
    assert_eq!(grid_of(|random| normal(random).round().into()), None);
    assert_eq!(grid_of(|random| (1e4 * normal(random)).round().into()), None);
    assert_eq!(grid_of(|random| (3 + (10.0 * normal(random)) as i64).into()), None);
    assert_eq!(grid_of(|_| Outcome::Number(0.1)), None);
    assert_eq!(grid_of(|random| if normal(random) > 0.0 { 0.1 } else { 0.7 }.into()), None);
    assert_eq!(grid_of(|_| "yes".into()), None);
    assert_eq!(grid_of(|_| f64::NAN.into()), None);
}

#[test]
fn of_several_numbers_the_finest_counts_and_whole_ones_stay() {
    let mixed = grid_of(|random| {
        let [a, b, c] = [(); 3].map(|()| normal(random));
        vec![a, 1e9 * b, (3.0 * c).round()].into()
    });
    let large = grid_of(|random| vec![1e9 * normal(random), (3.0 * normal(random)).round()].into());
    assert!(mixed.is_some_and(|grid| grid < 1e-3), "{mixed:?} for noise of 1 and of 1e9");
    assert_eq!(large, Some(1.0));
}
