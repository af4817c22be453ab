//! What a gate promises, measured: how often right mechanisms make it red, and whether it catches the smallest excess that it says it
//! would. Prints Markdown rows as they come, and writes them to the file given.
//!
//! `cargo bench --bench gate -- false-alarms benches/results/gate-false-alarms.md [RUNS [FIRST]]`: the shipped audits that are expected to hold, at
//! 200 000 runs (a fifth of the default) and α = 10⁻⁶, each with seeds of its own.
//!
//! `cargo bench --bench gate -- power benches/results/gate-power.md [SEEDS [FIRST]]`: mechanisms that hold what they claim, as the gate audits
//! them; then the same ones with a loss that is exactly the smallest excess that it says it would have caught.
//!
//! FIRST is the row to begin with, 0 unless said: a table that was cut off can be gone on with.

use plaudit::claim::{Claim, Form};
use plaudit::finding::{Expectation, Floats};
use plaudit::game::Control;
use plaudit::spec::{Loaded, Overrides, load};
use plaudit::{Audit, Finding, Stream, Verdict, laplace};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use statrs::distribution::{ContinuousCDF, Normal};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Runs of an audit in the first table: a fifth of the default.
const TRIALS: u64 = 200_000;
/// What ends an audit of a gate, as `plaudit gate --enough` has it.
const ENOUGH: f64 = 1.5;
/// Gate runs of the first table.
const RUNS: u64 = 300;
/// Seeds of each row of the second.
const SEEDS: u64 = 50;

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let number = |at: usize, default| match arguments.get(at) {
        Some(number) => number.parse().expect("a whole number"),
        None => default,
    };
    let first = usize::try_from(number(3, 0)).expect("a row");
    let table = match arguments.first().map(String::as_str) {
        Some("false-alarms") => false_alarms(number(2, RUNS), first),
        Some("power") => power(number(2, SEEDS), first),
        _ => panic!("say `false-alarms` or `power`, then the file for the table"),
    };
    if let Some(path) = arguments.get(1) {
        std::fs::create_dir_all(Path::new(path).parent().expect("a file")).expect("a folder");
        std::fs::write(path, table).expect("the file can be written");
    }
}

/// Adds a line to the table, and shows it.
fn add(table: &mut String, line: &str) {
    println!("{line}");
    writeln!(table, "{line}").expect("memory takes it");
}

fn gated<D: serde::Serialize + Sync>(audit: &mut Audit<D>) -> Finding {
    audit.run_in_looks(Some(ENOUGH), Control::unattended()).expect("a finding").finding
}

fn false_alarms(runs: u64, first: usize) -> String {
    let overrides =
        |seed| Overrides { seed: Some(seed), trials: Some(TRIALS), ..Overrides::default() };
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("audits");
    let right = |seed| {
        let all =
            load(std::slice::from_ref(&folder), &overrides(seed)).expect("sound specs").into_iter();
        all.filter(|it| it.audit.settings().expect == Expectation::NotViolated)
    };
    let mut table = String::new();
    add(&mut table, "| audit | gate runs | violated | inconclusive | why, at first |");
    add(&mut table, "|---|--:|--:|--:|---|");
    let mut specs: Vec<Vec<Loaded>> = (0..runs).map(|run| right(run + 1_000).collect()).collect();
    let (mut violated, mut inconclusive, mut sampled) = (0, 0, 0);
    for at in first..specs.first().map_or(0, Vec::len) {
        let findings: Vec<Finding> =
            specs.iter_mut().map(|all| gated(&mut all[at].audit)).collect();
        let of = |verdict| findings.iter().filter(move |finding| finding.verdict == verdict);
        let (red, open) = (of(Verdict::Violated).count(), of(Verdict::Inconclusive).count());
        let why =
            of(Verdict::Inconclusive).next().map_or_else(String::new, |finding| finding.reason());
        let why: String = why.chars().take(150).collect();
        add(&mut table, &format!("| {} | {runs} | {red} | {open} | {why} |", findings[0].name));
        (violated, inconclusive) = (violated + red, inconclusive + open);
        sampled += findings.iter().filter(|finding| finding.trials.total > 0).count();
    }
    let all = format!("| all: {sampled} sampled audits | {runs} | {violated} | {inconclusive} | |");
    add(&mut table, &all);
    table
}

