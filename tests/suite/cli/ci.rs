//! `plaudit gate` as a CI job runs it, in a git repository with a mechanism, its claims and a planted mistake.
//!
//! Seeds are fixed. For a fresh one the right mechanism would be red with probability 2e-6, the levels of its two audits.
#![cfg(all(feature = "cli", unix))]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use crate::support::program::path;
use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use std::process::{Command, Output};

/// A count with whole noise; the first word is its scale.
const PROGRAM: &str = r#"import json, random, sys
scale = float(sys.argv[1])
for line in sys.stdin:
    request = json.loads(line)
    noise = random.Random(request["seed"])
    draw = lambda: int(noise.expovariate(1 / scale))
    for _ in range(request["runs"]):
        print(json.dumps(len(request["dataset"]) + draw() - draw()))
    sys.stdout.flush()
"#;

const RIGHT: &str = "scale = float(sys.argv[1])";
const HALF_THE_NOISE: &str = "scale = float(sys.argv[1]) / 2";

const COUNT: &str = r#"[defaults]
trials = 20_000

[[audit]]
name = "count"
mechanism = { command = ["python3", "-E", "-S", "count.py", "1.0"] }
relation = "add-remove"
pairs = [{ d = [17.0, 34.0], d_prime = [17.0, 34.0, 71.0] }]
claim = { epsilon = 1.0 }
watch = ["audits/count.py"]
"#;

const MUTANT: &str = r#"
[[audit]]
name = "count-with-half-the-noise"
mechanism = { command = ["python3", "-E", "-S", "count.py", "0.5"] }
relation = "add-remove"
pairs = [{ d = [17.0, 34.0], d_prime = [17.0, 34.0, 71.0] }]
claim = { epsilon = 1.0 }
expect = "violated"
watch = ["audits/count.py"]
"#;

const OTHER: &str = r#"[[audit]]
name = "sum"
mechanism = { kind = "laplace", epsilon = 1.0, sensitivity = 1.0 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
trials = 20_000
watch = ["audits/sum.toml"]
"#;

/// What a CI job of a change asks for.
const CHANGE: [&str; 9] = [
    "--changed-since",
    "main",
    "--baseline",
    "out/main.json",
    "--junit",
    "out/junit.xml",
    "--sarif",
    "out/plaudit.sarif",
    "--annotations",
];

/// Whether the mechanism can run here.
fn has_python() -> bool {
    Command::new("python3")
        .args(["-c", "import json"])
        .output()
        .is_ok_and(|output| output.status.success())
}

/// A repository whose `main` is green, with its report as the baseline; the branch `work` is checked out.
fn repository() -> Folder {
    let folder = Folder::new();
    for below in ["audits", "out"] {
        std::fs::create_dir(folder.path().join(below)).unwrap();
    }
    folder.spec("audits/count.py", PROGRAM);
    folder.spec("audits/count.toml", &(COUNT.to_owned() + MUTANT));
    folder.spec("audits/sum.toml", OTHER);
    folder.spec(".gitignore", "out\nreports\n");
    folder.git(&["init", "-q", "-b", "main"]);
    folder.commit();
    let green = gate(&folder, &[]);
    assert_eq!(green.status.code(), Some(0), "{}", stderr(&green));
    let said = stderr(&green);
    assert!(said.contains("gate: green: 0 failed, 0 inconclusive, 3 passed"), "{said}");
    let [report, kept] =
        ["reports/report.json", "out/main.json"].map(|file| folder.path().join(file));
    std::fs::copy(report, kept).unwrap();
    folder.git(&["checkout", "-qb", "work"]);
    folder
}

fn gate(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = plaudit();
    command.current_dir(folder.path()).env_remove("GITHUB_STEP_SUMMARY");
    command.arg("gate").args(arguments).output().unwrap()
}

fn read(folder: &Folder, file: &str) -> String {
    std::fs::read_to_string(folder.path().join(file)).unwrap()
}

fn sarif_results(folder: &Folder) -> Value {
    let log: Value = serde_json::from_str(&read(folder, "out/plaudit.sarif")).unwrap();
    log["runs"][0]["results"].clone()
}

/// That the failure of `count` stands where a reviewer sees it.
fn shows_the_failure(folder: &Folder, red: &Output) {
    let line = stdout(red);
    let line = line.lines().find(|line| line.starts_with("::error ")).unwrap();
    assert!(line.starts_with("::error file=audits/count.toml,line=4,title=count::"), "{line}");
    let xml = read(folder, "out/junit.xml");
    let case = xml.split("<testcase ").find(|case| case.starts_with("name=\"count\"")).unwrap();
    assert!(case.contains("classname=\"audits/count.toml\""), "{case}");
    assert!(case.contains("<failure ") && case.contains("type=\"violated\""), "{case}");
    assert_eq!(xml.matches("<failure ").count(), 1, "{xml}");
    let results = sarif_results(folder);
    // What else changed since the baseline is told beside it.
    let errors = results.as_array().unwrap().iter().filter(|result| result["level"] == "error");
    assert_eq!(errors.count(), 1, "{results}");
    assert_eq!(
        (&results[0]["ruleId"], &results[0]["level"]),
        (&"violated".into(), &"error".into())
    );
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "audits/count.toml");
    assert_eq!(place["region"]["startLine"], 4);
}

