use super::*;

#[test]
fn the_band_is_that_of_the_field() {
    // For ε = 1.1 a prior of 50 % can move to 25 %–75 %; for ε = 5 one of 10 % to 94 %.
    let (low, high) = reach(1.1, 0.5);
    assert!((low - 0.25).abs() < 0.005 && (high - 0.75).abs() < 0.005, "{low} {high}");
    assert!((reach(5.0, 0.1).1 - 0.94).abs() < 0.005);
    for (epsilon, prior) in [(0.3_f64, 0.2), (2.0, 0.7), (4.0, 0.99)] {
        let e = epsilon.exp();
        let (low, high) = reach(epsilon, prior);
        assert!((low - prior / (e + (1.0 - e) * prior)).abs() < 1e-12);
        assert!((high - e * prior / (1.0 + (e - 1.0) * prior)).abs() < 1e-12);
    }
}

#[test]
fn the_band_is_one_of_probabilities_at_every_epsilon() {
    for epsilon in [0.0, 1e-9, 700.0, 1e308, f64::INFINITY, f64::NAN, -1.0] {
        for prior in [0.0, 1e-300, 0.5, 1.0] {
            let (low, high) = reach(epsilon, prior);
            assert!(0.0 <= low && low <= prior + 1e-12 && prior <= high + 1e-12 && high <= 1.0);
        }
    }
}
