//! Old violations on mechanisms that were fixed, the leak that a mistake is in, and certificates that are checked from the folder of
//! their report.
#![cfg(all(feature = "cli", unix))]

use crate::support::cli::{Folder, UNDERSTATED, stderr, stdout};
use crate::support::program::python;

/// Adds noise of the scale that it is told; refuses datasets with a 1 if it is told to.
const PROGRAM: &str = r#"import json, math, random, sys
SCALE, REFUSES = 0.25, False
for line in sys.stdin:
    request = json.loads(line)
    noise = random.Random(request["seed"])
    x = float(request["dataset"][0])
    for _ in range(request["runs"]):
        if REFUSES:
            print(json.dumps({"$error": "not here"}))
        else:
            print(round(x + SCALE * noise.choice((-1, 1)) * -math.log(1 - noise.random()), 3))
    sys.stdout.flush()
"#;

const SPEC: &str = r#"[[audit]]
name = "noisy"
mechanism = { command = ["python3", "noisy.py"] }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
trials = 6_000
"#;

#[test]
fn a_fixed_program_no_longer_shows_an_old_violation() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.spec("noisy.py", PROGRAM);
    folder.spec("a.toml", SPEC);
    let found = folder.run(&["audit", "a.toml", "--out", "old"]);
    assert_eq!(found.status.code(), Some(1), "{}{}", stdout(&found), stderr(&found));
    let again = ["audit", "a.toml", "--out", "new", "--regression", "old/certificates/noisy.json"];
    let still = folder.run(&again);
    assert_eq!(still.status.code(), Some(1), "{}", stdout(&still));
    assert!(
        stdout(&still).contains("noisy: the violation is still there: ε ≥ "),
        "{}",
        stdout(&still)
    );
    // With enough noise, and where it refuses on purpose.
    for fixed in [
        PROGRAM.replace("SCALE, REFUSES = 0.25", "SCALE, REFUSES = 1.0"),
        PROGRAM.replace("REFUSES = 0.25, False", "REFUSES = 1.0, True"),
    ] {
        folder.spec("noisy.py", &fixed);
        let gone = folder.run(&again);
        let said = stdout(&gone);
        assert_eq!(gone.status.code(), Some(0), "{said}{}", stderr(&gone));
        assert!(said.contains("noisy: the violation is gone: "), "{said}");
        assert!(said.contains("would have been seen with probability 0.9"), "{said}");
        assert!(said.contains("regression: 1 violation gone"), "{said}");
        let fails = said.contains("But on this pair nearly all runs fail: \"not here\"");
        assert_eq!(fails, fixed.contains("True"), "{said}");
    }
    // What no spec names is not played.
    folder.spec(
        "b.toml",
        &[UNDERSTATED, &UNDERSTATED.replace("laplace-understated", "other")].concat(),
    );
    let unknown = folder.run(&["audit", "b.toml", "--regression", "old/certificates/noisy.json"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("no audit `noisy`"), "{}", stderr(&unknown));
}

