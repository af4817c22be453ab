use super::*;

/// P[Bin(n, p) >= k], by the definition.
fn tail(k: u64, n: u64, p: f64) -> f64 {
    let choose = |k: u64| (1..=k).fold(1.0, |sum, i| sum * (n - k + i) as f64 / i as f64);
    (k..=n).map(|k| choose(k) * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32)).sum()
}

#[test]
fn bounds_invert_the_tails_that_define_them() {
    for n in 1..=24 {
        for hits in 0..=n {
            for alpha in [0.9, 0.5, 0.05, 1e-3, 1e-8] {
                let what = format!("{hits} of {n} at {alpha}");
                let (low, high) = (lower(hits, n, alpha), upper(hits, n, alpha));
                if hits == 0 {
                    assert_eq!(low, 0.0);
                } else {
                    let ratio = tail(hits, n, low) / alpha;
                    assert!((ratio - 1.0).abs() < 1e-10, "{what}: {ratio}");
                    let middle = beta_quantile(alpha, hits, n - hits + 1);
                    let outward = middle / low - 1.0;
                    assert!((outward - OUTWARD).abs() < 0.1 * OUTWARD, "{what}: {outward}");
                }
                if hits == n {
                    assert_eq!(high, 1.0);
                } else {
                    // P[Bin(n, p) <= hits] as the tail of the misses.
                    let ratio = tail(n - hits, n, 1.0 - high) / alpha;
                    // The bound is outward by 4e-13, and so are its complement's digits.
                    let error = 1e-10 + 1e-12 * n as f64 / (1.0 - high);
                    assert!((ratio - 1.0).abs() < error, "{what}: {ratio}");
                }
            }
        }
    }
}

/// Closed forms: all hits, one hit, and no hit.
#[test]
fn extreme_counts_have_closed_forms() {
    for (n, alpha) in [(3, 0.05), (1_000_000, 0.05), (400, 1e-10), (7, 0.9)] {
        let n_ = n as f64;
        let near = |value: f64, exact: f64| assert!((value / exact - 1.0).abs() < 1e-12, "{value}");
        near(lower(n, n, alpha), (alpha.ln() / n_).exp());
        near(lower(1, n, alpha), -((-alpha).ln_1p() / n_).exp_m1());
        near(upper(0, n, alpha), -(alpha.ln() / n_).exp_m1());
        near(upper(n - 1, n, alpha), ((-alpha).ln_1p() / n_).exp());
    }
    assert_eq!((lower(3, 3, 0.0), lower(2, 3, 1.0), lower(2, 3, -1.0)), (0.0, 1.0, 0.0));
    assert_eq!((upper(0, 3, 0.0), upper(1, 3, 1.0), upper(1, 3, 2.0)), (1.0, 0.0, 0.0));
    assert_eq!((beta_quantile(0.0, 2, 3), beta_quantile(1.0, 2, 3)), (0.0, 1.0));
}

/// Newton's method ends within rounding wherever its first guess lies: the tail of the root is α.
#[test]
fn roots_of_large_counts_have_the_level_as_their_tail() {
    for (k, n) in [
        (2, 10_u64.pow(9)),
        (50, 10_u64.pow(6)),
        (499_000, 1_000_000),
        (10_u64.pow(6) - 2, 10_u64.pow(6)),
    ] {
        for alpha in [0.9, 0.05, 1e-10, 1e-100] {
            let ln_tail = solve(k, n, alpha).ln_upper_tail(k, n);
            assert!(
                (ln_tail - alpha.ln()).abs() < 1e-11 * alpha.ln().abs().max(1.0),
                "{k} {n} {alpha}"
            );
        }
    }
}

#[test]
fn a_shift_moves_the_logit() {
    for (p, step) in [(0.5, 1.0), (0.01, -2.0), (0.9, 3.0), (1e-12, 0.25)] {
        let (moved, rest) = shifted(p, 1.0 - p, step).rounded();
        let odds = p / (1.0 - p) * f64::exp(step);
        assert!((moved / rest / odds - 1.0).abs() < 1e-13, "{p} {step}: {moved} {rest}");
        assert!((moved + rest - 1.0).abs() < 1e-15);
    }
    // The smaller part is kept as it is.
    assert_eq!(from_parts(1e-30, 1.0).rounded(), (1e-30, 1.0));
    assert_eq!(from_parts(1.0, 1e-30).rounded(), (1.0, 1e-30));
}

/// The formula of Abramowitz & Stegun is good to a percent or so of a deviation: that saves steps.
#[test]
fn the_first_guess_is_near_the_root() {
    for (a, b) in [(5, 5), (20, 6), (6, 20), (300, 1_000), (1_000, 300)] {
        for alpha in [0.7, 0.2, 0.05, 0.01] {
            let first = guess(a as f64, b as f64, normal::upper_quantile(alpha)).rounded().0;
            let (root, size) = (beta_quantile(alpha, a, b), (a + b) as f64);
            let deviation = (root * (1.0 - root) / size).sqrt();
            let off = (first - root).abs() / deviation;
            assert!(off < 0.02, "{a} {b} {alpha}: {off} deviations");
        }
    }
}
