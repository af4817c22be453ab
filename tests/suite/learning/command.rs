//! `plaudit canaries`: files, answers, exit codes, and mistakes that are told with their place.

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use plaudit::cli::exit;
use serde_json::Value;
use std::process::Output;

fn canaries(folder: &Folder, arguments: &[&str]) -> Output {
    plaudit().current_dir(folder.path()).arg("canaries").args(arguments).output().unwrap()
}

fn code(output: &Output) -> u8 {
    u8::try_from(output.status.code().unwrap()).unwrap()
}

/// 1 001 canaries, those that were in with scores that are 600 of 1 000 higher.
fn telling() -> Folder {
    let folder = Folder::new();
    let rows = (0..1_001_u32).map(|row| {
        let included = row % 2;
        (row * 7 % 1_000 + 600 * included, included)
    });
    let (mut table, mut lines) = (String::from("who,in,score\n"), String::new());
    for (score, included) in rows {
        table.push_str(&format!("x,{included},{score}\n"));
        lines.push_str(&format!("{{\"loss\": {score}, \"was_in\": {}}}\n", included == 1));
    }
    folder.spec("scores.csv", &table);
    folder.spec("scores.jsonl", &lines);
    folder
}

#[test]
fn the_exit_code_says_whether_the_claim_is_refuted() {
    let folder = telling();
    for (claim, expected) in [
        (&[][..], exit::AS_EXPECTED),
        (&["--epsilon", "0.5"], exit::UNEXPECTED),
        (&["--epsilon", "0.5", "--choose", "split"], exit::UNEXPECTED),
        (&["--epsilon", "0.5", "--guesses", "300"], exit::UNEXPECTED),
        (&["--epsilon", "9"], exit::AS_EXPECTED),
        (&["--mu", "0.2"], exit::UNEXPECTED),
        (&["--mu", "9"], exit::AS_EXPECTED),
        (&["--epsilon", "1", "--delta", "0.5"], exit::AS_EXPECTED),
    ] {
        let output = canaries(&folder, &[&["scores.csv"], claim].concat());
        assert_eq!(code(&output), expected, "{claim:?}: {}{}", stderr(&output), stdout(&output));
        let words = stdout(&output);
        let said = words.contains(if expected == exit::UNEXPECTED {
            ": refuted"
        } else {
            ": not refuted"
        });
        assert_eq!(said, !claim.is_empty(), "{words}");
        let told = ["certified", "at most in this run", "mu ≥", "fair coin of its own"];
        assert!(told.iter().all(|told| words.contains(told)), "{words}");
    }
}

