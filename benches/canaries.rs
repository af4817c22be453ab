//! What each way to choose the number of guesses certifies of canaries in one run, on average.
//!
//! Scores are normal with variance 1, of canaries that were in μ higher: all of them, where a training with Gaussian noise
//! that treats each canary alone is exactly μ-GDP, or a fifth of them; or a fifth of those that were out μ lower. Writes a table of the
//! mean bound on ε at δ = 10⁻⁵ and on μ, each with the choice aimed at it.
//!
//! `cargo bench --bench canaries -- benches/results/canaries.md [RUNS]`

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
const SHAPES: [Shape; 3] = [
    ("all of them", 1.0, false),
    ("a fifth of them", 0.2, false),
    ("a fifth, of those out lower", 0.2, true),
];

type Shape = (&'static str, f64, bool);

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let file = arguments.next().expect("FILE, such as benches/results/canaries.md");
    let runs: u64 = arguments.next().map_or(100, |runs| runs.parse().expect("RUNS is a number"));
    let names: Vec<&str> = ways(1_000).iter().map(|(name, _)| *name).collect();
    let mut table = format!(
        "# Ways to choose the number of guesses\n\nMeans over {runs} trainings of the certified ε at δ = 10⁻⁵ and, in \
         parentheses, μ, level 0.05, each with the choice aimed at it. Scores of canaries that were in are μ higher: all \
         of them, or a fifth; or a fifth of those out μ lower. Written by `benches/canaries.rs`.\n\n\
         | canaries that stand out | canaries | μ | {} |\n|{}\n",
        names.join(" | "),
        "---|".repeat(names.len() + 3)
    );
    for shape in SHAPES {
        for canaries in [200_usize, 1_000] {
            for mu in [1.0, 2.0, 4.0] {
                let cells: Vec<String> = ways(canaries)
                    .iter()
                    .map(|(_, guessing)| mean((shape, mu), canaries, *guessing, runs))
                    .collect();
                let row = format!("| {} | {canaries} | {mu} | {} |", shape.0, cells.join(" | "));
                println!("{row}");
                table += &(row + "\n");
            }
        }
    }
    std::fs::write(&file, table).expect("FILE can be written");
}

fn ways(canaries: usize) -> [(&'static str, Guessing); 7] {
    let half = |part: usize| {
        let side = canaries / part / 2;
        Guessing::Fixed(CalledSides { called_in: side, called_out: side })
    };
    [
        ("ordered", Guessing::Ordered),
        ("split 0.25", Guessing::Split { share: 0.25 }),
        ("split 0.5", Guessing::Split { share: 0.5 }),
        ("bonferroni", Guessing::Bonferroni),
        ("fixed 1/8", half(8)),
        ("fixed 1/2", half(2)),
        ("fixed all", half(1)),
    ]
}

/// The mean bounds on ε and μ.
fn mean(truth: (Shape, f64), canaries: usize, guessing: Guessing, runs: u64) -> String {
    let found: Vec<(f64, f64)> = (0..runs)
        .into_par_iter()
        .filter_map(|seed| certified(seed, canaries, truth, guessing))
        .collect();
    let mean =
        |bound: fn(&(f64, f64)) -> f64| found.iter().map(bound).sum::<f64>() / found.len() as f64;
    format!("{:.3} ({:.3})", mean(|it| it.0), mean(|it| it.1))
}

/// The bounds on ε and μ of one run; nothing if its coins look unfair.
fn certified(
    seed: u64,
    count: usize,
    ((_, share, mirrored), mu): (Shape, f64),
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
