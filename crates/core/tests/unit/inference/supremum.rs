use super::*;

/// By the definition, on a grid.
#[test]
fn the_highest_point_over_a_chord_is_the_largest_on_a_grid() {
    for (start, end, sag) in
        [(0.0, 1.0, 0.1), (0.0, 1.0, 0.5), (-2.0, -3.0, 1.0), (-3.0, -2.0, 0.25), (1.0, 1.0, 0.3)]
    {
        let at = |t: f64| (1.0 - t) * start + t * end + 4.0 * t * (1.0 - t) * sag;
        let most = (0..=10_000).map(|i| at(f64::from(i) / 1e4)).fold(f64::MIN, f64::max);
        let value = highest_on_chord(start, end, sag);
        assert!(
            value >= most - 1e-14 && value <= most + 1e-7,
            "{start} {end} {sag}: {value} {most}"
        );
    }
}

/// φ/(Φ(1 − Φ)), by mpmath.
#[test]
fn slopes_of_the_logit_match_twenty_digits() {
    for (z, exact) in [
        (0.0, 1.595_769_121_605_730_7),
        (1.0, 1.812_735_247_100_159_6),
        (-2.0, 2.428_463_395_501_830_8),
        (10.0, 10.098_093_233_962_512),
    ] {
        assert!((logit_slope(z) / exact - 1.0).abs() < 1e-12, "{z}");
    }
}

#[test]
fn steps_and_lifts_are_those_of_the_logit() {
    let logit = |p: f64| (p / (1.0 - p)).ln();
    for (low, high) in [(0.1, 0.4), (0.45, 0.8), (0.7, 0.99)] {
        let step = logit(high) - logit(low);
        assert!((logit_step(low, high) - step).abs() < 1e-13);
        assert!((raised(low, step) - high).abs() < 1e-13);
        let grid = (0..=1_000).map(|i| low + (high - low) * f64::from(i) / 1e3);
        let most = grid.map(|p| p * (1.0 - p)).fold(0.0, f64::max);
        assert!((most_variance(low, high) - most).abs() < 1e-6, "{low} {high}");
        // arcsin √q grows evenly.
        let scale = |q: f64| q.sqrt().asin();
        let q = between(low, high, 0.25);
        assert!((scale(q) - 0.75 * scale(low) - 0.25 * scale(high)).abs() < 1e-13);
    }
    assert_eq!((raised(0.3, 0.0), between(0.5, 0.5, 0.5)), (0.3, 0.5));
    assert_eq!((most_variance(0.5, 0.75), most_variance(0.25, 0.5)), (0.25, 0.25));
}

/// The excess of logit Φ(Φ⁻¹(q) + μ) over its chord, on a grid, is within the lift; and the lift is not many times as large.
#[test]
fn a_lift_covers_the_excess_over_the_chord() {
    let logit = |p: f64| (p / (1.0 - p)).ln();
    for (mu, low, high) in
        [(1.0, 0.001, 0.01), (1.0, 0.3, 0.7), (0.5, 0.5, 0.9), (2.0, 0.01, 0.2), (3.0, 0.6, 0.7)]
    {
        let region = Region::Gaussian { mu };
        let across = logit_step(low, high);
        let lift = lift(&region, &bend(&region, low), &bend(&region, high), across);
        let edge = |b: f64| logit(region.most_power(1.0 / (1.0 + (-b).exp())));
        let (start, end) = (edge(logit(low)), edge(logit(high)));
        let excess = (0..=1_000).map(|i| {
            let t = f64::from(i) / 1e3;
            edge(logit(low) + t * across) - (start + t * (end - start))
        });
        let most = excess.fold(0.0, f64::max);
        assert!(lift >= most, "{mu} {low} {high}: {lift} {most}");
        // By the definition: the range of da/db over four, times the length.
        let slope = |z: f64| {
            let normal = normal::cdf(z);
            (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() / (normal * normal::cdf(-z))
        };
        let zs = |shift: f64| {
            let (from, to) = (normal::quantile(low) + shift, normal::quantile(high) + shift);
            let all = (0..=2_000).map(move |i| slope(from + (to - from) * f64::from(i) / 2e3));
            all.fold((f64::MAX, 0.0_f64), |(least, most), s| (least.min(s), most.max(s)))
        };
        let (below, above) = (zs(0.0), zs(mu));
        let exact = (above.1 / below.0 - above.0 / below.1) * across / 4.0;
        assert!((lift / exact - 1.0).abs() < 1e-5, "{mu} {low} {high}: {lift} {exact}");
    }
    let straight = Region::EpsilonDelta { epsilon: 1.0, delta: 0.1 };
    assert_eq!(lift(&straight, &bend(&straight, 0.1), &bend(&straight, 0.4), 1.0), 0.0);
}
