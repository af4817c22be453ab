use super::*;

/// C(n, k) a^k (8 − a)^(n − k): the probability of k at p = a/8, in units of 8^−n. Exact up to n = 20.
fn weight(k: u64, n: u64, a: u64) -> u128 {
    let choose = (1..=k).fold(1, |sum, i| sum * u128::from(n - k + i) / u128::from(i));
    choose * u128::from(a).pow(k as u32) * u128::from(8 - a).pow((n - k) as u32)
}

fn assert_near(value: f64, exact: f64, error: f64, what: &str) {
    assert!((value - exact).abs() <= error * exact.abs(), "{what}: {value:e} {exact:e}");
}

#[test]
fn small_counts_match_sums_of_whole_numbers() {
    for (n, a) in (0..=20).flat_map(|n| (0..=8).map(move |a| (n, a))) {
        let (p, all) = (a as f64 / 8.0, 8f64.powi(n as i32));
        let sum =
            |range: std::ops::Range<u64>| range.map(|k| weight(k, n, a)).sum::<u128>() as f64 / all;
        for k in 0..=n {
            let what = format!("{k} of {n} at {p}");
            assert_near(ln_probability(k, n, p).exp(), sum(k..k + 1), 1e-13, &what);
            assert_near(upper_tail(k, n, p), sum(k..n + 1), 1e-13, &what);
            assert_near(lower_tail(k, n, p), sum(0..k + 1), 1e-13, &what);
        }
        assert_eq!(ln_probability(n + 1, n, p), f64::NEG_INFINITY);
        assert_eq!((upper_tail(n + 1, n, p), lower_tail(n + 1, n, p)), (0.0, 1.0));
    }
}

#[test]
fn a_quantile_is_the_first_count_with_a_small_enough_tail() {
    for (n, a) in (0..=12).flat_map(|n| (0..=8).map(move |a| (n, a))) {
        let all = 8f64.powi(n as i32);
        let beyond = |b: u64| (b + 1..=n).map(|k| weight(k, n, a)).sum::<u128>() as f64 / all;
        for alpha in [0.97, 0.6, 0.31, 0.05, 1e-3, 1e-9] {
            let exact = (0..=n).find(|&b| beyond(b) <= alpha).expect("no more than n");
            assert_eq!(upper_quantile(alpha, n, a as f64 / 8.0), exact, "{n} {a} {alpha}");
        }
    }
    // A tail that is α exactly is taken as above it.
    assert_eq!(upper_quantile(0.25, 2, 0.5), 2);
}

/// ln n! − (½ ln(2πn) + n ln n − n), by mpmath.
#[test]
fn the_error_of_stirling_matches_forty_digits() {
    let rows = [
        (17, 0.004_901_395_948_434_738),
        (18, 0.004_629_153_749_334_028),
        (25, 0.003_333_155_636_728_093),
        (100, 0.000_833_330_555_634_914_7),
        (1_000_000, 8.333_333_333_333_056e-8),
    ];
    for (n, exact) in rows {
        assert_near(stirling_error(n), exact, 3e-15, &n.to_string());
    }
}

/// x ln(x/m) + m − x, by mpmath.
#[test]
fn deviances_match_forty_digits() {
    let rows = [
        (3.0, 12.5, 5.218_650_933_079_563),
        (12.0, 2.5, 9.323_391_014_966_143),
        (2.0, 0.6875, 0.823_181_260_002_712),
        (7.0, 1.75, 4.454_060_527_839_235),
        (10.0, 9.75, 0.003_178_079_842_898_754),
        (10.0, 10.5, 0.012_098_358_305_679_97),
        (1_000.0, 1_001.0, 0.000_499_666_916_466_833_2),
    ];
    for (x, mean, exact) in rows {
        assert_near(deviance(x, (mean, 0.0)), exact, 1e-14, &format!("{x} {mean}"));
    }
    assert_eq!(deviance(5.0, (5.0, 0.0)), 0.0);
    // The low part of the mean alone: (2^−60)²/20.
    assert_near(deviance(10.0, (10.0, 2f64.powi(-60))), 2f64.powi(-120) / 20.0, 1e-12, "low");
}

