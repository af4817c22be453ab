//! `plaudit attack membership`: files, answers, exit codes, and mistakes that are told before anything is computed.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use plaudit::cli::exit;
use serde_json::Value;
use std::process::Output;

/// Scores 0, 1, … of which every number is `step` apart, one per line.
fn scores(count: u32, offset: f64) -> String {
    (0..count).map(|score| format!("{}\n", f64::from(score) + offset)).collect()
}

fn attack(folder: &Folder, arguments: &[&str]) -> Output {
    let arguments = ["attack", "membership"].iter().chain(arguments);
    plaudit().current_dir(folder.path()).args(arguments).output().unwrap()
}

fn code(output: &Output) -> u8 {
    u8::try_from(output.status.code().unwrap()).unwrap()
}

/// Members whose scores are mostly above those of others.
fn telling() -> Folder {
    let folder = Folder::new();
    folder.spec("in.txt", &scores(1000, 700.0));
    folder.spec("out.txt", &scores(1000, 0.0));
    folder
}

#[test]
fn the_exit_code_says_whether_the_claim_is_refuted() {
    let folder = telling();
    for (claim, expected) in [
        (&[][..], exit::AS_EXPECTED),
        (&["--epsilon", "0.5"], exit::UNEXPECTED),
        (&["--epsilon", "9"], exit::AS_EXPECTED),
        (&["--mu", "0.5"], exit::UNEXPECTED),
        (&["--mu", "9"], exit::AS_EXPECTED),
        (&["--epsilon", "1", "--delta", "1"], exit::AS_EXPECTED),
    ] {
        let output = attack(&folder, &[&["in.txt", "out.txt"], claim].concat());
        assert_eq!(code(&output), expected, "{claim:?}: {}", stderr(&output));
        let words = stdout(&output);
        let said = words.contains(if expected == exit::UNEXPECTED {
            ": refuted"
        } else {
            ": not refuted"
        });
        assert_eq!(said, !claim.is_empty(), "{words}");
        let told = ["certified", "advantage ≥", "AUC", "TPR", "depend on one another"];
        assert!(told.iter().all(|told| words.contains(told)), "{words}");
    }
}

#[test]
fn json_has_what_people_are_told() {
    let folder = telling();
    let arguments = ["in.txt", "out.txt", "--epsilon", "1", "--seed", "3", "--format", "json"];
    let output = attack(&folder, &arguments);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["members"]["scores"], 1000);
    assert_eq!(found["non_members"]["counting"], 500);
    assert_eq!(found["seed"], 3);
    assert_eq!(found["certified"]["level"], 0.0125);
    assert_eq!(found["judged"]["refuted"], true);
    assert_eq!(found["attacker"], "calls-high-members");
    for bound in ["epsilon", "delta", "mu", "advantage"] {
        assert!(found["certified"][bound]["lower"].as_f64() > Some(0.0), "{bound}");
        assert!(found["certified"][bound]["event"]["threshold"].is_number(), "{bound}");
    }
    assert_eq!(found["rates"].as_array().unwrap().len(), 2);
    assert_eq!(found["roc"]["points"].as_array().unwrap().len(), 100);
    // The same seed splits the same.
    assert_eq!(attack(&folder, &arguments).stdout, output.stdout);
}

#[test]
fn a_column_of_a_table_and_json_lines_say_the_same_as_text() {
    let folder = telling();
    for (name, offset) in [("in", 700.0), ("out", 0.0)] {
        let rows =
            scores(1000, offset).lines().map(|score| format!("x,{score}\n")).collect::<String>();
        folder.spec(&format!("{name}.csv"), &format!("who,score\n{rows}"));
        folder.spec(&format!("{name}.jsonl"), &scores(1000, offset));
    }
    let certified = |arguments: &[&str]| {
        let output = attack(&folder, &[arguments, &["--format", "json"]].concat());
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        found["certified"].clone()
    };
    let text = certified(&["in.txt", "out.txt"]);
    assert_eq!(certified(&["in.csv", "out.csv", "--column", "score"]), text);
    assert_eq!(certified(&["in.jsonl", "out.jsonl"]), text);
}

