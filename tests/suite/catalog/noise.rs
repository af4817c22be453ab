//! Noise mechanisms against their exact laws. False-alarm probability: see `support::catalog`.

use crate::support::catalog::*;
use plaudit::mechanism::catalog::{analytic_sigma, sample};
use plaudit::mechanism::{OutcomeRef, Stream};
use rand::SeedableRng;
use serde_json::json;
use statrs::distribution::{ContinuousCDF, Normal};

fn draws(seed: u64, mut draw: impl FnMut(&mut Stream) -> f64) -> Vec<f64> {
    let mut stream = Stream::seed_from_u64(seed);
    (0..RUNS).map(|_| draw(&mut stream)).collect()
}

/// Many draws in narrow cells: an error in the corners of the ziggurat's layers moves a few draws
/// in a thousand only, most of them far out.
#[test]
fn laplace_samples_follow_the_laplace_law() {
    const CELLS_PER_UNIT: i32 = 20;
    const REACH: i32 = 12 * CELLS_PER_UNIT;
    let mut counts = vec![0; 2 * REACH as usize + 2];
    let mut stream = Stream::seed_from_u64(1);
    for _ in 0..30 * RUNS {
        let x = sample::laplace(&mut stream, 2.5) / 2.5;
        let cell = (x * f64::from(CELLS_PER_UNIT))
            .floor()
            .clamp(-1.0 - f64::from(REACH), f64::from(REACH));
        counts[(cell as i32 + REACH + 1) as usize] += 1;
    }
    let up_to = |cell: i32| laplace_cdf(f64::from(cell + 1) / f64::from(CELLS_PER_UNIT));
    let law: Vec<f64> = (-REACH - 1..=REACH)
        .map(|cell| match cell {
            _ if cell == -REACH - 1 => up_to(cell),
            REACH => 1.0 - up_to(cell - 1),
            _ => up_to(cell) - up_to(cell - 1),
        })
        .collect();
    assert_law("laplace", &counts, &law);
}

#[test]
fn exponential_and_gaussian_samples_follow_their_laws() {
    let values = draws(2, |stream| sample::exponential(stream, 3.0));
    assert_continuous("exponential", &values, |x| 1.0 - (-x / 3.0).exp());
    let values = draws(3, |stream| sample::gaussian(stream, 0.5));
    let normal = Normal::new(0.0, 0.5).unwrap();
    assert_continuous("gaussian", &values, |x| normal.cdf(x));
}

#[test]
fn discrete_samples_follow_their_probabilities() {
    for (scale, sampler) in
        [0.4, 2.0, 10.0].iter().flat_map(|s| [(*s, "direct"), (*s, "by-trials")])
    {
        let parameters = json!({"scale": scale, "sampler": sampler});
        let outcomes = outcomes("discrete-laplace", parameters, &[3.0]);
        let q = f64::exp(-1.0 / scale);
        let law = |z: i32| (1.0 - q) / (1.0 + q) * q.powi(z.abs());
        let law: Vec<f64> = (-400..=400).map(law).collect();
        assert_law("discrete laplace", &integer_counts(&outcomes, 3 - 400, 801), &law);
    }
    for sigma in [0.3, 1.0, 2.0, 7.5] {
        let outcomes = outcomes("discrete-gaussian", json!({"sigma": sigma}), &[-5.0]);
        let weights: Vec<f64> =
            (-200..=200).map(|z| (-f64::from(z * z) / (2.0 * sigma * sigma)).exp()).collect();
        let sum: f64 = weights.iter().sum();
        let law: Vec<f64> = weights.iter().map(|w| w / sum).collect();
        assert_law("discrete gaussian", &integer_counts(&outcomes, -5 - 200, 401), &law);
    }
}

#[test]
fn truncated_geometric_follows_its_integer_law() {
    // ε = 0.1: k = 3, K = 8, n = 5; F by its definition, in integers.
    let (base, n) = (8u64, 5u32);
    let choices = (2 * base + 1) * (base + 1).pow(n - 1);
    for count in 0..=n {
        let cumulative = |z: u32| match z {
            _ if z == n => choices,
            _ if z < count => base.pow(count - z) * (base + 1).pow(n - count + z),
            _ => choices - base.pow(z - count + 1) * (base + 1).pow(n - 1 + count - z),
        };
        let law: Vec<f64> = (0..=n)
            .map(|z| cumulative(z) - z.checked_sub(1).map_or(0, cumulative))
            .map(|mass| mass as f64 / choices as f64)
            .collect();
        let parameters = json!({"epsilon": 0.1, "n": 5});
        let outcomes = outcomes("truncated-geometric", parameters, &[f64::from(count)]);
        assert_law("truncated geometric", &integer_counts(&outcomes, 0, 6), &law);
    }
}

