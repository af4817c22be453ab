//! Numbers of claims and bounds in few digits, and in as many as tell them apart.

use plaudit::number::{Side, apart, chosen};
use proptest::prelude::*;

#[test]
fn a_claim_is_not_written_as_a_rounder_one() {
    for (x, words) in [
        (0.99996, "0.99996"),
        (1.00001, "1.00001"),
        (1.0, "1"),
        (1e-5, "1e-5"),
        (0.999_961_234, "0.99996"),
        (3f64.ln(), "1.099"),
        (2f64.ln(), "0.6931"),
    ] {
        assert_eq!(chosen(x), words);
    }
}

#[test]
fn a_bound_and_a_claim_that_differ_are_written_apart() {
    assert_eq!(apart(1.00003, 1.00001, Side::Near), "1.00003");
    assert_eq!(apart(1.23458, 1.23456, Side::Down), "1.23458");
    assert_eq!(apart(1.000_5, 1.000_6, Side::Up), "1.0005");
    assert_eq!(apart(2.0, 1.0, Side::Down), "2");
}

proptest! {
    /// Rounded to the safe side, and on the side of the other number on which it is.
    #[test]
    fn what_is_written_is_safe_and_on_its_side(x in 1e-9..1e3_f64, nearness in -1e-3..1e-3_f64) {
        let other = x * (1.0 + nearness);
        for side in [Side::Down, Side::Up, Side::Near] {
            let written: f64 = apart(x, other, side).parse().unwrap();
            prop_assert!(side != Side::Down || written <= x, "{} of {}", written, x);
            prop_assert!(side != Side::Up || written >= x, "{} of {}", written, x);
            prop_assert!(x <= other || written > other, "{} of {} beside {}", written, x, other);
            prop_assert!(x >= other || written < other, "{} of {} beside {}", written, x, other);
            prop_assert!((written / x - 1.0).abs() < 1e-3);
        }
    }
}
