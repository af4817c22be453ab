//! `plaudit audit --until-clear`: programs, replays, and what does not go with it.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, stderr, stdout};
use crate::support::program::python;
use plaudit::cli::exit;

/// Answers each run with noise on the dataset's only number, at the scale that its argument says.
const PROGRAM: &str = r#"
import json, random, sys
for line in sys.stdin:
    request = json.loads(line)
    draw = random.Random(request["seed"])
    for _ in range(request["runs"]):
        noise = draw.expovariate(1.0) - draw.expovariate(1.0)
        print(round(request["dataset"][0] + float(sys.argv[1]) * noise, 3))
    sys.stdout.flush()
"#;

fn spec(scale: &str) -> String {
    format!(
        "[[audit]]\nname = \"a\"\nmechanism = {{ command = [\"python3\", \"-E\", \"-S\", \"a.py\", \"{scale}\"] }}\n\
         relation = {{ linf = 1.0 }}\npairs = [{{ d = [0.0], d_prime = [1.0] }}]\nclaim = {{ epsilon = 1.0 }}\n\
         trials = 50_000\n"
    )
}

/// ε = 4 under a claim of 1, and ε = 1: found, and not found, with probability below 1e-6 of the contrary.
#[test]
fn a_program_ends_as_soon_as_it_is_clear() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.program("a.py", PROGRAM);
    folder.spec("wrong.toml", &spec("0.25"));
    let output = folder.run(&["audit", "wrong.toml", "--until-clear", "--out", "wrong"]);
    assert_eq!(output.status.code(), Some(exit::UNEXPECTED.into()), "{}", stderr(&output));
    let finding = &folder.report("wrong")["audits"][0];
    assert_eq!(finding["test"], "betting by batches");
    assert!(finding["trials"]["total"].as_u64().unwrap() < 1_000, "{}", finding["trials"]);
    let certificate = folder.path().join("wrong/certificates/a.json");
    let output = folder.run(&["replay", certificate.to_str().unwrap(), "--run-program"]);
    assert_eq!(output.status.code(), Some(exit::AS_EXPECTED.into()), "{}", stdout(&output));
    folder.spec("right.toml", &spec("1.0"));
    let output = folder.run(&["audit", "right.toml", "--until-clear", "--out", "right"]);
    assert_eq!(output.status.code(), Some(exit::AS_EXPECTED.into()), "{}", stdout(&output));
    let finding = &folder.report("right")["audits"][0];
    assert_eq!(finding["verdict"], "not refuted");
    assert!(finding["trials"]["total"].as_u64().unwrap() < 10_000, "{}", finding["trials"]);
}

/// One dataset shows 0 and the other 1: fewer runs are enough than an audit may be given.
#[test]
fn a_certificate_of_few_runs_replays() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.program("a.py", PROGRAM);
    folder.spec("a.toml", &spec("0.0001"));
    let output = folder.run(&["audit", "a.toml", "--until-clear", "--out", "r"]);
    assert_eq!(output.status.code(), Some(exit::UNEXPECTED.into()), "{}", stderr(&output));
    let runs = folder.report("r")["audits"][0]["trials"]["confirm"].as_u64().unwrap();
    assert!(runs < 100, "{runs}");
    let certificate = folder.path().join("r/certificates/a.json");
    let output = folder.run(&["replay", certificate.to_str().unwrap(), "--run-program"]);
    assert_eq!(output.status.code(), Some(exit::AS_EXPECTED.into()), "{}", stderr(&output));
}

#[test]
fn what_needs_a_fixed_plan_is_refused() {
    let folder = Folder::new();
    folder.spec("a.toml", crate::support::cli::LAPLACE);
    for other in [&["--shard", "1/2"][..], &["--record", "r"], &["--explore-only", "f"]] {
        let output = folder.run(&[&["audit", "a.toml", "--until-clear"], other].concat());
        assert_eq!(output.status.code(), Some(exit::FAILED.into()));
        assert!(stderr(&output).contains("cannot be used with"), "{}", stderr(&output));
    }
    let output = folder.run(&["audit", "a.toml", "--until-clear=0.5"]);
    assert_eq!(output.status.code(), Some(exit::FAILED.into()));
}
