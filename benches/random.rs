//! Random mechanisms whose losses are known exactly: what an audit certifies, over what an oracle would that knows every
//! loss and confirms with 0.8 of the trials. Even seeds are for tuning, odd seeds are the figure that is reported.
//!
//! `cargo bench --bench random -- [TRIALS [odd|even [MECHANISMS [FAMILY]]]]`; by default 200000 trials, even seeds, six of
//! each family, all families. Only mechanisms whose oracle certifies at least 0.3 count. Prints a Markdown table.

#[path = "support/compositions.rs"]
mod compositions;

use plaudit::inference::Guesses;
use plaudit::{Audit, Claim, Mechanism, Outcome, Outcomes, Stream, Trouble};
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

const ALPHA: f64 = 1e-6;
const FAMILIES: [&str; 21] = [
    "rare 1-d",
    "rare 2-d",
    "rare 3-d",
    "rare 4-d",
    "mixed 1-d",
    "mixed 2-d",
    "mixed 3-d",
    "mixed 4-d",
    "smooth 1-d",
    "smooth 2-d",
    "categories",
    "sets",
    "lists",
    "difference",
    "order",
    "parity",
    "integers",
    "any list",
    "any map",
    "any record",
    "any text",
];

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let trials: u64 =
        arguments.first().map_or(200_000, |word| word.parse().expect("a number of trials"));
    let first = u64::from(arguments.get(1).is_some_and(|word| word == "odd"));
    let count: usize =
        arguments.get(2).map_or(6, |word| word.parse().expect("a number of mechanisms"));
    let wanted = arguments.get(3).cloned().unwrap_or_default();
    println!(
        "| family | median | lower quartile | below .1 | least | oracle's median | s an audit |\n|---|---|---|---|---|---|---|"
    );
    for family in FAMILIES.into_iter().filter(|family| family.contains(&wanted)) {
        let mut rows = Vec::new();
        let mut seed = first;
        let mut seconds = 0.0;
        while rows.len() < count && seed < 400 {
            let law = law(family, seed);
            let oracle = law.oracle(0.8 * trials as f64);
            if oracle >= 0.3 {
                let start = Instant::now();
                rows.push((certified(law, trials, seed, oracle) / oracle, oracle));
                seconds += start.elapsed().as_secs_f64();
            }
            seed += 2;
        }
        let quantile = |mut all: Vec<f64>, share: f64| {
            all.sort_by(f64::total_cmp);
            all.get((share * all.len() as f64) as usize).copied().unwrap_or(f64::NAN)
        };
        let ratios: Vec<f64> = rows.iter().map(|row| row.0).collect();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let oracle = quantile(rows.iter().map(|row| row.1).collect(), 0.5);
        let blind = ratios.iter().filter(|ratio| **ratio < 0.1).count();
        let [lower, median] = [0.25, 0.5].map(|share| quantile(ratios.clone(), share));
        let seconds = seconds / rows.len().max(1) as f64;
        println!(
            "| {family} | {median:.2} | {lower:.2} | {blind} of {} | {least:.2} | {oracle:.2} | {seconds:.2} |",
            ratios.len()
        );
    }
}

fn certified(law: Law, trials: u64, seed: u64, oracle: f64) -> f64 {
    let claim = Claim::pure(1.0).expect("a claim");
    let audit = Audit::of_mechanism(format!("random {seed}"), claim, law).pair(false, true);
    let report = audit.trials(trials).alpha(ALPHA).seed(seed).report().expect("a report");
    let finding = &report.audits[0];
    eprintln!(
        "seed {seed}: {:.3} of {oracle:.3} by {} of {} trials, {} leaves: {}",
        finding.epsilon_lower,
        finding.witness.kind,
        finding.trials.explore,
        finding.witness.bins.len(),
        finding.witness.description.chars().take(150).collect::<String>()
    );
    finding.epsilon_lower
}

/// An outcome of a cell.
type Draw = Box<dyn Fn(usize, &mut Stream) -> Outcome + Send + Sync>;

/// Cells with probabilities on D and on D', and how an outcome of a cell is drawn.
struct Law {
    p: [Vec<f64>; 2],
    /// Running sums, to draw by.
    sums: [Vec<f64>; 2],
    draw: Draw,
}

impl Law {
    fn new(
        p: Vec<f64>,
        losses: &[f64],
        draw: impl Fn(usize, &mut Stream) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        let q: Vec<f64> = p.iter().zip(losses).map(|(p, loss)| p * loss.exp()).collect();
        let p = [p, q].map(|p| {
            let all: f64 = p.iter().sum();
            p.into_iter().map(|p| p / all).collect::<Vec<f64>>()
        });
        let sums = p.each_ref().map(|p| {
            let mut sum = 0.0;
            p.iter()
                .map(|p| {
                    sum += p;
                    sum
                })
                .collect()
        });
        Self { p, sums, draw: Box::new(draw) }
    }

