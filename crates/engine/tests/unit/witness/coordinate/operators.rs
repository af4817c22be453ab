use super::*;
use crate::witness::coordinate::list::Source;
use crate::witness::coordinate::statistic::{Made, Statistic};
use crate::witness::scorer::Scorer;

fn after(operator: Operator, list: &[f64]) -> Vec<f64> {
    let mut list = list.to_vec();
    operator.apply(&mut list, &mut Vec::new());
    list
}

#[test]
fn operators_make_lists() {
    let list = [3.0, -1.0, 2.0];
    assert_eq!(after(Operator::Sorted, &[3.0, f64::NAN, -1.0]), [-1.0, 3.0]);
    assert_eq!(after(Operator::Differences, &list), [-4.0, 3.0]);
    assert_eq!(after(Operator::Products, &list), [-3.0, -2.0]);
    assert_eq!(after(Operator::Absolute, &list), [3.0, 1.0, 2.0]);
    assert_eq!(after(Operator::Cumulated, &list), [3.0, 2.0, 4.0]);
    assert_eq!(after(Operator::Centered, &[3.0, -1.0, 1.0]), [2.0, -2.0, 0.0]);
    assert_eq!(after(Operator::Reversed, &list), [2.0, -1.0, 3.0]);
    assert_eq!(after(Operator::Ranks, &[3.0, -1.0, 3.0]), [1.0, 0.0, 1.0]);
    for operator in Operator::ALL {
        assert!(after(operator, &[]).is_empty(), "{operator:?}");
    }
}

#[test]
fn statistics_of_lists_that_are_made() {
    let made = |by: &[Operator], read: Statistic| {
        Statistic::Made(Box::new(Made { source: Source::Entries, by: by.to_vec(), read }))
    };
    let vector = [2.0, 5.0, -1.0, 4.0];
    let second = made(&[Operator::Sorted, Operator::Differences], Statistic::Max);
    assert_eq!(second.read_vector(&vector), Some(3.0));
    assert_eq!(
        second.words(),
        "largest entry of the differences of neighbors of the sorted entries"
    );
    let third =
        made(&[Operator::Absolute, Operator::Differences, Operator::Differences], Statistic::Max);
    assert_eq!(third.words(), "largest entry of the second differences of the absolute entries");
    let from_first = made(&[Operator::Differences, Operator::Cumulated], Statistic::Entry(1));
    assert_eq!(from_first.words(), "entry 1 of the differences from the first of the entries");
    assert_eq!(from_first.read_vector(&vector), Some(-1.0 - 2.0));
    let norm = made(&[Operator::Centered], Statistic::NormL2);
    assert_eq!(norm.words(), "Euclidean norm of the centered entries");
    let count = Statistic::Within { from: 2.0, below: 5.0, read: Within::Count };
    assert_eq!(made(&[Operator::Absolute], count).read_vector(&vector), Some(2.0));
    assert_eq!(Statistic::ArgSecond.read_vector(&vector), Some(3.0));
    assert_eq!(Statistic::ArgSecond.read_vector(&[7.0, 7.0]), Some(1.0));
    assert_eq!(Statistic::ArgSecond.read_vector(&[1.0]), None);
    assert_eq!(Statistic::Median.read_vector(&vector), Some(4.0));
    assert_eq!(Statistic::Distinct.read_vector(&[1.0, 0.0, 1.0, -0.0]), Some(2.0));
    assert_eq!(Statistic::SignChanges.read_vector(&vector), Some(2.0));
    assert_eq!(Statistic::Rises.read_vector(&vector), Some(2.0));
    assert_eq!(Statistic::Range.read_vector(&vector), Some(6.0));
}

/// A scorer that explore could make of a statistic, as a certificate has it.
fn read_back(of: Statistic) -> Option<Scorer> {
    let scorer = Scorer::Thresholds { statistic: of, edges: vec![0.5], shapes: vec![] };
    let json = serde_json::to_string(&scorer).unwrap();
    let read: Scorer = serde_json::from_str(&json).unwrap();
    assert_eq!(read, scorer, "{json}");
    read.is_sound().then_some(read)
}

#[test]
fn composed_statistics_survive_a_certificate_and_others_are_refused() {
    let within = |from, below| Statistic::Within { from, below, read: Within::Count };
    let made = |by: &[Operator], read| {
        Statistic::Made(Box::new(Made { source: Source::Values, by: by.to_vec(), read }))
    };
    let two = |a, b| Statistic::Two { by: Pairing::Ratio, of: Box::new([a, b]) };
    let equal = within(0.1, 0.1f64.next_up());
    let halves = [within(f64::NEG_INFINITY, 0.3), within(0.3, f64::INFINITY)];
    let [below, above] = halves;
    for of in [
        made(&Operator::ALL[..3], equal),
        two(below.clone(), made(&[], above)),
        Statistic::Remainder { of: Box::new(made(&[Operator::Sorted], below)), divisor: 2.0 },
    ] {
        assert!(read_back(of.clone()).is_some(), "{of:?}");
    }
    let sum = || Statistic::Sum;
    for of in [
        within(2.0, 1.0),
        made(&[Operator::Sorted; 5], sum()),
        made(&[], made(&[], sum())),
        made(&[], two(sum(), sum())),
        two(sum(), two(sum(), sum())),
        two(sum(), within(1.0, 1.0)),
    ] {
        assert_eq!(read_back(of.clone()), None, "{of:?}");
    }
}
