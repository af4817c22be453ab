//! Programs that keep something from run to run, or whose runs share something: each run of a fresh copy, alone in
//! its request, is 1-DP. A test that counts runs must not call them violated; the betting test may, since it tests
//! the claim for each run given all runs before it.
//!
//! Audits are at α = 1e-6. `SUITE=all cargo test --release --test suite -- remembers --nocapture` prints the
//! table of `docs/external-state.md`, at 50 seeds each.
#![cfg(unix)]

use super::sharing::{audit_in_batches, audit_with, notes, program};
use crate::support::program::python;
use crate::tier;
use plaudit::Verdict;
use plaudit::inference::Test;

const TRIALS: u64 = 20_000;
/// Seconds for each audit: where a program keeps state, each run has a fresh copy for as long.
fn patience() -> f64 {
    tier::of([6.0, 20.0, 20.0])
}

/// Name, what the program does before all requests, for each request, and the outcome of a run.
const PROGRAMS: [(&str, &str, &str, &str); 34] = [
    (
        "cache of 50 keys",
        "cache = {}",
        "",
        "cache.setdefault((data, r.randrange(50)), data + laplace(r))",
    ),
    (
        "cache of 500 keys",
        "cache = {}",
        "",
        "cache.setdefault((data, r.randrange(500)), data + laplace(r))",
    ),
    (
        "cache of 5000 keys",
        "cache = {}",
        "",
        "cache.setdefault((data, r.randrange(5000)), data + laplace(r))",
    ),
    ("cache by dataset", "cache = {}", "", "cache.setdefault(data, data + laplace(r))"),
    (
        "cache of noise, 500 keys",
        "cache = {}",
        "",
        "data + cache.setdefault(r.randrange(500), laplace(r))",
    ),
    (
        "cache by seed",
        "cache = {}",
        "first = asked['seed']",
        "cache.setdefault((first, _, data), data + laplace(r))",
    ),
    ("cache that fills at 1000", BOUNDED, "", "keep(r.randrange(10**6), r, data)"),
    ("LRU of 256, 1000 keys", LRU, "", "keep((data, r.randrange(1000)), r, data)"),
    ("cache cleared at random", CLEARED, "", "keep((data, r.randrange(500)), r, data)"),
    (
        "cache cleared for each request",
        "",
        "cache = {}",
        "cache.setdefault(r.randrange(50), data + laplace(r))",
    ),
    (
        "cache of 500 keys, entropy",
        "cache = {}",
        "",
        "cache.setdefault((data, own.randrange(500)), data + laplace(own))",
    ),
    (
        "pool of 1000 noises, entropy",
        "pool = [laplace(own) for _ in range(1000)]",
        "",
        "data + r.choice(pool)",
    ),
    (
        "pool of 64 noises a request",
        "",
        "pool = [laplace(r) for _ in range(64)]",
        "data + r.choice(pool)",
    ),
    ("pool that is used up and refilled", REFILLED, "", "data + draw(r)"),
    (
        "half the noise after 1000 runs",
        "count = [0]",
        "",
        "data + laplace(r) / (1 + (count.append(0) or len(count) > 1000))",
    ),
    (
        "no noise in each 1000th run",
        "count = [0]",
        "",
        "data + laplace(r) * (count.append(0) or len(count) % 1000 != 0)",
    ),
    (
        "silent after 5000 runs",
        "count = [0]",
        "",
        "data + laplace(r) if count.append(0) or len(count) < 5000 else None",
    ),
    (
        "counter beside the value",
        "count = [0]",
        "",
        "[count.append(0) or len(count), data + laplace(r)]",
    ),
    (
        "shared term of weight .02",
        "",
        "shared = laplace(r)",
        "data + laplace(r) + round(20.48 * shared) / 1024",
    ),
    (
        "shared term of weight .05",
        "",
        "shared = laplace(r)",
        "data + laplace(r) + round(51.2 * shared) / 1024",
    ),
    (
        "shared term of weight .1",
        "",
        "shared = laplace(r)",
        "data + laplace(r) + round(102.4 * shared) / 1024",
    ),
    (
        "shared term of weight .2",
        "",
        "shared = laplace(r)",
        "data + laplace(r) + round(204.8 * shared) / 1024",
    ),
    (
        "shared term of weight .5",
        "",
        "shared = laplace(r)",
        "data + laplace(r) + round(512 * shared) / 1024",
    ),
    (
        "shared term of weight .2, entropy",
        "",
        "shared = laplace(own)",
        "data + laplace(own) + round(204.8 * shared) / 1024",
    ),
    ("term shared by a process", "shared = laplace(own)", "", "data + laplace(r) + shared"),
    ("noise shared by a process", "shared = laplace(own)", "", "data + shared"),
    ("sign shared by a request", "", "sign = r.choice([-1, 1])", "data + sign * abs(laplace(r))"),
    (
        "one request in 20 has one noise",
        "",
        "one, shared = r.random() < .05, laplace(r)",
        "data + (shared if one else laplace(r))",
    ),
    (
        "each noise twice, with both signs",
        "kept = []",
        "",
        "data + (-kept.pop() if kept else (kept.append(laplace(r)) or kept[0]))",
    ),
    ("seeded by the clock", "", "r = random.Random(time.time_ns())", "data + laplace(r)"),
    ("seeded by the second", "", "r = random.Random(int(time.time()))", "data + laplace(r)"),
    (
        "seeded by the process",
        "import os; fixed = random.Random(os.getpid())",
        "",
        "data + laplace(fixed)",
    ),
    ("seeded by the data", "", "r = random.Random(int(data))", "data + laplace(r)"),
    ("1000 seeds", "", "r = random.Random(asked['seed'] % 1000)", "data + laplace(r)"),
];

