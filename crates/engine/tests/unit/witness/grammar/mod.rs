use super::*;
use crate::mechanism::Outcomes;
use rand::{RngExt, SeedableRng};

/// A sample of lists of five numbers, of which each is of D with a probability that `of` gives.
fn found(of: impl Fn(&[f64]) -> f64) -> Found {
    let mut random = plaudit_core::random::Stream::seed_from_u64(1);
    let [mut d, mut d_prime] = [(); 2].map(|()| Outcomes::new());
    for _ in 0..8_000 {
        let list: Vec<f64> = (0..5).map(|_| random.random_range(-1.0..1.0)).collect();
        if random.random_bool(of(&list)) {
            d.push_vector(&list)
        } else {
            d_prime.push_vector(&list)
        }
    }
    search(&Sample { d: vec![&d], d_prime: vec![&d_prime] })
}

#[test]
fn a_composition_of_operators_is_found() {
    let largest_step_of_sorted = |list: &[f64]| {
        let mut list = list.to_vec();
        list.sort_unstable_by(f64::total_cmp);
        let most = list.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
        if most > 0.7 { 0.8 } else { 0.45 }
    };
    let found = found(largest_step_of_sorted);
    let words: Vec<String> = found.coordinates.iter().map(Statistic::words).collect();
    assert!(words[0].contains("sorted"), "{words:?}");
    assert!(found.tried > 500 && found.coordinates.len() <= CHOSEN);
}

#[test]
fn the_product_of_two_entries_is_found() {
    let found = found(|list| if list[1] * list[3] > 0.0 { 0.7 } else { 0.4 });
    let words: Vec<String> = found.coordinates.iter().map(Statistic::words).collect();
    let is_product = |words: &String| words.contains("entry 1") && words.contains("entry 3");
    assert!(words.iter().take(4).any(is_product), "{words:?}");
}

#[test]
fn the_same_outcomes_give_the_same_coordinates() {
    let of = |list: &[f64]| if list[0] > 0.5 { 0.7 } else { 0.5 };
    let [one, other] = [found(of), found(of)];
    assert_eq!(one.coordinates, other.coordinates);
}

#[test]
fn a_weighted_sum_is_found() {
    let sum =
        |list: &[f64]| list[0] - 0.5 * list[1] + 0.3 * list[2] - 0.8 * list[3] + 0.6 * list[4];
    let found = found(|list| if sum(list) > 0.0 { 0.75 } else { 0.35 });
    let is_weighted = |of: &Statistic| matches!(of, Statistic::Linear(_));
    assert!(found.coordinates.iter().take(2).any(is_weighted), "{:?}", found.coordinates);
}