#[test]
fn gaussian_calibrations_are_what_they_say() {
    // (ε, δ, Δ, σ): roots of the privacy profile in 40-digit arithmetic (mpmath).
    for (epsilon, delta, sensitivity, sigma) in [
        (1.0, 1e-5, 1.0, 3.730631634815942),
        (0.1, 1e-6, 1.0, 36.304_690_426_195_78),
        (8.0, 0.1, 1.0, 0.32145552724783766),
        (1.0, 1e-5, 0.1, 0.3730631634815942),
        (0.5, 1e-12, 2.0, 25.688_348_979_772_354),
        (4.0, 1e-3, 1.0, 0.8230776852446613),
    ] {
        let ours = analytic_sigma(epsilon, delta, sensitivity);
        assert!((ours / sigma - 1.0).abs() < 1e-9, "({epsilon}, {delta}): {ours} for {sigma}");
    }
    let by = |calibration: &str| {
        let parameters = json!({
            "epsilon": 8.0, "delta": 0.1, "sensitivity": 1.0, "calibration": calibration
        });
        outcomes("gaussian", parameters, &[0.0]).as_numbers().unwrap().to_vec()
    };
    let classic = Normal::new(0.0, (2.0 * 12.5f64.ln()).sqrt() / 8.0).unwrap();
    assert_continuous("classic", &by("classic"), |x| classic.cdf(x));
    let analytic = Normal::new(0.0, 0.32145552724783766).unwrap();
    assert_continuous("analytic", &by("analytic"), |x| analytic.cdf(x));
    let squared = Normal::new(0.0, 0.32145552724783766f64.powi(2)).unwrap();
    assert_continuous("variance for sigma", &by("variance-for-sigma"), |x| squared.cdf(x));
}

#[test]
fn snapping_gives_rounded_and_clamped_laplace_noise() {
    // λ is a little above 1, so the grid is 2; with bound 10 the outcomes are −10, −8, …, 10.
    let outcomes = outcomes("snapping", json!({"epsilon": 1.0, "bound": 10.0}), &[1.3]);
    let mut counts = [0; 11];
    for &x in outcomes.as_numbers().unwrap() {
        let place = (x + 10.0) / 2.0;
        assert!(place.fract() == 0.0 && (0.0..11.0).contains(&place), "{x} is not on the grid");
        counts[place as usize] += 1;
    }
    let up_to = |place: i32| match place {
        -1 => 0.0,
        10 => 1.0,
        _ => laplace_cdf(f64::from(2 * place - 10) + 1.0 - 1.3),
    };
    let law: Vec<f64> = (0..11).map(|place| up_to(place) - up_to(place - 1)).collect();
    assert_law("snapping", &counts, &law);
}

#[test]
fn vectors_get_independent_noise_and_prefix_sums_are_sums() {
    let entries = [1.0, -2.0, 5.0];
    let noisy = outcomes("laplace", json!({"epsilon": 0.5, "sensitivity": 1.0}), &entries);
    let (values, ends) = noisy.as_vectors().unwrap();
    assert_eq!(ends.len(), RUNS);
    let difference: Vec<f64> = values.chunks(3).map(|v| (v[0] - 1.0) - (v[1] + 2.0)).collect();
    // The difference of two unit Laplace variables: P(X > x) = (2 + x)e^(−x)/4 for x >= 0.
    let cdf = |x: f64| {
        let tail = (2.0 + x.abs()) * (-x.abs()).exp() / 4.0;
        if x < 0.0 { tail } else { 1.0 - tail }
    };
    assert_continuous("difference of entries", &difference, |x| cdf(x / 2.0));

    let sums = outcomes("prefix-sum", json!({"scale": 2.0}), &entries);
    let (values, _) = sums.as_vectors().unwrap();
    for entry in 0..3 {
        let before = |v: &[f64]| if entry == 0 { 0.0 } else { v[entry - 1] };
        let own: Vec<f64> =
            values.chunks(3).map(|v| v[entry] - before(v) - entries[entry]).collect();
        assert_continuous("prefix sum", &own, |x| laplace_cdf(x / 2.0));
    }

    let copies = outcomes("laplace-parallel", json!({"copies": 4, "scale": 3.0}), &[2.0]);
    let (values, ends) = copies.as_vectors().unwrap();
    assert!(ends[0] == 4 && ends[RUNS - 1] == 4 * RUNS);
    let third: Vec<f64> = values.chunks(4).map(|v| v[2]).collect();
    assert_continuous("laplace parallel", &third, |x| laplace_cdf((x - 2.0) / 3.0));
}

#[test]
fn randomized_response_tells_the_truth_as_often_as_it_says() {
    for (truth, bit) in [(0.5, 1.0), (0.25, 0.0)] {
        let outcomes = outcomes("randomized-response", json!({"truth": truth}), &[bit]);
        let one = (1.0 - truth) / 2.0 + truth * bit;
        assert_law("randomized response", &integer_counts(&outcomes, 0, 2), &[1.0 - one, one]);
    }
    let poll = outcomes("randomized-response", json!({"truth": 0.5}), &[1.0, 0.0]);
    let mut counts = [0; 4];
    for answers in poll.as_vectors().unwrap().0.chunks(2) {
        counts[(2.0 * answers[0] + answers[1]) as usize] += 1;
    }
    assert_law("poll", &counts, &[0.25 * 0.75, 0.25 * 0.25, 0.75 * 0.75, 0.75 * 0.25]);
}

