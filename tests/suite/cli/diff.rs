//! `plaudit diff`.

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use serde_json::Value;
use std::process::Output;

const SAMPLE: &str = include_str!("../../data/sample-report.json");

fn diff(folder: &Folder, arguments: &[&str]) -> Output {
    let arguments = ["diff", "old.json", "new.json"].iter().chain(arguments);
    plaudit().current_dir(folder.path()).args(arguments).output().unwrap()
}

#[test]
fn two_reports_are_compared_in_every_format() {
    let folder = Folder::new();
    folder.spec("old.json", SAMPLE);
    folder.spec("new.json", SAMPLE);
    let same = diff(&folder, &["--exit-code"]);
    assert_eq!(same.status.code(), Some(0), "{}", stderr(&same));
    assert!(stdout(&same).contains("nothing differs; 8 unchanged"), "{}", stdout(&same));
    let mut new: Value = serde_json::from_str(SAMPLE).unwrap();
    new["audits"][1]["verdict"] = "violated".into();
    new["audits"][1]["trials"]["total"] = 1_000.into();
    new["audits"][2]["name"] = "a </td>\u{1b}[2J|name".into();
    folder.spec("new.json", &new.to_string());
    let human = diff(&folder, &[]);
    assert_eq!(human.status.code(), Some(0));
    let words = stdout(&human);
    assert!(
        words.contains("    warning: trials: it had 1 000 000 runs at most, and 1 000 now"),
        "{words}"
    );
    assert!(
        words.contains("    verdict: the verdict was not refuted, and is violated now"),
        "{words}"
    );
    assert!(words.contains("    weaker: gone: this audit is missing"), "{words}");
    assert!(words.contains("; 6 unchanged") && !words.contains('\u{1b}'), "{words}");
    assert_eq!(diff(&folder, &["--exit-code"]).status.code(), Some(1));
    let json: Value = serde_json::from_str(&stdout(&diff(&folder, &["--format", "json"]))).unwrap();
    assert_eq!((&json["schema_version"], &json["unchanged"]), (&"1".into(), &6.into()));
    let page = diff(&folder, &["--format", "html", "--out", "diff.html"]);
    assert_eq!((page.status.code(), stdout(&page).as_str()), (Some(0), ""));
    let page = std::fs::read_to_string(folder.path().join("diff.html")).unwrap();
    assert!(page.contains("a &lt;&#x2f;td&gt;[U+001B][2J|name"), "{page}");
    let markdown = stdout(&diff(&folder, &["--format", "markdown"]));
    assert!(markdown.contains("| a &lt;/td&gt;\\[U+001B\\]\\[2J\\|name | new |"), "{markdown}");
}

#[test]
fn what_is_no_report_is_named() {
    let folder = Folder::new();
    folder.spec("old.json", SAMPLE);
    folder.spec("new.json", "{}");
    let output = diff(&folder, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("new.json") && stderr(&output).contains("give NEW a report.json"),
        "{}",
        stderr(&output)
    );
    let nowhere = plaudit().args(["diff", "none.json", "none.json"]).output().unwrap();
    assert_eq!(nowhere.status.code(), Some(2));
}
