//! The detection benchmark: its catalog is consistent, nothing is certified beyond what is true, and
//! the program writes what it measured.
//!
//! Audits here are at level 1e-9: some bound of some 200 exceeds the truth with probability below
//! 1e-6, over the choice of the seeds, and never by a rerun.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use crate::tier;
use plaudit::benchmark::{Case, MechanismRow, cases};
use plaudit::cli::exit;
use plaudit::finding::Expectation;
use plaudit::game::Control;
use serde_json::Value;

#[test]
fn what_is_known_of_a_mechanism_fits_together() {
    let cases = cases().unwrap();
    assert!(cases.len() > 60, "{}", cases.len());
    for case in &cases {
        let Case { audit, truth, reference, oracle, .. } = case;
        let (epsilon, _) = audit.claim().as_epsilon_delta().unwrap();
        let best = truth.best.unwrap();
        let broken = audit.settings().expect == Expectation::Violated;
        assert_eq!(best > epsilon, broken, "{}: {best} of {epsilon}", audit.name());
        assert!(truth.pair.is_none_or(|pair| pair <= best), "{}", audit.name());
        assert!(reference.is_none_or(|reference| reference < best), "{}", audit.name());
        let rising = |two: &[(f64, f64)]| two[0].0 < two[1].0 && two[0].1 < two[1].1;
        assert!(oracle.windows(2).all(rising) && oracle.len() != 1, "{}", audit.name());
        let pair = truth.pair.unwrap_or(f64::INFINITY);
        assert!(oracle.iter().all(|(_, epsilon)| *epsilon < pair), "{}", audit.name());
    }
    assert_eq!(cases.iter().filter(|case| case.reference.is_some()).count(), 17);
    assert_eq!(cases.iter().filter(|case| !case.oracle.is_empty()).count(), 11);
}

#[test]
fn nothing_is_certified_beyond_the_truth() {
    // One of so many of the mechanisms, and audits of each.
    let (each, seeds) = tier::of([(4, 1), (1, 1), (1, 2)]);
    for mut case in cases().unwrap().into_iter().step_by(each) {
        let MechanismRow { name, truth, outcomes, .. } =
            case.run(&[1_000, 20_000], seeds, 1e-9, Control::unattended()).unwrap();
        let most = truth.pair.or(truth.best).unwrap();
        assert_eq!(outcomes.len(), 2, "{name}");
        for outcome in outcomes {
            assert!(outcome.least <= outcome.epsilon_lower, "{name}");
            assert!(outcome.epsilon_lower <= outcome.most, "{name}");
            // The truth stands in the catalog in four digits or more.
            assert!(outcome.most <= most + 1e-4, "{name}: {} of {most}", outcome.most);
        }
    }
}

/// Impossible outcomes of large probability, at 10 000 runs: missed with probability below 1e-9.
#[test]
fn gross_violations_are_found_with_few_runs() {
    let gross =
        ["noisy-histogram-2", "mean-of-constant-data", "group-by-keys", "nan-on-one-dataset"];
    let chosen = cases().unwrap().into_iter().filter(|c| gross.contains(&c.audit.name()));
    let mut rows = 0;
    for mut case in chosen {
        let row = case.run(&[100, 10_000], 3, 1e-6, Control::unattended()).unwrap();
        assert_eq!(row.outcomes[1].violated, 3, "{}", row.name);
        assert!(row.first_violation.unwrap().trials <= 10_000, "{}", row.name);
        rows += 1;
    }
    assert_eq!(rows, gross.len());
}

fn benchmark(folder: &Folder, jobs: &str) -> (Value, String, String) {
    let out = folder.path().join(jobs);
    let output = plaudit()
        .args(["benchmark", "--trials", "1e4,3e3", "--seeds", "3", "--jobs", jobs, "--out"])
        .arg(&out)
        .args(["--filter", "^(laplace-1|svt-5|randomized-response)$"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(i32::from(exit::AS_EXPECTED)), "{}", stderr(&output));
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    (serde_json::from_str(&read("benchmark.json")).unwrap(), read("benchmark.md"), stdout(&output))
}

#[test]
fn the_program_writes_what_it_measured_whatever_the_threads() {
    let folder = Folder::new();
    let (json, page, printed) = benchmark(&folder, "1");
    assert_eq!(page, printed);
    let names: Vec<&Value> = json["rows"].as_array().unwrap().iter().map(|r| &r["name"]).collect();
    assert_eq!(names, ["laplace-1", "randomized-response", "svt-5"]);
    let trials = |row: usize, at: usize| &json["rows"][row]["outcomes"][at]["trials"];
    assert_eq!((trials(0, 0), trials(0, 1)), (&Value::from(3_000), &Value::from(10_000)));
    assert_eq!(json["rows"][2]["truth"]["pair"], "+infinity");
    let ratio = json["rows"][0]["outcomes"][1]["ratio"].as_f64().unwrap();
    assert!((0.5..1.5).contains(&ratio), "{ratio}");
    for words in ["## Right", "## Broken", "| 3e3 runs | 1e4 runs |", "| svt-5 |", "∞"] {
        assert!(page.contains(words), "{words} is not in {page}");
    }
    let (again, ..) = benchmark(&folder, "2");
    let certified = |json: &Value| -> Vec<Value> {
        let rows = json["rows"].as_array().unwrap().iter();
        rows.flat_map(|row| row["outcomes"].as_array().unwrap())
            .map(|outcome| outcome["epsilon_lower"].clone())
            .collect()
    };
    assert_eq!(certified(&json), certified(&again));
}

#[test]
fn wrong_arguments_of_the_benchmark_are_told() {
    let folder = Folder::new();
    let cases: [(&[&str], u8, &str); 4] = [
        (&["--seeds", "0"], exit::FAILED, "between 1 and 10000"),
        (&["--trials", "1e4,5"], exit::FAILED, "between 100 and 1e12"),
        (&["--alpha", "0.6"], exit::FAILED, "between 1e-12 and 0.5"),
        (&["--filter", "^nothing$"], exit::NOTHING_SELECTED, "none of the"),
    ];
    for (arguments, code, words) in cases {
        let out = folder.path().join("out");
        let output =
            plaudit().arg("benchmark").args(arguments).arg("--out").arg(&out).output().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(code)), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{words:?} is not in {}", stderr(&output));
    }
}
