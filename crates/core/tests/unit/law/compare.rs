use super::*;
use crate::law::{NamedLaw, lattice::more_often, order::repeats};
use crate::random::{Phase, Stream, Streams};
use rand::RngExt as _;

const ALPHA: f64 = 1e-6;
const DRAWS: usize = 100_000;

fn law(text: &str) -> NamedLaw {
    text.parse().unwrap()
}

fn random(name: &str) -> Stream {
    Streams::new(0, name).block(0, Phase::Pilot)(0)
}

/// The e-value of all parts.
fn value(evidence: &[Evidence]) -> f64 {
    evidence.iter().map(|it| it.part.share() * 10f64.powf(it.log10)).sum()
}

/// All sequences of outcomes of a law on 0, 1, …, each with its probability.
fn sequences(probability: &[f64], length: usize) -> Vec<(Vec<f64>, f64)> {
    let mut all = vec![(Vec::new(), 1.0)];
    for _ in 0..length {
        let longer = all.iter().flat_map(|(draws, p): &(Vec<f64>, f64)| {
            probability.iter().enumerate().map(move |(value, q)| {
                let mut draws = draws.clone();
                draws.push(value as f64);
                (draws, p * q)
            })
        });
        all = longer.collect();
    }
    all
}

/// The mean of an e-value is at most 1, exactly summed; so its size at every level is at most the level.
#[test]
fn the_mean_of_the_evidence_is_at_most_one_over_all_sequences() {
    for (name, probability, length) in [
        ("bernoulli(0.3)", vec![0.7, 0.3], 10),
        ("bernoulli(0.01)", vec![0.99, 0.01], 10),
        ("binomial(n=2, p=0.4)", vec![0.36, 0.48, 0.16], 7),
        ("discrete-uniform(low=0, high=3)", vec![0.25; 4], 6),
        ("binomial(n=3, p=0.05)", vec![0.857375, 0.135375, 0.007125, 0.000125], 5),
    ] {
        let law = law(name);
        let grid = Grid::of_discrete();
        let cells = Cells::new(&law, grid, length, 10.0);
        let scores = Scores::new(&law, &cells);
        let of = |draws: &[f64]| value(&of_cells(&law, (&cells, &scores), grid, draws));
        let all = sequences(&probability, length);
        let mean: f64 = all.iter().map(|(draws, p)| p * of(draws)).sum();
        assert!(mean <= 1.0 + 1e-9, "{name}: {mean}");
        // What is missing are the parts for real numbers.
        assert!(mean > 0.5, "{name}: {mean}");
    }
}

#[test]
fn the_mean_of_near_outcomes_is_at_most_one_at_each_smaller_share() {
    for n in [1u64, 5, 40] {
        for share in [0.125, 0.1875] {
            for p in [0.01f64, 0.1, 0.125, share] {
                let choose =
                    |k: u64| (1..=k).map(|i| (n - k + i) as f64 / i as f64).product::<f64>();
                let mass = |k: u64| choose(k) * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32);
                let mean: f64 = (0..=n).map(|k| mass(k) * more_often(k, n, share).exp()).sum();
                assert!(p > share || mean <= 1.0 + 1e-9, "{n} {share} {p}: {mean}");
            }
        }
    }
}

#[test]
fn the_mean_of_repeats_is_at_most_one() {
    for probability in [vec![0.5, 0.5], vec![0.25; 4], vec![0.5, 0.3, 0.2]] {
        let most = probability.iter().copied().fold(0.0, f64::max);
        let mean: f64 = sequences(&probability, 5)
            .iter()
            .map(|(draws, p)| p * 10f64.powf(repeats(draws, most).log10))
            .sum();
        assert!(mean <= 1.0 + 1e-9, "{probability:?}: {mean}");
    }
}

#[test]
fn the_grid_of_draws_is_read() {
    let mut random = random("grid");
    let noise: Vec<f64> = (0..1000).map(|_| laplace(&mut random, 3.0)).collect();
    let on = |step: f64| noise.iter().map(|x| (x / step).round() * step).collect::<Vec<_>>();
    for step in [0.001, 0.002, 1.0, 0.25, 3.0 / 1024.0, 0.1 / 3.0] {
        let read = Grid::read(&on(step)).step();
        assert!((read / step - 1.0).abs() < 1e-9, "{step}: {read}");
    }
    assert!(Grid::read(&noise).step() < 1e-12);
    assert_eq!(Grid::read(&[0.0; 5]).step(), f64::INFINITY);
}

/// Too few draws, none, or draws on a grid that they do not show, are no evidence.
#[test]
fn what_shows_nothing_refutes_nothing() {
    let mut random = random("coarse");
    let narrow: Vec<f64> = (0..50_000).map(|_| laplace(&mut random, 0.05).round()).collect();
    for draws in [&[][..], &[0.3], &[0.0; 40], &narrow] {
        let found = compare_with_law(&law("laplace(0.05)"), draws, ALPHA);
        assert!(!found.refuted, "{found:?}");
        assert_eq!(found.cells == 1, draws.len() >= 40, "{found:?}");
    }
    // A constant that is not 0 has digits, and so a grid.
    assert!(compare_with_law(&law("laplace(1)"), &[0.7316; 1000], ALPHA).refuted);
}