#[test]
fn a_mechanism_that_a_branch_breaks_is_red_and_the_fix_is_green() {
    if !has_python() {
        return;
    }
    let folder = repository();
    folder.spec("audits/count.py", &PROGRAM.replace(RIGHT, HALF_THE_NOISE));
    folder.commit();
    let red = gate(&folder, &CHANGE);
    let said = stderr(&red);
    assert_eq!(red.status.code(), Some(1), "{said}");
    assert!(said.contains("left out 1 of 3 audits"), "{said}");
    assert!(said.contains("violated: count: "), "{said}");
    assert!(said.contains("gate: red: 1 failed, 0 inconclusive, 1 passed"), "{said}");
    shows_the_failure(&folder, &red);
    folder.spec("audits/count.py", &format!("{PROGRAM}\n# Mended.\n"));
    folder.commit();
    let green = gate(&folder, &CHANGE);
    let said = stderr(&green);
    assert_eq!(green.status.code(), Some(0), "{said}");
    assert!(said.contains("gate: green: 0 failed, 0 inconclusive, 2 passed"), "{said}");
    assert!(!stdout(&green).contains("::error"), "{}", stdout(&green));
    assert_eq!(sarif_results(&folder), Value::Array(vec![]));
    assert!(!read(&folder, "out/junit.xml").contains("<failure "));
}

#[test]
#[ignore = "takes several seconds"]
fn a_branch_that_weakens_what_is_audited_is_caught_by_the_baseline() {
    if !has_python() {
        return;
    }
    let folder = repository();
    let weaker = |file: &str, text: Option<String>, rule: &str, line: &str| {
        folder.git(&["checkout", "-q", "-B", "work", "main"]);
        match text {
            Some(text) => drop(folder.spec(file, &text)),
            None => std::fs::remove_file(folder.path().join(file)).unwrap(),
        }
        folder.commit();
        let red = gate(&folder, &CHANGE);
        let said = stderr(&red);
        assert_eq!(red.status.code(), Some(1), "{rule}: {said}");
        assert!(said.contains(line) && said.contains("gate: red: 1 failed"), "{rule}: {said}");
        let results = sarif_results(&folder);
        let failed = results.as_array().unwrap().iter().filter(|it| it["level"] == "error");
        let rules: Vec<_> = failed.map(|result| result["ruleId"].as_str().unwrap()).collect();
        assert_eq!(rules, [rule], "{results}");
        assert!(read(&folder, "out/junit.xml").contains(&format!("type=\"{rule}\"")), "{rule}");
    };
    let looser = COUNT.replace("epsilon = 1.0", "epsilon = 1.5") + MUTANT;
    weaker("audits/count.toml", Some(looser), "loosened-claim", "loosened-claim: count: ");
    weaker("audits/sum.toml", None, "removed-audit", "removed-audit: sum: ");
    let gone = "removed-audit: count-with-half-the-noise: this planted mistake is missing";
    weaker("audits/count.toml", Some(COUNT.to_owned()), "removed-audit", gone);
    let tame =
        COUNT.to_owned() + &MUTANT.replace("0.5\"", "1.0\"").replace("expect = \"violated\"", "");
    let given_up = "removed-mutant: count-with-half-the-noise: ";
    weaker("audits/count.toml", Some(tame), "removed-mutant", given_up);
}

const ACTION: &str = include_str!("../../../action.yml");