/// 0.3 is 5404319552844595/2^54 as a double, so that the mean has an exact numerator.
#[test]
fn a_mean_keeps_what_one_double_loses() {
    let (n, unit) = (9_999_999_967_u64, 2f64.powi(54));
    let exact = i128::from(n) * 5_404_319_552_844_595;
    let (high, low) = Chance::of(0.3).mean(n as f64);
    assert_eq!((high * unit) as i128 + (low * unit) as i128, exact);
    assert!(low != 0.0 && low.abs() < 1e-6);
    // 1 − p and its low part are p again.
    let chance = Chance::of(1e-9).mirrored();
    assert_eq!((1.0 - chance.p.0) - chance.p.1, 1e-9);
    let (high, low) = chance.mean(1e9);
    assert_eq!((1e9 - high) - low, 1.0);
}

/// ln(1 − p) where p is near 1: the double next to 1 − 2^−40 has the complement 2^−40.
#[test]
fn the_logarithm_of_a_complement_keeps_both_ends() {
    let small = 2f64.powi(-40);
    let ln_small = -40.0 * std::f64::consts::LN_2;
    assert_near(Chance::of(1.0 - small).ln_complement(), ln_small, 1e-15, "near 1");
    assert_near(Chance::of(small).mirrored().ln_complement(), ln_small, 1e-15, "mirrored");
    // −p − p²/2.
    assert_near(Chance::of(small).ln_complement(), -small - small * small / 2.0, 1e-15, "near 0");
    // The low parts alone: 2^−70 is lost in 1 − 2^−70.
    let tiny = 2f64.powi(-70);
    assert_near(Chance::of(tiny).mirrored().mirrored().ln_complement(), -tiny, 1e-15, "tiny");
    let low = Chance { p: (0.25, tiny), q: (0.75, -tiny) };
    assert_eq!(low.ln_complement(), 0.75f64.ln());
    let low = Chance { p: (small, tiny), q: (1.0 - small, -tiny) };
    assert!(low.ln_complement() < Chance::of(small).ln_complement());
}

/// The quadrature against the sum of positive terms, which shares nothing with it.
#[test]
fn the_quadrature_agrees_with_the_sum() {
    for (n, p) in [
        (40_001, 0.5),
        (50_000, 0.3),
        (70_000, 0.8),
        (1_100_000, 0.01),
        (2_000_000_000, 5e-6),
        (10_000_000_000_000, 1e-9),
    ] {
        let chance = Chance::of(p);
        let (mean, deviation) = (n as f64 * p, (n as f64 * p * (1.0 - p)).sqrt());
        for z in [0.0, 0.5, 2.0, 6.0, 15.0, 36.0] {
            let k = (mean + z * deviation).ceil() as u64;
            let sum = chance.summed_factor(k, n);
            let integral = chance.integrated_factor(k as f64, n as f64);
            assert_near(integral, sum, 2e-12, &format!("{n} {p} {z}"));
        }
    }
}

/// Beyond 10^−300 a tail is known by its logarithm alone: P[Bin(n, p) >= n] = p^n.
#[test]
fn a_tail_that_underflows_has_its_logarithm() {
    let ln = Chance::of(0.25).ln_upper_tail(5_000, 5_000);
    assert_near(ln, 5_000.0 * 0.25f64.ln(), 1e-14, "all");
    // n p^(n−1) q + p^n.
    let ln = Chance::of(0.25).ln_upper_tail(4_999, 5_000);
    let exact = 4_999.0 * 0.25f64.ln() + (5_000.0 * 0.75 + 0.25f64).ln();
    assert_near(ln, exact, 1e-14, "all but one");
}
