//! `plaudit attack membership` with labels, several columns of scores, and counts.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use plaudit::cli::exit;
use serde_json::Value;
use std::process::Output;

fn attack(folder: &Folder, arguments: &[&str]) -> Output {
    let arguments = ["attack", "membership"].iter().chain(arguments);
    plaudit().current_dir(folder.path()).args(arguments).output().unwrap()
}

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    let output = attack(folder, &[arguments, &["--format", "json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)))
}

/// A table of 1 000 members and others: `good` tells them apart, `bad` tells nothing.
fn folder() -> Folder {
    let folder = Folder::new();
    let (mut table, mut members, mut others) =
        ("good,bad,who\n".to_owned(), String::new(), String::new());
    for row in 0..2000_u32 {
        let is_member = row % 2 == 1;
        let good = f64::from(row / 2) + if is_member { 700.0 } else { 0.0 };
        table += &format!("{good},{},{}\n", row * 389 % 2003, u32::from(is_member));
        if is_member { &mut members } else { &mut others }.push_str(&format!("{good}\n"));
    }
    folder.spec("t.csv", &table);
    folder.spec("in.txt", &members);
    folder.spec("out.txt", &others);
    folder
}

#[test]
fn a_table_with_labels_says_the_same_as_two_files() {
    let folder = folder();
    let mut one = json(&folder, &["t.csv", "--label", "who", "--column", "good", "--epsilon", "1"]);
    let mut two = json(&folder, &["in.txt", "out.txt", "--epsilon", "1"]);
    assert_eq!(one["files"].as_array().unwrap().len(), 1);
    for found in [&mut one, &mut two] {
        found.as_object_mut().unwrap().remove("files");
    }
    assert_eq!(one, two);
    assert_eq!(one["judged"]["refuted"], true);
}

#[test]
fn several_columns_share_the_level() {
    let folder = folder();
    let both = ["t.csv", "--label", "who", "--column", "bad", "--column", "good"];
    let found = json(&folder, &[&both[..], &["--epsilon", "1"]].concat());
    assert_eq!(found["alpha"], 0.05);
    assert_eq!(found["refuted"], true);
    let columns = found["columns"].as_array().unwrap();
    assert_eq!(columns.len(), 2);
    for (column, name) in columns.iter().zip(["bad", "good"]) {
        assert_eq!(column["column"], name);
        // Half of the level, of which each of four bounds has a quarter.
        assert_eq!(column["alpha"], 0.025);
        assert_eq!(column["certified"]["level"], 0.00625);
    }
    assert_eq!(columns[0]["judged"]["refuted"], false);
    assert_eq!(found["best"]["epsilon"]["column"], "good");
    assert_eq!(found["best"]["epsilon"]["lower"], columns[1]["certified"]["epsilon"]["lower"]);
    // The first of several is measured as a column alone at its share of the level.
    let swapped = ["t.csv", "--label", "who", "--column", "good", "--column", "bad"];
    let first = json(&folder, &swapped)["columns"][0].clone();
    let alone = json(&folder, &["t.csv", "--label", "who", "--column", "good", "--alpha", "0.025"]);
    assert_eq!(first["certified"], alone["certified"]);
    let output = attack(&folder, &[&both[..], &["--epsilon", "1"]].concat());
    assert_eq!(output.status.code(), Some(i32::from(exit::UNEXPECTED)));
    let words = stdout(&output);
    for told in [
        "2 columns of scores, each an attack of its own at level 0.05 / 2 (Bonferroni)",
        "column bad",
        "column good",
        "best of all columns",
        "by all columns together: refuted",
    ] {
        assert!(words.contains(told), "{told}: {words}");
    }
}

#[test]
fn counts_give_intervals_bounds_and_a_verdict() {
    let folder = Folder::new();
    let found = json(&folder, &["--counts", "300,10,1000", "--epsilon", "1"]);
    assert_eq!(found["calls"]["non_members"], 1000);
    assert_eq!(found["true_positives"]["estimate"], 0.3);
    assert_eq!(found["judged"]["refuted"], true);
    assert!(found["certified"]["epsilon"]["lower"].as_f64() > Some(2.0));
    let same = json(&folder, &["--counts", "300,10,1000,1000", "--epsilon", "1"]);
    assert_eq!(found, same);
    for (claim, expected) in [("1", exit::UNEXPECTED), ("4", exit::AS_EXPECTED)] {
        let output = attack(&folder, &["--counts", "300, 10, 1000", "--epsilon", claim]);
        assert_eq!(output.status.code(), Some(i32::from(expected)), "{}", stderr(&output));
        let words = stdout(&output);
        let told = ["300 of 1 000 called members: 0.3 (", "epsilon at delta", "fixed before"];
        assert!(told.iter().all(|told| words.contains(told)), "{words}");
    }
}

#[test]
fn groups_that_differ_without_a_model_are_refused() {
    let folder = folder();
    let people = |last: u32, seed: u32| {
        let row = |at: u32| format!("{},{}\n", 2000 + at * seed % last, at * 7919 % 61);
        format!("year,age\n{}", (0..300).map(row).collect::<String>())
    };
    folder.spec("people-in.csv", &people(20, 7));
    folder.spec("people-out.csv", &people(20, 11));
    folder.spec("others.csv", &people(25, 7));
    let with =
        |others: &str| attack(&folder, &["in.txt", "out.txt", "--rows", "people-in.csv", others]);
    let alike = with("people-out.csv");
    assert!(
        stdout(&alike).contains("300 members and 300 others do not tell"),
        "{}",
        stderr(&alike)
    );
    let other = with("others.csv");
    assert_eq!(other.status.code(), Some(exit::FAILED.into()));
    assert!(stdout(&other).is_empty() && stderr(&other).contains("`year` tells them apart"));
    assert!(stderr(&with("nosuch.csv")).contains("nosuch.csv"));
    let found = json(&folder, &["in.txt", "out.txt", "--rows", "people-in.csv", "people-out.csv"]);
    assert_eq!(found["groups"]["differ"], Value::Bool(false));
}