#[test]
fn rappor_reports_each_bit_of_the_filter_with_its_probability() {
    // The filter of the value 5, computed apart (SHA-256 in Python).
    let filter = |bit: usize| f64::from(u8::from([9, 10, 16].contains(&bit)));
    let kinds = [
        ("one-time-rappor", json!({"f": 0.95}), 0.475, 0.525),
        ("rappor", json!({"f": 0.75, "set": 0.55, "unset": 0.45}), 0.4875, 0.5125),
    ];
    for (kind, parameters, unset, set) in kinds {
        let outcomes = outcomes(kind, parameters, &[5.0]);
        let (values, _) = outcomes.as_vectors().unwrap();
        assert_eq!(values.len(), 20 * RUNS);
        for bit in 0..20 {
            let ones = values.iter().skip(bit).step_by(20).filter(|&&x| x == 1.0).count() as u64;
            let one = unset + (set - unset) * filter(bit);
            assert_law(kind, &[RUNS as u64 - ones, ones], &[1.0 - one, one]);
        }
    }
}

#[test]
fn bounded_noise_is_uniform_and_subsamples_keep_each_entry_at_the_rate() {
    let noisy = outcomes("bounded-noise", json!({"bound": 4.0}), &[1.0]);
    assert_continuous("bounded noise", noisy.as_numbers().unwrap(), |x| (x + 3.0) / 8.0);
    let mut counts = [0; 8];
    for outcome in outcomes("subsample", json!({"rate": 0.3}), &[1.0, 2.0, 4.0]).iter() {
        let OutcomeRef::Vector(kept) = outcome else { panic!("not a vector") };
        counts[kept.iter().sum::<f64>() as usize] += 1;
    }
    let law = [0, 1, 1, 2, 1, 2, 2, 3].map(|kept| 0.3f64.powi(kept) * 0.7f64.powi(3 - kept));
    assert_law("subsample", &counts, &law);
}

/// Of scale 3 the grid is 2⁻²³: the largest power of two that is at most 3·2⁻²⁴.
#[test]
fn real_numbers_are_released_on_a_grid_and_not_as_negative_zero() {
    let cases = [
        ("laplace", json!({"scale": 3.0}), vec![0.1]),
        ("laplace", json!({"scale": 3.0}), vec![1e6, -0.3]),
        ("laplace-parallel", json!({"scale": 3.0, "copies": 2}), vec![0.1]),
        ("gaussian", json!({"sigma": 3.0}), vec![0.1]),
        ("gaussian", json!({"sigma": 3.0}), vec![0.1, 1e5 / 3.0]),
        ("bounded-noise", json!({"bound": 3.0}), vec![0.1]),
        ("prefix-sum", json!({"scale": 3.0}), vec![0.1, 0.2, 0.3]),
        ("noisy-max", json!({"noise": "laplace", "scale": 3.0, "releases": "maximum"}), vec![0.1]),
        ("svt-3", json!({"epsilon": 1.0, "threshold": 0.1, "stop_after": 1}), vec![0.1, 0.7]),
        ("numerical-svt", json!({"epsilon": 1.0, "threshold": 0.1, "stop_after": 1}), vec![0.1]),
    ];
    for (kind, parameters, entries) in cases {
        let all = outcomes(kind, parameters, &entries);
        let (mut odd, mut even) = (0, 0);
        let mut check = |x: f64| {
            let steps = x * 2f64.powi(23);
            assert!(x.is_nan() || steps.fract() == 0.0, "{kind}: {x:e}");
            assert!(x != 0.0 || x.is_sign_positive(), "{kind}");
            odd += u32::from(steps % 2.0 != 0.0);
            even += u32::from(steps % 2.0 == 0.0);
        };
        for outcome in all.iter() {
            match outcome {
                OutcomeRef::Number(x) => check(x),
                OutcomeRef::Vector(v) => v.iter().copied().for_each(&mut check),
                other => panic!("{kind}: {other:?}"),
            }
        }
        assert!(odd > 0 && even > 0, "{kind}: the grid is coarser");
    }
}

#[test]
fn noise_in_floats_follows_the_law_of_the_real_numbers() {
    let laplace = outcomes("laplace-in-floats", json!({"scale": 2.5}), &[1.3]);
    let values = laplace.as_numbers().unwrap();
    assert_continuous("laplace in floats", values, |x| laplace_cdf((x - 1.3) / 2.5));
    let gaussian = outcomes("gaussian-in-floats", json!({"sigma": 0.7}), &[1.3]);
    let normal = Normal::new(1.3, 0.7).unwrap();
    let values = gaussian.as_numbers().unwrap();
    assert_continuous("gaussian in floats", values, |x| normal.cdf(x));
}