#[test]
fn json_has_what_people_are_told() {
    let folder = telling();
    let arguments =
        ["scores.csv", "--epsilon", "1", "--choose", "split", "--seed", "3", "--format", "json"];
    let output = canaries(&folder, &arguments);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["coins"]["included"], 500);
    assert_eq!(found["coins"]["of"], 1001);
    assert_eq!(found["seed"], 3);
    assert_eq!(found["choosing"].as_u64().unwrap() + found["counting"].as_u64().unwrap(), 1001);
    assert_eq!(found["looks"].as_array().unwrap().len(), 1);
    assert_eq!(found["looks"][0]["guesses"]["canaries"], found["counting"]);
    for bound in ["epsilon", "mu", "gaussian_epsilon"] {
        let certified = found["certified"][bound].as_f64().unwrap();
        assert!(certified > 0.0, "{bound}");
        assert!(found["ceiling"][bound].as_f64().unwrap() >= certified, "{bound}");
    }
    assert_eq!(found["judged"]["refuted"], true);
    // The same seed splits the same, and JSON lines say the same as a table.
    assert_eq!(canaries(&folder, &arguments).stdout, output.stdout);
    let lines = ["scores.jsonl", "--score-column", "loss", "--in-column", "was_in"];
    let output = canaries(&folder, &[&lines[..], &arguments[1..]].concat());
    let other: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(other["certified"], found["certified"]);
    // At δ = 0 no Gaussian curve has an ε.
    let output = canaries(&folder, &["scores.csv", "--delta", "0", "--format", "json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["certified"]["gaussian_epsilon"], "+infinity");
}

#[test]
fn coins_that_do_not_look_fair_are_warned_of_or_refused() {
    let folder = Folder::new();
    let rows = |included: u32| -> String {
        let row = |row: u32| format!("{row},{}\n", u32::from(row < included));
        std::iter::once("score,in\n".to_owned()).chain((0..1_000).map(row)).collect()
    };
    for (included, code_expected, words) in [
        (480, exit::AS_EXPECTED, ""),
        (500, exit::AS_EXPECTED, "exactly half"),
        (550, exit::AS_EXPECTED, "warning: 550 of 1 000"),
        (700, exit::FAILED, "scores.csv:2: from this row on, 700 of 1000"),
    ] {
        folder.spec("scores.csv", &rows(included));
        let output = canaries(&folder, &["scores.csv"]);
        let said = stderr(&output);
        assert_eq!(code(&output), code_expected, "{included}: {said}");
        assert!(said.contains(words) && (said.is_empty() == words.is_empty()), "{said}");
    }
}

#[test]
fn mistakes_are_told_with_their_place() {
    let folder = telling();
    let rows = |count: u32, row: fn(u32) -> String| -> String {
        std::iter::once("score,in\n".to_owned()).chain((0..count).map(row)).collect()
    };
    folder.spec("few.csv", &rows(10, |row| format!("{row},{}\n", row % 2)));
    folder.spec("same.csv", &rows(100, |row| format!("1,{}\n", row % 2)));
    folder.spec("out.csv", &rows(100, |row| format!("{row},0\n")));
    folder.spec("tied.csv", &rows(100, |row| format!("{},{}\n", u32::from(row == 0), row % 2)));
    folder.spec("nan.csv", &(rows(100, |row| format!("{row},{}\n", row % 2)) + "nan,1\n"));
    folder.spec("two.csv", &(rows(100, |row| format!("{row},{}\n", row % 2)) + "1,2\n"));
    folder.spec("word.csv", &(rows(100, |row| format!("{row},{}\n", row % 2)) + "m\u{1b}[2J,1\n"));
    folder.spec("empty.csv", "");
    folder.spec(
        "flat.csv",
        &format!(
            "one,two,in\n{}",
            (0..100).map(|row| format!("{row},7,{}\n", row % 2)).collect::<String>()
        ),
    );
    let cases: [(&[&str], &str); 19] = [
        (&["few.csv"], "few.csv:11: there are 10 canaries"),
        (&["same.csv"], "same.csv:2: from this row on, all scores are 1"),
        (&["out.csv"], "out.csv:2: from this row on, all 100 canaries are out"),
        (
            &["flat.csv", "--in-turn", "--score-column", "one", "--score-column", "two"],
            "flat.csv:2: the column `two`: from this row on, all scores are 7",
        ),
        (&["scores.csv", "--choose", "ordered", "--mu", "1", "--delta", "0"], "give --delta"),
        (&["tied.csv", "--guesses", "50"], "tied.csv:3: this score, 0, is shared by 99 of 100"),
        (&["nan.csv"], "nan.csv:102: this score is NaN"),
        (&["two.csv"], "two.csv:102: `2` does not state"),
        (&["word.csv"], "word.csv:102: `m"),
        (&["empty.csv"], "holds no canary"),
        (&["scores.csv", "--score-column", "loss"], "scores.csv:1: there is no column `loss`"),
        (&["scores.csv", "--in-column", "score"], "the same column"),
        (&["scores.csv", "--guesses", "1002"], "scores.csv:1002: 1002 guesses"),
        (&["scores.csv", "--guesses", "0"], "at least 1"),
        (&["scores.csv", "--guesses", "9", "--choose", "split"], "--guesses"),
        (&["scores.csv", "--delta", "2"], "delta"),
        (&["scores.csv", "--mu", "1", "--epsilon", "1"], "--mu"),
        (&["none.csv"], "none.csv"),
        (&["."], "folder"),
    ];
    for (arguments, words) in cases {
        let output = canaries(&folder, arguments);
        let said = stderr(&output);
        assert_eq!(code(&output), exit::FAILED, "{arguments:?}: {said}");
        assert!(said.contains(words) && !said.contains("\u{1b}[2J"), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn losses_and_copies_are_warned_of() {
    let folder = Folder::new();
    let rows = |sign: f64| -> String {
        let row = |i: u32| {
            let included = i * 7 % 13 < 6;
            let score = f64::from(i).sqrt().fract() + f64::from(u8::from(included)) * 0.4;
            format!("{},{}\n", sign * score, u8::from(included))
        };
        (1..=400).map(row).collect()
    };
    folder.spec("losses.csv", &("score,in\n".to_owned() + &rows(-1.0)));
    folder.spec("twice.csv", &("score,in\n".to_owned() + &rows(1.0) + &rows(1.0)));
    folder.spec("scores.csv", &("score,in\n".to_owned() + &rows(1.0)));
    let warned = |file: &str| stdout(&canaries(&folder, &[file]));
    assert!(warned("losses.csv").contains("negate the scores"), "{}", warned("losses.csv"));
    assert!(warned("twice.csv").contains("comes 2 times"), "{}", warned("twice.csv"));
    let words = warned("scores.csv");
    assert!(!words.contains("negate") && !words.contains("times"), "{words}");
}

#[test]
fn several_columns_of_scores_share_the_level() {
    let folder = Folder::new();
    let rows =
        |row: u32| format!("{},{},{}\n", row % 2 * 300 + row * 7 % 200, row * 389 % 1009, row % 2);
    let table: String =
        std::iter::once("good,bad,in\n".to_owned()).chain((0..1000).map(rows)).collect();
    folder.spec("t.csv", &table);
    let both = ["t.csv", "--score-column", "good", "--score-column", "bad", "--epsilon", "1"];
    let output = canaries(&folder, &[&both[..], &["--format", "json"]].concat());
    assert_eq!(code(&output), exit::UNEXPECTED, "{}", stderr(&output));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["refuted"], true);
    let columns = found["columns"].as_array().unwrap();
    assert_eq!((&columns[0]["column"], &columns[1]["column"]), (&"good".into(), &"bad".into()));
    assert!(columns.iter().all(|column| column["alpha"] == 0.025));
    assert_eq!(columns[1]["judged"]["refuted"], false);
    assert_eq!(found["best"]["epsilon"], columns[0]["certified"]["epsilon"]);
    let words = stdout(&canaries(&folder, &both));
    for told in ["at level 0.05 / 2 (Bonferroni)", "column bad", "by all columns together: refuted"]
    {
        assert!(words.contains(told), "{words}");
    }
}

#[test]
fn looks_in_turn_keep_their_levels_as_columns_come() {
    let folder = Folder::new();
    let row = |row: u32| {
        let (included, noise) = (row % 2, row * 389 % 1009);
        format!("{noise},{},{},{included}\n", noise + 30 * included, noise + 2_000 * included)
    };
    let table: String =
        std::iter::once("one,two,three,in\n".to_owned()).chain((0..999).map(row)).collect();
    folder.spec("t.csv", &table);
    let columns = ["one", "two", "three"];
    let of = |count: usize, format: &str| {
        let named = columns[..count].iter().flat_map(|name| ["--score-column", name]);
        let arguments: Vec<&str> = ["t.csv", "--in-turn", "--epsilon", "2", "--format", format]
            .into_iter()
            .chain(named)
            .collect();
        canaries(&folder, &arguments)
    };
    let found = |count| -> Value { serde_json::from_slice(&of(count, "json").stdout).unwrap() };
    let all = found(3);
    for count in 1..=3_usize {
        let fewer = found(count);
        assert_eq!(
            fewer["columns"].as_array().unwrap()[..],
            all["columns"].as_array().unwrap()[..count]
        );
        let level = all["columns"][count - 1]["alpha"].as_f64().unwrap();
        assert!((level - 0.05 / (count * (count + 1)) as f64).abs() < 1e-15, "{level}");
        let expected = if count < 3 { exit::AS_EXPECTED } else { exit::UNEXPECTED };
        assert_eq!(code(&of(count, "json")), expected, "{count}");
        assert_eq!(fewer["first_refuting"].as_str(), (count == 3).then_some("three"));
    }
    assert_eq!(all["in_turn"], true);
    let words = stdout(&of(3, "human"));
    for told in ["look k at level 0.05/(k (k + 1))", "column two", "first refuted by column three"]
    {
        assert!(words.contains(told), "{words}");
    }
    let words = stdout(&of(1, "human"));
    assert!(words.contains("1 looks in turn") && !words.contains("first refuted"), "{words}");
}

#[test]
fn all_numbers_of_guesses_at_once_refute_what_most_do() {
    let folder = telling();
    let ordered = ["scores.csv", "--choose", "ordered"];
    let output =
        canaries(&folder, &[&ordered[..], &["--epsilon", "1", "--format", "json"]].concat());
    assert_eq!(code(&output), exit::UNEXPECTED, "{}", stderr(&output));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["guessing"], &found["level"]), (&"ordered".into(), &0.05.into()));
    let looks = found["looks"].as_array().unwrap();
    let sides = |look: usize, side: &str| looks[look]["sides"][side].as_u64().unwrap();
    assert!(looks.len() == 3 && sides(1, "called_out") == 0 && sides(2, "called_in") == 0);
    // All of the 300 to 400 at each end are right, and the bound of both ends is that of all.
    assert!(sides(0, "called_in") >= 300 && sides(0, "called_out") >= 300, "{looks:?}");
    assert_eq!(found["certified"], looks[0]["certified"]);
    let words = stdout(&canaries(&folder, &ordered));
    assert!(words.contains("All numbers of guesses at once"), "{words}");
    assert!(
        words.contains("trade-off curve is Gaussian") && !words.contains("given away"),
        "{words}"
    );
    // 2 · 1 001 · 0.001/0.05 = 40.04.
    let given = [&ordered[..], &["--delta", "0.001"]].concat();
    let words = stdout(&canaries(&folder, &given));
    assert!(
        words.contains("fewer than 41 coins given away") && words.contains("so 40 of"),
        "{words}"
    );
    let output = canaries(&folder, &[&given[..], &["--format", "json"]].concat());
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["given_away"], 41);
    // The highest are out, and the lowest in.
    let row = |row: u32| format!("{},{}\n", row * 7 % 1_000 + 2_000 * (1 - row % 2), row % 2);
    let flat: String = (0..999).map(row).collect();
    folder.spec("turned.csv", &format!("score,in\n{flat}"));
    let words = stdout(&canaries(&folder, &["turned.csv", "--choose", "ordered"]));
    assert_eq!(words.matches("no number of guesses is evidence").count(), 1, "{words}");
    let absent = ["0 called in", "trade-off curve"];
    assert!(absent.iter().all(|absent| !words.contains(absent)), "{words}");
}

