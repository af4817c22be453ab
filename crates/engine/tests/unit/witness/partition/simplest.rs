//! Unit tests of `witness::partition::simplest`.

use super::*;
use proptest::prelude::*;

#[test]
fn by_hand() {
    for (low, high, expected) in [
        (-1.0, 2.0, 0.0),
        (2.0, 3.0, 3.0),
        (2.9, 3.2, 3.0),
        (0.123_4, 0.127_9, 0.125),
        (-7.2, -6.9, -7.0),
        (99.0, 150.0, 100.0),
        (1e300, f64::INFINITY, f64::INFINITY),
        (1e-310, 3e-310, 3e-310),
    ] {
        let found = simplest(low, high);
        let digits = |x: f64| format!("{x:e}").len();
        assert!(
            found > low && found <= high && digits(found) <= digits(expected),
            "{low} {high}: {found}"
        );
    }
}

proptest! {
    // A failed seed is printed, not written into a folder of src.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lies_between(low in any::<f64>(), up in any::<f64>()) {
        prop_assume!(low < up);
        let found = simplest(low, up);
        prop_assert!(found > low && found <= up);
    }
}
