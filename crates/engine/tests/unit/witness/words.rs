//! Unit tests of `witness::words`.

use super::*;

#[test]
fn long_unions_are_grouped() {
    let integers = |values: &[i64]| -> Vec<Atom> {
        values.iter().map(|value| Atom::Integer(*value)).collect()
    };
    let words = |atoms: &[Atom]| {
        atoms_words(atoms, &(0..atoms.len()).collect::<Vec<_>>()).unwrap_or_default()
    };
    assert_eq!(words(&[]), "");
    assert_eq!(words(&integers(&[4])), "the outcome is 4");
    assert_eq!(
        words(&integers(&[3, 4, 5, 6, 7, 8, 9])),
        "the outcome is any whole number from 3 to 9"
    );
    let gaps = integers(&[-1, 0, 1, 3, 4, 6]);
    assert_eq!(words(&gaps), "the outcome is -1, 0, 1, 3, 4 or 6");
    let even: Vec<i64> = (0..20).map(|i| 2 * i).collect();
    let expected = "the outcome is 0, 2, 4, 6, 8, 10 or one of 14 others";
    assert_eq!(words(&integers(&even)), expected);
    let largest = integers(&[i64::MAX - 1, i64::MAX]);
    assert!(words(&largest).starts_with("the outcome is 9223372036854775806 or "));
}

#[test]
fn edges_are_said_as_briefly_as_can_be() {
    let label = |from: Option<f64>, to: Option<f64>| interval_label(from, to);
    assert_eq!(label(None, Some(9f64.next_up())), "up to 9");
    assert_eq!(label(None, Some(9.0)), "below 9");
    assert_eq!(label(Some(9f64.next_up()), None), "above 9");
    assert_eq!(label(Some(0f64.next_up()), Some(0.25)), "(0, 0.25)");
    assert_eq!(label(Some(-0.5), Some(0.1f64.next_up())), "[-0.5, 0.1]");
    assert_eq!(label(Some(9.0), Some(9f64.next_up())), "9");
    assert_eq!(label(Some(0.1 + 0.2), None), "above 0.3");
    assert_eq!(label(Some(0.1 + 0.7), None), "0.7999999999999999 and above");
    assert_eq!(label(Some(1.0), Some(f64::INFINITY)), "[1, +infinity)");
}

/// A band within a half-line: three leaves, of which the outer one is two intervals.
#[test]
fn leaves_of_one_number_are_said_as_intervals() {
    use crate::witness::coordinate::statistic::Statistic;
    use crate::witness::partition::{Branch, Partition, Side};
    let node = |from, below, [inside, outside]: [usize; 2]| {
        let sides = vec![Side { coordinate: 0, from, below }];
        Branch::Box { sides, inside, outside }
    };
    let nodes = vec![
        node(f64::NEG_INFINITY, 4.0, [1, 2]),
        node(1.0, 2.0, [3, 4]),
        Branch::Leaf(0),
        Branch::Leaf(1),
        Branch::Leaf(2),
    ];
    let partition = Partition { coordinates: vec![Statistic::Last], nodes };
    assert!(partition.is_sound());
    let scorer = Scorer::Partition(partition);
    let labels: Vec<String> = scorer.bin_words().into_iter().map(|bin| bin.label).collect();
    assert_eq!(
        labels,
        [
            "last entry >= 4 or last entry is NaN, not numeric or missing",
            "1 <= last entry < 2",
            "last entry < 1 or 2 <= last entry < 4",
        ]
    );
    let says = vec![Guess::D, Guess::DPrime, Guess::D];
    let corner = plaudit_core::inference::Corner { own: 0.5, other: 0.5 };
    let witness = Witness { scorer, says, corner, order: vec![1, 0, 2] };
    let words = "says D when last entry < 1, or last entry >= 2, or last entry is NaN, not numeric or missing; \
                 says D' when 1 <= last entry < 2";
    assert_eq!(witness.words(), words);
}

#[test]
fn a_long_number_is_named_once_and_a_box_left_out_is_told() {
    use crate::witness::coordinate::statistic::{Linear, Statistic};
    use crate::witness::partition::{Branch, Partition, Side};
    let side = |coordinate, from, below| Side { coordinate, from, below };
    let nodes = vec![
        Branch::Box { sides: vec![side(0, 1.5, f64::INFINITY)], inside: 1, outside: 2 },
        Branch::Leaf(0),
        Branch::Box { sides: vec![side(0, -2.0, 0.5), side(1, 3.0, 4.0)], inside: 3, outside: 4 },
        Branch::Leaf(1),
        Branch::Leaf(2),
    ];
    let linear = Linear {
        differences: false,
        weights: vec![1.0, -0.25],
        centers: vec![0.0, 2.5],
        scales: vec![1.0, 0.5],
    };
    let coordinates = vec![Statistic::Linear(linear), Statistic::Entry(7)];
    let scorer = Scorer::Partition(Partition { coordinates, nodes });
    let corner = plaudit_core::inference::Corner { own: 0.5, other: 0.5 };
    let says = vec![Guess::D, Guess::D, Guess::DPrime];
    let witness = Witness { scorer, says, corner, order: vec![0, 1, 2] };
    let words = "with S = weighted sum of clipped entries (clip(entry 0) - 0.25 clip((entry 1 - 2.5) / 0.5); \
                 clip(x) = min(1, max(-1, x))): says D when S >= 1.5, or -2 <= S < 0.5 and 3 <= entry 7 < 4; \
                 says D' when not (S >= 1.5) and not (-2 <= S < 0.5 and 3 <= entry 7 < 4)";
    assert_eq!(witness.words(), words);
}
