use super::*;

#[test]
fn a_factor_solves_its_matrix() {
    for size in [1, 2, 31, 32, 33, 100] {
        let entry = |i: usize, j: usize| {
            f64::from(u32::from(i == j)) + 1.0 / (1.0 + (i as f64 - j as f64).powi(2))
        };
        let rows = (0..size).map(|i| (0..=i).map(|j| entry(i, j)).collect()).collect();
        let b: Vec<f64> = (0..size).map(|i| (i as f64).sin()).collect();
        let x = CholeskyFactor::of(rows).solve(&b);
        for (i, b) in b.iter().enumerate() {
            let image: f64 = (0..size).map(|j| entry(i, j) * x[j]).sum();
            assert!((image - b).abs() < 1e-12, "{size}: {image} for {b}");
        }
    }
}
