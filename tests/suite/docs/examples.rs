//! The examples of README.md and docs/, copied literally, each into a folder of its own, end as their text
//! says. (Those in Rust are documentation tests; those of docs/spec*.md are read and run by `spec.rs`.)
//!
//! Claims that hold are audited at level 1e-6, so that a test of n of them fails by chance with probability
//! below n·10⁻⁶. Examples in Python are left out, and said to be, where there is no Python, or no numpy.
#![cfg(all(feature = "cli", unix))]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn page(name: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(name)).unwrap()
}

/// The example of a page in this language that has these words.
pub(super) fn example(name: &str, language: &str, words: &str) -> String {
    let page = page(name);
    let found: Vec<&str> = page
        .split("\n```")
        .filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n'))
        .filter(|block| block.contains(words))
        .collect();
    let [only] = found[..] else {
        panic!("{} examples of {name} in {language} have {words:?}", found.len())
    };
    format!("{only}\n")
}

/// Whether Python can do this here.
fn python(code: &str) -> bool {
    let can = Command::new("python3").args(["-c", code]).output();
    let can = can.is_ok_and(|output| output.status.success());
    if !can {
        println!("left out: no python3 here that can `{code}`");
    }
    can
}

/// A folder with `mine/`, and with `target/venv/bin/python`, which finds the package `plaudit` as if it were
/// installed.
fn project(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("target/venv/bin")).unwrap();
    let script = format!("#!/bin/sh\nPYTHONPATH='{ROOT}/python' exec python3 \"$@\"\n");
    folder.program("target/venv/bin/python", &script);
    std::fs::create_dir_all(folder.path().join("mine")).unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join("mine").join(name), text).unwrap();
    }
    folder
}

/// What an audit of `mine` says, whatever was expected.
fn audit(folder: &Folder) -> Vec<Value> {
    let arguments = ["audit", "mine", "--format", "json"];
    let output = plaudit().current_dir(folder.path()).args(arguments).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
    report["audits"].as_array().unwrap().clone()
}

fn verdict(folder: &Folder) -> String {
    let findings = audit(folder);
    assert_eq!(findings.len(), 1);
    findings[0]["verdict"].as_str().unwrap().to_owned()
}

#[test]
fn the_readme_counts_the_audits_and_attacks_that_ship() {
    let output = plaudit().current_dir(ROOT).args(["list", "audits", "--format", "json"]).output();
    let audits: Vec<Value> = serde_json::from_slice(&output.unwrap().stdout).unwrap();
    let attacks = page("audits/attacks.toml").matches("\n[[attack]]\n").count();
    let readme = page("README.md");
    for count in [format!("runs {} audits", audits.len()), format!("and {attacks} attacks")] {
        assert!(readme.contains(&count), "README.md does not have \"{count}\"");
    }
}

#[test]
fn the_spec_of_the_readme_and_its_mutant_end_as_expected() {
    let cases = [
        (("README.md", "toml", "\"voters\""), "not refuted"),
        (("docs/spec-runs.md", "toml,part", "\"voters-mutant\""), "violated"),
    ];
    for ((page, language, words), verdict) in cases {
        let folder = project(&[("a.toml", &example(page, language, words))]);
        let data = folder.path().join("mine/data");
        std::fs::create_dir_all(&data).unwrap();
        let csv = Path::new(ROOT).join("audits/data/anes96.csv");
        std::fs::copy(csv, data.join("anes96.csv")).unwrap();
        let findings = audit(&folder);
        // Noise with a known law: what is not refuted may be proved as well.
        let said = findings[0]["verdict"].as_str().unwrap();
        assert!(
            said == verdict || (verdict, said) == ("not refuted", "verified"),
            "{words}: {said}"
        );
        assert_eq!(findings[0]["as_expected"], true, "{words}");
    }
}

#[test]
fn the_first_audits_end_as_the_page_says() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("audits")).unwrap();
    let spec = example("docs/start.md", "toml", "\"wrong\"");
    std::fs::write(folder.path().join("audits/first.toml"), spec).unwrap();
    let run = |words: &str, code: i32| {
        let line = example("docs/start.md", "sh", words);
        let arguments = line.trim().split(' ').skip(1);
        let output = plaudit().current_dir(folder.path()).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{line}: {}", stderr(&output));
        stdout(&output)
    };
    let table = run("plaudit audit", 1);
    assert!(table.contains("\nviolated ") && table.contains("\nverified (model) "), "{table}");
    assert!(run("plaudit replay", 0).contains("violated again"));
}

