//! Shuffled answers against the enumeration of all counts, for all datasets of few rows.

use super::Shuffle;
use crate::component::law::{Law, Seen};
use std::collections::BTreeMap;

/// The law of the counts of answers, the rows having these values.
fn counts(shuffle: Shuffle, rows: &[usize]) -> BTreeMap<Vec<u64>, f64> {
    let values = usize::try_from(shuffle.values).expect("few");
    let whole = shuffle.epsilon.exp() + shuffle.values as f64 - 1.0;
    let mut law = BTreeMap::from([(vec![0; values], 1.0)]);
    for &row in rows {
        let mut next = BTreeMap::new();
        for (counts, mass) in law {
            for answer in 0..values {
                let mut counts: Vec<u64> = counts.clone();
                counts[answer] += 1;
                let told = if answer == row { shuffle.epsilon.exp() } else { 1.0 };
                *next.entry(counts).or_insert(0.0) += mass * told / whole;
            }
        }
        law = next;
    }
    law
}

fn delta(shuffle: Shuffle, one: &[usize], other: &[usize], epsilon: f64) -> f64 {
    let (p, q) = (counts(shuffle, one), counts(shuffle, other));
    p.iter().map(|(count, p)| (p - epsilon.exp() * q[count]).max(0.0)).sum()
}

#[test]
fn no_dataset_loses_more_and_one_as_much_as_the_lower_end() {
    for (values, others) in [(2, 6), (3, 4), (4, 3)] {
        for epsilon in [0.3, 1.0, 3.0] {
            let shuffle = Shuffle { epsilon, rows: others + 1, values };
            let (upper, lower) = shuffle.pairs();
            let seen = if values == 2 { Seen::Directed } else { Seen::Whole };
            let (upper, lower) = (Law::seen(upper, Seen::Whole), Law::seen(lower, seen));
            for at in [0.0, 0.1, 0.3, 0.7, 0.95].map(|share| share * epsilon) {
                // All datasets of the other rows, by counting in the base of the values.
                let most = (0..values.pow(others as u32)).map(|code| {
                    let row = |place: u32| ((code / values.pow(place)) % values) as usize;
                    let rest: Vec<usize> = (0..others as u32).map(row).collect();
                    delta(shuffle, &[&rest[..], &[0]].concat(), &[&rest[..], &[1]].concat(), at)
                });
                let most = most.fold(0.0, f64::max);
                let (least, greatest) = (lower.delta(at).0, upper.delta(at).1);
                assert!(least <= most * (1.0 + 1e-9), "{shuffle:?} {at}: {least} {most}");
                assert!(greatest >= most * (1.0 - 1e-9), "{shuffle:?} {at}: {greatest} {most}");
                let zeros = vec![if values == 2 { 1 } else { 2 }; others as usize];
                let [one, other] = [0, 1].map(|row| [&zeros[..], &[row]].concat());
                let pair = delta(shuffle, &one, &other, at).max(delta(shuffle, &other, &one, at));
                // Of four values, how many gave the fourth tells a little more.
                let near = values > 3 || pair - least <= 1e-6 * pair + 1e-9;
                assert!(least <= pair * (1.0 + 1e-9) && near, "{shuffle:?} {at}: {least} {pair}");
            }
        }
    }
}

/// The law from above loses at least as much as that from below, however many rows there are, and about as much where there
/// are many; and more rows hide more.
#[test]
fn brackets_of_many_rows_are_narrow_and_fall() {
    for values in [3, 10] {
        for epsilon in [0.5, 2.0, 5.0] {
            let mut before = 1.0;
            for rows in [1, 10, 1_000, 30_000, 1_000_000] {
                let (upper, lower) = Shuffle { epsilon, rows, values }.pairs();
                let [upper, lower] = [upper, lower].map(|pair| Law::seen(pair, Seen::Whole));
                let (least, greatest) = (lower.delta(0.0).0, upper.delta(0.0).1);
                let what = format!("{values} {epsilon} {rows}: {least} {greatest}");
                let width = if rows < 1_000_000 { 0.1 } else { 1e-3 };
                assert!(least <= greatest && greatest - least <= width * greatest, "{what}");
                assert!(greatest <= before, "{what}");
                before = greatest;
            }
        }
    }
}