const BOUNDED: &str = r#"
cache = {}
def keep(key, r, data):
    if len(cache) < 1000:
        cache[len(cache)] = laplace(r)
    return data + cache[key % len(cache)] if len(cache) == 1000 else data + laplace(r)
"#;

const LRU: &str = r#"
import collections
cache = collections.OrderedDict()
def keep(key, r, data):
    if key not in cache:
        cache[key] = data + laplace(r)
    cache.move_to_end(key)
    if len(cache) > 256:
        cache.popitem(last=False)
    return cache[key]
"#;

const CLEARED: &str = r#"
cache = {}
def keep(key, r, data):
    if own.random() < .001:
        cache.clear()
    return cache.setdefault(key, data + laplace(r))
"#;

const REFILLED: &str = r#"
pool = []
def draw(r):
    if not pool:
        pool.extend([laplace(own) for _ in range(50)] * 4)
        own.shuffle(pool)
    return pool.pop()
"#;

#[test]
fn a_program_that_remembers_is_not_violated_by_a_test_that_counts_runs() {
    if !python() {
        return;
    }
    println!(
        "| program | `not refuted` | `inconclusive` | `violated`, betting | `violated` | noted |\n|---|---|---|---|---|---|"
    );
    let mut wrong = Vec::new();
    // One of so many of the programs, and audits of each.
    let (each, seeds) = tier::of([(9, 1), (5, 1), (1, 50)]);
    for (name, before, request, run) in PROGRAMS.into_iter().step_by(each) {
        let code = program(&format!("own = random.SystemRandom()\n{before}"), request, run);
        let (mut ended, mut said) = ([0; 4], 0);
        for seed in 0..seeds {
            let finding =
                audit_with(&code, TRIALS, seed, |settings| settings.patience = patience());
            let at = match (finding.verdict, finding.test) {
                (Verdict::Violated, Test::Betting) => 2,
                (Verdict::Violated, _) => 3,
                (Verdict::Inconclusive, _) => 1,
                _ => 0,
            };
            ended[at] += 1;
            said += usize::from(at == 1 || !finding.notes.is_empty());
            if at == 3 {
                wrong.push(format!("{name}, seed {seed}: {}", notes(&finding)));
            }
        }
        let [right, inconclusive, betting, counted] = ended;
        println!("| {name} | {right} | {inconclusive} | {betting} | {counted} | {said} |");
    }
    assert!(
        wrong.is_empty(),
        "{} of {} programs and seeds:\n{}",
        wrong.len(),
        PROGRAMS.len() as u64 * seeds,
        wrong.join("\n")
    );
}

/// What is released for one run is what is audited, whatever a request for many gives.
#[test]
fn a_request_for_one_run_is_looked_at() {
    if !python() {
        return;
    }
    let code = program("", "many = asked['runs'] > 1", "data + laplace(r) if many else data");
    let finding = audit_in_batches(&code, TRIALS, 1, None);
    assert_eq!(finding.verdict, Verdict::Violated, "{}", notes(&finding));
    assert!(
        notes(&finding).contains("for one run are answered differently"),
        "{}",
        notes(&finding)
    );
}

/// Copies that begin to keep what they draw when they have answered thirty requests.
#[test]
fn a_cache_that_starts_late_is_seen_while_trials_are_played() {
    if !python() {
        return;
    }
    let request = "asked_so_far = asked_so_far + 1";
    let run = "data + laplace(r) if asked_so_far < 150 else cache.setdefault((data, r.randrange(200)), data + laplace(r))";
    let code = program("cache, asked_so_far = {}, 0", request, run);
    let finding = audit_in_batches(&code, TRIALS, 1, None);
    assert_eq!(finding.verdict, Verdict::Inconclusive, "{}", notes(&finding));
    assert!(finding.reason().contains("does not behave like a fresh copy"), "{}", notes(&finding));
}

/// Runs of 20 ms: 4096 of them would take longer than a request may.
#[test]
#[ignore = "takes several seconds"]
fn slow_runs_get_small_requests() {
    if !python() {
        return;
    }
    let code = program("", "", "time.sleep(.02) or data + laplace(r)");
    let finding = audit_with(&code, 400, 1, |settings| {
        settings.batch = None;
        settings.timeout = 4.0;
    });
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", notes(&finding));
}
