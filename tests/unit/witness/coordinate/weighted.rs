//! Unit tests of `witness::weighted`.

use crate::witness::{Linear, Statistic};

fn sum(entries: usize) -> Statistic {
    let weights: Vec<f64> = (0..entries).map(|entry| 0.5 - entry as f64).collect();
    let (centers, scales) = (vec![3.0; entries], vec![2.0; entries]);
    Statistic::Linear(Linear { differences: false, weights, centers, scales })
}

#[test]
fn a_sum_of_few_terms_can_be_computed_from_its_words() {
    let words = sum(2).words();
    assert!(words.contains("+0.5 clip((entry 0 - 3) / 2)"), "{words}");
    assert!(words.contains("-0.5 clip((entry 1 - 3) / 2)"), "{words}");
    let many = sum(9).words();
    assert!(many.contains("and 5 more terms, all weights in the certificate"), "{many}");
}

#[test]
fn entries_of_vectors_of_one_length_are_counted_from_the_front() {
    assert_eq!(Statistic::FromEnd(2).of_length(3), Statistic::Entry(0));
    assert_eq!(Statistic::FromEnd(3).of_length(3), Statistic::FromEnd(3));
}
