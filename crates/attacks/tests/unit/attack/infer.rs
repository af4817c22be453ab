//! Guesses by the nearest rows, found by hand and by a comparison written out cell by cell.

use super::*;
use plaudit_core::random::Stream;
use rand::{RngExt, SeedableRng};

fn released(columns: &[(&str, &[&str])]) -> (Schema, CodedTable) {
    let cells = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
    Schema::of(columns.iter().map(|(name, of)| ((*name).to_owned(), cells(of))).collect()).unwrap()
}

const AGES: (&str, &[&str]) = ("age", &["20", "30", "60", "", "30"]);
const JOBS: (&str, &[&str]) = ("job", &["mine", "shop", "shop", "mine", "shop"]);
const SECRETS: (&str, &[&str]) = ("secret", &["a", "", "b", "c", "b"]);

/// Distances in age are over the range of 40.
#[test]
fn the_nearest_row_with_a_secret_is_found_by_hand() {
    let (schema, table) = released(&[AGES, JOBS, SECRETS]);
    let of = |age: &str, job: &str| {
        let targets = schema.table([[age, job, ""]]).unwrap();
        let near = nearest(&schema, [&table, &targets], (&[0, 1], 2), 1).unwrap()[0];
        (near.distance, schema.shown(2, near.guess))
    };
    // The row of the same age and job without a secret is passed over for the last one.
    assert_eq!(of("30", "shop"), (0.0, "b".to_owned()));
    assert_eq!(of("22", "mine"), (0.025, "a".to_owned()));
    // An age that is empty is equal to an empty one; a word that the release does not have to none.
    assert_eq!(of("", "mine"), (0.0, "c".to_owned()));
    assert_eq!(of("60", "farm"), (0.5, "b".to_owned()));
    // Beyond the range the difference is at most 1: the first one of the rows with that job.
    assert_eq!(of("999", "mine"), (0.5, "a".to_owned()));
}

#[test]
fn the_most_frequent_secret_of_several_rows_is_guessed() {
    let (schema, table) =
        released(&[("age", &["1", "2", "3", "4", "9"]), ("secret", &["x", "y", "y", "z", "z"])]);
    let of = |neighbors: usize| {
        let targets = schema.table([["1", ""]]).unwrap();
        let near = nearest(&schema, [&table, &targets], (&[0], 1), neighbors).unwrap();
        schema.shown(1, near[0].guess)
    };
    // Of y and z with two rows each, the nearer one; more rows than there are is all of them.
    assert_eq!([1, 2, 3, 5, 99].map(of), ["x", "x", "y", "y", "y"]);
}

#[test]
fn distances_are_those_of_gower() {
    let mut random = Stream::seed_from_u64(3);
    let mut cell = |place: usize| match (place, random.random_range(0..10_u32)) {
        (_, 0) => String::new(),
        (0, _) => random.random_range(-50..50_i32).to_string(),
        (1, _) => ["a", "b", "c"][random.random_range(0..3)].to_owned(),
        _ => format!("{:.3}", random.random::<f64>()),
    };
    let mut rows = |count: usize| -> Vec<Vec<String>> {
        (0..count).map(|_| (0..3).map(&mut cell).chain(["s".to_owned()]).collect()).collect()
    };
    let (release, people) = (rows(60), rows(80));
    let columns = (0..4).map(|place| {
        (format!("c{place}"), release.iter().map(|row| row[place].clone()).collect::<Vec<_>>())
    });
    let (schema, table) = Schema::of(columns.collect()).unwrap();
    let targets = schema.table(&people).unwrap();
    let found = nearest(&schema, [&table, &targets], (&[0, 1, 2], 3), 1).unwrap();
    let range = |place: usize| {
        let numbers = || release.iter().filter_map(|row| row[place].parse::<f64>().ok());
        numbers().fold(f64::MIN, f64::max) - numbers().fold(f64::MAX, f64::min)
    };
    let differ =
        |place: usize, one: &str, other: &str| match (one.parse::<f64>(), other.parse::<f64>()) {
            (Ok(one), Ok(other)) => ((one - other).abs() / range(place)).min(1.0),
            _ => f64::from(u8::from(one != other)),
        };
    for (person, near) in people.iter().zip(found) {
        let to = |row: &Vec<String>| {
            (0..3).map(|place| differ(place, &row[place], &person[place])).sum::<f64>() / 3.0
        };
        let least = release.iter().map(to).fold(f64::MAX, f64::min);
        assert!((near.distance - least).abs() < 1e-12, "{person:?}: {} and {least}", near.distance);
    }
}

#[test]
fn numbers_are_right_within_the_tolerance_and_rows_without_a_secret_are_left_out() {
    let (schema, table) =
        released(&[("zip", &["1", "2", "3"]), ("income", &["100", "200", "300"])]);
    let people = schema.table([["1", "105"], ["2", "211"], ["3", ""]]).unwrap();
    let of = |tolerance: f64| {
        let how = Guessing { known: vec![0], secret: 1, neighbors: 1, tolerance };
        infer(&schema, [&table, &people], None, &how, 0.05).unwrap()
    };
    let found = of(0.05);
    assert_eq!((found.original.right, found.original.of, found.left_out), (1, 2, 1));
    assert_eq!((of(0.06).original.right, of(0.0).original.right), (2, 0));
    assert_eq!((found.control, found.excess), (None, None));
    let none = schema.table([["1", ""]]).unwrap();
    let how = Guessing { known: vec![0], secret: 1, neighbors: 1, tolerance: 0.0 };
    assert!(infer(&schema, [&table, &none], None, &how, 0.05).is_none());
    assert!(infer(&schema, [&table, &people], Some(&none), &how, 0.05).is_none());
    assert!(infer(&schema, [&none, &people], None, &how, 0.05).is_none());
}