#[test]
fn infinite_scores_and_scores_that_tell_all_are_scores() {
    let folder = Folder::new();
    folder.spec("in.txt", &"inf\n".repeat(200));
    folder.spec("out.txt", &"-inf\n".repeat(200));
    let output = attack(&folder, &["in.txt", "out.txt", "--epsilon", "3"]);
    assert_eq!(code(&output), exit::UNEXPECTED, "{}", stderr(&output));
    let output = attack(&folder, &["in.txt", "out.txt", "--format", "json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["certified"]["epsilon"]["event"]["threshold"], "-infinity");
}

#[test]
fn mistakes_are_told_with_their_place() {
    let folder = telling();
    folder.spec("few.txt", &scores(99, 0.0));
    folder.spec("same.txt", &"1\n".repeat(100));
    folder.spec("also.txt", &"1.0\n".repeat(100));
    folder.spec("empty.txt", "");
    folder.spec("nan.txt", &(scores(150, 0.0) + "nan\n"));
    folder.spec("word.txt", &(scores(150, 0.0) + "many\u{1b}[2J\n"));
    folder.spec("two.csv", "a,b\n1,2\n");
    std::fs::write(folder.path().join("bytes.txt"), b"1\n\xff\n").unwrap();
    let cases: [(&[&str], &str); 22] = [
        (&["in.txt", "few.txt"], "99 scores of non-members"),
        (&["same.txt", "also.txt"], "all scores of both groups are 1"),
        (&["in.txt", "in.txt"], "the same file"),
        (&["empty.txt", "out.txt"], "holds no score"),
        (&["in.txt", "nan.txt"], "nan.txt:151: this score is NaN"),
        (&["word.txt", "out.txt"], "word.txt:151: `many"),
        (&["bytes.txt", "out.txt"], "bytes.txt:2: this line is not UTF-8"),
        (&["two.csv", "out.txt"], "two.csv:1: there are 2 columns"),
        (&["in.txt", "out.txt", "--column", "b"], "for files that end in .csv"),
        (&["in.txt"], "one file is not enough"),
        (&["two.csv", "--label", "a", "--column", "a"], "the same column"),
        (&["two.csv", "--label", "b"], "two.csv:2: `2` does not state"),
        (&["two.csv", "out.txt", "--label", "b"], "--label"),
        (&["in.txt", "--counts", "1,1,10"], "--counts"),
        (&["--counts", "1,1"], "not three or four whole numbers"),
        (&["--counts", "11,1,10"], "11 of 10 members were called members"),
        (&[], "MEMBERS"),
        (&["none.txt", "out.txt"], "none.txt"),
        (&[".", "out.txt"], "folder"),
        (&["in.txt", "out.txt", "--epsilon", "nan"], "epsilon"),
        (&["in.txt", "out.txt", "--delta", "2"], "delta"),
        (&["in.txt", "out.txt", "--mu", "1", "--epsilon", "1"], "--mu"),
    ];
    for (arguments, words) in cases {
        let output = attack(&folder, arguments);
        let said = stderr(&output);
        assert_eq!(code(&output), exit::FAILED, "{arguments:?}: {said}");
        assert!(said.contains(words) && !said.contains("\u{1b}[2J"), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty());
    }
}

/// Scores of which no two are the same by chance.
fn long(count: u32, offset: f64) -> String {
    (1..=count).map(|score| format!("{}\n", f64::from(score).sqrt().fract() + offset)).collect()
}

#[test]
fn copies_and_losses_are_warned_of() {
    let folder = Folder::new();
    let (one, other) = (long(400, 0.0), long(300, 0.3));
    folder.spec("one.txt", &one);
    folder.spec("other.txt", &other);
    folder.spec("twice.txt", &(one.clone() + &one));
    folder.spec("mixed.txt", &(other.clone() + &one));
    for (files, warning) in [
        (["twice.txt", "other.txt"], "members comes 2 times"),
        (["other.txt", "twice.txt"], "non-members comes 2 times"),
        (["one.txt", "mixed.txt"], "are scores of non-members, too"),
        (["one.txt", "other.txt"], "members have lower scores"),
    ] {
        let words = stdout(&attack(&folder, &files));
        assert!(words.contains("warning: ") && words.contains(warning), "{warning}: {words}");
    }
    let words = stdout(&attack(&folder, &["other.txt", "one.txt"]));
    assert!(!words.contains("warning"), "{words}");
}
