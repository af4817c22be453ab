//! Programs of CheckDP's and DiPApprox's evaluations, decided as published.

#[path = "published/cases.rs"]
mod cases;
#[path = "published/decide.rs"]
mod decide;
#[allow(dead_code)]
mod programs;

use decide::{Case, Decision, On, decide, shown};
use std::time::Instant;

fn as_published(cases: Vec<Case>) {
    for case in cases {
        let (found, what) = (decide(&case), format!("{} of {}", case.name, case.size));
        assert_eq!(found.private(), Some(case.published.private), "{what}: {found:?}");
        if let (Some(known), Decision::Proved(found)) = (case.known, found) {
            assert!((found - known).abs() < 1e-6, "{what}: {found}, not {known}");
        }
    }
}

#[test]
fn checkdp() {
    as_published(cases::checkdp());
}

#[test]
fn gaussian() {
    as_published(cases::dipapprox());
}

#[test]
fn laplace() {
    as_published(cases::laplace());
}

/// Prints the table of benches/results/aligned.md.
#[test]
#[ignore = "prints a table with seconds"]
fn table() {
    println!("| program | answers | for | claim | published | in | ours | shown from below | in |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for case in cases::checkdp().iter().chain(&cases::dipapprox()).chain(&cases::laplace()) {
        let start = Instant::now();
        let found = decide(case);
        let seconds = start.elapsed().as_secs_f64();
        let (epsilon, delta) = case.claim;
        let on = match &case.on {
            On::All(_) => "all neighbors".to_owned(),
            On::Pairs { pairs, .. } if pairs.len() == 1 => "a pair".to_owned(),
            On::Pairs { pairs, .. } => format!("{} pairs", pairs.len()),
        };
        let ours = match &found {
            Decision::Proved(found) => format!("proved, ε = {found}"),
            Decision::ProvedOnPairs(found) => format!("proved, δ <= {found:.3e}"),
            Decision::Refuted(found) => format!("refuted, δ >= {found:.3e}"),
            Decision::Undecided(why) => format!("undecided: {why}"),
        };
        let below = matches!(found, Decision::Proved(_)).then(|| shown(case)).flatten();
        let below = below.map_or("".to_owned(), |below| format!("{below:.7}"));
        let published = match (case.published.private, case.published.seconds) {
            (_, Some(seconds)) if seconds >= 600.0 && delta > 0.0 => "timeout",
            (true, _) => "private",
            (false, _) => "not private",
        };
        let theirs = match case.published.seconds {
            Some(seconds) => format!("{seconds} s"),
            None if case.family == "CheckDP" => "< 70 s".to_owned(),
            None => "not run".to_owned(),
        };
        println!(
            "| {} {} | {} | {on} | ({epsilon}, {delta}) | {published} | {theirs} | {ours} | {below} | {seconds:.3} s |",
            case.family, case.name, case.size
        );
    }
}
