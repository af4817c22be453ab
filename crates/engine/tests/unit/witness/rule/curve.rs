//! Unit tests of `witness::curve`.

use super::*;

#[test]
fn the_middle_of_the_laplace_mechanism_is_between_its_two_answers() {
    for epsilon in [0.1, 1.0, 3.0] {
        // Bins of the same width, and their number of outcomes of both datasets.
        let width = 0.1;
        let tail = |x: f64| 0.5 * (-epsilon * x.abs()).exp();
        let cdf = |x: f64| if x < 0.0 { tail(x) } else { 1.0 - tail(x) };
        let both = |x: f64| cdf(x) + cdf(x - 1.0);
        let bins: Vec<Bin> = (-600..600)
            .map(|i| f64::from(i) * width)
            .map(|x| Bin { place: x + width / 2.0, d: 0.0, all: both(x + width) - both(x) })
            .collect();
        let (low, high) = rise(&bins, epsilon);
        assert!(bins[low].place.abs() <= 1.01 * width, "{}", bins[low].place);
        assert!((bins[high].place - 1.0).abs() <= 1.01 * width, "{}", bins[high].place);
    }
}

#[test]
fn the_laplace_mechanism_is_believed_until_the_outcomes_say_otherwise() {
    const EPSILON: f64 = 0.1;
    let plain = Plain { line: 1.0, step: 1.0, laplace: 3000.0, mixture: 0.0 };
    let expected = Expected { loss: EPSILON, rough: 0.01, plain };
    let places: Vec<f64> = (0..64).map(f64::from).collect();
    // Sixty-four equally likely intervals; those in the lower quarter have this loss.
    let far_loss = |each: u64, loss: f64| {
        let of = |place: &f64, sign: f64| {
            let step = if *place < 32.0 { EPSILON } else { -EPSILON };
            let own = if *place < 16.0 { loss } else { step };
            (each as f64 * (sign * own / 2.0).exp()).round() as u64
        };
        let counts = |sign| places.iter().map(|place| of(place, sign)).collect();
        let tally = Tally { d: counts(1.0), d_prime: counts(-1.0) };
        let odds = along_line(&tally, 0..64, &places, expected).unwrap();
        let share = odds.mean[0];
        (share / (1.0 - share)).ln()
    };
    for each in [10, 100, 10_000] {
        let loss = far_loss(each, EPSILON);
        assert!((loss - EPSILON).abs() < 0.02, "{loss} of {each}");
    }
    assert!(far_loss(10_000, 5.0 * EPSILON) > 4.0 * EPSILON);
}

#[test]
fn there_is_a_middle_of_any_bins() {
    for counts in [[1.0, 1.0, 1.0], [9.0, 1.0, 1.0], [1.0, 1.0, 9.0], [1.0, 98.0, 1.0]] {
        let bin = |(i, &all): (usize, &f64)| Bin { place: i as f64, d: 0.0, all };
        let bins: Vec<Bin> = counts.iter().enumerate().map(bin).collect();
        for epsilon in [1e-9, 0.1, 50.0] {
            let (low, high) = rise(&bins, epsilon);
            assert!(low < high && high < bins.len(), "{low} {high}");
        }
    }
}

/// In the far tail of Gaussian noise on half of the samples the loss continues to rise; two clamps
/// make it flat.
#[test]
fn the_loss_of_a_subsample_is_followed_into_its_tail() {
    const EACH: f64 = 1e5;
    let places: Vec<f64> = (-40..=40).map(|i| 0.1 * f64::from(i)).collect();
    let tail_of = |sign: f64, mixture: f64| {
        let normal = |x: f64| (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let seen = |law: &dyn Fn(f64) -> f64| {
            places.iter().map(|&x| (EACH * 0.1 * law(sign * x)).round() as u64).collect()
        };
        let d = seen(&|x| 0.5 * normal(x) + 0.5 * normal(x - 1.0));
        let tally = Tally { d, d_prime: seen(&normal) };
        let plain = Plain { line: 100.0, step: 10.0, laplace: 0.0, mixture };
        let expected = Expected { loss: 1.5, rough: 0.01, plain };
        let odds = along_line(&tally, 0..places.len(), &places, expected).unwrap();
        let at = places.iter().position(|x| (sign * x - 3.5).abs() < 1e-9).unwrap();
        let share = odds.mean[at];
        (share / (1.0 - share)).ln()
    };
    for sign in [1.0, -1.0] {
        let truth = (0.5 + 0.5 * 3f64.exp()).ln();
        let [with, without] = [0.1, 0.0].map(|mixture| (tail_of(sign, mixture) - truth).abs());
        assert!(with < 0.2 && without > 2.0 * with, "off by {with}, and by {without} with clamps");
    }
}
