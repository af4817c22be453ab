//! `plaudit verify`: what it proves, what it prints, and its exit codes.

use crate::support::cli::{Folder, LAPLACE, plaudit, stderr, stdout};
use serde_json::Value;

const RESPONSE: &str = r#"[[audit]]
name = "response"
mechanism = { kind = "randomized-response", truth = 0.5 }
relation = "substitution"
pairs = [{ d = [0], d_prime = [1] }]
claim = { epsilon = 1.1 }
verify = { values = [0, 1], size = 2 }
"#;

fn spec(changes: &[(&str, &str)], more: &str) -> (Folder, std::path::PathBuf) {
    let folder = Folder::new();
    let mut text = RESPONSE.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from));
        text = text.replace(from, to);
    }
    let path = folder.spec("spec.toml", &(text + more));
    (folder, path)
}

#[test]
fn exit_codes_are_those_of_audits() {
    let expected = "[0, 1], size = 2 }";
    let violated = "[0, 1], size = 2 }\nexpect = \"violated\"";
    let undecided = (
        "kind = \"randomized-response\", truth = 0.5",
        "kind = \"exact-discrete-laplace\", epsilon = 1.1",
    );
    for (changes, code) in [
        (&[][..], 0),
        (&[("1.1", "1.0")][..], 1),
        (&[("1.1", "1.0"), (expected, violated)][..], 0),
        (&[(expected, violated)][..], 1),
        (&[undecided][..], 3),
        (&[(expected, "[0, 2], size = 2 }")][..], 2),
    ] {
        let (_folder, path) = spec(changes, "");
        let output = plaudit().arg("verify").arg(&path).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{changes:?}: {}", stdout(&output));
    }
    let folder = Folder::new();
    let path = folder.spec("spec.toml", LAPLACE);
    let output = plaudit().arg("verify").arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    let (_folder, path) = spec(&[], "");
    let output = plaudit().args(["verify", "--filter", "none"]).arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
}

#[test]
fn proofs_are_printed_for_people_and_for_programs() {
    let (_folder, path) = spec(&[], LAPLACE);
    let output = plaudit().arg("verify").arg(&path).output().unwrap();
    let words = stdout(&output);
    assert!(words.starts_with("verified (code), as expected  response: By enumeration"), "{words}");
    assert!(words.contains("ln(3)") && words.contains("1 more audit has no proof"), "{words}");
    let output = plaudit().args(["verify", "--format", "json"]).arg(&path).output().unwrap();
    let entries: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(entries[0]["proof"]["exp_epsilon"], "3");
    assert_eq!(entries[0]["proof"]["domain"]["datasets"], 6);
    assert_eq!(entries[0]["as_expected"], true);
    assert!(entries[1]["proof"].is_null() && entries[1]["as_expected"].is_null());
}

/// The verdict of this audit is a proof's: no chance is involved but for a contradiction, which
/// comes by chance with probability at most 2e-6.
#[test]
fn an_audit_says_verified_and_its_page_says_why() {
    let (folder, path) = spec(&[], "trials = 20_000\n");
    let out = folder.path().join("reports");
    let output = plaudit().arg("audit").arg(&path).arg("--out").arg(&out).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("verified") && stdout(&output).contains("ε = 1.099"));
    let report: Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("report.json")).unwrap()).unwrap();
    assert_eq!(report["audits"][0]["verdict"], "verified");
    assert_eq!(report["audits"][0]["proof"]["decision"], "verified");
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("<h4>Proof</h4>"), "the page shows the proof");
}
