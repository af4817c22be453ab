//! Unit tests of `witness::weighted`.

use super::*;
use crate::witness::Statistic;

fn term(entry: usize) -> Term {
    let (weight, center, scale) = (0.5 - entry as f64, 3.0, 2.0);
    Term { of: Statistic::Entry(entry), weight, center, scale, squared: entry == 1 }
}

#[test]
fn a_sum_of_few_terms_can_be_computed_from_its_words() {
    let words = Statistic::Weighted(vec![term(0), term(1)]).words();
    assert!(words.contains("(0.5 clip((entry 0 - 3) / 2)"), "{words}");
    assert!(words.contains(" - 0.5 clip((entry 1 - 3) / 2)^2"), "{words}");
    let many = Statistic::Weighted((0..9).map(term).collect()).words();
    assert!(many.contains("and 5 more terms, which the certificate has in full"), "{many}");
}

#[test]
fn entries_of_vectors_of_one_length_are_counted_from_the_front() {
    let last_but_one = Term { of: Statistic::FromEnd(1), ..term(0) };
    let weighted = Statistic::Weighted(vec![last_but_one]).of_length(3);
    assert!(weighted.words().contains("entry 1 - 3"), "{}", weighted.words());
    assert_eq!(Statistic::FromEnd(2).of_length(3), Statistic::Entry(0));
    assert_eq!(Statistic::FromEnd(3).of_length(3), Statistic::FromEnd(3));
}

/// Fitted numbers have few digits, so that words hold all of them: a center to a hundredth of its scale or finer.
#[test]
fn what_is_fitted_is_rounded() {
    assert_eq!([rounded(0.987_301_624), rounded(-12_345.0), rounded(1.0)], [0.987, -12_300.0, 1.0]);
    for (center, scale, expected) in
        [(49_911.123, 2.5, 49_911.12), (0.012_345, 0.5, 0.012), (-3.0, 1e-3, -3.0), (0.0, 1.0, 0.0)]
    {
        assert_eq!(rounded_center(center, scale), expected);
    }
    for (center, scale) in [(1e300, 1e-300), (f64::INFINITY, 1.0), (1.0, f64::INFINITY), (1.0, 0.0)]
    {
        assert_eq!(rounded_center(center, scale), center);
    }
}