/// Draws as programs write them: decimals, significant digits, single precision next to a power of two.
#[test]
fn rounded_draws_of_right_samplers_are_not_refuted() {
    let mut random = random("rounded");
    let noise: Vec<f64> = (0..50_000).map(|_| laplace(&mut random, 1.0)).collect();
    let written = |write: &dyn Fn(f64) -> String, answer: f64| -> Vec<f64> {
        noise.iter().map(|x| write(*x).parse::<f64>().unwrap() - answer).collect()
    };
    for (name, draws) in [
        ("3 decimals", written(&|x| format!("{x:.3}"), 0.0)),
        ("6 decimals", written(&|x| format!("{x:.6}"), 0.0)),
        ("2 decimals and an answer", written(&|x| format!("{:.2}", 1234.567 + x), 1234.567)),
        ("6 digits", written(&|x| format!("{x:.5e}"), 0.0)),
        ("10 digits", written(&|x| format!("{x:.9e}"), 0.0)),
        (
            "singles at a power of two",
            written(&|x| f64::from((65536.0 + x) as f32).to_string(), 65536.0),
        ),
        ("doubles at a power of two", written(&|x| (2f64.powi(47) + x).to_string(), 2f64.powi(47))),
        (
            "half precision",
            written(&|x| (f64::from((x * 2048.0) as f32).round() / 2048.0).to_string(), 0.0),
        ),
    ] {
        let found = compare_with_law(&law("laplace(1)"), &draws, ALPHA);
        assert!(!found.refuted, "{name}: {found:?}");
    }
}

fn laplace(random: &mut Stream, scale: f64) -> f64 {
    let u: f64 = random.random::<f64>() - 0.5;
    -scale * u.signum() * (-2.0 * u.abs()).ln_1p()
}

fn normal(random: &mut Stream, sigma: f64) -> f64 {
    let u: f64 = 1.0 - random.random::<f64>();
    sigma * (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * random.random::<f64>()).cos()
}

/// A sampler that inverts the distribution function at uniform numbers of 32 bits.
fn coarse_laplace(random: &mut Stream) -> f64 {
    let u = f64::from(random.random::<u32>()) / 4294967296.0 - 0.5;
    -u.signum() * (-2.0 * u.abs()).ln_1p()
}

#[test]
fn wrong_samplers_are_found() {
    let draw = |name: &str, draw: &dyn Fn(&mut Stream) -> f64| -> Vec<f64> {
        let mut random = random(name);
        (0..DRAWS).map(|_| draw(&mut random)).collect()
    };
    let clip = 1000.0f64.ln();
    let sign = |random: &mut Stream| if random.random::<bool>() { 1.0 } else { -1.0 };
    let uniform = |random: &mut Stream| (f64::from(random.random::<u32>()) + 0.5) / 4294967296.0;
    for (name, text, part, draws) in [
        ("3 % more", "laplace(scale=1)", Part::Spread, draw("more", &|r| laplace(r, 1.03))),
        ("3 % less", "laplace(2)", Part::Spread, draw("less", &|r| laplace(r, 1.94))),
        ("3 % more", "gaussian(sigma=1)", Part::Spread, draw("sigma", &|r| normal(r, 1.03))),
        ("32 bits", "laplace(scale=1)", Part::CoarseUniform, draw("coarse", &coarse_laplace)),
        (
            "32 bits and a sign",
            "laplace(scale=1)",
            Part::CoarseUniform,
            draw("sign", &|r| -sign(r) * uniform(r).ln()),
        ),
        ("of 32 bits, by the cosine", "gaussian(sigma=1)", Part::CoarseUniform, {
            let mut random = random("box");
            let pair = |random: &mut Stream| {
                let (radius, angle) = (
                    (-2.0 * uniform(random).ln()).sqrt(),
                    random.random::<f64>() * std::f64::consts::TAU,
                );
                [radius * angle.cos(), radius * angle.sin()]
            };
            (0..DRAWS / 2).flat_map(|_| pair(&mut random)).collect()
        }),
        // A tail of probability 0.001 in all.
        (
            "clamped",
            "laplace(scale=1)",
            Part::BothSides,
            draw("clamp", &|r| laplace(r, 1.0).clamp(-clip, clip)),
        ),
        ("biased", "gaussian(sigma=3)", Part::Spread, draw("bias", &|r| normal(r, 3.0) + 0.1)),
        (
            "rounded",
            "discrete-gaussian(sigma=0.5)",
            Part::BothSides,
            draw("round", &|r| normal(r, 0.5).round()),
        ),
        (
            "truncated",
            "discrete-laplace(scale=2)",
            Part::Support,
            draw("fraction", &|r| laplace(r, 2.0)),
        ),
    ] {
        let found = compare_with_law(&law(text), &draws, ALPHA);
        assert!(found.refuted, "{name} {text}: {found:?}");
        assert_eq!(found.evidence[0].part, part, "{name} {text}: {found:?}");
    }
    let mut again = draw("again", &|r| laplace(r, 1.0));
    again.copy_within(..DRAWS / 2, DRAWS / 2);
    assert_eq!(compare_with_law(&law("laplace(1)"), &again, ALPHA).evidence[0].part, Part::Repeats);
    let mut far = draw("far", &|r| normal(r, 1.0));
    far[50_000] = 12.0;
    assert_eq!(compare_with_law(&law("gaussian(1)"), &far, ALPHA).evidence[0].part, Part::Extremes);
}
