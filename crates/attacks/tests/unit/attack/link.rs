//! Joins of small tables with known answers, and of random ones against a comparison of all rows with all.

use super::*;
use plaudit_core::random::Stream;
use proptest::prelude::*;
use rand::SeedableRng;

type Row<'a> = (&'a [&'a str], &'a str);

fn bytes<'a>(values: &'a [&'a str]) -> impl Iterator<Item = &'a [u8]> {
    values.iter().map(|value| value.as_bytes())
}

fn joined(released: &[Row<'_>], known: &[Row<'_>], has_ids: bool) -> Join {
    let mut rows = ReleasedRows::new();
    released.iter().for_each(|(values, id)| rows.add(bytes(values), id.as_bytes()));
    let mut join = rows.join(has_ids);
    known.iter().for_each(|(values, id)| join.add(bytes(values), id.as_bytes()));
    join
}

/// Released rows: one that two know of, one that one knows of, an unknown one, and three alike.
const RELEASED: [Row<'static>; 6] = [
    (&["1", "f"], "a"),
    (&["3", "m"], "b"),
    (&["2", "m"], "c"),
    (&["3", "m"], "d"),
    (&["3", "m"], "e"),
    (&["4", "f"], "f"),
];
const KNOWN: [Row<'static>; 5] = [
    (&["1", "f"], "a"),
    (&["2", "m"], "c"),
    (&["1", "f"], "z"),
    (&["3", "m"], "b"),
    (&["9", "m"], "y"),
];

#[test]
fn a_small_table_is_joined_as_by_hand() {
    let found = joined(&RELEASED, &KNOWN, true).linkage(0.05);
    assert_eq!((found.released, found.known, found.classes), (6, 5, 4));
    assert_eq!((found.smallest, found.unique), (1, 3));
    let sizes = [ClassSize { size: 1, classes: 3 }, ClassSize { size: 3, classes: 1 }];
    assert_eq!(found.sizes, sizes);
    assert_eq!((found.linked, found.several, found.none), (1, 4, 1));
    let truth = found.truth.unwrap();
    assert_eq!((truth.right, truth.chance), (1, 0.2));
    // One of one: the lower end is α/2.
    let share = truth.share.unwrap();
    assert!((share.lower - 0.025).abs() < 1e-12 && share.upper == 1.0, "{share:?}");
}

#[test]
fn a_link_to_another_person_is_wrong() {
    let known: [Row<'_>; 2] = [(&["2", "m"], "x"), (&["4", "f"], "f")];
    let found = joined(&RELEASED, &known, true).linkage(0.05);
    assert_eq!((found.linked, found.truth.unwrap().right), (2, 1));
}

#[test]
fn a_table_that_is_wholly_linked_is_an_answer() {
    let rows: [Row<'_>; 2] = [(&["1"], "a"), (&["2"], "b")];
    let found = joined(&rows, &rows, true).linkage(0.05);
    assert_eq!((found.linked, found.several, found.none), (2, 0, 0));
    assert_eq!(found.truth.unwrap().share.unwrap().estimate, 1.0);
    // Nothing to link: no share.
    let found = joined(&rows, &[(&["3"], "c")], true).linkage(0.05);
    assert_eq!((found.linked, found.none, found.truth.unwrap().share), (0, 2, None));
    assert_eq!(joined(&rows, &rows, false).linkage(0.05).truth, None);
}

#[test]
fn values_that_read_the_same_in_a_row_are_told_apart() {
    let long = "x".repeat(200);
    let released: [Row<'_>; 4] =
        [(&["ab", "c"], ""), (&["a", "bc"], ""), (&["", "abc"], ""), (&[&long, ""], "")];
    let known: [Row<'_>; 2] = [(&["abc", ""], ""), (&["", &long], "")];
    let found = joined(&released, &known, false).linkage(0.05);
    assert_eq!((found.classes, found.unique, found.none), (4, 4, 4));
}

#[test]
fn counts_hide_rows_that_are_alone_and_show_large_classes() {
    let mut rows = ReleasedRows::new();
    for row in 0..10_000_u32 {
        let value = if row < 5_000 { row } else { 5_000 + row % 2 };
        rows.add([&value.to_le_bytes()[..]], b"");
    }
    let mut join = rows.join(false);
    (0..5_000_u32).for_each(|row| join.add([&row.to_le_bytes()[..]], b""));
    let publish = |epsilon, delta| join.publish(epsilon, delta, &mut Stream::seed_from_u64(1));
    // P(1 + noise >= 13): at most δ. That one of 5 000 is published has probability 0.023.
    let found = publish(1.0, 1e-5).unwrap();
    assert_eq!((found.least, found.classes, found.rows), (13, 2, 5_000));
    assert_eq!((found.unique, found.linked), (0, 0));
    assert!(found.unique_on_average <= 5_000.0 * 1e-5, "{found:?}");
    // With little to keep back, as many as on average: 1 000 or fewer of 5 000 at δ = 0.2. Standard deviation 26; eight
    // of them are exceeded with probability below 1e-13.
    let found = publish(1.0, 0.2).unwrap();
    assert!((found.unique as f64 - found.unique_on_average).abs() < 8.0 * 26.0, "{found:?}");
    assert!(found.unique_on_average <= 1_000.0 && found.linked == found.unique, "{found:?}");
    assert_eq!(publish(1.0, 0.2).unwrap(), found);
    for (epsilon, delta) in [(0.0, 0.1), (f64::NAN, 0.1), (f64::INFINITY, 0.1), (1e-300, 0.1)] {
        assert!(publish(epsilon, delta).is_err(), "{epsilon}");
    }
    for delta in [0.0, 1.0, -1.0, f64::NAN] {
        assert!(publish(1.0, delta).is_err(), "{delta}");
    }
}

proptest! {
    #[test]
    fn a_join_is_what_comparing_all_rows_with_all_says(
        released in prop::collection::vec(("[ab]{0,2}", "[ab]{0,2}", 0..20_u8), 1..40),
        known in prop::collection::vec(("[ab]{0,2}", "[ab]{0,2}", 0..20_u8), 0..40),
    ) {
        let mut rows = ReleasedRows::new();
        for (one, two, id) in &released {
            rows.add([one.as_bytes(), two.as_bytes()], &[*id]);
        }
        let mut join = rows.join(true);
        for (one, two, id) in &known {
            join.add([one.as_bytes(), two.as_bytes()], &[*id]);
        }
        let found = join.linkage(0.05);
        let (mut unique, mut linked, mut several, mut none, mut right) = (0, 0, 0, 0, 0);
        let mut smallest = u64::MAX;
        for (one, two, id) in &released {
            let alike = released.iter().filter(|row| (&row.0, &row.1) == (one, two)).count() as u64;
            let matches: Vec<_> =
                known.iter().filter(|row| (&row.0, &row.1) == (one, two)).collect();
            smallest = smallest.min(alike);
            unique += u64::from(alike == 1);
            match (alike, &matches[..]) {
                (_, []) => none += 1,
                (1, [only]) => {
                    linked += 1;
                    right += u64::from(only.2 == *id);
                }
                _ => several += 1,
            }
        }
        prop_assert_eq!((found.unique, found.smallest), (unique, smallest));
        prop_assert_eq!((found.linked, found.several, found.none), (linked, several, none));
        prop_assert_eq!(found.truth.unwrap().right, right);
        let rows: u64 = found.sizes.iter().map(|size| size.rows()).sum();
        prop_assert_eq!(rows, released.len() as u64);
    }
}
