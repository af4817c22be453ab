//! Unit tests of `witness::logistic`.

use super::*;
use rand::{RngExt, SeedableRng};

/// 40 000 rows of a known law. The errors are those of the estimate: six of them are exceeded
/// with probability below 1e-8, over the choice of the seed.
#[test]
fn the_weights_of_a_known_law_are_found_within_six_standard_errors() {
    let truth = [0.8, -0.3, 0.0];
    let mut random = crate::mechanism::Stream::seed_from_u64(1);
    let mut design = Design::new(3);
    for _ in 0..40_000 {
        let row: [f64; 3] = std::array::from_fn(|_| random.random_range(-1.0..1.0));
        let odds: f64 = 0.2 + row.iter().zip(truth).map(|(x, w)| x * w).sum::<f64>();
        design.push(random.random_bool(logistic(odds)), |at| row[at]);
    }
    let fit = design.fit().unwrap();
    let all = fit.sure_of(0.0);
    assert_eq!(all.len(), 3);
    for (Weight { weight, error, .. }, truth) in all.iter().zip(truth) {
        assert!((weight - truth).abs() < 6.0 * error && *error < 0.05, "{weight} {truth} {error}");
    }
    let columns: Vec<usize> = fit.sure_of(6.0).iter().map(|w| w.column).collect();
    assert_eq!(columns, [0, 1]);
}

#[test]
fn of_two_columns_that_are_alike_one_is_left() {
    let mut random = crate::mechanism::Stream::seed_from_u64(2);
    let mut design = Design::new(2);
    for _ in 0..10_000 {
        let x: f64 = random.random_range(-1.0..1.0);
        design.push(random.random_bool(logistic(x)), |at| if at == 0 { x } else { x.powi(3) + x });
    }
    let fit = design.fit().unwrap();
    assert_eq!(fit.sure_of(6.0).len(), 1);
}

#[test]
fn sides_that_are_apart_and_columns_that_are_alike_end_in_finite_weights() {
    let mut design = Design::new(2);
    (0..100).for_each(|i| design.push(i % 2 == 0, |_| if i % 2 == 0 { 1.0 } else { -1.0 }));
    let fit = design.fit().unwrap();
    assert!(fit.weights.iter().all(|w| w.is_finite()), "{:?}", fit.weights);
    assert!(fit.weights[0] + fit.weights[1] > 1.0, "{:?}", fit.weights);
}
