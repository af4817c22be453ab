//! A program that breaks down in the midst of an audit and is asked again: standard error and the table say so,
//! not only the page.
//!
//! The mechanism is right, at level 1e-6, which is the probability that the test fails by chance.
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
