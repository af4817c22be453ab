//! Trials given as a time: their number is fixed beforehand, from runs that are not counted, and reported.
//!
//! Right mechanisms are audited at level 1e-6, which is the probability that a test fails by chance.
#![cfg(all(feature = "cli", unix))]

use crate::support::cli::{Folder, LAPLACE, plaudit, stderr, stdout};
use crate::support::program::python;
use serde_json::Value;

fn report(folder: &Folder, more: &[&str]) -> Value {
    let mut command = plaudit();
    let output =
        command.current_dir(folder.path()).args(["audit", "a.toml"]).args(more).output().unwrap();
    // So few trials of a slow program may be too few to tell.
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 3)), "{}{}", stdout(&output), stderr(&output));
    let text = std::fs::read_to_string(folder.path().join("reports/report.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The trials of the only audit, if its notes tell their number and where it is from.
fn told(report: &Value) -> Option<u64> {
    let audit = &report["audits"][0];
    let trials = &audit["trials"];
    let total = trials["total"].as_u64().unwrap();
    assert_eq!(trials["explore"].as_u64().unwrap() + trials["confirm"].as_u64().unwrap(), total);
    let tally = &audit["tally"];
    let counted: u64 = ["d", "d_prime"]
        .iter()
        .flat_map(|side| tally[side].as_array().unwrap())
        .map(|count| count.as_u64().unwrap())
        .sum();
    // What was measured is not among what is counted.
    assert_eq!(counted, trials["confirm"].as_u64().unwrap());
    let said = format!("gives a time, 1 s: {} trials, at ", plaudit::number::grouped(total));
    let mut notes = audit["notes"].as_array().into_iter().flatten();
    notes.any(|note| note.as_str().unwrap().contains(&said)).then_some(total)
}

#[test]
fn a_time_in_the_spec_or_the_command_line_fixes_the_trials() {
    let folder = Folder::new();
    folder.spec("a.toml", &LAPLACE.replace("20_000", "\"1 s\""));
    assert!(told(&report(&folder, &[])).is_some());
    // A number outranks it there, and a time a number.
    assert_eq!(report(&folder, &["--trials", "20000"])["audits"][0]["trials"]["total"], 20_000);
    folder.spec("a.toml", LAPLACE);
    assert_eq!(told(&report(&folder, &[])), None);
    assert!(told(&report(&folder, &["--trials", "1s"])).is_some());
}

/// A program whose runs take 10 ms at least, under a claim of ε and for a second.
fn slow(folder: &Folder, epsilon: &str) {
    let program = "import json, random, sys, time\nfor line in sys.stdin:\n    request = json.loads(line)\n    \
                   r = random.Random(request['seed'])\n    for _ in range(request['runs']):\n        \
                   time.sleep(0.01)\n        print(int(r.random() < 0.5))\n    sys.stdout.flush()\n";
    folder.spec("slow.py", program);
    let kind = "{ kind = \"laplace\", epsilon = 1.0, sensitivity = 1.0 }";
    let text = LAPLACE.replace(kind, "{ command = [\"python3\", \"slow.py\"] }");
    let text = text
        .replace("20_000", "\"1 s\"")
        .replace("claim = { epsilon = 1.0 }", &format!("claim = {{ epsilon = {epsilon} }}"));
    assert!(text.contains(epsilon), "{text}");
    folder.spec("a.toml", &format!("{text}min_power = false\nconstant = \"allowed\"\n"));
}

/// A second has room for a hundred runs on each of two threads.
#[test]
#[ignore = "takes several seconds"]
fn a_slow_program_gets_few_trials() {
    let folder = Folder::new();
    slow(&folder, "1.0");
    if !python() {
        return;
    }
    let trials = told(&report(&folder, &["--jobs", "2"])).unwrap();
    assert!((100..=200).contains(&trials), "{trials}");
}

/// ε = 8 takes 41 000 counted runs, whatever they show.
#[test]
#[ignore = "takes several seconds"]
fn a_time_that_can_show_nothing_is_refused_before_its_trials() {
    let folder = Folder::new();
    slow(&folder, "8.0");
    if !python() {
        return;
    }
    let report = report(&folder, &[]);
    let audit = &report["audits"][0];
    assert_eq!(audit["verdict"], "inconclusive");
    assert_eq!(audit["trials"]["total"], 0);
    let words = audit["reason"].as_str().unwrap();
    assert!(words.contains("No trial was run"), "{words}");
    assert!(words.contains("At least 48 4") && words.contains("are needed"), "{words}");
}

#[test]
fn what_is_no_time_is_a_mistake() {
    let folder = Folder::new();
    for (time, words) in [
        ("\"60\"", "`trials` is neither a whole number nor a time"),
        ("\"60 days\"", "`trials` is neither a whole number nor a time"),
        ("\"0 s\"", "a time is between 1 s and 1000 h"),
    ] {
        folder.spec("a.toml", &LAPLACE.replace("20_000", time));
        let output =
            plaudit().current_dir(folder.path()).args(["audit", "a.toml"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
        assert!(
            stderr(&output).contains("help: write a whole number, or a time: trials = \"60 s\"")
        );
    }
    let output = plaudit().args(["audit", "--trials", "0s"]).output().unwrap();
    assert!(stderr(&output).contains("a time is between 1 s and 1000 h"), "{}", stderr(&output));
}

/// The first copy of a program answers what was not declared, and no other: it was seen before the trials were
/// known, and is not forgotten.
#[test]
fn an_undeclared_outcome_of_the_first_look_is_remembered() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    let program = "import json, os, random, sys\nfirst = not os.path.exists('seen')\nopen('seen', 'w')\n\
                   for line in sys.stdin:\n    request = json.loads(line)\n    \
                   r = random.Random(request['seed'])\n    for _ in range(request['runs']):\n        \
                   print('\"leak\"' if first else r.choice(['\"a\"', '\"b\"']))\n        first = False\n    \
                   sys.stdout.flush()\n";
    folder.spec("rare.py", program);
    let kind = "{ kind = \"laplace\", epsilon = 1.0, sensitivity = 1.0 }";
    let command = "{ command = [\"python3\", \"rare.py\"] }\noutcomes = [\"a\", \"b\"]";
    folder.spec("a.toml", &LAPLACE.replace(kind, command).replace("20_000", "\"1 s\""));
    let report = report(&folder, &[]);
    let audit = &report["audits"][0];
    assert_eq!(audit["verdict"], "inconclusive", "{}", audit["reason"]);
    assert!(audit["reason"].as_str().unwrap().contains("leak"), "{}", audit["reason"]);
}
