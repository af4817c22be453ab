//! Tables and other files: recorded outcomes (CSV, JSON lines, arrays), scores of attacks and of canaries, with labels and
//! in arrays, tables of rows and of people, and what other accountants have recorded.
//! The first byte of the input says what the rest is.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plaudit::attack::{LinkQuestion, NumberKind, ScoreFiles, read_numbers};
use plaudit::learning::canaries::{CanaryColumns, read_canaries};
use plaudit::mechanism::Recordings;
use plaudit::mechanism::recorded::{CsvColumns, Source};
use plaudit::{Cell, Table};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

static NEVER: AtomicBool = AtomicBool::new(false);

fuzz_target!(|input: &[u8]| {
    let Some((&first, content)) = input.split_first() else { return };
    match first {
        b'c' => recorded("csv", content, CsvColumns::Only),
        b'o' => recorded("csv", content, CsvColumns::One("a".into())),
        b's' => recorded("csv", content, CsvColumns::Several(vec!["a".into(), "b".into()])),
        b'j' => recorded("jsonl", content, CsvColumns::Only),
        b'n' => recorded("npy", content, CsvColumns::Only),
        b't' => table(content),
        b'l' => link(content),
        b'k' => scores("csv", content, Some("a")),
        b'v' => scores("csv", content, None),
        b'w' => scores("txt", content, None),
        b'y' => scores("npy", content, None),
        b'z' => scores("npz", content, Some("a")),
        b'g' => groups("npz", content, None),
        b'm' => groups("csv", content, Some("label")),
        b'q' => groups("jsonl", content, Some("label")),
        b'i' => canaries("csv", content),
        b'h' => canaries("jsonl", content),
        b'e' => events(content),
        _ => {}
    }
});

fn file(name: &str, content: &[u8]) -> PathBuf {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let path = FOLDER.get_or_init(|| tempfile::tempdir().expect("a folder")).path().join(name);
    std::fs::write(&path, content).expect("a file");
    path
}

fn recorded(ending: &str, content: &[u8], columns: CsvColumns) {
    let path = |name| file(&format!("{name}.{ending}"), content);
    let source = Source { d: path("d"), d_prime: path("e"), columns };
    let recordings = Recordings::new(&source).expect("both are there");
    let begins = recordings.look();
    assert_eq!(recordings.are_the_same().ok(), Some(true));
    let runs = recordings.runs(&NEVER);
    let most = recordings.most_trials();
    let mut taken = 0;
    let passed = recordings.pass(0, &NEVER, || true, |outcomes| taken += outcomes.len() as u64);
    assert_eq!(passed.is_ok(), runs.is_ok());
    if let Ok([d, d_prime]) = runs {
        assert_eq!((d, d_prime), (taken, taken));
        assert!(2 * d <= most, "{d} outcomes, and at most {most} trials");
        // An outcome is there, or none is: both are known from the beginning.
        assert_eq!(begins.is_ok(), d > 0);
    }
}

fn table(content: &[u8]) {
    let path = file("table.csv", content);
    for columns in [vec!["a".to_owned()], vec!["b".to_owned(), "a".to_owned()]] {
        if let Ok(table) = Table::read_csv(&path, &columns) {
            assert_eq!(table.columns, columns);
            assert!(table.rows.iter().all(|row| row.len() == columns.len()));
            let finite = |cell: &Cell| !matches!(cell, Cell::Number(x) if !x.is_finite());
            assert!(table.rows.iter().flatten().all(finite));
        }
    }
}

/// Two tables, with a byte of zero between them.
fn link(content: &[u8]) {
    let mut halves = content.splitn(2, |byte| *byte == 0);
    let [released, known] = [(); 2].map(|()| halves.next().unwrap_or_default());
    let mut question = LinkQuestion {
        released: file("released.csv", released),
        known: file("known.csv", known),
        on: vec!["a".into(), "b".into()],
        truth: None,
        counts: Some((1.0, 1e-6)),
        alpha: 0.05,
    };
    for truth in [None, Some("id".to_owned())] {
        question.truth = truth;
        let Ok((linkage, published)) = question.answer(1) else { continue };
        assert!(question.check().is_ok() && published.is_some());
        assert_eq!(linkage.released, linkage.linked + linkage.several + linkage.none);
        assert!(linkage.unique >= linkage.linked && linkage.smallest >= 1);
    }
}

fn scores(ending: &str, content: &[u8], column: Option<&str>) {
    let path: &Path = &file(&format!("scores.{ending}"), content);
    if let Ok(scores) = read_numbers(path, column, NumberKind::SCORES) {
        assert!(!scores.is_empty() && scores.iter().all(|score| !score.is_nan()));
    }
}

/// Scores of both groups in one file.
fn groups(ending: &str, content: &[u8], label: Option<&str>) {
    let table = file(&format!("groups.{ending}"), content);
    let files = match label {
        Some(label) => ScoreFiles::Labeled { table, label: label.into() },
        None => ScoreFiles::Archive(table),
    };
    for columns in [vec![], vec!["a".to_owned()], vec!["a".to_owned(), "b".to_owned()]] {
        if let Ok(scores) = files.read(&columns) {
            assert_eq!(scores.len(), columns.len().max(1));
        }
    }
}

fn canaries(ending: &str, content: &[u8]) {
    let path = file(&format!("canaries.{ending}"), content);
    let columns =
        CanaryColumns { scores: vec!["score".into(), "a".into()], included: "in".into() };
    let Ok(read) = read_canaries(&path, &columns) else { return };
    assert_eq!(read.len(), 2);
    assert_eq!(read[0].len(), read[1].len());
    assert!(read.iter().flatten().all(|canary| !canary.score.is_nan() && canary.line > 0));
}

/// A history of opacus, or events of dp-accounting: what is read is a composition.
fn events(content: &[u8]) {
    if let Ok(composition) = plaudit::cli::recorded_events(&file("events.json", content)) {
        composition.check().expect("a composition that was read is sound");
    }
}
