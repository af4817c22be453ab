//! Searches over the catalog: every broken mechanism is violated from the description of a domain alone,
//! and no right one is.
//!
//! The right ones are 32 audits at level 1e-11: one of them is violated by chance with probability at
//! most 4e-10.

use crate::support::search::broken::BROKEN;
use crate::support::search::right::RIGHT;
use crate::support::search::{audits, spec};
use plaudit::Verdict;
use plaudit::game::Control;
use plaudit::spec::Overrides;

/// Weak signals need more trials than the others, which get the default; a panic costs a thousand times
/// what noise does.
fn trials(name: &str) -> u64 {
    match name {
        "noisy-max-3" | "exact-stable-at-least" => 4_000_000,
        "svt-3" | "svt-4" | "svt-6" | "exact-svt-3" | "exact-svt-4" => 2_000_000,
        "fault-panic" => 100_000,
        _ => 1_000_000,
    }
}

#[test]
#[ignore = "takes minutes"]
fn every_broken_mechanism_is_violated_from_its_domain_alone() {
    let mut missed = Vec::new();
    for loaded in audits(&spec(BROKEN, ""), &Overrides::default()) {
        let trials = trials(loaded.audit.name());
        let finding = loaded.audit.trials(trials).run(Control::unattended()).unwrap().finding;
        println!("{}: {:?} in {:.1} s", finding.name, finding.verdict, finding.wall_s);
        if finding.verdict != Verdict::Violated {
            missed.push(format!("{}: {}", finding.name, finding.reason()));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
#[ignore = "takes minutes"]
fn no_right_mechanism_is_violated() {
    let overrides = Overrides { trials: Some(200_000), alpha: Some(1e-11), ..Overrides::default() };
    for loaded in audits(&spec(RIGHT, ""), &overrides) {
        let finding = loaded.audit.run(Control::unattended()).unwrap().finding;
        assert_ne!(finding.verdict, Verdict::Violated, "{}: {}", finding.name, finding.reason());
    }
}
