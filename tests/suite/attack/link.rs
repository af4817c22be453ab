//! `plaudit attack link`: tables, answers, and mistakes that are told with their place before anything is written.
#![cfg(feature = "cli")]

use crate::support::attack::{self as support, answer};
use crate::support::cli::{Folder, stderr, stdout};
use plaudit::cli::exit;
use serde_json::Value;
use std::process::Output;

fn attack(folder: &Folder, arguments: &str) -> Output {
    support::attack("link", folder, arguments)
}

fn json(folder: &Folder, arguments: &str) -> Value {
    answer("link", folder, arguments)
}

fn tables() -> Folder {
    let folder = Folder::new();
    folder.spec("released.csv", "id,zip,sex\n1,10,f\n2,10,m\n3,20,m\n4,20,m\n5,30,f\n");
    // Other columns, in another order; a mark of the byte order at the start; a value in quotes; a row across two lines.
    folder.spec(
        "known.csv",
        "\u{feff}sex,name,zip,id\nf,A,10,1\nm,\"B,\nC\",\"10\",9\nm,D,20,3\nm,E,40,7\n",
    );
    folder
}

#[test]
fn people_and_programs_are_told_the_same() {
    let folder = tables();
    let arguments = "released.csv known.csv --on zip,sex --truth id --epsilon 1 --delta 1e-6";
    let output = attack(&folder, arguments);
    assert_eq!(output.status.code(), Some(exit::AS_EXPECTED.into()), "{}", stderr(&output));
    let words = stdout(&output);
    for told in [
        "1-anonymous",
        "Unique in their class: 3 rows (0.6)",
        "1 of 2 links are right",
        "be right in 0.25",
    ] {
        assert!(words.contains(told), "{told}: {words}");
    }
    let found = json(&folder, arguments);
    assert_eq!(
        found["sizes"],
        serde_json::json!([{"size": 1, "classes": 3}, {"size": 2, "classes": 1}])
    );
    for (key, value) in [("linked", 2), ("several", 2), ("none", 1), ("unique", 3), ("known", 4)] {
        assert_eq!(found[key], value, "{key}");
    }
    assert_eq!(found["truth"]["right"], 1);
    assert_eq!(found["published"]["unique"], 0);
    assert_eq!(found["published"]["least"], 15);
    let plain = json(&folder, "released.csv known.csv --on zip,sex");
    assert_eq!((&plain["truth"], &plain["published"]), (&Value::Null, &Value::Null));
    assert_eq!(plain["linked"], found["linked"]);
}

#[test]
fn a_table_that_is_wholly_linked_is_an_answer() {
    let folder = tables();
    folder.spec("copy.csv", "id,zip,sex\n1,10,f\n2,10,m\n3,20,m\n4,20,m\n5,30,f\n");
    let output = attack(&folder, "released.csv copy.csv --on id");
    assert_eq!(output.status.code(), Some(exit::AS_EXPECTED.into()));
    assert_eq!(json(&folder, "released.csv copy.csv --on id")["linked"], 5);
}

#[test]
fn the_seed_draws_the_noise() {
    let folder = Folder::new();
    let rows: String = (0..900).map(|row| format!("{}\n", row / 3)).collect();
    folder.spec("released.csv", &format!("zip\n{rows}"));
    folder.spec("known.csv", "zip\n1\n");
    let published = |seed: u64| {
        let arguments = "released.csv known.csv --on zip --epsilon 1 --delta 0.01 --seed";
        json(&folder, &format!("{arguments} {seed}"))["published"].clone()
    };
    assert_eq!(published(1), published(1));
    assert_ne!(published(1), published(2));
    // Everybody is alone, and δ is large: some are published, which is said.
    let rows: String = (0..900).map(|row| format!("{row}\n")).collect();
    folder.spec("alone.csv", &format!("zip\n{rows}"));
    let words = stdout(&attack(&folder, "alone.csv released.csv --on zip --epsilon 1 --delta 0.1"));
    assert!(words.contains("Choose a delta far below 1/900"), "{words}");
    assert!(!words.contains("No row is left"), "{words}");
}

#[test]
fn mistakes_are_told_with_their_place() {
    let folder = tables();
    folder.spec("twice.csv", "zip,sex,zip\n1,f,2\n");
    folder.spec("empty.csv", "");
    folder.spec("header.csv", "zip,sex,id\n");
    folder.spec("short.csv", "zip,sex,id\n1,f,1\n2,m\n");
    folder.spec("no-id.csv", "zip,sex,id\n1,f,1\n2,m,\n");
    folder.spec("crlf.csv", "zip,sex,id\r\n1,f,1\r\n\r\n2,m\r\n");
    folder.spec("quote.csv", "zip,sex,id\n\n1,\"f\n\",1\n2,m,\"3\n4,f,4\n");
    folder.spec("escape.csv", "zip,sex\u{1b}[2J\n1,f\n");
    for (name, text) in [
        ("bytes.csv", &b"zip,sex,id\n1,f,1\n2,\xff\x1b[2J,2\n"[..]),
        ("name.csv", b"zip,\xff,sex\n1,2,3\n"),
        ("other.csv", b"zip,sex,id,x\n1,f,1,\xff\n"),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    for (arguments, words) in [
        ("released.csv known.csv --on zip,age", "released.csv:1: there is no column `age`"),
        ("released.csv escape.csv --on zip,sex", "escape.csv:1: there is no column `sex`"),
        ("twice.csv known.csv --on zip,sex", "twice.csv:1: two columns are called `zip`"),
        ("empty.csv known.csv --on zip", "empty.csv"),
        ("released.csv header.csv --on zip,sex", "header.csv"),
        ("released.csv short.csv --on zip", "short.csv:3: this row has 2 entries"),
        ("released.csv crlf.csv --on zip", "crlf.csv:4: this row has 2 entries"),
        ("released.csv quote.csv --on zip", "quote.csv:5: a quote that opens in this row"),
        ("bytes.csv known.csv --on zip,sex", "bytes.csv:3: `sex` is not UTF-8"),
        ("released.csv name.csv --on zip,sex", "name.csv:1: this name of a column is not UTF-8"),
        ("released.csv no-id.csv --on zip,sex --truth id", "no-id.csv:3: `id` is empty"),
        ("released.csv released.csv --on zip", "the same file"),
        ("released.csv ./released.csv --on zip", "the same file"),
        ("released.csv none.csv --on zip", "none.csv"),
        ("released.csv . --on zip", "folder"),
        (
            "released.csv known.csv --on zip,zip",
            "`zip` is listed twice among the columns to join on",
        ),
        ("released.csv known.csv --on zip,id --truth id", "is both a join column and the truth"),
        ("released.csv known.csv --on zip --epsilon 0", "epsilon 0 is invalid"),
        ("released.csv known.csv --on zip --epsilon 1 --delta 0", "delta 0 is invalid"),
        ("released.csv known.csv --on zip --delta 1e-5", "--epsilon"),
        ("released.csv known.csv", "--on"),
    ] {
        let output = attack(&folder, arguments);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(exit::FAILED.into()), "{arguments}: {said}");
        assert!(said.contains(words) && !said.contains("\u{1b}[2J"), "{arguments}: {said}");
        assert!(output.stdout.is_empty());
    }
    // What is not joined on may be anything.
    assert_eq!(json(&folder, "released.csv other.csv --on zip,sex")["none"], 5);
}
