use super::*;

fn numbers(values: impl IntoIterator<Item = f64>) -> Dataset {
    Dataset::Numbers(values.into_iter().collect())
}

/// (place in D, place in D', whether they differ) of each row shown.
fn places(d: &Dataset, d_prime: &Dataset) -> Vec<(Option<usize>, Option<usize>, bool)> {
    let rows = pair_rows(d, d_prime);
    rows.iter().map(|row| (row.at_d, row.at_d_prime, row.differs)).collect()
}

#[test]
fn the_row_that_differs_is_in_view_wherever_it_is() {
    let long = || (0..1000).map(f64::from);
    let replaced = numbers(long().map(|x| if x == 617.0 { -1.0 } else { x }));
    let same = |at: usize| (Some(at), Some(at), false);
    let (whole, at) = (numbers(long()), (Some(617), Some(617), true));
    assert_eq!(places(&whole, &replaced), [same(615), same(616), at, same(618), same(619)]);
    let removed = numbers(long().filter(|x| *x != 617.0));
    let rows = places(&whole, &removed);
    assert_eq!(rows[2], (Some(617), None, true));
    assert_eq!(rows[3], (Some(618), Some(617), false));
    let rows = pair_rows(&removed, &whole);
    assert_eq!((rows[2].d.is_null(), &rows[2].d_prime), (true, &617.0.into()));
    assert_eq!(places(&whole, &whole), []);
}

#[test]
fn many_rows_that_differ_are_a_few_in_view() {
    let (a, b) = (numbers((0..500).map(f64::from)), numbers((0..500).map(|x| f64::from(x) + 0.5)));
    let rows = places(&a, &b);
    assert!(rows.len() <= MOST && rows.iter().filter(|row| row.2).count() >= DIFFERING);
    let (a, b) = (numbers([1.0, f64::NAN]), numbers([2.0, f64::NAN, 0.0]));
    let rows = pair_rows(&a, &b);
    assert_eq!(rows.iter().filter(|row| row.d.is_null()).count(), 3, "nothing is paired by force");
    assert_eq!(rows[1].d, "NaN");
}
