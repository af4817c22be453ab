//! `plaudit attack infer`: answers, exit codes, and mistakes that are told with their place.
#![cfg(feature = "cli")]

use crate::support::attack::{self as support, answer};
use crate::support::cli::{Folder, stderr, stdout};
use plaudit::cli::exit;
use serde_json::Value;
use std::process::Output;

fn attack(folder: &Folder, arguments: &str) -> Output {
    support::attack("infer", folder, arguments)
}

fn json(folder: &Folder, arguments: &str) -> Value {
    answer("infer", folder, arguments)
}

/// A copy of people whose secret nothing tells, and others; the job tells everyone's wage.
fn tables() -> Folder {
    let folder = Folder::new();
    let rows = |from: u32| -> String {
        // The hash of Knuth (multiplicative): four secrets, as good as at random.
        let secret = |n: u32| n.wrapping_mul(2_654_435_761) >> 30;
        let rows =
            (from..from + 400).map(|n| format!("p{n},j{},s{},{}\n", n % 5, secret(n), n % 5));
        rows.collect()
    };
    let head = "name,job,secret,wage\n";
    for (file, from) in [("original.csv", 0), ("released.csv", 0), ("control.csv", 400)] {
        folder.spec(file, &format!("{head}{}", rows(from)));
    }
    folder
}

const ALL: &str = "original.csv released.csv --control control.csv --secret secret --known name";

#[test]
fn the_exit_code_says_whether_the_excess_is_above_the_limit() {
    let folder = tables();
    let wage = ALL.replace("--secret secret --known name", "--secret wage --known job");
    for (arguments, code, words) in [
        (ALL.to_owned(), exit::AS_EXPECTED, "Excess because of the release ≥ 0.98"),
        (format!("{ALL} --at-most 0.5"), exit::UNEXPECTED, "more than the 0.5 that is allowed"),
        (format!("{ALL} --at-most 1"), exit::AS_EXPECTED, "not shown to be above the 1"),
        (
            format!("{wage} --at-most 0"),
            exit::AS_EXPECTED,
            "Others are guessed about as well: that is what the release teaches about everyone",
        ),
        (
            wage.replace("--control control.csv ", ""),
            exit::AS_EXPECTED,
            "Without a control (--control)",
        ),
    ] {
        let output = attack(&folder, &arguments);
        assert_eq!(output.status.code(), Some(code.into()), "{arguments}: {}", stderr(&output));
        let told = stdout(&output);
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn people_and_programs_are_told_the_same() {
    let folder = tables();
    let found = json(&folder, &format!("{ALL} --at-most 0.5"));
    assert_eq!((&found["exceeded"], &found["original"]["right"]), (&true.into(), &400.into()));
    assert_eq!(found["excess"]["estimate"], 1.0);
    let everyone =
        json(&folder, &ALL.replace("--secret secret --known name", "--secret wage --known job"));
    assert_eq!(
        (&everyone["control"]["right"], &everyone["excess"]["lower"]),
        (&400.into(), &0.0.into())
    );
    assert_eq!(everyone["constant"]["right"], 80);
    let plain = json(&folder, "original.csv released.csv --secret secret --known name");
    assert_eq!((&plain["control"], &plain["exceeded"]), (&Value::Null, &Value::Null));
}

#[test]
fn mistakes_are_told_with_their_place() {
    let folder = tables();
    folder.spec("word.csv", "name,job,secret,wage\np1,j1,s1,1\np2,j2,s2,high\n");
    folder.spec("empty.csv", "name,job,secret,wage\np1,j1,,1\n");
    let files = "original.csv released.csv";
    for (arguments, words) in [
        (
            "word.csv released.csv --secret wage --known job".to_owned(),
            "word.csv:3: `wage` is `high`, but all its values in the release are numbers",
        ),
        (
            "empty.csv released.csv --secret secret --known job".into(),
            "empty.csv: `secret` is empty in all rows",
        ),
        (format!("{files} --secret age --known job"), "released.csv:1: there is no column `age`"),
        (format!("{files} --secret job --known job"), "`job` is both known and secret"),
        (format!("{files} --secret wage --known job,job"), "`job` is listed twice"),
        (format!("{files} --secret wage --known job --neighbors 0"), "0 nearest rows are invalid"),
        (
            format!("{files} --secret wage --known job --tolerance -1"),
            "a tolerance of -1 is invalid",
        ),
        (
            format!("{files} --secret wage --known job --tolerance nan"),
            "a tolerance of NaN is invalid",
        ),
        (format!("{files} --secret wage --known job --control original.csv"), "the same file"),
        (format!("{files} --secret wage --known job --at-most 0.1"), "--control"),
        (format!("{files} --secret wage"), "--known"),
    ] {
        let output = attack(&folder, &arguments);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(exit::FAILED.into()), "{arguments}: {said}");
        assert!(said.contains(words), "{arguments}: {said}");
        assert!(output.stdout.is_empty());
    }
}
