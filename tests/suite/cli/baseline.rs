//! `plaudit gate --baseline`: every part of an audit that changes is red or said.

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use crate::tier;
use proptest::prelude::*;
use std::sync::LazyLock;

const PROGRAM: &str = "import json, math, random, sys
SCALE = 1.0
for line in sys.stdin:
    r = json.loads(line); g = random.Random(r['seed']); x = float(r['dataset'][0])
    print('\\n'.join(str(x - SCALE * g.choice((-1, 1)) * math.log(1 - g.random())) for _ in range(r['runs']))); sys.stdout.flush()
";
const SPEC: &str = r#"
[[audit]]
name = "program"
mechanism = { command = ["python3", "-E", "-S", "lap.py"] }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.5 }
trials = 2000
min_power = 9.0

[[audit]]
name = "plain"
mechanism = { kind = "laplace", scale = 1.0 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { profile = [[0.0, 0.45], [20.5, 0.001], [25, 0.0001]] }
verify = false
floats = "rounded"
grid = 0.125
trials = 3000
alpha = 1e-6
min_power = 8.0

[[audit]]
name = "table"
mechanism = { kind = "count", where = { column = "age", equals = 31 }, noise = "laplace", epsilon = 1.0, sensitivity = 1.0 }
data = { csv = "people.csv", columns = ["age"] }
relation = "add-remove"
pairs = [{ remove = 0 }]
claim = { mu = 2.0 }
trials = 2000
min_power = 7.0

[[audit]]
name = "domain"
mechanism = { kind = "laplace", scale = 1.0 }
relation = { linf = 1.0 }
domain = { lower = 0, upper = 3, size = 1 }
sensitivity = { l1 = 1.0 }
claim = { epsilon = 3.0 }
trials = 2000
min_power = 6.0

[[audit]]
name = "mutant"
mechanism = { kind = "laplace", scale = 0.2 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 0.5 }
trials = 4000
expect = "violated"

[[attack]]
name = "members"
membership = { members = "in.txt", non_members = "out.txt", epsilon = 1.0, alpha = 0.05 }
expect = "fails"

[[attack]]
name = "average"
average = { noise = "laplace", scale = 10.0, queries = 10 }
expect = "fails"
"#;

/// A file, what is replaced in it, and what the gate says of it: a rule that is red, or words of a warning.
const EDITS: [Edit; 29] = [
    ("lap.py", "SCALE = 1.0", "SCALE = 1.01", "program: the content of the program was"),
    (
        "s.toml",
        "[\"python3\", \"-E\", \"-S\", \"lap.py\"]",
        "[\"python3\", \"-E\", \"-S\", \"lap.py\", \"x\"]",
        "program: the mechanism",
    ),
    (
        "s.toml",
        "scale = 1.0 }\nrelation = { linf = 1.0 }\npairs",
        "scale = 1.01 }\nrelation = { linf = 1.0 }\npairs",
        "plain: the mechanism was",
    ),
    ("s.toml", "linf = 1.0 }\npairs", "linf = 1.5 }\npairs", "other-neighbors: program"),
    ("s.toml", "d_prime = [1.0]", "d_prime = [0.99]", "other-pairs: program"),
    (
        "s.toml",
        "claim = { epsilon = 1.5 }",
        "claim = { epsilon = 1.500001 }",
        "loosened-claim: program",
    ),
    (
        "s.toml",
        "claim = { epsilon = 1.5 }",
        "claim = { epsilon = 1.499 }",
        "program: the claim was",
    ),
    (
        "s.toml",
        "claim = { epsilon = 1.5 }",
        "claim = { epsilon = 1.5, delta = 1e-12 }",
        "loosened-claim: program",
    ),
    ("s.toml", "[25, 0.0001]", "[30, 0.0001]", "loosened-claim: plain"),
    ("s.toml", "mu = 2.0", "mu = 2.001", "loosened-claim: table"),
    ("s.toml", "mu = 2.0", "rho = 3.0", "loosened-claim: table"),
    ("s.toml", "grid = 0.125", "grid = 0.25", "other-floats: plain"),
    ("s.toml", "floats = \"rounded\"\ngrid = 0.125\n", "", "other-floats: plain"),
    ("s.toml", "verify = false\n", "", "plain: the proof was"),
    ("s.toml", "trials = 3000", "trials = 3001", "plain: the trials were"),
    ("s.toml", "alpha = 1e-6", "alpha = 1.01e-6", "plain: the level was"),
    ("s.toml", "min_power = 8.0", "min_power = 8.1", "raised-min-power: plain"),
    ("s.toml", "min_power = 8.0", "min_power = 7.9", "plain: the min_power was"),
    ("s.toml", "min_power = 8.0", "min_power = 8.0\nclock = true", "other-clock: plain"),
    ("s.toml", "min_power = 8.0", "min_power = 8.0\nstateful = true", "other-state: plain"),
    (
        "s.toml",
        "min_power = 9.0",
        "min_power = 9.0\nconstant = \"allowed\"",
        "waived-check: program",
    ),
    ("people.csv", "57", "58", "other-pairs: table"),
    ("s.toml", "upper = 3, ", "upper = 2, ", "other-domain: domain"),
    ("s.toml", "l1 = 1.0", "l1 = 1000.0", "other-sensitivity: domain"),
    ("s.toml", "sensitivity = { l1 = 1.0 }\n", "", "other-sensitivity: domain"),
    ("s.toml", "scale = 0.2", "scale = 0.1", "other-mutant: mutant"),
    ("in.txt", "0.5", "0.25", "other-attack: members"),
    ("s.toml", "alpha = 0.05", "alpha = 1e-300", "other-attack: members"),
    ("s.toml", "queries = 10", "queries = 9", "other-attack: average"),
];

type Edit = (&'static str, &'static str, &'static str, &'static str);

/// Edits that are made at once: of different audits and attacks, or (`more`) each alone.
fn batches() -> Vec<Vec<Edit>> {
    const OWNERS: [&str; 7] =
        ["program", "plain", "table", "domain", "mutant", "members", "average"];
    let owner = |(.., says): &Edit| {
        let named =
            says.split([':', ' ']).find_map(|word| OWNERS.iter().position(|it| *it == word));
        named.unwrap_or_else(|| panic!("{says} names no audit"))
    };
    let mut batches: Vec<Vec<Edit>> = Vec::new();
    for edit in EDITS {
        let fits = |batch: &&mut Vec<Edit>| {
            tier::of([true, false, false]) && batch.iter().all(|other| owner(other) != owner(&edit))
        };
        match batches.iter_mut().find(fits) {
            Some(batch) => batch.push(edit),
            None => batches.push(vec![edit]),
        }
    }
    batches
}

fn files() -> Vec<(&'static str, String)> {
    let scores = |shift: usize| {
        let score = |i: usize| format!("{}.{}\n", (i * 7 + shift) % 10, 5 - i % 2);
        (0..200).map(score).collect::<String>()
    };
    vec![
        ("s.toml", SPEC.to_owned()),
        ("lap.py", PROGRAM.to_owned()),
        ("people.csv", "age\n31\n57\n64\n".to_owned()),
        ("in.txt", scores(0)),
        ("out.txt", scores(3)),
    ]
}

/// What the gate says, but of bounds and verdicts, which may move.
fn gate(folder: &Folder, more: &[&str]) -> String {
    let mut command = plaudit();
    command.current_dir(folder.path()).env_remove("GITHUB_STEP_SUMMARY");
    let output = command.args(["gate", "s.toml", "--no-regressions"]).args(more).output().unwrap();
    assert_ne!(output.status.code(), Some(2), "{}", stderr(&output));
    stderr(&output)
}

#[test]
#[ignore = "takes several seconds"]
fn every_part_that_changes_is_red_or_said_and_nothing_else_is() {
    let folder = Folder::new();
    files().iter().for_each(|(name, text)| drop(folder.spec(name, text)));
    gate(&folder, &["--out", "main"]);
    let baseline = ["--baseline", "main/report.json"];
    let same = gate(&folder, &baseline);
    assert!(!same.contains("changed since"), "{same}");
    for edits in batches() {
        let mut files = files();
        for (file, from, to, _) in &edits {
            let (_, text) = files.iter_mut().find(|(name, _)| name == file).unwrap();
            let edited = text.replacen(from, to, 1);
            assert_ne!(*text, edited, "{from} is not in {file}");
            *text = edited;
        }
        files.iter().for_each(|(name, text)| drop(folder.spec(name, text)));
        let told = gate(&folder, &baseline);
        for (_, from, to, says) in &edits {
            assert!(told.contains(says), "{from} to {to}: no {says:?} in\n{told}");
            let is_red = says.split(':').next().is_some_and(|rule| rule.contains('-'));
            assert!(!is_red || told.contains("gate: red"), "{from} to {to}: {told}");
        }
        let diff = plaudit();
        let mut diff = diff;
        diff.current_dir(folder.path()).args(["diff", "main/report.json", "reports/report.json"]);
        let diff = stdout(&diff.output().unwrap());
        assert!(!diff.contains("nothing differs"), "{edits:?}: {diff}");
    }
}

/// Numbers of a text, each as a range of its bytes: digits that no letter stands before.
fn numbers(text: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let is_part = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let mut all = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && is_part(bytes[at]) {
            at += 1;
        }
        let before = start.checked_sub(1).map_or(b' ', |before| bytes[before]);
        if at > start
            && bytes[start].is_ascii_digit()
            && !before.is_ascii_alphanumeric()
            && before != b'-'
        {
            all.push(start..at);
        }
        at = at.max(start + 1);
    }
    all
}

