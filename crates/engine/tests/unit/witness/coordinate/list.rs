use super::*;
use crate::mechanism::{Keyed, Outcome};
use crate::witness::coordinate::statistic::Within;
use crate::witness::coordinate::statistic::{Made, Statistic};

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

#[test]
fn lists_under_keys() {
    let entry = |key: &str, x: f64| (key.to_owned(), Entry::Number(x));
    let letters = ("word".to_owned(), Entry::Other("\"ab\"".to_owned()));
    // Eleven entries: their keys are not in the order of their indices.
    let values = (0..11).map(|at| entry(&format!("v[{at}]"), f64::from(at)));
    let keyed = Keyed::new(values.chain([entry("z", 9.0), letters]));
    let outcome = Outcome::Keyed(keyed);
    let list = |source: Source| {
        let mut list = Vec::new();
        source.list(&outcome.as_ref(), &mut list).map(|()| list)
    };
    let all: Vec<f64> = (0..11).map(f64::from).collect();
    assert_eq!(list(Source::Under("v".into())), Some(all));
    assert_eq!(list(Source::Letters("word".into())), Some(vec![97.0, 98.0]));
    assert_eq!(list(Source::Values).map(|list| list.len()), Some(12));
    assert_eq!(list(Source::Entries), None);
    assert_eq!(list(Source::Under("w".into())), None);
}