/// A mechanism by its true loss, on the pair 0 and 1.
struct Family {
    name: &'static str,
    claim: Form,
    /// What the claim allows, in the unit of the loss: ε at its δ, or μ.
    claimed: f64,
    /// The number by which the mechanism is made that has this loss.
    made_by: fn(f64) -> f64,
    release: fn(u64, f64, &mut Stream) -> Vec<f64>,
}

fn uniform(random: &mut Stream) -> f64 {
    random.random::<f64>()
}

fn normal(random: &mut Stream) -> f64 {
    StandardNormal.sample(random)
}

/// Says `bit` with odds e^ε.
fn response(bit: bool, epsilon: f64, random: &mut Stream) -> bool {
    (uniform(random) < 1.0 / (1.0 + (-epsilon).exp())) == bit
}

fn geometric(epsilon: f64, random: &mut Stream) -> f64 {
    let one = |random: &mut Stream| (uniform(random).ln() / -epsilon).floor();
    one(random) - one(random)
}

/// The μ of Gaussian noise whose ε at δ is this (Balle & Wang 2018, theorem 8).
fn mu_of(epsilon: f64, delta: f64) -> f64 {
    let cdf = |x| Normal::standard().cdf(x);
    let at = |mu: f64| cdf(mu / 2.0 - epsilon / mu) - epsilon.exp() * cdf(-mu / 2.0 - epsilon / mu);
    let (mut low, mut high) = (1e-3, 50.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if at(middle) < delta { low = middle } else { high = middle }
    }
    low
}

/// One of k answers, the true one with odds e^ε to each other one.
fn one_of(x: u64, k: u64, epsilon: f64, random: &mut Stream) -> Vec<f64> {
    let truth = epsilon.exp() / (epsilon.exp() + (k - 1) as f64);
    let other = random.random_range(1..k);
    vec![if uniform(random) < truth { x } else { (x + other) % k } as f64]
}

/// Falls into a band with probability .05, e^ε times as often on 1; else anywhere outside, and alike.
fn band(x: u64, epsilon: f64, random: &mut Stream) -> Vec<f64> {
    let inside = 0.05 * if x == 1 { 1.0 } else { (-epsilon).exp() };
    let place =
        if uniform(random) < inside { 0.4 + 0.1 * uniform(random) } else { 2.0 + uniform(random) };
    vec![place]
}

fn pure(epsilon: f64) -> Form {
    Form::EpsilonDelta { epsilon, delta: 0.0 }
}

fn approximate(epsilon: f64, delta: f64) -> Form {
    Form::EpsilonDelta { epsilon, delta }
}