/// The audit or attack that a place of the spec belongs to.
fn owner(place: usize) -> &'static str {
    SPEC[..place].rsplit("name = \"").next().and_then(|rest| rest.split('"').next()).unwrap()
}

/// A folder with the files, and the report of them.
static MAIN: LazyLock<Folder> = LazyLock::new(|| {
    let folder = Folder::new();
    files().iter().for_each(|(name, text)| drop(folder.spec(name, text)));
    gate(&folder, &["--out", "main"]);
    folder
});

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::of([4, 12, 12]), max_shrink_iters: 8, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any number of the spec, by any share of it or by a little. A spec that is no longer valid ends the gate by an error.
    #[test]
    fn a_number_that_changes_anywhere_is_red_or_said(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0.3..3.0f64), 1..4),
    ) {
        let places = numbers(SPEC);
        let folder = Folder::new();
        files().iter().for_each(|(name, text)| drop(folder.spec(name, text)));
        let mut chosen: Vec<(std::ops::Range<usize>, f64)> =
            edits.iter().map(|(at, by)| (places[at.index(places.len())].clone(), *by)).collect();
        chosen.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
        chosen.dedup_by_key(|(place, _)| place.start);
        let mut text = SPEC.to_owned();
        let mut owners = Vec::new();
        for (place, by) in chosen {
            let old: f64 = SPEC[place.clone()].parse().unwrap();
            let is_whole = !SPEC[place.clone()].contains('.');
            let new = if old == 0.0 { by } else { old * by };
            let new = if is_whole { new.round() } else { new };
            if new != old {
                owners.push(owner(place.start));
                text.replace_range(place, &new.to_string());
            }
        }
        folder.spec("s.toml", &text);
        let baseline = MAIN.path().join("main/report.json");
        let mut command = plaudit();
        command.current_dir(folder.path()).env_remove("GITHUB_STEP_SUMMARY");
        let arguments = ["gate", "s.toml", "--no-regressions", "--baseline", baseline.to_str().unwrap()];
        let output = command.args(arguments).output().unwrap();
        let told = stderr(&output);
        if output.status.code() == Some(2) {
            prop_assert!(told.contains("error"), "{told}");
            return Ok(());
        }
        for owner in owners {
            let results = ["the bound was", "the witness was", "the verdict was", "the detectable"];
            let names = |line: &str| {
                line.contains(&format!(": {owner}: ")) && !results.iter().any(|result| line.contains(result))
            };
            prop_assert!(told.lines().any(names), "{owner} is not named: {text}\n{told}");
        }
    }
}

