//! Trainings by DP-SGD per second and core: ten steps on 100 rows of 20 features. With a file, how many runs it takes to
//! find each of the planted mistakes of learning that ship.
//!
//! `cargo bench --bench learning [-- FILE]`

use plaudit::Stream;
use plaudit::dataset::{Cell, Dataset, Table};
use plaudit::finding::{Expectation, Finding, Verdict};
use plaudit::game::Control;
use plaudit::inference::{EventCounts, EventTest, Guesses};
use plaudit::mechanism::{Mechanism, Outcomes, catalog};
use plaudit::rand::{RngExt, SeedableRng};
use plaudit::spec::{Loaded, Overrides, load};
use rand_distr::{Distribution, Normal};
use serde_json::{Value, json};
use statrs::distribution::{Binomial, Discrete};
use std::fmt::Write as _;
use std::fs::File;
use std::hint::black_box;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

const ROWS: usize = 100;
const FEATURES: usize = 20;
/// Trainings in one measurement.
const TRAININGS: usize = 4_000;
/// Measurements of which the median is taken.
const REPETITIONS: usize = 15;

/// Runs of an audit.
const BUDGETS: [f64; 3] = [1e4, 1e5, 1e6];
/// Seeds from 1 on, for losses that are known.
const TIGHT_SEEDS: u64 = 5;
/// Seeds from 1 on, for planted mistakes.
const SEEDS: u64 = 3;

/// Outcomes that show an oracle's law.
const ORACLE: usize = 2_000_000;

/// Nobody interrupts.
static GO_ON: AtomicBool = AtomicBool::new(false);

/// Rows whose gradients are partly longer than the clipping norm.
fn table() -> Dataset {
    let mut columns: Vec<String> = (0..FEATURES).map(|column| format!("x{column}")).collect();
    columns.push("label".into());
    let feature = |row: usize, column: usize| ((7 * row + 3 * column) as f64).sin() / 2.0;
    let rows = (0..ROWS).map(|row| {
        let features = (0..FEATURES).map(|column| Cell::Number(feature(row, column)));
        features.chain([Cell::Number((row % 2) as f64)]).collect()
    });
    Dataset::Table(Table::new(columns, rows.collect()).expect("a table"))
}

fn parameters(changes: &Value) -> Value {
    let mut parameters = json!({
        "model": "logistic", "sampling": "full-batch", "clip": 1.0, "sigma": 4.0, "steps": 10, "rate": 0.5,
        "batch": ROWS, "releases": "parameters"
    });
    let all = parameters.as_object_mut().expect("an object");
    all.extend(changes.as_object().expect("an object").clone());
    parameters
}

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.first() {
        None => speed(),
        Some(path) => {
            let mut file = File::create(path).expect("the file can be written");
            tight(&mut file);
            broken(&mut file);
        }
    }
}

/// Writes what is certified of right trainings whose losses are known.
fn tight(to: &mut File) {
    tell(
        to,
        "# Audits of learning\n\nWritten by `cargo bench --bench learning -- FILE`.\n\n\
         ## How much of a loss that is known is certified\n\n\
         The certified bound over the loss: median and least of five seeds, a million runs each, with the worst-case canary\n\
         (`benches/support/learning.toml`). An oracle knows the law of what Poisson samples release, and counts its best event\n\
         in all runs; the loss is that of all noisy gradients, and their sum, which a score shows, has less.\n\n\
         | training, what is released | loss | median | least | oracle |\n|---|---|---|---|---|",
    );
    let spec = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/support/learning.toml");
    let audits = |seed| {
        let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
        load(std::slice::from_ref(&spec), &overrides).expect("a spec").into_iter()
    };
    let mut by_seed: Vec<_> = (1..=TIGHT_SEEDS).map(audits).collect();
    while let Some(of) = by_seed.iter_mut().map(Iterator::next).collect::<Option<Vec<Loaded>>>() {
        let run = |loaded: Loaded| loaded.audit.run(Control::unattended());
        let of: Vec<Finding> =
            of.into_iter().map(|it| run(it).expect("a finding").finding).collect();
        let claim = serde_json::to_value(&of[0].claim.claim).expect("a claim");
        let mu = claim["mu"].as_f64();
        let loss = mu.or_else(|| claim["epsilon"].as_f64()).expect("the claim has a number");
        let bound = |it: &Finding| match mu {
            Some(_) => it.mu_lower.expect("a bound on mu"),
            None => it.epsilon_lower,
        };
        let mut shares: Vec<f64> = of.iter().map(|it| bound(it) / loss).collect();
        shares.sort_by(f64::total_cmp);
        let (words, median) = (&of[0].claim.words, shares[shares.len() / 2]);
        let oracle = Poisson::of(&of[0]).map(|training| training.certified(&of[0]) / loss);
        let oracle = oracle.map_or_else(|| "–".to_owned(), |share| format!("{share:.3}"));
        let name = &of[0].name;
        tell(to, &format!("| {name} | {words} | {median:.3} | {:.3} | {oracle} |", shares[0]));
    }
    tell(to, "");
}

