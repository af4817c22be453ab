use super::*;
use plaudit_core::random::Stream;
use rand::{RngExt, SeedableRng};

fn drawn(count: usize, shift: f64, seed: u64) -> Vec<f64> {
    let mut random = Stream::seed_from_u64(seed);
    sorted((0..count).map(|_| random.random::<f64>() + shift).collect())
}

fn sorted(mut scores: Vec<f64>) -> Vec<f64> {
    scores.sort_by(f64::total_cmp);
    scores
}

#[test]
fn copies_are_warned_of_and_coincidences_are_not() {
    let once = drawn(400, 0.0, 1);
    assert_eq!(repeats("members", &once), None);
    let twice = sorted([&once[..], &once].concat());
    assert!(repeats("members", &twice).unwrap().contains("comes 2 times"));
    let some = sorted([&once[..], &once[..100]].concat());
    assert!(repeats("members", &some).unwrap().contains("100 of 400 different scores"));
    let rounded: Vec<f64> = once.iter().map(|x| (x * 50.0).round() / 50.0).collect();
    assert_eq!(repeats("members", &rounded), None);
    let singles = sorted(drawn(60_000, 0.0, 2).iter().map(|x| f64::from(*x as f32)).collect());
    assert_eq!(repeats("members", &singles), None);
}

#[test]
fn scores_of_both_groups_are_warned_of() {
    let (one, other) = (drawn(400, 0.0, 1), drawn(400, 0.0, 2));
    assert_eq!(shared(["members", "non-members"], &one, &other), None);
    let mixed = sorted([&other[..], &one[..50]].concat());
    let words = shared(["members", "non-members"], &one, &mixed).unwrap();
    assert!(words.contains("50 of 400 different scores of members"), "{words}");
}

#[test]
fn losses_lie_below() {
    let (one, other) = (drawn(200, 0.0, 1), drawn(200, 0.5, 2));
    assert!(are_losses(&one, &other) && !are_losses(&other, &one));
    assert!(!are_losses(&one, &drawn(200, 0.0, 3)));
    assert_eq!(lean(&[1.0], &[1.0]), 0.0);
}
