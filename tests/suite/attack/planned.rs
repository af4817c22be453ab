//! Attacks that a spec plans: run, reported, and refused where they make no sense.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use std::process::Output;

fn audit(folder: &Folder, spec: &str) -> Output {
    std::fs::write(folder.path().join("spec.toml"), spec).unwrap();
    plaudit()
        .current_dir(folder.path())
        .args(["audit", "spec.toml", "--no-provenance"])
        .output()
        .unwrap()
}

const AVERAGE: &str = r#"
[[attack]]
name = "many <b>answers</b>"
average = { noise = "laplace", scale = 10.0, queries = 5000 }
expect = "fails"
"#;

#[test]
fn an_attack_that_succeeds_against_expectation_is_said_everywhere() {
    let folder = Folder::new();
    let output = audit(&folder, AVERAGE);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("attack succeeded, UNEXPECTED"), "{}", stdout(&output));
    assert!(stdout(&output).contains("1 attack UNEXPECTED"), "{}", stdout(&output));
    let json = std::fs::read_to_string(folder.path().join("reports/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["attacks"][0]["succeeded"], true);
    assert_eq!(report["attacks"][0]["kind"], "average");
    let page = std::fs::read_to_string(folder.path().join("reports/index.html")).unwrap();
    assert!(
        page.contains("many &lt;b&gt;answers&lt;&#x2f;b&gt;")
            || page.contains("many &lt;b&gt;answers&lt;/b&gt;")
    );
    assert!(!page.contains("<b>answers"));
    assert!(folder.path().join("reports/plots/many-b-answers-b-attack.svg").exists());
}

#[test]
fn what_is_expected_ends_with_0_and_the_same_seed_gives_the_same() {
    let folder = Folder::new();
    let spec = r#"
[[attack]]
name = "reconstruct"
reconstruct = { noise = "gaussian", scale = [0.5, 100.0], entries = 50, decoder = "least-squares" }
expect = "succeeds"
seed = 3
"#;
    let json = || {
        let output = audit(&folder, spec);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        std::fs::read_to_string(folder.path().join("reports/report.json")).unwrap()
    };
    assert_eq!(json(), json());
}

#[test]
fn mistakes_are_told_with_their_place() {
    let folder = Folder::new();
    let head = "[[attack]]\nname = \"it\"\nexpect = \"fails\"\n";
    let cases = [
        ("", "spec.toml:1:1", "has no kind"),
        ("average = { noise = \"laplace\", scale = -1.0, queries = 5 }", ":4:", "`scale` is -1"),
        (
            "average = { noise = \"laplce\", scale = 1.0, queries = 5 }",
            ":4:",
            "did you mean \"laplace\"?",
        ),
        (
            "average = { noise = \"laplace\", scale = 1.0, queries = 0 }",
            ":1:",
            "0 queries are invalid",
        ),
        ("reconstruct = { noise = \"laplace\", scale = 1.0, entries = 0 }", ":1:", "0"),
        ("reconstruct = { noise = \"laplace\", scale = [], entries = 9 }", ":4:", "empty"),
        ("membership = { members = \"none.txt\", non_members = \"none.txt\" }", ":4:", "none.txt"),
        ("averag = { }", ":4:", "did you mean `average`?"),
    ];
    for (line, place, words) in cases {
        let output = audit(&folder, &format!("{head}{line}\n"));
        assert_eq!(output.status.code(), Some(2), "{line}");
        let told = stderr(&output);
        assert!(told.contains(place) && told.contains(words), "{line}: {told}");
    }
    assert!(!folder.path().join("reports").exists());
}