/// p-values too small for a number are the least one, and scores of a version may go by its name.
#[test]
fn versions_go_by_place_or_name() {
    let folder = Folder::new();
    let names = ["a", "b", "c"];
    let of = |told: &dyn Fn(usize) -> String| -> String {
        let row = |row: usize| {
            let version = row * 7 % 3;
            let score = |of: usize| row * (389 + of) % 101 + if of == version { 200 } else { 0 };
            format!("{},{},{},{}\n", score(0), score(1), score(2), told(version))
        };
        std::iter::once("a,b,c,in\n".to_owned()).chain((0..3_001).map(row)).collect()
    };
    folder.spec("places.csv", &of(&|version| version.to_string()));
    folder.spec("names.csv", &of(&|version| names[version].to_owned()));
    folder.spec(
        "mixed.csv",
        &of(&|version| names[version].to_owned())
            .replace("a,b,c,in", "a,b,0,in")
            .replace(",c\n", ",0\n"),
    );
    let run = |file: &str, third: &str, more: &[&str]| {
        let flags = ["--versions", "--score-column=a", "--score-column=b"];
        canaries(&folder, &[&[file], &flags[..], &["--score-column", third], more].concat())
    };
    let found = |file: &str| -> Value {
        let output = run(file, "c", &["--epsilon", "0", "--delta", "0", "--format", "json"]);
        assert_eq!(stderr(&output), "");
        let mut found: Value = serde_json::from_slice(&output.stdout).unwrap();
        found["file"].take();
        found
    };
    let lines = of(&|version| names[version].to_owned());
    let object = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let [a, b, c, told] = cells[..] else { panic!("{line}") };
        format!("{{\"a\": {a}, \"b\": {b}, \"c\": {c}, \"in\": \"{told}\"}}\n")
    };
    folder.spec("names.jsonl", &lines.lines().skip(1).map(object).collect::<String>());
    let places = found("places.csv");
    assert_eq!(places, found("names.csv"));
    assert_eq!(places, found("names.jsonl"));
    assert_eq!(places["judged"]["p_value"].as_f64(), Some(f64::MIN_POSITIVE));
    let output = run("mixed.csv", "0", &[]);
    assert!(
        stderr(&output).contains("the name of one version and the place of another"),
        "{}",
        stderr(&output)
    );
    let output = run("places.csv", "c", &["--guesses", "10,10"]);
    assert_eq!(code(&output), exit::FAILED);
    assert!(stderr(&output).contains("--guesses K"), "{}", stderr(&output));
}