#[test]
#[ignore = "takes several seconds"]
fn an_acceptance_covers_one_content_and_no_larger_loss() {
    let folder = Folder::new();
    let spec = |scale: &str, claim: &str| {
        let text = format!(
            "[[audit]]\nname = \"a\"\nmechanism = {{ command = [\"python3\", \"-E\", \"-S\", \"lap.py\"] }}\nrelation = {{ linf = 1.0 }}\n\
             pairs = [{{ d = [0.0], d_prime = [1.0] }}]\nclaim = {claim}\ntrials = 20_000\n"
        );
        folder.spec("s.toml", &text);
        folder.spec("lap.py", &PROGRAM.replace("SCALE = 1.0", &format!("SCALE = {scale}")));
    };
    spec("0.5", "{ epsilon = 0.7 }");
    gate(&folder, &["--summary", "su.json"]);
    let summary = std::fs::read_to_string(folder.path().join("su.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let print = summary["not_passed"][0]["fingerprint"].as_str().unwrap();
    let bound = summary["not_passed"][0]["bound"].as_f64().unwrap();
    let accept = |more: &str| {
        let entry = "[[accepted]]\naudit = \"a\"\nrule = \"violated\"\nreason = \"it is known\"\nexpires = 2099-01-01\n";
        folder.spec("accepted.toml", &format!("{entry}{more}"));
        gate(&folder, &["--accepted", "accepted.toml"])
    };
    let exact = format!("fingerprint = \"{print}\"\nbound = {bound}\n");
    assert!(accept(&exact).contains("gate: green"));
    spec("0.3", "{ epsilon = 0.7 }");
    let other = accept(&exact);
    assert!(other.contains("gate: red") && other.contains("not as accepted"), "{other}");
    let worse = accept(&format!("bound = {bound}\n"));
    assert!(worse.contains("gate: red") && worse.contains("worse than when accepted"), "{worse}");
    let open = accept("");
    assert!(open.contains("gate: green") && open.contains("has no fingerprint"), "{open}");
    spec("0.5", "{ profile = [[0.0, 0.2], [1.0, 0.01]] }");
    assert!(accept(&exact).contains("gate: red"), "another claim");
}

#[test]
fn pairs_that_a_seed_draws_are_the_same_with_another_seed() {
    let folder = Folder::new();
    let drawn = r#"[[audit]]
name = "drawn"
mechanism = { kind = "count", where = { column = "age", equals = 31 }, noise = "laplace", scale = 1.0 }
data = { csv = "people.csv", columns = ["age"] }
relation = "add-remove"
pairs = [{ remove = 0 }, { random = 2 }]
claim = { epsilon = 2.0 }
trials = 20_000
min_power = false

[[audit]]
name = "searched"
mechanism = { kind = "laplace", scale = 1.0 }
relation = { linf = 1.0 }
domain = { lower = 0, upper = 3, size = 1 }
claim = { epsilon = 3.0 }
trials = 2000
min_power = false
"#;
    folder.spec("people.csv", "age\n31\n57\n64\n12\n80\n44\n31\n5\n");
    folder.spec("s.toml", drawn);
    gate(&folder, &["--out", "main"]);
    let baseline = ["--baseline", "main/report.json", "--seed"];
    for seed in ["7", "8", "9", "fresh"] {
        let told = gate(&folder, &[&baseline[..], &[seed]].concat());
        assert!(told.contains("gate: green") && !told.contains("the pairs"), "{seed}: {told}");
    }
    folder.spec("s.toml", &drawn.replace("random = 2", "random = 3"));
    let told = gate(&folder, &baseline[..2]);
    let is_told = |many| told.contains(&format!("pairs: drawn by the seed: random = {many};"));
    assert!(told.contains("other-pairs: drawn") && is_told(2) && is_told(3), "{told}");
    folder.spec("s.toml", drawn);
    folder.spec("people.csv", "age\n31\n57\n64\n12\n80\n44\n31\n6\n");
    assert!(gate(&folder, &baseline[..2]).contains("other-pairs: drawn"), "other data");
}

#[test]
fn alerts_of_code_hosts_stay_the_same_while_a_program_is_edited() {
    let folder = Folder::new();
    let spec = "[[audit]]\nname = \"a\"\nmechanism = { command = [\"python3\", \"-E\", \"-S\", \"lap.py\"] }\nrelation = { linf = 1.0 }\n\
                pairs = [{ d = [0.0], d_prime = [1.0] }]\nclaim = { epsilon = 0.5 }\ntrials = 20_000\n";
    folder.spec("s.toml", spec);
    let prints = |scale: &str| {
        folder.spec("lap.py", &PROGRAM.replace("SCALE = 1.0", &format!("SCALE = {scale}")));
        gate(&folder, &["--sarif", "s.json", "--code-quality", "q.json", "--summary", "su.json"]);
        let read = |file: &str| -> serde_json::Value {
            serde_json::from_slice(&std::fs::read(folder.path().join(file)).unwrap()).unwrap()
        };
        let sarif = read("s.json")["runs"][0]["results"][0]["partialFingerprints"].clone();
        let print = read("su.json")["not_passed"][0]["fingerprint"].clone();
        ([sarif, read("q.json")[0]["fingerprint"].clone()], print)
    };
    let (before, after) = (prints("0.3"), prints("0.2"));
    assert_eq!(before.0, after.0, "alerts");
    assert!(before.0.iter().all(|it| !it.is_null()));
    assert_ne!(before.1, after.1, "acceptances");
}