#[test]
fn the_guide_names_the_inputs_of_the_action_and_their_defaults() {
    let guide = include_str!("../../../docs/gate.md");
    let (_, section) = guide.split_once("## GitHub Action\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let (_, inputs) = ACTION.split_once("inputs:\n").unwrap();
    let (inputs, _) = inputs.split_once("runs:\n").unwrap();
    let is_input = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let names: Vec<&str> =
        inputs.lines().filter(is_input).map(|it| it.trim_matches([' ', ':'])).collect();
    assert!(names.len() >= 5, "{names:?}");
    for name in &names {
        let row = section.lines().find(|line| line.starts_with(&format!("| `{name}` |"))).unwrap();
        let told = row.strip_suffix('|').unwrap().rsplit_once('|').unwrap().1.trim();
        assert_eq!(told.trim_matches('`'), default_of(name), "{row}");
    }
    assert_eq!(section.matches("\n| `").count(), names.len(), "{section}");
}

/// What an input of the action is unless somebody says.
fn default_of(input: &str) -> String {
    let (_, declared) = ACTION.split_once(&format!("\n  {input}:\n")).unwrap();
    let (_, value) = declared.split_once("default: ").unwrap();
    value.lines().next().unwrap().trim_matches('"').to_owned()
}

/// The script of the action's last step.
fn script() -> String {
    let (_, script) = ACTION.rsplit_once("      run: |\n").unwrap();
    script.lines().map(|line| line.strip_prefix("        ").unwrap().to_owned() + "\n").collect()
}

/// The action's last step as GitHub runs it, with some inputs and the defaults of the others.
fn act(folder: &Folder, given: &[(&str, &str)]) -> Output {
    let variables = ACTION.lines().filter_map(|line| {
        let (name, input) = line.trim().split_once(": ${{ inputs.")?;
        let input = input.strip_suffix(" }}").unwrap();
        let given = given.iter().find(|(name, _)| *name == input);
        Some((name.to_owned(), given.map_or_else(|| default_of(input), |(_, it)| (*it).to_owned())))
    });
    let here = cargo_bin!("plaudit").parent().unwrap().to_owned();
    let path = path();
    let path = std::env::join_paths(std::iter::once(here).chain(std::env::split_paths(&path)));
    Command::new("bash")
        .current_dir(folder.path())
        .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &script()])
        .envs(variables)
        .env("PATH", path.unwrap())
        .env("GITHUB_STEP_SUMMARY", folder.path().join("out/step.md"))
        .output()
        .unwrap()
}

#[test]
#[ignore = "takes several seconds"]
fn the_action_is_red_where_the_gate_is_and_comments() {
    if !has_python() || Command::new("bash").arg("--version").output().is_err() {
        return;
    }
    let folder = repository();
    let green = act(&folder, &[]);
    assert_eq!(green.status.code(), Some(0), "{}", stderr(&green));
    assert!(stderr(&green).contains("gate: green: 0 failed, 0 inconclusive, 3 passed"));
    assert!(read(&folder, "plaudit-junit.xml").contains("tests=\"3\""));
    assert!(read(&folder, "plaudit.sarif").contains("2.1.0"));
    folder.git(&["clean", "-qf"]);
    folder.spec("audits/count.py", &PROGRAM.replace(RIGHT, HALF_THE_NOISE));
    folder.commit();
    let inputs = [
        ("paths", "audits/count.toml\naudits/sum.toml"),
        ("baseline", "out/main.json"),
        ("arguments", "--changed-since\nmain\n"),
        ("sarif", "out/plaudit.sarif"),
        ("junit", "out/junit.xml"),
    ];
    let red = act(&folder, &inputs);
    let said = stderr(&red);
    assert_eq!(red.status.code(), Some(1), "{said}");
    assert!(said.contains("left out 1 of 3 audits"), "{said}");
    shows_the_failure(&folder, &red);
    let comment = read(&folder, "out/step.md");
    let (first, second) = comment.split_once("**Failed**").unwrap();
    // That of the run before is not overwritten.
    assert!(first.contains("green") && second.contains("| count | "), "{comment}");
    // An input that names nothing is a mistake, not a gate that is green.
    let wrong = act(&folder, &[("paths", "nowhere")]);
    assert_eq!(wrong.status.code(), Some(2), "{}", stderr(&wrong));
}
