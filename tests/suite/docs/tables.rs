//! Attacks on released tables print what their page says.
#![cfg(all(feature = "cli", unix))]

use super::examples::example;
use crate::support::cli::{Folder, plaudit, stderr, stdout};
use serde_json::Value;

const PAGE: &str = "docs/attacks-tables.md";

#[path = "../../../examples/synthetic.rs"]
mod synthetic;
#[path = "../../../examples/voters.rs"]
mod voters;

/// Outputs of the commands of the page that begin with these words.
fn said(folder: &Folder, words: &str) -> Vec<String> {
    let commands = example(PAGE, "text", words);
    let said = commands.lines().map(|line| {
        let words = line.split(' ').skip(1);
        let output = plaudit().current_dir(folder.path()).args(words).output().unwrap();
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        stdout(&output)
    });
    said.collect()
}

#[test]
fn a_linkage_says_what_the_page_says() {
    let folder = Folder::new();
    let (mut released, mut known) = (Vec::new(), Vec::new());
    voters::write(1_000, &mut released, &mut known).unwrap();
    folder.spec("released.csv", std::str::from_utf8(&released).unwrap());
    folder.spec("voters.csv", std::str::from_utf8(&known).unwrap());
    let said = said(&folder, "plaudit attack link");
    assert_eq!(said[0], example(PAGE, "text,output", "known:    voters.csv"));
    assert!(said[1].contains("\n361 of 397 links are right"), "{}", said[1]);
    let json: Value = serde_json::from_str(&said[2]).unwrap();
    assert_eq!((&json["linked"], &json["published"]["classes"]), (&0.into(), &40.into()));
}

/// People, others, and a release of which one row in five is a copy.
fn copied_in_part() -> Folder {
    let folder = Folder::new();
    let mut tables = [Vec::new(), Vec::new(), Vec::new()];
    let [original, control, released] = &mut tables;
    synthetic::write(1_000, [original, control, released]).unwrap();
    for (name, table) in ["original.csv", "control.csv", "released.csv"].iter().zip(&tables) {
        folder.spec(name, std::str::from_utf8(table).unwrap());
    }
    folder
}

#[test]
fn singling_out_says_what_the_page_says() {
    let said = said(&copied_in_part(), "plaudit attack single-out");
    assert_eq!(said.len(), 3);
    assert_eq!(said[0], example(PAGE, "text,output", "guesses of 6 conditions"));
}

#[test]
fn an_inference_says_what_the_page_says() {
    let said = said(&copied_in_part(), "plaudit attack infer");
    assert_eq!(said[0], example(PAGE, "text,output", "diagnosis is guessed from"));
    assert!(said[1].contains("not about these people"), "{}", said[1]);
    let json: Value = serde_json::from_str(&said[2]).unwrap();
    assert_eq!((&json["excess"], &json["tolerance"]), (&Value::Null, &0.1.into()));
}