#[test]
fn programs_of_the_page_on_python_end_as_it_says() {
    if !python("import json") {
        return;
    }
    let program = example("docs/python-program.md", "python", "serve(average)");
    for (words, said) in [("\"average\"", "not refuted"), ("\"average-of-those", "violated")] {
        let spec = example("docs/python-program.md", "toml", words);
        let folder = project(&[("mechanism.py", &program), ("a.toml", &spec)]);
        assert_eq!(verdict(&folder), said, "{words}");
    }
    if python("import numpy") {
        let program = example("docs/python-program.md", "python", "serve(batch=average)");
        let part = example("docs/python-program.md", "toml,part", "format = \"npy\"");
        let one_by_one =
            "mechanism = { command = [\"../target/venv/bin/python\", \"mechanism.py\"] }\n";
        let spec = example("docs/python-program.md", "toml", "\"average\"");
        let spec = spec.replace(one_by_one, &part.replace("\n\n", "\n"));
        assert!(spec.contains("npy"));
        let folder = project(&[("mechanism.py", &program), ("a.toml", &spec)]);
        assert_eq!(verdict(&folder), "not refuted");
    }
}

#[test]
fn a_program_tried_without_plaudit_answers() {
    if !python("import json") {
        return;
    }
    let answers = |folder: &Folder, line: &str| {
        let output = Command::new("sh").arg("-c").arg(line).current_dir(folder.path()).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let words = stdout(&output);
        assert!(words.lines().all(|line| line.parse::<f64>().is_ok()), "{words}");
        words.lines().count()
    };
    let program = example("docs/external.md", "python", "for line in sys.stdin");
    let folder = project(&[]);
    std::fs::write(folder.path().join("program.py"), program).unwrap();
    assert_eq!(answers(&folder, &example("docs/external.md", "sh", "program.py")), 3);
    let program = example("docs/python-program.md", "python", "serve(average)");
    let folder = project(&[("mechanism.py", &program)]);
    assert_eq!(answers(&folder, &example("docs/python-program.md", "sh", "mine/mechanism.py")), 3);
}

/// The page's steps, from a shell to a verdict.
#[test]
#[ignore = "takes several seconds"]
fn the_closed_program_of_the_page_is_refuted() {
    let folder = project(&[
        ("count.sh", &example("docs/closed.md", "sh", "count.sh FILE")),
        ("record.sh", &example("docs/closed.md", "sh", "record()")),
        ("closed.toml", &example("docs/closed.md", "toml,part", "[[audit]]")),
        ("with.txt", &"row\n".repeat(11)),
        ("without.txt", &"row\n".repeat(10)),
    ]);
    let mut shell = Command::new("sh");
    let recorded = shell.arg("record.sh").current_dir(folder.path().join("mine")).output().unwrap();
    assert!(recorded.status.success(), "{}", stderr(&recorded));
    let findings = audit(&folder);
    assert_eq!(findings[0]["verdict"], "violated", "{:?}", findings[0]);
    let epsilon = findings[0]["epsilon_lower"].as_f64().unwrap();
    assert!(1.4 < epsilon && epsilon < 2.0, "{epsilon}");
}

/// Right noise in doubles: all of its digits say more than its values do.
#[test]
#[ignore = "takes several seconds"]
fn the_program_of_the_page_on_external_programs_leaks_by_its_low_bits_alone() {
    if !python("import json") {
        return;
    }
    let spec = example("docs/external.md", "toml", "laplace_plain.py");
    let of_program = spec.replace("\"laplace_plain.py\"], format = \"npy\"", "\"program.py\"]");
    assert_ne!(spec, of_program);
    let program = example("docs/external.md", "python", "for line in sys.stdin");
    let findings = audit(&project(&[("program.py", &program), ("a.toml", &of_program)]));
    assert_eq!(findings[0]["verdict"], "violated");
    let leaks = &findings[0]["leaks"];
    assert_eq!(leaks["values"]["refutes"], false, "{leaks}");
    assert_eq!(leaks["representation"]["refutes"], true, "{leaks}");
    assert!(leaks["representation"]["epsilon_lower"].as_f64() > Some(4.0), "{leaks}");
    let mended = program.replace("json.dumps(outcome)", "round(outcome, 3)");
    assert_ne!(mended, program);
    assert_eq!(
        verdict(&project(&[("program.py", &mended), ("a.toml", &of_program)])),
        "not refuted"
    );
    if python("import numpy") {
        let program = page("examples/external/laplace_plain.py");
        let folder = project(&[("laplace_plain.py", &program), ("a.toml", &spec)]);
        assert_eq!(verdict(&folder), "not refuted");
    }
}

