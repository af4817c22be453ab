//! Unit tests of `witness::partition::gain`.

use super::*;

#[test]
fn gains_by_hand() {
    let gain = Gain::of(Labels { d: 50.0, d_prime: 50.0 });
    // Ten outcomes of D alone: 10 ln 2 less the loss of the rest by its own shares.
    let rest = 40f64 * (40.0f64 / 90.0).ln() + 50.0 * (50.0f64 / 90.0).ln();
    let by_hand = rest + 100.0 * 2f64.ln();
    let part = Labels { d: 10.0, d_prime: 0.0 };
    assert!((gain.exact(part) - by_hand).abs() < 1e-9);
    assert!((gain.rough(part) - 0.5 * 25.0 * (0.1 + 1.0 / 90.0) / 0.25).abs() < 1e-9);
    assert!(gain.exact(Labels { d: 5.0, d_prime: 5.0 }).abs() < 1e-9);
}
