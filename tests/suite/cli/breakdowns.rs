//! A program that breaks down in the midst of an audit and is asked again: standard error and the table say so,
//! not only the page.
//!
//! The mechanisms are right, at level 1e-6, which is the probability that a test fails by chance, unless it says another.
#![cfg(all(feature = "cli", unix))]

use crate::support::cli::{Folder, LAPLACE, plaudit, stderr, stdout};
use crate::support::program::python;

/// Answers with fair bits, and ends once, at a request that is long after the questions before the audit.
const PROGRAM: &str = r#"
import json, os, random, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["id"] >= 200:
        try:
            open("ended", "x")
            os._exit(9)
        except FileExistsError:
            pass
    noise = random.Random(request["seed"])
    for _ in range(request["runs"]):
        print(int(noise.random() < 0.5))
    sys.stdout.flush()
"#;

#[test]
fn a_breakdown_in_the_midst_is_told_in_the_terminal() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.spec("bits.py", PROGRAM);
    let kind = "{ kind = \"laplace\", epsilon = 1.0, sensitivity = 1.0 }";
    let program =
        "{ command = [\"python3\", \"bits.py\"], batch = 32 }\nno_difference = \"allowed\"";
    folder.spec("a.toml", &LAPLACE.replace(kind, program));
    let mut command = plaudit();
    let output = command.current_dir(folder.path()).args(["audit", "a.toml"]).output().unwrap();
    let (table, said) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{table}{said}");
    const WORDS: &str = "laplace: The program broke down once and was asked again in a fresh copy, which answered; the \
                         first time it broke off (exit code 9";
    assert!(!said.contains(WORDS), "{said}");
    assert!(table.contains(&format!("* {WORDS}")) && table.contains("as expected*"), "{table}");
}

/// Once it has answered, it breaks down in every 25th request by chance: on the dataset that its argument names, or on any.
const ONE_SIDED: &str = r#"
import json, os, random, sys
answered, chance = 0, random.SystemRandom()
for line in sys.stdin:
    request = json.loads(line)
    data = request["dataset"]
    if answered > 3 and chance.random() < 0.04 and sys.argv[1] in (str(data), "any"):
        os._exit(1)
    draw = random.Random(request["seed"])
    for _ in range(request["runs"]):
        print(round(data + draw.expovariate(1.0) - draw.expovariate(1.0), 3))
    sys.stdout.flush()
    answered += 1
"#;

/// Some 40 breakdowns on one dataset: fewer than 11 come with probability below 1e-8. On any, they are called one-sided with
/// probability .001.
#[test]
fn breakdowns_on_one_dataset_alone_are_told() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.program("a.py", ONE_SIDED);
    let audit = |name: &str| {
        format!(
            "[[audit]]\nname = \"on-{name}\"\nmechanism = {{ command = [\"python3\", \"-E\", \"-S\", \"a.py\", \"{name}\"] }}\n\
             relation = {{ linf = 1.0 }}\npairs = [{{ d = 0, d_prime = 1 }}]\nclaim = {{ epsilon = 1.0 }}\ntrials = 2_000\n"
        )
    };
    folder.spec("a.toml", &["0", "1", "any"].map(audit).concat());
    let output = folder.run(&["audit", "a.toml", "--out", "r"]);
    let report = folder.report("r");
    let audits = report["audits"].as_array().unwrap();
    for (audit, words) in
        audits.iter().zip(["times on D and 0 times on D′", "broke down 0 times on D and"])
    {
        assert_eq!(audit["verdict"], "inconclusive", "{}", stderr(&output));
        assert!(audit["reason"].as_str().unwrap().contains(words), "{}", audit["reason"]);
    }
    assert_eq!(audits[2]["verdict"], "not refuted", "{}", audits[2]["reason"]);
    assert!(audits[2]["notes"].to_string().contains("was asked again"), "{}", audits[2]["notes"]);
}
