//! False alarms on published libraries: ten mechanisms that are right, each audited again and again
//! by seeds of its own. Prints a Markdown table and writes it to the file given.
//!
//! The audits are those of `audits/real`, run as `plaudit audit` runs them, at 2·10⁴ trials. The
//! libraries draw from the system's entropy, so that no two runs of this are the same.
//!
//! `audits/real/install.sh && cargo bench --bench real -- benches/results/real.md [AUDITS]`

use plaudit::Verdict;
use plaudit::finding::Finding;
use plaudit::game::Control;
use plaudit::spec::{Overrides, load};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Right mechanisms, most of them tight: nothing that is looked at could be nearer to an alarm.
const RIGHT: [&str; 10] = [
    "diffprivlib-geometric",
    "diffprivlib-binary",
    "opendp-laplace",
    "opendp-randomized-response",
    "pydp-laplace",
    "pydp-laplace-integers",
    "pydp-count",
    "pydp-bounded-sum",
    "pydp-bounded-mean",
    "numpy-laplace-rounded",
];
/// Audits of each.
const AUDITS: u64 = 50;
/// Runs of an audit.
const TRIALS: u64 = 20_000;
/// The first seed.
const SEED: u64 = 1;

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let audits = match arguments.get(1) {
        Some(number) => number.parse().expect("the number of audits"),
        None => AUDITS,
    };
    let start = Instant::now();
    // Seed by seed, so that a run that is broken off has looked at all of them.
    let mut findings = Vec::new();
    for seed in SEED..SEED + audits {
        findings.push(findings_of(seed));
        eprintln!("seed {seed}: {:.0} s", start.elapsed().as_secs_f64());
        if let Some(path) = arguments.first() {
            let folder = Path::new(path).parent().expect("the path of a file");
            std::fs::create_dir_all(folder).expect("the folder can be made");
            std::fs::write(path, table(&findings)).expect("the file can be written");
        }
    }
    print!("{}", table(&findings));
}

/// The findings of the right mechanisms for one seed, in their order.
fn findings_of(seed: u64) -> Vec<Finding> {
    let overrides = Overrides { seed: Some(seed), trials: Some(TRIALS), ..Overrides::default() };
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("audits/real");
    let mut audits = load(&[folder], &overrides).expect("the audits that ship are sound");
    let finding = |name: &&str| {
        let place = audits.iter().position(|loaded| loaded.audit.name() == *name);
        let audit = audits.swap_remove(place.expect("an audit of this name")).audit;
        audit.run(Control::unattended()).expect("a finding").finding
    };
    RIGHT.iter().map(finding).collect()
}

fn table(findings: &[Vec<Finding>]) -> String {
    let mut rows = String::new();
    let mut alarms = 0;
    let mut other = 0;
    for (place, name) in RIGHT.iter().enumerate() {
        let of = || findings.iter().map(|run| &run[place]);
        let count = |verdict| of().filter(|finding| finding.verdict == verdict).count();
        let (violated, inconclusive) = (count(Verdict::Violated), count(Verdict::Inconclusive));
        alarms += violated;
        other += inconclusive;
        let mut epsilons: Vec<f64> = of().map(|finding| finding.epsilon_lower).collect();
        epsilons.sort_by(f64::total_cmp);
        let median =
            f64::midpoint(epsilons[(epsilons.len() - 1) / 2], epsilons[epsilons.len() / 2]);
        writeln!(
            rows,
            "| {name} | {} | {violated} | {inconclusive} | {median:.4} | {:.4} |",
            findings[0][place].claim.words,
            epsilons[epsilons.len() - 1],
        )
        .expect("a string takes all");
    }
    let first = &findings[0][0];
    format!(
        "# Right mechanisms of published libraries, {} audits of each\n\n\
         plaudit {}, audits of `audits/real` at {TRIALS} trials and α = {:e}, seeds {SEED} to {}; \
         written by `cargo bench --bench real`. Certified ε is the lower bound at that α.\n\n\
         Violated: {alarms} of {}. Inconclusive: {other}.\n\n\
         | audit | claim | violated | inconclusive | median certified ε | largest certified ε |\n\
         |---|---|---|---|---|---|\n{rows}",
        findings.len(),
        env!("CARGO_PKG_VERSION"),
        first.alpha,
        SEED + findings.len() as u64 - 1,
        findings.len() * RIGHT.len(),
    )
}
