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
    assert_eq!(words(&integers(&[3, 4, 5, 6, 7, 8, 9])), "the outcome is 3 to 9");
    let gaps = integers(&[-1, 0, 1, 3, 4, 6]);
    assert_eq!(words(&gaps), "the outcome is -1 to 1, 3, 4 or 6");
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
