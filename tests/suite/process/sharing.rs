//! Right noise whose runs share randomness is no violation: programs that draw once for a request, that seed
//! with the time or with a fixed number.
//!
//! Audits are at α = 1e-6, and the check beforehand takes independent runs for others with probability at most
//! 1e-6, so that a test of n programs fails for a fresh seed with probability below 2n·10⁻⁶ although the code is
//! right. Where there is no Python these tests say so and test nothing.
#![cfg(unix)]

use crate::support::program::{interpreter, python};
use crate::tier;
use plaudit::dataset::Dataset;
use plaudit::finding::Finding;
use plaudit::inference::Test;
use plaudit::mechanism::process::Process;
use plaudit::mechanism::program::{Format, ProgramSettings};
use plaudit::{Audit, Claim, Verdict};
use serde_json::json;

/// A program: what it does before all requests, for each request, and for each run, with `data` as the
/// dataset and `laplace(generator)` as noise on a grid.
pub fn program(before: &str, request: &str, run: &str) -> String {
    format!(
        r#"
import json, random, sys, time
def laplace(r):
    return round((r.choice([-1, 1]) * r.expovariate(1.0)) * 1024) / 1024
{before}
for line in sys.stdin:
    asked = json.loads(line)
    data = asked["dataset"]
    r = random.Random(asked["seed"])
    {request}
    for _ in range(asked["runs"]):
        print(json.dumps({run}))
    sys.stdout.flush()
"#
    )
}

fn audit(code: &str, trials: u64, seed: u64) -> Finding {
    audit_in_batches(code, trials, seed, Some(256))
}

/// An audit of a program, with requests for at most so many runs.
pub fn audit_in_batches(code: &str, trials: u64, seed: u64, batch: Option<usize>) -> Finding {
    audit_with(code, trials, seed, |settings| settings.batch = batch)
}

/// An audit of a program, dealt with as a test wants it.
pub fn audit_with(
    code: &str,
    trials: u64,
    seed: u64,
    change: impl FnOnce(&mut ProgramSettings),
) -> Finding {
    finding(of_program(code, change).trials(trials).seed(seed))
}

/// An audit of a program at this α.
pub fn audit_with_alpha(code: &str, trials: u64, seed: u64, alpha: f64) -> Finding {
    finding(of_program(code, |_| ()).trials(trials).seed(seed).alpha(alpha))
}

fn of_program(code: &str, change: impl FnOnce(&mut ProgramSettings)) -> Audit<Dataset> {
    let mut settings = ProgramSettings {
        command: interpreter().into_iter().chain(["-c", code]).map(str::to_owned).collect(),
        clean: None,
        folder: std::path::PathBuf::new(),
        format: Format::Json,
        timeout: 60.0,
        batch: None,
        patience: 20.0,
        interleaved: false,
    };
    change(&mut settings);
    Audit::of_mechanism("shares", Claim::pure(1.0).unwrap(), Process::new(settings))
        .may_show_no_difference()
        .pair(Dataset::Json(json!(0.0)), Dataset::Json(json!(1.0)))
}

fn finding(audit: Audit<Dataset>) -> Finding {
    audit.report().unwrap().audits.remove(0)
}

/// Keys of caches that fill. The second tier has fewer and more of them, too.
fn caches() -> &'static [u32] {
    tier::of([&[500][..], &[50, 500, 5_000], &[50, 500, 5_000]])
}

pub fn notes(finding: &Finding) -> String {
    format!("{} {:?}", finding.reason(), finding.notes)
}

#[test]
fn one_noise_for_a_whole_request_is_seen_and_its_runs_are_asked_for_one_by_one() {
    if !python() {
        return;
    }
    let code = program("", "shared = laplace(r)", "data + shared");
    for seed in 0..3 {
        let finding = audit(&code, 8_000, seed);
        assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", notes(&finding));
        assert!(notes(&finding).contains("not independent"), "{}", notes(&finding));
    }
    // Half of the noise is shared, half is not.
    let code = program("", "shared = laplace(r)", "data + shared + laplace(r)");
    let finding = audit(&code, 8_000, 1);
    assert_ne!(finding.verdict, Verdict::Violated, "{}", notes(&finding));
    assert!(notes(&finding).contains("not independent"), "{}", notes(&finding));
}

#[test]
fn a_generator_seeded_with_the_second_accuses_nobody() {
    if !python() {
        return;
    }
    let code = program("", "r = random.Random(int(time.time()))", "data + laplace(r)");
    let finding = audit(&code, 8_000, 1);
    assert_ne!(finding.verdict, Verdict::Violated, "{}", notes(&finding));
    assert_ne!(finding.verdict, Verdict::Bounded, "{}", notes(&finding));
    assert!(notes(&finding).contains("repeat"), "{}", notes(&finding));
}

#[test]
fn a_fixed_seed_is_said_to_repeat() {
    if !python() {
        return;
    }
    let anew = program("", "r = random.Random(7)", "data + laplace(r)");
    let finding = audit(&anew, 8_000, 1);
    assert_eq!(finding.verdict, Verdict::Inconclusive, "{}", notes(&finding));
    assert!(notes(&finding).contains("repeat"), "{}", notes(&finding));
    let once = program("fixed = random.Random(7)", "", "data + laplace(fixed)");
    let finding = audit(&once, 8_000, 1);
    assert_ne!(finding.verdict, Verdict::Violated, "{}", notes(&finding));
}

#[test]
fn right_programs_are_asked_as_before() {
    if !python() {
        return;
    }
    let fair = [
        program("", "", "data + laplace(r)"),
        program("", "", "1 if r.random() < (0.7 if data else 0.3) else 0"),
        program("", "", "data + laplace(r) if r.random() < 0.5 else None"),
        program("", "", "[laplace(r), data + laplace(r)]"),
        program("", "", "{'a': data + laplace(r)}"),
        program("", "", "r.choice(['x', 'y', 'z'])"),
    ];
    for code in fair {
        let finding = audit(&code, 8_000, 2);
        assert_eq!(finding.verdict, Verdict::NotRefuted, "{code}\n{}", notes(&finding));
        assert!(finding.notes.is_empty(), "{code}\n{}", notes(&finding));
    }
    // A real leak is found as before.
    let finding = audit(&program("", "", "4 * data + laplace(r)"), 8_000, 2);
    assert_eq!(finding.verdict, Verdict::Violated, "{}", notes(&finding));
    // A generator of its own that follows no seed, but draws each run anew.
    let unseeded = program("own = random.SystemRandom()", "", "data + laplace(own)");
    let finding = audit(&unseeded, 8_000, 2);
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", notes(&finding));
}

/// What a run draws is kept under a key that the seed picks, and given again to whoever picks it: runs that a
/// copy makes later are no fresh ones, though each seed that it had gets what it got.
#[test]
fn a_cache_that_fills_is_seen_before_it_counts() {
    if !python() {
        return;
    }
    for keys in caches() {
        let run = format!("cache.setdefault((data, r.randrange({keys})), data + laplace(r))");
        let code = program("cache = {}", "", &run);
        let finding = audit_with(&code, 20_000, 1, |settings| {
            settings.batch = Some(256);
            settings.patience = tier::of([6.0, 20.0, 20.0]);
        });
        // What a copy keeps may be a leak of later releases: only a test that allows for that may say so.
        let by_fixed_trials = finding.verdict == Verdict::Violated && finding.test != Test::Betting;
        assert!(!by_fixed_trials, "{keys} {}", notes(&finding));
        assert!(
            notes(&finding).contains("other outcomes after earlier runs"),
            "{keys} {}",
            notes(&finding)
        );
    }
}
