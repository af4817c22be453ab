//! `plaudit attack single-out`: answers, exit codes, and mistakes that are told with their place.
#![cfg(feature = "cli")]

use crate::support::attack::{self as support, answer};
use crate::support::cli::{Folder, stderr, stdout};
use plaudit::cli::exit;
use serde_json::Value;
use std::process::Output;

fn attack(folder: &Folder, arguments: &str) -> Output {
    support::attack("single-out", folder, arguments)
}

fn json(folder: &Folder, arguments: &str) -> Value {
    answer("single-out", folder, arguments)
}

/// People with a name each: the release has those of the original, and the control others.
fn tables() -> Folder {
    let folder = Folder::new();
    let rows = |from: u32| -> String {
        let rows =
            (from..from + 300).map(|n| format!("p{n},{},{}\n", n % 7, ["f", "m"][n as usize % 2]));
        rows.collect()
    };
    folder.spec("original.csv", &format!("name,age,sex\n{}", rows(0)));
    folder.spec("released.csv", &format!("name,age,sex\n{}", rows(0)));
    folder.spec("control.csv", &format!("name,age,sex\n{}", rows(300)));
    folder.spec(
        "few.csv",
        &format!(
            "name,age,sex\n{}",
            rows(300).lines().take(30).map(|row| format!("{row}\n")).collect::<String>()
        ),
    );
    folder
}

const ALL: &str = "original.csv released.csv --control control.csv --columns name --conditions 1";

#[test]
fn the_exit_code_says_whether_the_excess_is_above_the_limit() {
    let folder = tables();
    for (arguments, code, words) in [
        (ALL.to_owned(), exit::AS_EXPECTED, "Excess because of the release ≥ 0.9876"),
        (format!("{ALL} --at-most 0.5"), exit::UNEXPECTED, "more than the 0.5 that is allowed"),
        (format!("{ALL} --at-most 1"), exit::AS_EXPECTED, "not shown to be above the 1"),
        (
            "original.csv released.csv --columns name --conditions 1".to_owned(),
            exit::AS_EXPECTED,
            "Without a control (--control)",
        ),
        (ALL.replace("control.csv", "few.csv"), exit::AS_EXPECTED, "a larger one shows more"),
    ] {
        let output = attack(&folder, &arguments);
        assert_eq!(output.status.code(), Some(code.into()), "{arguments}: {}", stderr(&output));
        let told = stdout(&output);
        assert!(told.contains(words) && told.contains("singled out: name = p"), "{words}: {told}");
    }
}

#[test]
fn people_and_programs_are_told_the_same() {
    let folder = tables();
    let found = json(&folder, &format!("{ALL} --at-most 0.5"));
    assert_eq!((&found["exceeded"], &found["at_most"]), (&true.into(), &0.5.into()));
    assert_eq!((&found["guessed"]["right"], &found["guessed"]["of"]), (&300.into(), &300.into()));
    assert_eq!(found["compared"]["control"]["right"], 0);
    assert_eq!(found["compared"]["excess"]["estimate"], 1.0);
    assert_eq!(found["columns"], serde_json::json!(["name"]));
    let seed = |seed: u64| {
        json(
            &folder,
            &format!("original.csv released.csv --conditions 2 --guesses 5 --seed {seed}"),
        )
    };
    assert_eq!(seed(1), seed(1));
    assert_ne!(seed(1)["examples"], seed(2)["examples"]);
    let plain = json(&folder, "original.csv released.csv --guesses 5");
    assert_eq!((&plain["compared"], &plain["exceeded"]), (&Value::Null, &Value::Null));
    assert_eq!((&plain["conditions"], &plain["guessed"]["of"]), (&3.into(), &5.into()));
}

#[test]
fn mistakes_are_told_with_their_place() {
    let folder = tables();
    folder.spec("word.csv", "name,age,sex\np1,1,f\np2,old,m\n");
    folder.spec("other.csv", "name,sex\np1,f\n");
    folder.spec("same.csv", "sex\nf\nf\n");
    for (arguments, words) in [
        (
            "word.csv released.csv",
            "word.csv:3: `age` is `old`, but all its values in the release are numbers",
        ),
        ("other.csv released.csv", "other.csv:1: there is no column `age`"),
        ("original.csv released.csv --columns zip", "released.csv:1: there is no column `zip`"),
        ("original.csv released.csv --columns sex,sex", "`sex` is listed twice"),
        (
            "original.csv released.csv --control original.csv",
            "the original and the control are the same file",
        ),
        ("original.csv released.csv --conditions 4", "a guess has 1 to 3"),
        ("original.csv released.csv --conditions 0", "a guess has 1 to 3"),
        ("original.csv released.csv --guesses 0", "0 guesses are invalid"),
        ("original.csv released.csv --control control.csv --at-most 2", "at most 2 is invalid"),
        ("original.csv released.csv --at-most 0.1", "--control"),
        (
            "original.csv same.csv",
            "same.csv: no guess of 1 conditions holds for one released row alone",
        ),
        ("none.csv released.csv", "none.csv"),
    ] {
        let output = attack(&folder, arguments);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(exit::FAILED.into()), "{arguments}: {said}");
        assert!(said.contains(words), "{arguments}: {said}");
        assert!(output.stdout.is_empty());
    }
}
