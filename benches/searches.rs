//! Searches over the right mechanisms of the catalog, from their domains alone, for seeds 1 to 63 (or
//! 1 to the number given, or from the first to the last given): how many were violated by chance.
//! Prints a Markdown table, and writes it to the file given after each seed.
//!
//! `cargo bench --bench searches -- benches/results/searches.md [SEEDS | FIRST-LAST] [TRIALS]`

#[allow(dead_code, reason = "the broken ones are not looked at here")]
#[path = "../tests/suite/support/search/mod.rs"]
mod search;

use plaudit::finding::Finding;
use plaudit::game::Control;
use plaudit::spec::{Loaded, Overrides};
use search::right::RIGHT;
use search::{audits, spec};
use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::time::Instant;

const SEEDS: u64 = 63;
const TRIALS: u64 = 200_000;
/// The level of each search, and a stricter one.
const LEVELS: [f64; 2] = [1e-4, 1e-6];

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let Some((seeds, trials)) = what_to_run(&arguments) else {
        eprintln!(
            "SEEDS must be a whole number above 0, or the first and the last of them, TRIALS a whole \
             number above 0, e.g. cargo bench --bench searches -- FILE 35-63 200000"
        );
        std::process::exit(2);
    };
    let start = Instant::now();
    let mut runs = Vec::new();
    for seed in seeds.clone() {
        runs.push(findings(seed, trials));
        if let Some(path) = arguments.first() {
            std::fs::write(path, table(&runs, *seeds.start(), trials))
                .expect("the file can be written");
        }
    }
    print!("{}", table(&runs, *seeds.start(), trials));
    eprintln!("{:.0} s", start.elapsed().as_secs_f64());
}

/// The seeds and the trials of each search; `None` if the arguments after the file say neither.
fn what_to_run(arguments: &[String]) -> Option<(RangeInclusive<u64>, u64)> {
    let number = |words: &str| words.parse().ok().filter(|number: &u64| *number > 0);
    let seeds = match arguments.get(1) {
        Some(range) => match range.split_once('-') {
            Some((first, last)) => number(first)?..=number(last)?,
            None => 1..=number(range)?,
        },
        None => 1..=SEEDS,
    };
    let trials = arguments.get(2).map_or(Some(TRIALS), |words| number(words))?;
    (!seeds.is_empty() && arguments.len() <= 3).then_some((seeds, trials))
}

/// The findings of all searches for one seed.
fn findings(seed: u64, trials: u64) -> Vec<Finding> {
    let (seed, trials, alpha) = (Some(seed), Some(trials), Some(LEVELS[0]));
    let overrides = Overrides { seed, trials, alpha, ..Overrides::default() };
    let finding =
        |Loaded { audit, .. }: Loaded| audit.run(Control::unattended()).expect("a finding").finding;
    audits(&spec(RIGHT, ""), &overrides).into_iter().map(finding).collect()
}

fn table(runs: &[Vec<Finding>], first: u64, trials: u64) -> String {
    let searches = runs.len() * RIGHT.len();
    let all = || runs.iter().flatten();
    let below = |level: f64| all().filter(|finding| finding.p_value <= level).count();
    let least = all().map(|finding| finding.p_value).fold(1.0, f64::min);
    let mut rows = String::new();
    for (index, search) in runs[0].iter().enumerate() {
        let mut values: Vec<f64> = runs.iter().map(|run| run[index].p_value).collect();
        values.sort_by(f64::total_cmp);
        let violated = values.iter().filter(|p| **p <= LEVELS[0]).count();
        let (least, tenth) = (values[0], values[values.len() / 10]);
        writeln!(
            rows,
            "| {} | {} | {violated} of {} | {least:.2e} | {tenth:.2} |",
            search.name,
            search.claim.words,
            runs.len(),
        )
        .expect("a string takes all");
    }
    format!(
        "# Searches over the right mechanisms of the catalog, seeds {first} to {}\n\n\
         plaudit {}, {trials} trials each, at level {:e}; written by `cargo bench --bench searches`. Each \
         search has a domain and no pair, and a claim that is as tight as its formula allows.\n\n\
         Of {searches} searches {} were violated (by chance: {:.2} at most, on average), and {} would have \
         been at level {:e}. The least p-value of all is {least:.2e}; of as many uniform ones it would be \
         {:.2e}, on average.\n\n\
         | search | claim | violated | least p-value | p-value that a tenth is below |\n\
         |---|---|---|---|---|\n{rows}",
        first + runs.len() as u64 - 1,
        env!("CARGO_PKG_VERSION"),
        LEVELS[0],
        below(LEVELS[0]),
        LEVELS[0] * searches as f64,
        below(LEVELS[1]),
        LEVELS[1],
        1.0 / (searches as f64 + 1.0),
    )
}