#[test]
fn recorded_outcomes_are_read_as_the_page_says() {
    let spec = example("docs/recorded.md", "toml", "with-alice.csv");
    // Randomized response on 2 000 people a file: e^0.5 to 1, where e is claimed.
    let column = |ones: usize| {
        let rows = (0..2_000).map(|row| if row % 1_000 < ones { "1\n" } else { "0\n" });
        std::iter::once("total\n").chain(rows).collect::<String>()
    };
    let files = [("with-alice.csv", column(622)), ("without-alice.csv", column(378))];
    let files: Vec<_> = files.iter().map(|(name, text)| (*name, &**text)).collect();
    let folder = project(&[&files[..], &[("a.toml", &spec)]].concat());
    assert_eq!(verdict(&folder), "not refuted");
}

/// Scores on a grid of the logistic law, of members 1 higher.
#[test]
fn a_membership_attack_says_what_the_page_says() {
    let folder = Folder::new();
    let scores = |shift: f64| -> String {
        let logit = |k: u32| (f64::from(k) / f64::from(4_000 - k)).ln();
        // One of the grid's ends is infinite: left out, and the middle told twice.
        (1..4_000).chain([2_000]).map(|k| format!("{:.6}\n", logit(k) + shift)).collect()
    };
    folder.spec("members.txt", &scores(1.0));
    folder.spec("others.txt", &scores(0.0));
    let row = |row: u32| format!("{},{},{}\n", row % 2, row * 7 % 400, row * 11 % 400);
    let table: String = (0..400).map(row).collect();
    folder.spec("scores.csv", &("member,loss,margin\n".to_owned() + &table));
    let commands = example("docs/attacks.md", "text", "plaudit attack membership");
    let mut said = Vec::new();
    for line in commands.lines() {
        let mut words = line.split(' ');
        assert_eq!(words.next(), Some("plaudit"));
        let output = plaudit().current_dir(folder.path()).args(words).output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{line}: {}", stderr(&output));
        said.push(stdout(&output));
    }
    assert_eq!(said.len(), 5);
    assert!(said[3].contains("2 columns of scores, each an attack of its own"), "{}", said[3]);
    assert!(said[4].contains("432 of 2 000 called members"), "{}", said[4]);
    assert_eq!(said[1], example("docs/attacks.md", "text,output", "members.txt:"));
}

/// Scores of the logistic law, of canaries that were in 3 higher; coins and scores by a multiplicative generator.
#[test]
fn an_audit_of_canaries_says_what_the_page_says() {
    let folder = Folder::new();
    let mut state = 1_u64;
    let mut uniform = || {
        state = state * 48_271 % 2_147_483_647;
        state as f64 / 2_147_483_647.0
    };
    let mut rows = String::from("score,in\n");
    for _ in 0..1_000 {
        let (coin, level) = (uniform() < 0.5, uniform());
        let score = (level / (1.0 - level)).ln() + if coin { 3.0 } else { 0.0 };
        rows.push_str(&format!("{score:.4},{}\n", u8::from(coin)));
    }
    folder.spec("scores.csv", &rows);
    let commands = example("docs/canaries.md", "text", "plaudit canaries scores.csv");
    let mut said = Vec::new();
    for line in commands.lines() {
        let words = line.split(' ').skip(1);
        let output = plaudit().current_dir(folder.path()).args(words).output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{line}: {}", stderr(&output));
        said.push(stdout(&output));
    }
    assert_eq!(said.len(), 5);
    assert_eq!(said[1], example("docs/canaries.md", "text,output", "canaries: scores.csv"));
}

