//! Unit tests of `witness::remainder`.

use super::*;
use crate::mechanism::Stream;
use crate::witness::{Linear, Scorer, Term};
use rand::{RngExt, SeedableRng};

fn numbers(seed: u64, draw: impl Fn(f64) -> f64) -> Outcomes {
    let mut random = Stream::seed_from_u64(seed);
    let mut outcomes = Outcomes::new();
    (0..2000).for_each(|_| outcomes.push_number(draw(random.random_range(-500.0..500.0))));
    outcomes
}

fn divisors(d: &Outcomes, d_prime: &Outcomes) -> Vec<f64> {
    let sample = Sample { d: vec![d], d_prime: vec![d_prime] };
    let found = telling_remainders(&sample, &Statistic::Value).into_iter();
    let divisor = |statistic| match statistic {
        Statistic::Remainder { divisor, .. } => divisor,
        other => panic!("{other:?}"),
    };
    found.map(divisor).collect()
}

#[test]
fn steps_of_noise_are_found_and_plain_noise_has_none() {
    for step in [2.0, 3.0, 6.0, 12.0] {
        let on = |seed, at| numbers(seed, move |x| at + step * (x / step).round());
        let found = divisors(&on(1, 7.0), &on(2, 8.0));
        assert_eq!(found.last(), Some(&step), "{found:?}");
        assert!(divisors(&on(1, 7.0), &on(2, 7.0)).is_empty());
    }
    let cents = |seed, at| numbers(seed, move |x| at + (x * 100.0).round() / 100.0);
    assert!(divisors(&cents(1, 0.003), &cents(2, 0.0076)).contains(&0.01));
    assert!(divisors(&cents(1, 0.0), &cents(2, 1.0)).is_empty());
    for step in [0.3, 0.05, 1.0 / 7.0, 2f64.powi(-10), 0.0007] {
        let on = |seed, at| numbers(seed, move |x| at + step * (x / step).round());
        let found = divisors(&on(1, 10.1), &on(2, 10.1 + 0.37 * step));
        let nearest = found.iter().map(|found| (found - step).abs()).fold(1.0, f64::min);
        assert!(nearest < 1e-15, "{step}: {found:?}");
    }
    // For other numbers, the rounded ones show their position.
    for step in [0.25, 2f64.powi(-10)] {
        let on = |seed, at| numbers(seed, move |x| at + step * (x / step).round());
        assert!(divisors(&on(1, 10.1), &on(2, 10.1 + 3.0 * step)).is_empty(), "{step}");
    }
    for bit in [0, 5, 20] {
        let on = |seed, share: f64| {
            let mut random = Stream::seed_from_u64(seed);
            let mut outcomes = Outcomes::new();
            for _ in 0..2000 {
                let other = random.random_range(0..1u64 << 32) & !(1 << bit);
                let set = u64::from(random.random_bool(share));
                outcomes.push_number((other | set << bit) as f64);
            }
            outcomes
        };
        let found = divisors(&on(1, 0.7), &on(2, 0.3));
        assert!(found.contains(&2f64.powi(bit + 1)), "{bit}: {found:?}");
        assert!(divisors(&on(1, 0.5), &on(2, 0.5)).is_empty());
    }
    let plain = |seed| numbers(seed, |x| x);
    assert!(divisors(&plain(1), &plain(2)).is_empty());
    let whole = |seed| numbers(seed, f64::round);
    assert!(divisors(&whole(1), &whole(2)).is_empty());
    // A few that are on no grid, and too few of all.
    let mixed = |seed, at| {
        numbers(seed, move |x| if x > 450.0 { x.round() } else { at + 3.0 * (x / 3.0).round() })
    };
    assert!(divisors(&mixed(1, 7.0), &mixed(2, 8.0)).contains(&3.0));
    let mut few = numbers(1, f64::round);
    few.truncate(100);
    assert!(divisors(&few, &few.clone()).is_empty());
}

#[test]
fn remainders_of_negative_numbers_and_of_nothing() {
    let read = |divisor, x: f64| {
        Statistic::Remainder { of: Box::new(Statistic::Value), divisor }.read(x.into())
    };
    assert_eq!(read(3.0, -1.0), Some(2.0));
    assert_eq!(read(3.0, 7.0), Some(1.0));
    assert_eq!(read(3.0, f64::INFINITY), None);
    assert_eq!(read(0.0, 7.0), None);
    assert_eq!(read(1.0, 1.75), Some(0.75));
}

#[test]
fn remainders_of_what_is_none_are_not_sound() {
    let remainder = |of, divisor| Statistic::Remainder { of: Box::new(of), divisor };
    let sound =
        |statistic| Scorer::Thresholds { statistic, edges: vec![1.0], shapes: vec![] }.is_sound();
    assert!(sound(remainder(Statistic::Entry(3), 0.1)));
    for divisor in [0.0, -0.0, -3.0, f64::NAN, f64::INFINITY] {
        assert!(!sound(remainder(Statistic::Value, divisor)), "{divisor}");
    }
    let broken = Statistic::Linear(Linear {
        differences: false,
        weights: vec![1.0; 3],
        centers: vec![],
        scales: vec![],
    });
    let hidden = remainder(broken.clone(), 3.0);
    let term = Term { of: hidden.clone(), weight: 1.0, center: 0.0, scale: 1.0, squared: false };
    for statistic in [
        broken,
        hidden,
        Statistic::Weighted(vec![term]),
        remainder(remainder(Statistic::Value, 3.0), 2.0),
    ] {
        assert!(!sound(statistic.clone()), "{statistic:?}");
    }
}
