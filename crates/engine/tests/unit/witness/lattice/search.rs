//! Unit tests of `witness::lattice::search`.

use super::*;

#[test]
fn decimals_are_few_and_finite_at_every_scale() {
    for (middle, scale) in [
        (0.1, 1.0),
        (1e15, 1.0),
        (-1e15, 1e3),
        (1e300, 1e290),
        (1e308, 1e307),
        (0.0, 1e-300),
        (0.0, 1e-310),
        (1.0, 1e-16),
    ] {
        let side: Vec<f64> =
            (0..1000).map(|i| middle + scale * (f64::from(i) / 500.0 - 1.0)).collect();
        let found = decimals_near_the_median(&side);
        assert!(found.len() < 10_000, "{middle:e}: {}", found.len());
        assert!(found.iter().all(|x| x.is_finite()));
        assert!(suspected(&side).is_none_or(f64::is_finite));
    }
    let side: Vec<f64> = (0..1000).map(|i| 0.3 + f64::from(i) / 500.0 - 1.0).collect();
    assert!(decimals_near_the_median(&side).contains(&0.3));
}