/// The commands of the page on learning, and the bounds of its tables.
#[test]
#[ignore = "audits of trainings, which audit::golden compares"]
fn an_audit_of_a_training_says_what_the_page_says() {
    let (page_name, folder) = ("docs/learning.md", Folder::new());
    std::fs::create_dir(folder.path().join("audits")).unwrap();
    for entry in std::fs::read_dir(Path::new(ROOT).join("audits")).unwrap() {
        let file = entry.unwrap().path();
        let name = file.file_name().unwrap();
        if ["learning", "trainings"].iter().any(|start| name.to_string_lossy().starts_with(start)) {
            std::fs::copy(&file, folder.path().join("audits").join(name)).unwrap();
        }
    }
    folder.spec("training.toml", &example(page_name, "toml", "\"my-training\""));
    let page = page(page_name);
    let mut said = String::new();
    for line in page.lines().filter(|line| line.starts_with("plaudit ")) {
        let command = format!(
            "plaudit() {{ '{}' \"$@\"; }}\n{line}",
            assert_cmd::cargo::cargo_bin!("plaudit").display()
        );
        let output = Command::new("sh").arg("-c").arg(command).current_dir(folder.path()).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        said.push_str(&stdout(&output));
    }
    assert!(said.contains("epsilon at delta = 0.00001: between 2.99"), "{said}");
    let audits = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let bounds: Vec<(&str, &str)> = audits
        .map(|row| {
            (
                row.split_once('`').unwrap().0,
                row.trim_end_matches(" |").rsplit_once("| ").unwrap().1,
            )
        })
        .chain([("my-training", "ε ≥ 1.076")])
        .collect();
    assert!(bounds.len() > 15, "{bounds:?}");
    for (audit, bound) in bounds {
        let named = |line: &&str| line.split_whitespace().any(|word| word == audit);
        let line = said.lines().find(named).unwrap_or_else(|| panic!("{audit} is not audited"));
        assert!(line.contains(bound), "{bound}: {line}");
    }
}

#[test]
fn an_averaging_attack_says_what_the_page_says() {
    let commands = example("docs/attacks.md", "text", "plaudit attack average");
    let said = commands.lines().map(|line| {
        let output = plaudit().args(line.split(' ').skip(1)).output().unwrap();
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        stdout(&output)
    });
    let said: Vec<String> = said.collect();
    assert_eq!(said[0], example("docs/attacks.md", "text,output", "One person moves"));
    assert!(said[1].contains("The first answer is stored"), "{}", said[1]);
    let json: Value = serde_json::from_str(&said[2]).unwrap();
    assert!(json["fresh_at_most"].as_u64().unwrap() < 1000, "{json}");
}

#[test]
fn a_reconstruction_says_what_the_page_says() {
    let commands = example("docs/attacks.md", "text", "plaudit attack reconstruct");
    let said = commands.lines().map(|line| {
        let output = plaudit().args(line.split(' ').skip(1)).output().unwrap();
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        stdout(&output)
    });
    let said: Vec<String> = said.collect();
    assert_eq!(said[0], example("docs/attacks.md", "text,output", "A table of 200 people"));
    assert!(said[1].contains("all subsets") && said[1].contains("4E"), "{}", said[1]);
    let json: Value = serde_json::from_str(&said[2]).unwrap();
    assert_eq!(json["rows"].as_array().unwrap().len(), 2, "{json}");
}

/// Commands of the pages that start with `plaudit`.
#[test]
fn commands_of_the_pages_run() {
    let commands = example("docs/accountant.md", "text", "plaudit account");
    for line in commands.lines().filter(|line| !line.is_empty()) {
        let folder = Folder::new();
        let events = example("docs/accountant.md", "toml,events", "[[composition.events]]");
        std::fs::write(folder.path().join("training.toml"), events).unwrap();
        folder.spec("history.json", "{\"history\": [[1.0, 0.01, 1000]], \"mechanism\": \"rdp\"}");
        let program = assert_cmd::cargo::cargo_bin!("plaudit");
        let bin = format!("plaudit() {{ '{}' \"$@\"; }}\n{line}", program.display());
        let output = Command::new("sh").arg("-c").arg(bin).current_dir(folder.path()).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        assert!(!output.stdout.is_empty(), "{line}");
    }
}

