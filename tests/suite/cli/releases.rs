//! `plaudit budget`: a ledger takes what its budget allows and nothing more, loses no entry, and trusts no number in its
//! file but those of the budget and the events.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::process::{Output, Stdio};

/// A ledger of (1, 0).
const PURE: &str = "plaudit_budget = \"1\"\nepsilon = 1.0\ndelta = 0\nfilter = \"pure\"\n";

fn begun(arguments: &[&str]) -> Folder {
    let folder = Folder::new();
    let output = folder.run(&[&["budget", "l.toml", "new"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    folder
}

fn add(folder: &Folder, events: &str) -> Output {
    folder.run(&["budget", "l.toml", "add", events])
}

fn text(folder: &Folder) -> String {
    fs::read_to_string(folder.path().join("l.toml")).unwrap()
}

fn shown(folder: &Folder) -> Value {
    let output = folder.run(&["budget", "l.toml", "show", "--format", "json", "--fixed"]);
    serde_json::from_str(&stdout(&output)).unwrap()
}

/// One line on standard error, with these words.
fn told(output: &Output, code: i32, words: &[&str]) {
    let message = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert!(message.starts_with("error: ") && message.lines().count() == 1, "{message}");
    assert!(words.iter().all(|word| message.contains(word)), "{words:?}: {message}");
    assert_eq!(stdout(output), "");
}

#[test]
fn ten_tenths_are_added_and_the_eleventh_is_refused() {
    let folder = begun(&["--epsilon", "1", "--delta", "0"]);
    for _ in 0..10 {
        assert_eq!(add(&folder, "laplace(scale=10)").status.code(), Some(0));
    }
    let before = text(&folder);
    told(&add(&folder, "laplace(scale=10)"), 1, &["costs epsilon = 0.1, and 0 of 1 is left"]);
    assert_eq!(text(&folder), before);
    let output = folder.run(&["budget", "l.toml", "check"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("10 releases are within the budget"), "{}", stdout(&output));
    let shown = shown(&folder);
    assert_eq!((&shown["spent"], &shown["left"]), (&1.0.into(), &0.0.into()));
    assert_eq!(shown["releases"].as_array().unwrap().len(), 10);
    assert!(shown["epsilon_if_fixed"]["upper"].as_f64().unwrap() < 1.000_01, "{shown}");
}

#[test]
fn a_refusal_names_what_fits_and_leaves_the_file_as_it_is() {
    let folder = begun(&["--epsilon", "1", "--delta", "1e-5"]);
    let before = text(&folder);
    for (events, words) in [
        ("gaussian(sigma=30) x 300", "at most 54 of its 300 uses, or sigma = 70.07 or more"),
        ("gaussian(sigma=1)", "what fits: sigma = 4.046 or more"),
        ("laplace(scale=1)", "what fits: scale = 4.046 or more"),
        ("gaussian(sigma=1) @ poisson(0.1)", "a ledger begun with --filter renyi:16 has"),
        ("renyi(alpha=3, epsilon=1)", "a ledger begun with --filter renyi:3 has"),
        ("epsilon-delta(epsilon=0.1, delta=1e-9)", "no filter has"),
        ("gaussian(sigma=30) + gaussian(sigma=1)", "of 0.03055 is left"),
    ] {
        told(&add(&folder, events), 1, &["is unchanged: ", words]);
        assert_eq!(text(&folder), before, "{events}");
    }
    told(&add(&folder, "gaussian(sigma=0)"), 2, &["sigma"]);
    told(
        &folder.run(&["budget", "l.toml", "new", "--epsilon", "9", "--delta", "0.1"]),
        2,
        &["already there"],
    );
    assert_eq!(text(&folder), before);
    for events in ["gaussian(sigma=4.046)", "laplace(scale=1e6) + gaussian(sigma=1e6)"] {
        let output = add(&folder, events);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
}

#[test]
fn one_ledger_has_one_neighboring_relation() {
    let folder = begun(&["--epsilon", "1", "--delta", "0"]);
    assert_eq!(add(&folder, "laplace(scale=100) @ poisson(0.1)").status.code(), Some(0));
    let output = add(&folder, "laplace(scale=100) @ without-replacement(0.1)");
    told(&output, 1, &["a composition has one relation"]);
}

#[test]
fn concurrent_adds_lose_no_entry_and_exceed_nothing() {
    const ADDS: usize = 12;
    let folder = begun(&["--epsilon", "1", "--delta", "0"]);
    let start = |number: usize| {
        let mut command = plaudit();
        command.current_dir(folder.path()).args(["budget", "l.toml", "add", "--wait", "60"]);
        command.args(["laplace(scale=8)", "--note", &format!("number {number}")]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let started: Vec<_> = (0..ADDS).map(start).collect();
    let codes = started.into_iter().map(|mut child| child.wait().unwrap().code());
    let mut codes: Vec<_> = codes.map(|code| code.unwrap()).collect();
    codes.sort_unstable();
    assert_eq!(codes, [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    let shown = shown(&folder);
    let notes = shown["releases"].as_array().unwrap().iter().map(|release| &release["note"]);
    let mut notes: Vec<_> = notes.map(|note| note.as_str().unwrap()).collect();
    notes.sort_unstable();
    notes.dedup();
    assert_eq!((notes.len(), &shown["within_budget"]), (8, &true.into()));
}

#[test]
fn a_held_lock_is_waited_for_so_long_and_no_longer() {
    let folder = begun(&["--epsilon", "1", "--delta", "0"]);
    let before = text(&folder);
    let lock = fs::File::create(folder.path().join("l.toml.lock")).unwrap();
    lock.lock().unwrap();
    let arguments = ["budget", "l.toml", "add", "laplace(scale=10)", "--wait", "0"];
    told(&folder.run(&arguments), 2, &["another process held it for 0 s", "nothing was added"]);
    assert_eq!(text(&folder), before);
    drop(lock);
    assert_eq!(folder.run(&arguments).status.code(), Some(0));
}

#[test]
fn hostile_notes_are_kept_and_shown_without_effect() {
    let folder = begun(&["--epsilon", "1", "--delta", "0"]);
    let note = "\u{1b}[2J\u{202e}\"\"\"\n[[release]]\nevents = \"x\"\u{7}'\\";
    let output = folder.run(&["budget", "l.toml", "add", "laplace(scale=10)", "--note", note]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output = folder.run(&["budget", "l.toml", "show"]);
    let words = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(words.contains("[U+001B][2J") && words.contains("[U+202E]"), "{words}");
    assert!(words.chars().all(|c| c == '\n' || !c.is_control()), "{words}");
    assert_eq!(shown(&folder)["releases"][0]["note"], note);
    assert!(text(&folder).chars().all(|c| c == '\n' || !c.is_control()), "{}", text(&folder));
}

#[test]
fn comments_and_permissions_of_the_file_stay() {
    let folder = Folder::new();
    let text_of_user = format!("# ours\n{PURE}# the end");
    folder.spec("l.toml", &text_of_user);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let mode = fs::Permissions::from_mode(0o600);
        fs::set_permissions(folder.path().join("l.toml"), mode).unwrap();
        symlink("l.toml", folder.path().join("link.toml")).unwrap();
        let output = folder.run(&["budget", "link.toml", "add", "laplace(scale=10)"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let metadata = fs::symlink_metadata(folder.path().join("link.toml")).unwrap();
        assert!(metadata.is_symlink());
        let metadata = fs::metadata(folder.path().join("l.toml")).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(add(&folder, "laplace(scale=10)").status.code(), Some(0));
    assert!(text(&folder).starts_with(&(text_of_user + "\n\n[[release]]\n")), "{}", text(&folder));
}

#[test]
fn an_edited_ledger_that_exceeds_its_budget_is_found() {
    let release = |events: &str| format!("\n[[release]]\nadded = \"\"\nevents = \"{events}\"\n");
    let many = release("laplace(scale=1)") + &release("laplace(scale=4)");
    for (releases, words) in [
        (many.clone(), "release 2 exceeds the budget: 1.25 are spent with it"),
        (
            release("gaussian(sigma=100)"),
            "release 1: gaussian(sigma=100.0) has no known cost in epsilon",
        ),
    ] {
        let folder = Folder::new();
        folder.spec("l.toml", &(PURE.to_owned() + &releases));
        told(&folder.run(&["budget", "l.toml", "check"]), 1, &[words]);
        told(&add(&folder, "laplace(scale=1e9)"), 1, &["does not keep its budget", words]);
        let output = folder.run(&["budget", "l.toml", "show"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stdout(&output).contains("NOT WITHIN THE BUDGET"), "{}", stdout(&output));
    }
    let folder = Folder::new();
    folder.spec("l.toml", &(PURE.replace("1.0", "1.25") + &many));
    assert_eq!(folder.run(&["budget", "l.toml", "check"]).status.code(), Some(0));
}

#[test]
fn corrupt_files_are_one_clear_message() {
    let folder = Folder::new();
    for (text, words) in [
        ("", "missing field"),
        ("\u{1b}[31m", "line 1: key with no value"),
        (&PURE.replace("\"1\"", "\"2\""), "its version is \"2\""),
        (&PURE.replace("pure", "pur"), "did you mean `pure`?"),
        (&PURE.replace("pure", "zcdp"), "this filter does not apply"),
        (&PURE.replace("1.0", "nan"), "epsilon = NaN is invalid"),
        (&PURE.replace("1.0", "-1"), "epsilon = -1 is invalid"),
        (&format!("{PURE}total = 0.5\n"), "line 5: unknown field `total`"),
        (
            &format!("{PURE}[[release]]\nadded = \"\"\nevents = \"laplac(scale=1)\"\n"),
            "in release 1",
        ),
        (&format!("{PURE}[[release]]\nadded = \"\"\n"), "missing field `events`"),
    ] {
        folder.spec("l.toml", text);
        for arguments in [&["check"][..], &["show"], &["add", "laplace(scale=10)"]] {
            let output = folder.run(&[&["budget", "l.toml"], arguments].concat());
            told(&output, 2, &["cannot read the ledger `l.toml`: ", words]);
            assert!(stderr(&output).trim_end().chars().all(|c| !c.is_control()), "{text}");
        }
        assert_eq!(fs::read_to_string(folder.path().join("l.toml")).unwrap(), text);
    }
    for arguments in [&["check"][..], &["add", "laplace(scale=10)"]] {
        let output = folder.run(&[&["budget", "none.toml"], arguments].concat());
        told(&output, 2, &["cannot read the ledger `none.toml`", "plaudit budget FILE new"]);
    }
    assert!(!folder.path().join("none.toml.lock").exists());
}

#[test]
fn every_filter_has_its_ledger() {
    for (filter, events) in [
        ("zcdp", "zero-concentrated(rho=0.001)"),
        ("gdp", "gdp(mu=0.1) x 2"),
        ("renyi:8", "gaussian(sigma=2) x 10 @ poisson(0.01)"),
        ("pure", "randomized-response(truth=0.1)"),
    ] {
        let folder = begun(&["--epsilon", "2", "--delta", "1e-5", "--filter", filter]);
        let output = add(&folder, events);
        assert_eq!(output.status.code(), Some(0), "{filter}: {}", stderr(&output));
        let shown = shown(&folder);
        let of = |name: &str| shown[name].as_f64().unwrap();
        assert_eq!(shown["filter"], filter);
        assert!(of("spent") > 0.0 && of("spent") <= of("total"), "{shown}");
        assert!(of("epsilon_spent") > 0.0 && of("epsilon_spent") <= 2.0, "{shown}");
        // What was fixed beforehand costs no more than what was chosen.
        let fixed = shown["epsilon_if_fixed"]["lower"].as_f64().unwrap();
        assert!(fixed <= of("epsilon_spent") + 1e-6, "{shown}");
    }
}
