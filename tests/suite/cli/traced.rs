//! `plaudit audit --trace`: the trace of a violated program.
#![cfg(all(feature = "cli", unix))]

use crate::support::cli::{Folder, stderr, stdout};
use serde_json::Value;

/// A program that releases the first digit it sees after its dataset's name, and answers a trace with `trace`.
fn program(trace: &str) -> String {
    format!(
        r#"#!/bin/sh
if [ -n "$PLAUDIT_TRACE" ]; then
  printf '%s' "$PLAUDIT_TRACE" > asked.json
  {trace}
  exit 0
fi
while read -r line; do
  runs=${{line#*'"runs": '}}; runs=${{runs%%[!0-9]*}}
  case "$line" in *'"dataset": [1]'*) d=1;; *) d=0;; esac
  while [ "$runs" -gt 0 ]; do echo $d; runs=$((runs - 1)); done
done
"#
    )
}

fn ran(trace: &str, expected: &str) -> (Folder, String, String) {
    let folder = Folder::new();
    std::fs::write(folder.path().join("program.sh"), program(trace)).unwrap();
    folder.spec(
        "spec.toml",
        &format!(
            r#"[[audit]]
name = "exact"
mechanism = {{ command = ["sh", "program.sh"] }}
relation = "substitution"
pairs = [{{ d = [1], d_prime = [2] }}]
claim = {{ epsilon = 0.5, delta = 0.01 }}
trials = 120
expect = "{expected}"
"#
        ),
    );
    let output = folder.run(&["audit", "spec.toml", "--trace", "--out", "r"]);
    let (told, noted) = (stdout(&output), stderr(&output));
    (folder, told, noted)
}

fn report(folder: &Folder) -> Value {
    let text = std::fs::read_to_string(folder.path().join("r/report.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

const TRACE: &str = r#"echo '{"trace": {"suspected": true, "words": "exact: <b>", "spent": null, "differences": [{"kind": "data", "file": "f.py", "line": 7, "text": "return x", "words": "outcome is 1 on D\u001b[1m", "exact": true, "epsilon": "infinite"}]}}'"#;

#[test]
fn the_trace_of_a_violated_program_is_told_shown_and_kept() {
    let (folder, told, _) = ran(TRACE, "not violated");
    assert!(told.contains("trace: suspected at f.py:7: outcome is 1 on D"), "{told}");
    let trace = report(&folder)["audits"][0]["trace"].clone();
    assert_eq!((&trace["suspected"], &trace["differences"][0]["line"]), (&true.into(), &7.into()));
    let page = std::fs::read_to_string(folder.path().join("r/index.html")).unwrap();
    assert!(page.contains("<pre>exact: &lt;b&gt;</pre>"));
    for text in [told, page, trace.to_string()] {
        assert!(!text.contains('\u{1b}') && !text.contains("\\u001b"), "{text}");
    }
    let asked = std::fs::read_to_string(folder.path().join("asked.json")).unwrap();
    let asked: Value = serde_json::from_str(&asked).unwrap();
    assert_eq!((&asked["d"][0], &asked["d_prime"][0]), (&1.into(), &2.into()));
    assert_eq!((&asked["epsilon"], &asked["delta"]), (&0.5.into(), &0.01.into()));
}

#[test]
fn a_program_without_a_trace_is_audited_all_the_same() {
    for (answer, why) in [
        ("true", "it gave no trace (exit code 0)"),
        ("echo 1", "its answer is not a trace"),
        (r#"echo '{"error": "no such thing"}'"#, "no trace: no such thing"),
        (r#"echo '{"trace": 3}'"#, "its answer is not a trace"),
        ("yes 11111111 | head -c 5000000 | tr -d '\\n'", "longer than 4 MiB"),
    ] {
        let (folder, told, noted) = ran(answer, "violated");
        assert!(noted.contains("exact: no trace: ") && noted.contains(why), "{answer}: {noted}");
        assert!(told.contains("as expected"), "{told}");
        assert_eq!(report(&folder)["audits"][0].get("trace"), None);
    }
}
