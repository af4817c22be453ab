//! What each way to choose the number of guesses certifies of canaries in one run, on average.
//!
//! Scores are normal with variance 1, of canaries that were in μ higher: a training with Gaussian noise that treats each
//! canary alone is then exactly μ-GDP. Prints the mean bound on ε at δ = 10⁻⁵ and on μ, each with the choice aimed at it.
//!
//! `cargo bench --bench canaries -- [RUNS]`

use plaudit::Claim;
use plaudit::Stream;
use plaudit::learning::canaries::{Canaries, Canary, CanaryQuestion, Guessing, Sides, measure};
use plaudit::rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

const ALPHA: f64 = 0.05;
const DELTA: f64 = 1e-5;

fn main() {
    let argument = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let runs: u64 = argument.and_then(|runs| runs.parse().ok()).unwrap_or(100);
    for canaries in [200_usize, 1_000, 5_000] {
        for mu in [0.5, 1.0, 2.0, 4.0] {
            println!("{canaries} canaries, mu = {mu}");
            let half = |count: usize| Sides { called_in: count / 2, called_out: count / 2 };
            let ways = [
                ("split 0.1", Guessing::Split { share: 0.1 }),
                ("split 0.2", Guessing::Split { share: 0.2 }),
                ("split 0.3", Guessing::Split { share: 0.3 }),
                ("split 0.5", Guessing::Split { share: 0.5 }),
                ("bonferroni", Guessing::Bonferroni),
                ("fixed 1/8", Guessing::Fixed(half(canaries / 8))),
                ("fixed 1/4", Guessing::Fixed(half(canaries / 4))),
                ("fixed 1/2", Guessing::Fixed(half(canaries / 2))),
                ("fixed all", Guessing::Fixed(half(canaries))),
            ];
            for (name, guessing) in ways {
                let found: Vec<(f64, f64)> = (0..runs)
                    .into_par_iter()
                    .filter_map(|seed| certified(seed, canaries, mu, guessing))
                    .collect();
                let count = found.len() as f64;
                let epsilon = found.iter().map(|(epsilon, _)| epsilon).sum::<f64>() / count;
                let certified = found.iter().map(|(_, mu)| mu).sum::<f64>() / count;
                println!("  {name:<11} epsilon {epsilon:.3}  mu {certified:.3}");
            }
        }
    }
}

/// The bounds on ε and μ of one run; nothing if its coins look unfair.
fn certified(seed: u64, count: usize, mu: f64, guessing: Guessing) -> Option<(f64, f64)> {
    let ask = |claim: Option<Claim>| {
        let mut random = Stream::seed_from_u64(seed);
        let draw = |line| {
            let included = random.random_bool(0.5);
            let noise: f64 = StandardNormal.sample(&mut random);
            Canary { score: noise + if included { mu } else { 0.0 }, included, line }
        };
        let canaries = Canaries::new((1..=count as u64).map(draw).collect()).ok()?;
        let question = CanaryQuestion { delta: DELTA, alpha: ALPHA, guessing, claim };
        measure(canaries, &question, &mut random).ok()
    };
    let of_mu = ask(Claim::gaussian(0.0).ok())?;
    Some((ask(None)?.certified.epsilon, of_mu.certified.mu))
}
