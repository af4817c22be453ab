//! All audits that ship, at their default trials, for seeds 1 to 20 (or 1 to the number given):
//! how many came out as expected. Prints a Markdown table and writes it to the file given.
//!
//! `cargo bench --bench seeds -- benches/results/seeds.md [SEEDS]`

use plaudit::audit::Audited;
use plaudit::finding::{Expectation, Finding};
use plaudit::game::Control;
use plaudit::spec::{Loaded, Overrides, load};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

const SEEDS: u64 = 20;

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let seeds = match arguments.get(1) {
        Some(number) => number.parse().expect("the number of seeds"),
        None => SEEDS,
    };
    let start = Instant::now();
    let table = table(seeds);
    print!("{table}");
    eprintln!("{:.0} s", start.elapsed().as_secs_f64());
    if let Some(path) = arguments.first() {
        let folder = Path::new(path).parent().expect("the path of a file");
        std::fs::create_dir_all(folder).expect("the folder can be made");
        std::fs::write(path, table).expect("the file can be written");
    }
}

/// The findings of all audits for one seed.
fn findings(seed: u64) -> Vec<Finding> {
    let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("audits");
    let audits = load(&[folder], &overrides).expect("the audits that ship are sound");
    let finding = |Loaded { audit, .. }: Loaded| {
        let Audited { finding, .. } = audit.run(Control::unattended()).expect("a finding");
        finding
    };
    audits.into_iter().map(finding).collect()
}

fn table(seeds: u64) -> String {
    let runs: Vec<Vec<Finding>> = (1..=seeds).map(findings).collect();
    let first = &runs[0];
    let mut rows = String::new();
    let mut all = 0;
    for (index, audit) in first.iter().enumerate() {
        let of = || runs.iter().map(|run| &run[index]);
        let expected = of().filter(|finding| finding.as_expected).count();
        all += usize::from(expected == runs.len());
        let mut epsilons: Vec<f64> = of().map(|finding| finding.epsilon_lower).collect();
        epsilons.sort_by(f64::total_cmp);
        let median =
            f64::midpoint(epsilons[(epsilons.len() - 1) / 2], epsilons[epsilons.len() / 2]);
        let what = match audit.expected {
            Expectation::Violated => "violated",
            Expectation::NotViolated => "not violated",
        };
        writeln!(
            rows,
            "| {} | {} | {:.0e} | {what} | {expected} of {seeds} | {:.4} | {median:.4} |",
            audit.name, audit.claim.words, audit.trials.total as f64, epsilons[0],
        )
        .expect("a string takes all");
    }
    format!(
        "# All audits that ship, seeds 1 to {seeds}\n\n\
         plaudit {}, default trials and levels; written by `cargo bench --bench seeds`. Certified ε \
         is the lower bound at the claim's δ (10⁻⁵ for μ-GDP).\n\n\
         As expected for every seed: {all} of {} audits.\n\n\
         | audit | claim | trials | expected | as expected | least certified ε | median certified ε |\n\
         |---|---|---|---|---|---|---|\n{rows}",
        env!("CARGO_PKG_VERSION"),
        first.len(),
    )
}
