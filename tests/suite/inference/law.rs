//! Samplers of published libraries against their laws.

use crate::tier;
use plaudit::law::{NamedLaw, compare_with_law};
use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use rand_distr::{
    Binomial, Cauchy, Distribution, Exp, Geometric, Gumbel, Normal, Poisson, StandardUniform,
    StudentT,
};
use rayon::prelude::*;

const ALPHA: f64 = 1e-6;
const DRAWS: usize = 100_000;

type Sampler = Box<dyn Fn(&mut ChaCha8Rng) -> f64 + Sync + Send>;

fn of(law: impl Distribution<f64> + Sync + Send + 'static) -> Sampler {
    Box::new(move |random| law.sample(random))
}

fn of_counts(law: impl Distribution<u64> + Sync + Send + 'static) -> Sampler {
    Box::new(move |random| law.sample(random) as f64)
}

fn right() -> Vec<(&'static str, Sampler)> {
    let (exponential, geometric) = (Exp::<f64>::new(1.0).unwrap(), Geometric::new(0.3).unwrap());
    let normal = Normal::<f64>::new(0.0, 1.0).unwrap();
    vec![
        ("gaussian(sigma=3)", of(Normal::new(0.0, 3.0).unwrap())),
        ("exponential(scale=0.5)", of(Exp::new(2.0).unwrap())),
        ("gumbel(scale=1)", of(Gumbel::new(0.0, 1.0).unwrap())),
        ("cauchy(scale=2)", of(Cauchy::new(0.0, 2.0).unwrap())),
        ("student-t(freedom=4, scale=1)", of(StudentT::new(4.0).unwrap())),
        ("uniform(low=0, high=1)", of(StandardUniform)),
        (
            "laplace(scale=1)",
            Box::new(move |random| exponential.sample(random) - exponential.sample(random)),
        ),
        // Rounded to the grids of other libraries, and to single precision.
        (
            "laplace(scale=1)",
            Box::new(move |random| {
                let noise = exponential.sample(random) - exponential.sample(random);
                (noise * 1024.0).round() / 1024.0
            }),
        ),
        (
            "gaussian(sigma=1)",
            Box::new(move |random| (normal.sample(random) * 1000.0).round() / 1000.0),
        ),
        ("gaussian(sigma=1)", Box::new(move |random| f64::from(normal.sample(random) as f32))),
        ("gaussian(sigma=1)", Box::new(move |random| (1e6 + normal.sample(random)) - 1e6)),
        (
            "logistic(scale=1)",
            Box::new(|random| {
                let u: f64 = random.random();
                (u / (1.0 - u)).ln()
            }),
        ),
        ("geometric(p=0.3)", of_counts(geometric)),
        ("poisson(mean=4)", of(Poisson::new(4.0).unwrap())),
        ("binomial(n=100000000, p=0.2)", of_counts(Binomial::new(100_000_000, 0.2).unwrap())),
        // Ends of the support, by rounding.
        (
            "uniform(low=0, high=1)",
            Box::new(|random| (random.random::<f64>() * 500.0).round() / 500.0),
        ),
        (
            "exponential(scale=1)",
            Box::new(move |random| (exponential.sample(random) * 1000.0).round() / 1000.0),
        ),
        ("binomial(n=100, p=0.3)", of_counts(Binomial::new(100, 0.3).unwrap())),
        ("bernoulli(p=0.01)", Box::new(|random| f64::from(u8::from(random.random_bool(0.01))))),
        (
            // P = 1 − e^(−1/2): the difference of two geometric numbers.
            "discrete-laplace(scale=2)",
            Box::new(|random| {
                let geometric = Geometric::new(-(-0.5f64).exp_m1()).unwrap();
                geometric.sample(random) as f64 - geometric.sample(random) as f64
            }),
        ),
        (
            "discrete-uniform(low=-3, high=6)",
            Box::new(|random| f64::from(random.random_range(-3..=6))),
        ),
        ("discrete-gaussian(sigma=2)", Box::new(discrete_gaussian)),
        ("discrete-gaussian(sigma=0.5)", Box::new(small_discrete_gaussian)),
    ]
}

/// By rejection from the discrete Laplace law (Canonne, Kamath, Steinke 2020, Algorithm 3), with t = ⌊σ⌋ + 1.
fn rejected(random: &mut ChaCha8Rng, sigma: f64) -> f64 {
    let t = sigma.floor() + 1.0;
    let geometric = Geometric::new(-(-1.0 / t).exp_m1()).unwrap();
    loop {
        let y = geometric.sample(random) as f64 - geometric.sample(random) as f64;
        let accepted = (-0.5 * ((y.abs() - sigma * sigma / t) / sigma).powi(2)).exp();
        if random.random::<f64>() < accepted {
            return y;
        }
    }
}

fn discrete_gaussian(random: &mut ChaCha8Rng) -> f64 {
    rejected(random, 2.0)
}

fn small_discrete_gaussian(random: &mut ChaCha8Rng) -> f64 {
    rejected(random, 0.5)
}

fn refuted(samplers: &[(&str, Sampler)], rounds: u64, draws: usize) -> Vec<String> {
    let cases: Vec<(u64, &(&str, Sampler))> =
        (0..rounds).flat_map(|round| samplers.iter().map(move |it| (round, it))).collect();
    cases
        .into_par_iter()
        .filter_map(|(round, (name, sampler))| {
            let mut random = ChaCha8Rng::seed_from_u64(round);
            let drawn: Vec<f64> = (0..draws).map(|_| sampler(&mut random)).collect();
            let law: NamedLaw = name.parse().unwrap();
            let found = compare_with_law(&law, &drawn, ALPHA);
            found.refuted.then(|| format!("{name}, seed {round}: {found:?}"))
        })
        .collect()
}

/// A false alarm here has probability 2·10^-5 at most; the seeds are fixed.
#[test]
fn right_samplers_are_not_refuted() {
    let refuted = refuted(&right(), 1, DRAWS);
    assert!(refuted.is_empty(), "{} refuted: {:#?}", refuted.len(), refuted.first());
}

/// 250 samplers, 1000 with `SUITE=all`: a false alarm has probability 10^-3 at most; the seeds are fixed.
#[test]
#[ignore = "takes several seconds"]
fn many_right_samplers_are_not_refuted() {
    let samplers = right();
    let many = tier::of([250, 250, 1_000]);
    let refuted = refuted(&samplers, many / samplers.len() as u64, DRAWS);
    assert!(refuted.is_empty(), "{} refuted: {:#?}", refuted.len(), refuted.first());
}

/// A scale 3 % off is found in each of many runs.
#[test]
fn a_scale_that_is_three_percent_off_is_found() {
    let exponential = Exp::<f64>::new(1.0).unwrap();
    for factor in [0.97, 1.03] {
        let laplace: Sampler = Box::new(move |random| {
            factor * (exponential.sample(random) - exponential.sample(random))
        });
        let found = refuted(&[("laplace(scale=1)", laplace)], 20, DRAWS).len();
        assert!(found >= 19, "{factor}: {found} of 20");
    }
}
