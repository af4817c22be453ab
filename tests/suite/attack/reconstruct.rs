//! `plaudit attack reconstruct`: tables, decoders, answers, and mistakes that are told before anything is drawn.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use plaudit::cli::exit;
use serde_json::Value;
use std::process::Output;

fn attack(folder: &Folder, arguments: &str) -> Output {
    let arguments = ["attack", "reconstruct"].into_iter().chain(arguments.split(' '));
    plaudit().current_dir(folder.path()).args(arguments).output().unwrap()
}

fn rows(folder: &Folder, arguments: &str) -> Vec<Value> {
    let output = attack(folder, &format!("{arguments} --format json"));
    let found: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
    found["rows"].as_array().unwrap().clone()
}

#[test]
fn people_and_programs_are_told_the_same() {
    let folder = Folder::new();
    let arguments = "--noise bounded --scale 0.5 --entries 10 --decoder exhaustive";
    let output = attack(&folder, arguments);
    assert_eq!(output.status.code(), Some(exit::AS_EXPECTED.into()), "{}", stderr(&output));
    let words = stdout(&output);
    for told in ["10 people", "5 of them 1", "1 024", "4E", "tables that fit", "0 *"] {
        assert!(words.contains(told), "{told}: {words}");
    }
    let row = &rows(&folder, arguments)[0];
    assert_eq!((&row["noise"], &row["error"]), (&"uniform".into(), &0.5.into()));
    assert_eq!((&row["queries"], &row["is_all"]), (&1024.into(), &true.into()));
    assert_eq!((&row["right"], &row["is_blatant"]), (&10.into(), &true.into()));
    assert_eq!((&row["most_wrong"], &row["cost"]), (&2.into(), &Value::Null));
    assert!(row["survivors"]["farthest"].as_u64() <= Some(2), "{row}");
}

#[test]
fn a_row_is_the_same_whatever_stands_beside_it() {
    let folder = Folder::new();
    let all = rows(&folder, "--noise laplace --scale 0.5,100 --entries 40 --queries 100,300");
    let queries: Vec<_> = all.iter().map(|row| row["queries"].as_u64().unwrap()).collect();
    assert_eq!(queries, [100, 300, 100, 300]);
    assert_eq!(rows(&folder, "--noise laplace --scale 100 --entries 40 --queries 300")[0], all[3]);
    assert_eq!(all[1]["is_blatant"], true, "{}", all[1]);
    assert_eq!(all[3]["is_blatant"], false, "{}", all[3]);
    assert!((all[1]["cost"]["basic"].as_f64().unwrap() - 600.0).abs() < 1e-3);
    let other = rows(&folder, "--noise laplace --scale 100 --entries 40 --queries 300 --seed 1");
    assert_ne!(other[0]["largest_error"], all[3]["largest_error"]);
}

#[test]
fn a_table_is_read_and_noise_is_found_for_an_epsilon() {
    let folder = Folder::new();
    folder.spec("bits.txt", &"1\n1\n0\n1\n".repeat(10));
    for (noise, key, scale) in [("laplace", "scale", 1.0), ("gaussian", "sigma", 3.73)] {
        let arguments = format!(
            "--noise {noise} --epsilon-per-query 1 --data bits.txt --decoder least-squares"
        );
        let row = &rows(&folder, &arguments)[0];
        assert!((row[key].as_f64().unwrap() - scale).abs() < 0.01, "{row}");
        assert_eq!(row["queries"], 160);
        let words = stdout(&attack(&folder, &arguments));
        assert!(words.starts_with("bits.txt: a table of 40 people"), "{words}");
        assert!(words.contains("30 of them 1") && words.contains("gets 0.75 of them"), "{words}");
    }
}

#[test]
fn mistakes_are_told_with_their_place() {
    let folder = Folder::new();
    folder.spec("two.txt", "0\n1\n2\u{1b}[2J\n");
    folder.spec("empty.txt", "\n\n");
    folder.spec("25.txt", &"1\n".repeat(25));
    folder.spec("many.txt", &"1\n".repeat(2_001));
    folder.spec("huge.txt", &"1\n".repeat(100_000));
    for (arguments, words) in [
        ("--noise bounded --scale 1 --decoder exhaustive --entries 25", "a table of 25 people"),
        ("--noise bounded --scale 1 --decoder exhaustive --data 25.txt", "a table of 25 people"),
        ("--noise bounded --scale 1 --entries 0", "a table of 0 people"),
        ("--noise bounded --scale 1 --entries 2001", "between 1 and 2000"),
        ("--noise bounded --scale -1", "noise of -1 is invalid: it must be between 0 and 1e9"),
        ("--noise rounding --scale 0", "noise of 0 is invalid: it must be above 0"),
        ("--noise laplace --scale nan", "noise of NaN"),
        ("--noise laplace --scale 1 --queries 0", "0 queries are invalid"),
        ("--noise laplace --scale 1 --delta 2", "delta"),
        ("--noise laplace --scale 1,1e-7", "invalid"),
        ("--noise gaussian --epsilon-per-query 1 --delta 0", "delta"),
        ("--noise laplace --epsilon-per-query 0", "--epsilon-per-query 0 is invalid"),
        (
            "--noise bounded --epsilon-per-query 1",
            "--epsilon-per-query is for laplace and gaussian",
        ),
        ("--noise bounded", "--scale"),
        ("--noise laplace --scale 1 --epsilon-per-query 1", "--epsilon-per-query"),
        ("--noise laplace --scale 1 --data two.txt", "two.txt:3: `2"),
        ("--noise laplace --scale 1 --data empty.txt", "holds no bit"),
        ("--noise laplace --scale 1 --data many.txt", "more than 2000 bits"),
        ("--noise laplace --scale 1 --data huge.txt", "more than 2000 bits"),
        ("--noise laplace --scale 1 --data none.txt", "none.txt"),
        ("--noise laplace --scale 1 --data .", "folder"),
        ("--noise laplace --scale 1 --data two.txt --entries 3", "--data"),
    ] {
        let output = attack(&folder, arguments);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(exit::FAILED.into()), "{arguments}: {said}");
        assert!(said.contains(words) && !said.contains("\u{1b}[2J"), "{arguments}: {said}");
        assert!(output.stdout.is_empty());
    }
}
