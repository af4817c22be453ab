//! Unit tests of `witness::spelled`.

use super::*;
use crate::mechanism::Stream;
use rand::{RngExt, SeedableRng};

fn batch(seed: u64, draw: impl Fn(&mut Stream) -> Outcome) -> Outcomes {
    let mut random = Stream::seed_from_u64(seed);
    let mut outcomes = Outcomes::new();
    (0..3000).for_each(|_| outcomes.push(draw(&mut random)));
    outcomes
}

fn sample<'a>(d: &'a Outcomes, d_prime: &'a Outcomes) -> Sample<'a> {
    Sample { d: vec![d], d_prime: vec![d_prime] }
}

#[test]
fn texts_are_spelled_unless_few_come_again_and_again() {
    let texts = |most: u32| batch(1, |random| format!("{:x}", random.random_range(0..most)).into());
    for (most, spelled) in [(1 << 30, true), (1 << 12, true), (256, false), (1, false)] {
        let texts = texts(most);
        assert_eq!(of_texts(&sample(&texts, &texts)), spelled, "{most}");
    }
    let long: String = ["x"; 1 << 13].concat();
    let texts = batch(1, |random| format!("{}{long}", random.random::<u64>()).into());
    assert!(!of_texts(&sample(&texts, &texts)));
    let with_numbers = |random: &mut Stream| {
        format!("{}: {} of -{:e}", 2026, random.random_range(0.0..9.0), random.random::<f64>())
    };
    let texts = batch(1, |random| with_numbers(random).into());
    assert!(!of_texts(&sample(&texts, &texts)));
    let texts = batch(1, |random| format!("{:012b}", random.random::<u64>() >> 52).into());
    assert!(of_texts(&sample(&texts, &texts)));
    let numbers = batch(1, |random| random.random_range(0.0..1.0).into());
    assert!(!of_texts(&sample(&numbers, &numbers)));
    assert!(!of_bits(&sample(&numbers, &numbers)));
}

#[test]
fn texts_are_many_from_one_more_than_a_few() {
    for (most, many) in [(FEW, false), (FEW + 1, true)] {
        let mut texts = Outcomes::new();
        (0..100).for_each(|i| texts.push(format!("t{}", i % most).into()));
        assert_eq!(are_many(&sample(&texts, &texts)), many, "{most}");
    }
    let numbers = batch(1, |random| random.random_range(0.0..1.0).into());
    assert!(!are_many(&sample(&numbers, &numbers)));
}

#[test]
fn bits_are_looked_at_if_several_tell() {
    let masks = |seed, set: u64| {
        let flipped = move |random: &mut Stream| -> u64 {
            (0..40).map(|bit| u64::from(random.random_bool(0.3)) << bit).sum()
        };
        batch(seed, move |random| (set ^ flipped(random)).into())
    };
    let (one, other) = (masks(1, 1 << 7), masks(2, 1 << 33));
    assert!(of_bits(&sample(&one, &other)));
    let (one, other) = (masks(1, 1 << 7), masks(2, 1 << 7));
    assert!(!of_bits(&sample(&one, &other)));
    // One bit alone is a remainder.
    let (one, other) = (masks(1, 1 << 7), masks(2, 0));
    assert!(!of_bits(&sample(&one, &other)));
    let noisy =
        |seed, at: i64| batch(seed, move |random| (at + random.random_range(-500..=500)).into());
    assert!(!of_bits(&sample(&noisy(1, 5000), &noisy(2, 5001))));
    assert!(!of_bits(&sample(&noisy(1, 0), &noisy(2, 1))));
}