fn families() -> Vec<Family> {
    let laplace_of: fn(u64, f64, &mut Stream) -> Vec<f64> =
        |x, loss, random| vec![x as f64 + laplace(random, 1.0 / loss)];
    let geometric_of: fn(u64, f64, &mut Stream) -> Vec<f64> =
        |x, loss, random| vec![x as f64 + geometric(loss, random)];
    let response_of: fn(u64, f64, &mut Stream) -> Vec<f64> =
        |x, loss, random| vec![f64::from(response(x == 1, loss, random))];
    let gaussian_of: fn(u64, f64, &mut Stream) -> Vec<f64> =
        |x, mu, random| vec![x as f64 * mu + normal(random)];
    let row = |name, claim, claimed, release| Family {
        name,
        claim,
        claimed,
        made_by: |loss| loss,
        release,
    };
    let by_mu = |claim, claimed, made_by| Family {
        name: "Gaussian",
        claim,
        claimed,
        made_by,
        release: gaussian_of,
    };
    vec![
        row("Laplace", pure(0.1), 0.1, laplace_of),
        row("Laplace", pure(0.5), 0.5, laplace_of),
        row("Laplace", pure(1.0), 1.0, laplace_of),
        row("Laplace", pure(3.0), 3.0, laplace_of),
        row("geometric", pure(0.5), 0.5, geometric_of),
        row("geometric", pure(2.0), 2.0, geometric_of),
        row("randomized response", pure(0.2), 0.2, response_of),
        row("randomized response", pure(1.0), 1.0, response_of),
        row("randomized response", pure(4.0), 4.0, response_of),
        row("one of ten answers", pure(1.0), 1.0, |x, loss, random| one_of(x, 10, loss, random)),
        row("one of 100 answers", pure(3.0), 3.0, |x, loss, random| one_of(x, 100, loss, random)),
        row("two bits", pure(1.0), 1.0, |x, loss, random| {
            [x == 1, x == 0].map(|bit| f64::from(response(bit, loss / 2.0, random))).to_vec()
        }),
        row("histogram of five, Laplace", pure(1.0), 1.0, |x, loss, random| {
            (0..5)
                .map(|at| f64::from(u8::from(at == 2)) * x as f64 + laplace(random, 1.0 / loss))
                .collect()
        }),
        row("three Laplace answers", pure(1.0), 1.0, |x, loss, random| {
            (0..3).map(|_| x as f64 + laplace(random, 3.0 / loss)).collect()
        }),
        row("a band of mass .05", pure(1.0), 1.0, band),
        by_mu(approximate(1.0, 1e-2), 1.0, |loss| mu_of(loss, 1e-2)),
        by_mu(approximate(0.5, 1e-3), 0.5, |loss| mu_of(loss, 1e-3)),
        by_mu(Form::Gaussian { mu: 0.5 }, 0.5, |loss| loss),
        by_mu(Form::Gaussian { mu: 2.0 }, 2.0, |loss| loss),
        row("three Gaussian answers", Form::Gaussian { mu: 1.0 }, 1.0, |x, loss, random| {
            (0..3).map(|_| x as f64 * loss / 3f64.sqrt() + normal(random)).collect()
        }),
        row("tells with probability .01", approximate(1.0, 1e-2), 1.0, |x, loss, random| {
            let told = uniform(random) < 1e-2;
            let said =
                if told { 2.0 + x as f64 } else { f64::from(response(x == 1, loss, random)) };
            vec![said]
        }),
    ]
}

fn power(seeds: u64, first: usize) -> String {
    let mut table = String::new();
    add(
        &mut table,
        "| mechanism | claimed | smallest loss that would have been caught, as stated | runs then | red with exactly that loss |",
    );
    add(&mut table, "|---|--:|--:|--:|--:|");
    let (mut least, mut all, mut red) = (seeds, 0, 0);
    for Family { name, claim, claimed, made_by, release } in families().into_iter().skip(first) {
        let claim = Claim::try_from(claim).expect("a claim");
        let audit = |loss: f64, seed: u64| {
            let loss = made_by(loss);
            let of = move |x: &u64, random: &mut Stream| release(*x, loss, random);
            // These are claims about noise of real numbers: what is drawn here in doubles leaks by their lowest bits as well.
            Audit::of(name, claim.clone(), of).pair(0, 1).seed(seed).floats(Floats::Ideal)
        };
        let stated = gated(&mut audit(claimed, 1));
        assert_ne!(stated.verdict, Verdict::Violated, "{name} holds {claim}: {}", stated.reason());
        let Some(loss) = stated.catches() else {
            add(&mut table, &format!("| {name} | {claim} | none | {} | |", stated.trials.total));
            continue;
        };
        let findings = (0..seeds).map(|seed| gated(&mut audit(loss, 1_000 + seed)));
        let caught = findings.filter(|finding| finding.verdict == Verdict::Violated).count() as u64;
        add(
            &mut table,
            &format!(
                "| {name} | {claim} | {loss:.4} | {} | {caught} of {seeds} |",
                stated.trials.total
            ),
        );
        (least, all, red) = (least.min(caught), all + seeds, red + caught);
    }
    add(&mut table, &format!("| all | | | | {red} of {all}; at least {least} of {seeds} |"));
    table
}
