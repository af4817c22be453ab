//! Ledgers of many nights: how many of right mechanisms that exactly meet their claims are ever flagged, and how soon those of a
//! mechanism are whose loss is 5 % above its claim.
//!
//! `cargo bench --bench ledger -- [FILE [LEDGERS [NIGHTS [TRIALS]]]]`; by default 1000 ledgers, 100 nights, 500 trials a
//! night. Prints Markdown, and writes it to the file.

use plaudit::gate::{GateRule, GateRules, Ledger, decide};
use plaudit::inference::binomial;
use plaudit::{Audit, Claim, Stream};
use rand::RngExt;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Instant;

const ALPHA: f64 = 0.05;
const EPSILON: f64 = 1.0;
const DELTA: f64 = 0.02;

/// A mechanism that says something of one bit.
type Release = fn(&bool, &mut Stream) -> f64;

/// Randomized response with this ε.
fn response(bit: bool, epsilon: f64, random: &mut Stream) -> f64 {
    let truth = random.random::<f64>() < 1.0 / (1.0 + (-epsilon).exp());
    f64::from(u8::from(bit == truth))
}

/// Mechanisms whose loss is the claim's exactly: the name, the claim's δ, and what they do.
const RIGHT: [(&str, f64, Release); 4] =
    [
        ("randomized response", 0.0, |bit, random| response(*bit, EPSILON, random)),
        ("randomized response, or the bit itself with probability δ", DELTA, |bit, random| {
            match random.random::<f64>() < DELTA {
                true => 2.0 + f64::from(u8::from(*bit)),
                false => response(*bit, EPSILON, random),
            }
        }),
        // Probability e^ε q against q, and nothing else.
        ("a rare event", 0.0, |bit, random| {
            let q = if *bit { 0.02 * EPSILON.exp() } else { 0.02 };
            f64::from(u8::from(random.random::<f64>() < q))
        }),
        ("Laplace noise", 0.0, |bit, random| {
            f64::from(u8::from(*bit)) + plaudit::laplace(random, 1.0 / EPSILON)
        }),
    ];

const WRONG: (&str, f64, Release) =
    ("randomized response, 5 % above", 0.0, |bit, random| response(*bit, 1.05 * EPSILON, random));

/// The night on which a ledger is flagged; and of nights how many had a verdict that was red by itself.
fn flagged(
    (name, delta, release): (&str, f64, Release),
    of: u64,
    nights: u64,
    trials: u64,
) -> (Option<u64>, u64) {
    let claim = Claim::approximate(EPSILON, delta).expect("a claim");
    let mut audit = Audit::of(name, claim, release).pair(false, true).only_measured();
    audit = audit.trials(trials).alpha(ALPHA);
    let contents = BTreeMap::from([(name.to_owned(), "the same".to_owned())]);
    let mut ledger = Ledger::default();
    let (mut first, mut violated) = (None, 0);
    for night in 1..=nights {
        audit = audit.seed(of * 1_000_000 + night);
        let report = audit.report().expect("a report");
        let lines = ledger.add(&report, &contents, "now");
        let rules = GateRules { ledger: Some(lines), ..GateRules::default() };
        let decision = decide(&report, None, &rules);
        violated +=
            decision.checks.iter().filter(|check| check.rule == GateRule::Violated).count() as u64;
        if first.is_none() && decision.checks.iter().any(|check| check.rule == GateRule::Ledger) {
            first = Some(night);
        }
    }
    let entry = &ledger.audits[name];
    assert_eq!(entry.seeds.len() as u64, nights, "each night is counted");
    (first, violated)
}

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let number = |at: usize, default: u64| {
        arguments.get(at).map_or(default, |word| word.parse().expect("a number"))
    };
    let (ledgers, nights, trials) = (number(1, 1_000), number(2, 100), number(3, 500));
    let start = Instant::now();
    let each = ledgers / RIGHT.len() as u64;
    let of = |mechanism, count: u64| -> Vec<(Option<u64>, u64)> {
        let all = (1..=count).into_par_iter();
        all.map(|of| flagged(mechanism, of, nights, trials)).collect()
    };
    let mut rows = String::new();
    let (mut all, mut red_nights) = (0, 0);
    for mechanism in RIGHT {
        let ends = of(mechanism, each);
        let ever = ends.iter().filter(|(first, _)| first.is_some()).count();
        let red: u64 = ends.iter().map(|(_, red)| red).sum();
        writeln!(rows, "| {} | {each} | {ever} | {red} |", mechanism.0).expect("a string");
        (all, red_nights) = (all + ever as u64, red_nights + red);
    }
    let count = each * RIGHT.len() as u64;
    let most = binomial::upper_quantile(1e-3, count, ALPHA);
    let mut wrong: Vec<u64> = of(WRONG, 100.min(ledgers))
        .into_iter()
        .map(|(first, _)| first.unwrap_or(u64::MAX))
        .collect();
    wrong.sort_unstable();
    let median = match wrong[wrong.len() / 2] {
        u64::MAX => format!("more than {nights}"),
        night => night.to_string(),
    };
    let caught = wrong.iter().filter(|night| **night <= nights).count();
    let words = arguments.join(" ");
    let text = format!(
        "# Ledgers of {nights} nights\n\n\
         plaudit {}; written by `cargo bench --bench ledger -- {words}`. α = {ALPHA}, claims ε = {EPSILON}, δ = 0 or {DELTA}, \
         {trials} trials a night, audits as a gate with `--ledger` runs them.\n\n\
         Ledgers of right mechanisms, whose losses are their claims exactly, that are ever flagged: {all} of {count}; \
         at most {most} (α, and chance: the upper 10⁻³ quantile of Bin({count}, α)). Of the {} nights, {red_nights} had a verdict \
         that was red by itself, which the ledger does not change.\n\n\
         | mechanism | ledgers | ever flagged by the ledger | nights with a red verdict |\n|---|---|---|---|\n{rows}\n\
         A loss 5 % above its claim ({}): {caught} of {} ledgers are flagged; the median needs {median} nights.\n",
        env!("CARGO_PKG_VERSION"),
        count * nights,
        WRONG.0,
        wrong.len(),
    );
    print!("{text}");
    eprintln!("{:.0} s", start.elapsed().as_secs_f64());
    if let Some(path) = arguments.first() {
        std::fs::write(path, &text).expect("the file can be written");
    }
    assert!(all <= most, "the ledger flags right mechanisms too often");
}