/// Cells of the rows of a page's tables whose header starts like this.
fn rows<'a>(page: &'a str, header: &str) -> Vec<Vec<&'a str>> {
    let lines = page.lines().skip_while(|line| !line.starts_with(header)).skip(2);
    let rows = lines.take_while(|line| line.starts_with("| "));
    rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}

#[test]
fn events_of_the_page_are_as_tight_as_it_says() {
    let page = page("docs/accountant.md");
    let known = rows(&page, "| event | sample | neighbors ");
    for row in &known {
        let (ends, example) = (row[3], row[5].trim_matches('`'));
        let arguments = ["account", example, "--delta", "1e-5", "--format", "json"];
        let output = plaudit().args(arguments).output().unwrap();
        assert!(output.status.success(), "{example}: {}", stderr(&output));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let end = |name: &str| answer["epsilon"][name].as_f64().unwrap();
        let width = end("upper") - end("lower");
        assert_eq!(ends == "tight", width < 1e-4, "{example}: {answer}");
        assert!(end("lower") >= 0.0 && end("upper") < 20.0, "{example}: {answer}");
        let relation = answer["relation"].as_str().unwrap();
        let same = match row[2] {
            "as stated" => relation.starts_with("that of"),
            "add or remove a row" => relation == "add/remove one row",
            "add or remove K rows" => relation == "add/remove 3 rows",
            _ => relation == "substitution of one row",
        };
        assert!(same, "{example}: {relation}");
    }
    let examples: Vec<&str> = known.iter().map(|row| row[5]).collect();
    for table in ["| kind | parameters ", "| sample | rows in it "] {
        let names = rows(&page, table);
        assert!(names.len() > 6);
        for row in names {
            let name = row[0].trim_start_matches('`').split(['`', '(']).next().unwrap();
            let shown = examples.iter().any(|example| example.contains(&format!("{name}(")));
            assert!(shown, "{name} has no example");
        }
    }
}

#[test]
fn a_gate_from_nothing_to_red() {
    let folder = Folder::new();
    let page = page("docs/gate.md").replace("\n   ", "\n");
    let block = |language: &str| {
        page.split("\n```")
            .find_map(|block| block.strip_prefix(language)?.strip_prefix('\n'))
            .unwrap()
            .to_owned()
    };
    std::fs::create_dir(folder.path().join("audits")).unwrap();
    let spec = folder.path().join("audits/count.toml");
    std::fs::write(&spec, block("toml")).unwrap();
    assert!(page.contains("plaudit mutant audits/count.toml > audits/count-mutants.toml"));
    let run = |arguments: &[&str]| {
        let mut command = plaudit();
        command
            .env_remove("GITHUB_STEP_SUMMARY")
            .current_dir(folder.path())
            .args(arguments)
            .output()
            .unwrap()
    };
    let mutants = run(&["mutant", "audits/count.toml"]);
    std::fs::write(folder.path().join("audits/count-mutants.toml"), &mutants.stdout).unwrap();
    let green = run(&["gate", "audits"]);
    assert_eq!(green.status.code(), Some(0), "{}", stderr(&green));
    let said = block("text,output");
    assert!(stderr(&green).contains(said.trim()), "{}", stderr(&green));
    let worse = std::fs::read_to_string(&spec)
        .unwrap()
        .replace("claim = { epsilon = 1.0 }", "claim = { epsilon = 0.5 }");
    std::fs::write(&spec, worse).unwrap();
    let red = run(&[
        "gate",
        "audits",
        "--annotations",
        "--junit",
        "junit.xml",
        "--sarif",
        "plaudit.sarif",
    ]);
    assert_eq!(red.status.code(), Some(1), "{}", stderr(&red));
    assert!(
        stdout(&red).contains("::error file=audits/count.toml,line=1,title=count::"),
        "{}",
        stdout(&red)
    );
    let quality =
        run(&["gate", "audits", "--junit", "junit.xml", "--code-quality", "quality.json"]);
    assert_eq!(quality.status.code(), Some(1));
    assert!(folder.path().join("quality.json").exists());
}