    /// The bound that the best pair of cuts of the cells, in the order of their losses, is expected to certify.
    fn oracle(&self, trials: f64) -> f64 {
        let [p, q] = &self.p;
        let mut cells: Vec<usize> = (0..p.len()).collect();
        let loss = |cell: usize| (p[cell] / q[cell]).ln();
        cells.sort_by(|a, b| loss(*b).total_cmp(&loss(*a)));
        let half = 0.5 * trials;
        let tail = |cells: &mut dyn Iterator<Item = usize>, own: &[f64], other: &[f64]| {
            let mut sum = (0.0, 0.0);
            let mut all = vec![sum];
            for cell in cells {
                sum = (sum.0 + half * own[cell], sum.1 + half * (own[cell] + other[cell]));
                all.push(sum);
            }
            all
        };
        let tails =
            [tail(&mut cells.iter().copied(), p, q), tail(&mut cells.iter().rev().copied(), q, p)];
        let mut best: f64 = 0.0;
        for (i, a) in tails[0].iter().enumerate() {
            for b in &tails[1][..tails[1].len() - i] {
                let (right, made) = ((a.0 + b.0).round() as u64, (a.1 + b.1).round() as u64);
                if 2 * right <= made || ((right as f64 / (made - right) as f64).ln()) <= best {
                    continue;
                }
                let guesses = Guesses { right, made, trials: trials as u64 };
                best = best.max(guesses.epsilon_lower(0.0, ALPHA));
            }
        }
        best
    }
}

impl Mechanism<bool> for Law {
    fn fill(
        &self,
        is_d_prime: &bool,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        let sums = &self.sums[usize::from(*is_d_prime)];
        for _ in 0..runs {
            let at: f64 = random.random();
            let cell = sums.partition_point(|sum| *sum < at).min(sums.len() - 1);
            outcomes.push((self.draw)(cell, random));
        }
        Ok(())
    }
}

/// The mechanism of a family with this seed.
fn law(family: &str, seed: u64) -> Law {
    let mut random =
        Stream::seed_from_u64(seed + 1_000_003 * family.bytes().map(u64::from).sum::<u64>());
    let random = &mut random;
    let dimensions =
        family.bytes().rev().nth(2).map_or(1, |digit| usize::from(digit.wrapping_sub(b'0')));
    match family.split(' ').next().unwrap_or_default() {
        "categories" => categories(random),
        "sets" => sets(random),
        "lists" => lists(random),
        "difference" => {
            joint(random, |u, v, cell| vec![heavy(u), heavy(u) + 20.0 * (cell + v) - 10.0])
        }
        "order" => order(random),
        "parity" => parity(random),
        "integers" => integers(random),
        "any" => compositions::law(&family[4..], seed),
        kind => boxes(kind, dimensions, random),
    }
}

/// Losses: one rare cell, of which the place is returned, or many.
fn losses(kind: &str, cells: usize, random: &mut Stream) -> (Vec<f64>, Option<(usize, f64)>) {
    let normal = |random: &mut Stream| -> f64 { StandardNormal.sample(random) };
    match kind {
        "rare" => {
            let mut all = vec![0.0; cells];
            let at = random.random_range(0..cells);
            all[at] = random.random_range(1.5..4.0) * if random.random() { 1.0 } else { -1.0 };
            let mass = 10f64.powf(random.random_range(0.002f64.log10()..0.03f64.log10()));
            (all, Some((at, mass)))
        }
        "smooth" => ((0..cells).map(|_| 0.5 * normal(random)).collect(), None),
        _ => {
            let one = |_| {
                if random.random_bool(1.0 / 7.0) {
                    2.0 * normal(random)
                } else {
                    0.3 * normal(random)
                }
            };
            ((0..cells).map(one).collect(), None)
        }
    }
}

/// Masses with that of the rare cell, the larger of its two, set.
fn with_rare(mut p: Vec<f64>, losses: &[f64], rare: Option<(usize, f64)>) -> Vec<f64> {
    if let Some((at, mass)) = rare {
        let others: f64 = p.iter().sum::<f64>() - p[at];
        p[at] = mass * (-losses[at].max(0.0)).exp() * others;
    }
    p
}

fn boxes(kind: &str, dimensions: usize, random: &mut Stream) -> Law {
    let cells = match kind {
        "smooth" => 64,
        "rare" => 12,
        _ => random.random_range(10..30),
    };
    let mut boxes = vec![vec![(0.0, 1.0); dimensions]];
    let volume =
        |sides: &Vec<(f64, f64)>| sides.iter().map(|(from, to)| to - from).product::<f64>();
    while boxes.len() < cells {
        let all: Vec<f64> = boxes.iter().map(volume).collect();
        let mut at = random.random_range(0.0..all.iter().sum::<f64>());
        let chosen = all
            .iter()
            .position(|v| {
                at -= v;
                at <= 0.0
            })
            .unwrap_or(0);
        let axis = random.random_range(0..dimensions);
        let (from, to) = boxes[chosen][axis];
        let place = random.random_range(from..to);
        let mut other = boxes[chosen].clone();
        boxes[chosen][axis].1 = place;
        other[axis].0 = place;
        boxes.push(other);
    }
    let (losses, rare) = losses(kind, cells, random);
    let p = with_rare(boxes.iter().map(volume).collect(), &losses, rare);
    let maps: Vec<u8> = (0..dimensions).map(|_| random.random_range(0..5)).collect();
    Law::new(p, &losses, move |cell, random| {
        let point = boxes[cell]
            .iter()
            .zip(&maps)
            .map(|((from, to), map)| monotone(random.random_range(*from..*to), *map));
        let point: Vec<f64> = point.collect();
        if point.len() == 1 { point[0].into() } else { point.into() }
    })
}

