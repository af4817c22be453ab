//! What each way to choose the number of guesses certifies of canaries in one run, on average.
//!
//! Scores are normal with variance 1, of canaries that were in μ higher: all of them, where a training with Gaussian noise
//! that treats each canary alone is exactly μ-GDP, or a fifth of them; or a fifth of those that were out μ lower. Prints the mean bound on ε at δ = 10⁻⁵ and on μ, each with the choice aimed at it.
//!
//! `cargo bench --bench canaries -- [RUNS]`

use plaudit::Claim;
use plaudit::Stream;
use plaudit::learning::canaries::{
    CalledSides, Canaries, Canary, CanaryQuestion, Guessing, measure,
};
use plaudit::rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

const ALPHA: f64 = 0.05;
const DELTA: f64 = 1e-5;

/// Who of the canaries that were in have higher scores.
const SHAPES: [(&str, f64, bool); 3] = [
    ("all of them", 1.0, false),
    ("a fifth of them", 0.2, false),
    ("a fifth, of those out lower", 0.2, true),
];

fn main() {
    let argument = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let runs: u64 = argument.and_then(|runs| runs.parse().ok()).unwrap_or(100);
    for shape in SHAPES {
        for canaries in [200_usize, 1_000] {
            for mu in [1.0, 2.0, 4.0] {
                println!("{}, {canaries} canaries, mu = {mu}", shape.0);
                let half = |part: usize| CalledSides {
                    called_in: canaries / part / 2,
                    called_out: canaries / part / 2,
                };
                let ways = [
                    ("split 0.25", Guessing::Split { share: 0.25 }),
                    ("split 0.5", Guessing::Split { share: 0.5 }),
                    ("bonferroni", Guessing::Bonferroni),
                    ("fixed 1/8", Guessing::Fixed(half(8))),
                    ("fixed 1/2", Guessing::Fixed(half(2))),
                    ("fixed all", Guessing::Fixed(half(1))),
                ];
                for (name, guessing) in ways {
                    let found: Vec<(f64, f64)> = (0..runs)
                        .into_par_iter()
                        .filter_map(|seed| certified(seed, canaries, (shape, mu), guessing))
                        .collect();
                    let count = found.len() as f64;
                    let epsilon = found.iter().map(|(epsilon, _)| epsilon).sum::<f64>() / count;
                    let certified = found.iter().map(|(_, mu)| mu).sum::<f64>() / count;
                    println!("  {name:<11} epsilon {epsilon:.3}  mu {certified:.3}");
                }
            }
        }
    }
}

/// The bounds on ε and μ of one run; nothing if its coins look unfair.
fn certified(
    seed: u64,
    count: usize,
    ((_, share, mirrored), mu): ((&str, f64, bool), f64),
    guessing: Guessing,
) -> Option<(f64, f64)> {
    let ask = |claim: Option<Claim>| {
        let mut random = Stream::seed_from_u64(seed);
        let draw = |line| {
            let included = random.random_bool(0.5);
            let noise: f64 = StandardNormal.sample(&mut random);
            let moved = included != mirrored && random.random_bool(share);
            let score = if moved { noise + mu } else { noise };
            Canary { score: if mirrored { -score } else { score }, included, line }
        };
        let canaries = Canaries::new((1..=count as u64).map(draw).collect()).ok()?;
        let question = CanaryQuestion { delta: DELTA, alpha: ALPHA, guessing, claim };
        measure(canaries, &question, &mut random).ok()
    };
    let of_mu = ask(Claim::gaussian(0.0).ok())?;
    Some((ask(None)?.certified.epsilon, of_mu.certified.mu))
}