#[test]
fn versions_are_guessed_and_their_mistakes_told() {
    let folder = Folder::new();
    let row = |row: u32| {
        let (version, noise) = (row * 7 % 3, |of: u32| row * (389 + of) % 101);
        let score = |of: u32| noise(of) + if of == version { 80 } else { 0 };
        format!("{},{},{},{version}\n", score(0), score(1), score(2))
    };
    let of = |more: &str| -> String {
        let rows = (0..300).map(row).chain([more.to_owned()]);
        std::iter::once("a,b,c,in\n".to_owned()).chain(rows).collect()
    };
    for (name, more) in [
        ("t.csv", ""),
        ("bad.csv", "1,2,3,3\n"),
        ("half.csv", "1,2,3,0.5\n"),
        ("word.csv", "1,2,3,x\n"),
    ] {
        folder.spec(name, &of(more));
    }
    let flags = ["--versions", "--score-column", "a", "--score-column", "b", "--score-column", "c"];
    let run = |file: &str, more: &[&str]| canaries(&folder, &[&[file], &flags[..], more].concat());
    let output = run("t.csv", &["--epsilon", "1", "--format", "json"]);
    assert_eq!(code(&output), exit::UNEXPECTED, "{}", stderr(&output));
    assert!(stderr(&output).contains("exactly equally often"), "{}", stderr(&output));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["looks"].as_array().unwrap().len(), 3);
    assert_eq!(found["draws"]["counts"], serde_json::json!([100, 100, 100]));
    assert!(
        found["epsilon"].as_f64().unwrap() > 1.0 && found["judged"]["refuted"] == true,
        "{found}"
    );
    let output = run("t.csv", &["--epsilon", "9", "--guesses", "50"]);
    assert_eq!(code(&output), exit::AS_EXPECTED, "{}", stderr(&output));
    let words = stdout(&output);
    for told in ["300 of 3 versions each", "50 guessed", "replacing one version", ": not refuted"] {
        assert!(words.contains(told), "{words}");
    }
    let cases: [(&str, &[&str], &str); 6] = [
        (
            "bad.csv",
            &[],
            "bad.csv:302: the column `in`: `3` does not state which of 3 versions was in: write its place, 0 to 2",
        ),
        ("half.csv", &[], "half.csv:302: the column `in`: `0.5` does not state"),
        ("word.csv", &[], "or the name of its column"),
        ("t.csv", &["--mu", "1"], "--mu"),
        ("t.csv", &["--choose", "split"], "--choose"),
        ("t.csv", &["--guesses", "301"], "t.csv:301: 301 guesses are more than the 300"),
    ];
    for (file, more, words) in cases {
        let output = run(file, more);
        let said = stderr(&output);
        assert_eq!(code(&output), exit::FAILED, "{file} {more:?}: {said}");
        assert!(said.contains(words), "{said}");
    }
    let output = canaries(&folder, &["t.csv", "--versions", "--score-column", "a"]);
    assert!(stderr(&output).contains("at least 2 versions"), "{}", stderr(&output));
}