/// A training on Poisson samples with the worst-case canary: each step shows noise, plus 1 if the canary is in the sample.
struct Poisson {
    rate: f64,
    sigma: f64,
    steps: usize,
    /// `true` if only the sum over all steps is released.
    sum: bool,
}

impl Poisson {
    /// `None` for other trainings.
    fn of(finding: &Finding) -> Option<Self> {
        let mechanism = serde_json::to_value(&finding.mechanism).ok()?;
        let parameters = &mechanism["parameters"];
        Some(Self {
            rate: parameters["sampling"]["poisson"].as_f64()?,
            sigma: parameters["sigma"].as_f64()?,
            steps: usize::try_from(parameters["steps"].as_u64()?).ok()?,
            sum: parameters["releases"] == "score",
        })
    }

    /// ln P(outcome | canary)/P(outcome | none) of random outcomes with or without the canary.
    fn losses(&self, canary: bool, random: &mut Stream) -> Vec<f64> {
        let normal = Normal::new(0.0, self.sigma).expect("a deviation");
        let one = |x: f64, shift: f64, variance: f64| (shift * x - 0.5 * shift * shift) / variance;
        let variance = self.sigma.powi(2);
        let shifts = Binomial::new(self.rate, self.steps as u64).expect("a rate");
        let weights: Vec<f64> = (0..=self.steps as u64).map(|k| shifts.pmf(k)).collect();
        let loss = |_| {
            let mut step = || {
                let shift = f64::from(u8::from(canary && random.random_bool(self.rate)));
                shift + normal.sample(random)
            };
            let shown: Vec<f64> = (0..self.steps).map(|_| step()).collect();
            if self.sum {
                let x = shown.iter().sum();
                let of = |(k, weight): (usize, &f64)| {
                    weight * one(x, k as f64, variance * self.steps as f64).exp()
                };
                return weights.iter().enumerate().map(of).sum::<f64>().ln();
            }
            let of = |x: &f64| (1.0 - self.rate + self.rate * one(*x, 1.0, variance).exp()).ln();
            shown.iter().map(of).sum()
        };
        let mut losses: Vec<f64> = (0..ORACLE).map(loss).collect();
        losses.sort_by(f64::total_cmp);
        losses
    }

    /// ε that the best event certifies in the runs of an audit, at its level, each counted as often as is expected.
    fn certified(&self, finding: &Finding) -> f64 {
        let mut random = Stream::seed_from_u64(1);
        let [d, d_prime] = [true, false].map(|canary| self.losses(canary, &mut random));
        let (n, claim) = (finding.trials.total / 2, &finding.claim.claim);
        let delta = claim.reference_point().1;
        let above = |losses: &[f64], from: f64| {
            let share =
                (losses.len() - losses.partition_point(|x| *x < from)) as f64 / ORACLE as f64;
            (share * n as f64).round() as u64
        };
        let bound = |hits, other_hits| {
            let counts = EventCounts { hits, n, other_hits, other_n: n };
            let guesses = Guesses { right: hits, made: hits + other_hits, trials: 2 * n };
            let event = EventTest::new(counts, claim, finding.alpha).epsilon_lower(delta);
            event.max(guesses.epsilon_lower(delta, finding.alpha))
        };
        let both = (0..200).flat_map(|at| {
            let from = d[(ORACLE - 1) * (at + 200) / 400];
            let (hits, other_hits) = (above(&d, from), above(&d_prime, from));
            [bound(hits, other_hits), bound(n - other_hits, n - hits)]
        });
        both.fold(0.0, f64::max)
    }
}