#[test]
fn stored_pairs_are_played_on_a_fixed_mechanism() {
    let spec = |scale: &str| {
        format!(
            "[[audit]]\nname = \"searched\"\nmechanism = {{ kind = \"laplace\", scale = {scale} }}\nrelation = {{ linf = 1.0 }}\n\
             domain = {{ lower = 0, upper = 3, size = 1 }}\nclaim = {{ epsilon = 1.0 }}\ntrials = 40_000\nverify = false\n"
        )
    };
    let folder = Folder::new();
    folder.spec("a.toml", &spec("0.25"));
    let found = folder.run(&["audit", "a.toml"]);
    assert_eq!(found.status.code(), Some(1), "{}", stdout(&found));
    let again = ["audit", "a.toml", "--regression", "a.regressions.toml"];
    let still = folder.run(&again);
    assert_eq!(still.status.code(), Some(1), "{}{}", stdout(&still), stderr(&still));
    assert!(stdout(&still).contains("the violation is still there: "), "{}", stdout(&still));
    folder.spec("a.toml", &spec("1.0"));
    let gone = folder.run(&again);
    assert_eq!(gone.status.code(), Some(0), "{}{}", stdout(&gone), stderr(&gone));
    assert!(stdout(&gone).contains("the violation is gone: A true ε of "), "{}", stdout(&gone));
    // Where no loss would be seen nothing is gone.
    folder.spec("a.toml", &spec("1.0").replace("epsilon = 1.0 }", "epsilon = 1.0, delta = 1.0 }"));
    let stored = std::fs::read_to_string(folder.path().join("a.regressions.toml")).unwrap();
    let of_file = match stored.matches("[[pair]]").count() {
        1 => "of 1 violation not tested".to_owned(),
        pairs => format!("of {pairs} violations not tested"),
    };
    let cases = [
        ("a.regressions.toml", &of_file[..]),
        ("reports/certificates/searched.json", "of 1 violation not tested"),
    ];
    for (old, how_many) in cases {
        let untested = folder.run(&["audit", "a.toml", "--regression", old]);
        let said = stdout(&untested);
        assert_eq!(untested.status.code(), Some(3), "{said}{}", stderr(&untested));
        assert!(said.contains("whether the violation is gone was not tested"), "{said}");
        assert!(said.contains(how_many), "{said}");
    }
    // A file that is not beside a spec that is read.
    folder.spec("b.toml", UNDERSTATED);
    let other = folder.run(&["audit", "b.toml", "--regression", "a.regressions.toml"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("name the spec next to it"), "{}", stderr(&other));
}

/// The pair is shrunk from 0 and 3 to 0 and 1, where less shows.
#[test]
fn a_stored_pair_shows_no_less_in_the_next_run() {
    let folder = Folder::new();
    let spec = "[[audit]]\nname = \"searched\"\nmechanism = { kind = \"laplace\", scale = 0.4 }\nrelation = { linf = 3.0 }\n\
                domain = { lower = 0, upper = 3, size = 1 }\nclaim = { epsilon = 1.0 }\ntrials = 200_000\nverify = false\n";
    folder.spec("a.toml", spec);
    let finding = |seed: &str| {
        let ran = folder.run(&["audit", "a.toml", "--seed", seed]);
        assert_eq!(ran.status.code(), Some(1), "{}{}", stdout(&ran), stderr(&ran));
        let report = std::fs::read_to_string(folder.path().join("reports/report.json")).unwrap();
        serde_json::from_str::<serde_json::Value>(&report).unwrap()["audits"][0].take()
    };
    let bound = |finding: &serde_json::Value| finding["epsilon_lower"].as_f64().unwrap();
    let (first, again) = (finding("0"), finding("1"));
    assert!(first["smallest"]["epsilon_lower"].as_f64().unwrap() < 0.5 * bound(&first), "{first}");
    assert_eq!(again["pair"]["name"], "found before (0)");
    assert!(bound(&again) > 0.9 * bound(&first), "{} and {}", bound(&first), bound(&again));
}

#[test]
fn a_certificate_of_a_program_is_checked_from_the_folder_of_its_report() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("specs")).unwrap();
    folder.spec("specs/noisy.py", PROGRAM);
    folder.spec("specs/a.toml", SPEC);
    folder.run(&["audit", "specs/a.toml", "--out", "reports/today"]);
    let mut command = crate::support::cli::plaudit();
    command.current_dir(folder.path().join("reports/today"));
    let output =
        command.args(["replay", "--run-program", "certificates/noisy.json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert!(stderr(&output).contains("the program is started in `"), "{}", stderr(&output));
}

/// Noise in doubles that is right but for its bits, and a planted mistake too small to be seen: 1.99 where 2 is right.
#[test]
fn low_bits_do_not_show_a_mistake_that_is_elsewhere() {
    let planted = |name: &str, more: &str| {
        format!(
            "[[audit]]\nname = \"{name}\"\nmechanism = {{ kind = \"laplace-in-floats\", scale = 1.99 }}\n\
             relation = {{ linf = 1.0 }}\npairs = [{{ d = [0.0], d_prime = [1.0] }}]\nclaim = {{ epsilon = 0.5 }}\n\
             trials = 100_000\nexpect = \"violated\"\n{more}\n"
        )
    };
    let folder = Folder::new();
    folder.spec(
        "a.toml",
        &[planted("silent", ""), planted("bits", "expect_leak = \"bits\"")].concat(),
    );
    let run = folder.run(&["audit", "a.toml"]);
    assert_eq!(run.status.code(), Some(1), "{}", stdout(&run));
    let report = folder.report("reports");
    let [silent, bits] = [0, 1].map(|at| &report["audits"][at]);
    for audit in [silent, bits] {
        assert_eq!(audit["verdict"], "violated", "{audit}");
        assert_eq!(audit["leak_source"], "bits");
    }
    assert_eq!((&silent["as_expected"], &bits["as_expected"]), (&false.into(), &true.into()));
    assert!(silent["reason"].as_str().unwrap().starts_with("Caught by low bits only."), "{silent}");
    assert!(stdout(&run).contains("violated (low bits)"), "{}", stdout(&run));
    assert!(silent["headline"]["words"].as_str().unwrap().ends_with("(low bits)"));
    let gate = folder.run(&["gate", "a.toml", "--out", "gate"]);
    let said = stdout(&gate) + &stderr(&gate);
    assert_eq!(gate.status.code(), Some(1), "{said}");
    assert!(said.contains("missed-mistake: silent: "), "{said}");
    // A leak that there is none of is a mistake of the spec.
    folder.spec("b.toml", &planted("x", "expect_leak = \"noise\""));
    let wrong = folder.run(&["audit", "b.toml"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("unknown leak `noise` in `expect_leak`"), "{}", stderr(&wrong));
}