fn heavy(u: f64) -> f64 {
    monotone(u, 1)
}

fn monotone(u: f64, map: u8) -> f64 {
    match map {
        0 => 7.0 * u - 3.0,
        1 => (std::f64::consts::PI * (u - 0.5)).tan(),
        2 => -(1.0 - u).ln(),
        3 => 10f64.powf(16.0 * u - 8.0),
        _ => (2.0 * u - 1.0).powi(3),
    }
}

fn categories(random: &mut Stream) -> Law {
    let cells = random.random_range(150..400);
    let p: Vec<f64> = (0..cells).map(|_| -random.random::<f64>().ln()).collect();
    let (losses, _) = losses("mixed", cells, random);
    Law::new(p, &losses, |cell, _| format!("category {cell}").as_str().into())
}

/// Which of eight keys are there: a random law of their 256 sets, most of them by chance alone.
fn sets(random: &mut Stream) -> Law {
    let each: Vec<f64> = (0..8).map(|_| random.random_range(0.2..0.8)).collect();
    let p = (0..256usize).map(|set| {
        (0..8).map(|key| if set >> key & 1 == 1 { each[key] } else { 1.0 - each[key] }).product()
    });
    let (a, b, c) =
        (random.random_range(0..8), random.random_range(0..8), random.random_range(0..8));
    let size = random.random_range(0.7..2.5);
    let losses: Vec<f64> = (0..256usize)
        .map(|set| if [a, b, c].iter().all(|key| set >> key & 1 == 1) { size } else { 0.0 })
        .collect();
    Law::new(p.collect(), &losses, |set, _| {
        let keys = (0..8).filter(|key| set >> key & 1 == 1).map(|key| format!("key {key}"));
        keys.collect::<std::collections::BTreeSet<String>>().into()
    })
}

/// Lists of growing length: the last entry tells, by its interval and the length.
fn lists(random: &mut Stream) -> Law {
    let lengths = random.random_range(4..10usize);
    let stops: f64 = random.random_range(0.15..0.4);
    let cells = lengths * 8;
    let p = (0..cells).map(|cell| (1.0 - stops).powi((cell / 8) as i32) / 8.0).collect();
    let (losses, _) = losses("mixed", cells, random);
    Law::new(p, &losses, move |cell, random| {
        let mut list: Vec<f64> = (0..cell / 8).map(|_| random.random::<f64>()).collect();
        list.push(((cell % 8) as f64 + random.random::<f64>()) / 8.0);
        list.into()
    })
}

/// Two numbers by a cell of which only what they are to one another tells.
fn joint(random: &mut Stream, pair: fn(f64, f64, f64) -> Vec<f64>) -> Law {
    let cells = random.random_range(6..20usize);
    let (losses, rare) = losses(if random.random() { "rare" } else { "mixed" }, cells, random);
    let p = with_rare(vec![1.0 / cells as f64; cells], &losses, rare);
    Law::new(p, &losses, move |cell, random| {
        pair(random.random(), random.random::<f64>() / cells as f64, cell as f64 / cells as f64)
            .into()
    })
}

/// Which of two heavy-tailed numbers is larger.
fn order(random: &mut Stream) -> Law {
    let loss = random.random_range(0.5..1.5);
    Law::new(vec![0.5, 0.5], &[0.0, loss], |cell, random| {
        let (a, b): (f64, f64) = (heavy(random.random()), heavy(random.random()));
        if cell == 0 { vec![a.min(b), a.max(b)] } else { vec![a.max(b), a.min(b)] }.into()
    })
}

/// Whether the sum of two whole numbers is even.
fn parity(random: &mut Stream) -> Law {
    let loss = random.random_range(0.5..1.5);
    Law::new(vec![0.5, 0.5], &[0.0, loss], |cell, random| {
        let a: i32 = random.random_range(0..40);
        let b = 2 * random.random_range(0..20i32) + (cell as i32 + a) % 2;
        vec![f64::from(a), f64::from(b)].into()
    })
}

/// Bands of whole numbers.
fn integers(random: &mut Stream) -> Law {
    let cells = random.random_range(8..20usize);
    let (losses, rare) = losses(if random.random() { "rare" } else { "mixed" }, cells, random);
    let widths: Vec<i64> = (0..cells).map(|_| random.random_range(2..60)).collect();
    let p = with_rare(widths.iter().map(|w| *w as f64).collect(), &losses, rare);
    Law::new(p, &losses, move |cell, random| {
        (widths[..cell].iter().sum::<i64>() + random.random_range(0..widths[cell])).into()
    })
}