/// Writes how many of the seeds find each planted mistake, by budget: a row as soon as it is known.
fn broken(to: &mut File) {
    let head = format!(
        "## What is found of planted mistakes, by budget\n\n\
         Seeds, of {SEEDS}, that find a mistake, and the median of what is certified of ε (at the claim's δ; 10⁻⁵ where the claim \
         is a curve).\n\n\
         | audit | claim |{}\n|---|---|{}",
        BUDGETS.map(|trials| format!(" {trials:.0e} runs |")).concat(),
        BUDGETS.map(|_| "---|").concat(),
    );
    tell(to, &head);
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("audits");
    let files = ["learning.toml", "trainings.toml", "learning-erm.toml", "learning-pate.toml"];
    let paths = files.map(|file| folder.join(file));
    let mut audits = BUDGETS.map(|trials| {
        let loaded = |seed| {
            let trials = Some(trials as u64);
            let overrides = Overrides { seed: Some(seed), trials, ..Overrides::default() };
            load(&paths, &overrides).expect("the audits that ship are sound").into_iter()
        };
        (1..=SEEDS).map(loaded).collect::<Vec<_>>()
    });
    loop {
        let mut row = String::new();
        for of_budget in &mut audits {
            let next = of_budget.iter_mut().filter_map(Iterator::next);
            let run = |loaded: Loaded| loaded.audit.run(Control::unattended());
            let of: Vec<Finding> = next.map(|it| run(it).expect("a finding").finding).collect();
            let Some(audit) = of.first() else { return };
            if row.is_empty() {
                let right = audit.expected == Expectation::NotViolated;
                let right = if right { " (right)" } else { "" };
                row = format!("| {}{right} | {} |", audit.name, audit.claim.words);
            }
            let found = of.iter().filter(|it| it.verdict == Verdict::Violated).count();
            let mut epsilons: Vec<f64> = of.iter().map(|it| it.epsilon_lower).collect();
            epsilons.sort_by(f64::total_cmp);
            write!(row, " {found} (ε ≥ {:.2}) |", epsilons[epsilons.len() / 2])
                .expect("a string takes all");
        }
        tell(to, &row);
    }
}

fn tell(to: &mut File, words: &str) {
    println!("{words}");
    writeln!(to, "{words}").expect("the file can be written");
}

fn speed() {
    let table = table();
    println!("| training of 10 steps on {ROWS} rows of {FEATURES} features | a second and core |");
    println!("|---|---|");
    for (name, changes) in [
        ("logistic, full batches", json!({})),
        ("logistic, Poisson samples of half the rows", json!({"sampling": {"poisson": 0.5}})),
        ("logistic, full batches, all iterates", json!({"releases": "iterates"})),
        ("two layers of 4 units, full batches", json!({"model": "two-layer", "hidden": 4})),
    ] {
        let training = catalog::build("dp-sgd", &parameters(&changes)).expect("a mechanism");
        let mut random = Stream::seed_from_u64(1);
        let mut outcomes = Outcomes::new();
        let mut seconds: Vec<f64> = (0..REPETITIONS)
            .map(|_| {
                outcomes.clear();
                let start = Instant::now();
                let filled = training.fill(&table, TRAININGS, &mut random, &mut outcomes, &GO_ON);
                filled.expect("outcomes");
                black_box(&outcomes);
                start.elapsed().as_secs_f64()
            })
            .collect();
        seconds.sort_by(f64::total_cmp);
        println!("| {name} | {:.0} |", TRAININGS as f64 / seconds[REPETITIONS / 2]);
    }
}
