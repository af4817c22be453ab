//! `plaudit audit --shard K/N --shard-explore`: explore dealt out, step by step, gives the report of one run.

use crate::support::cli::{Folder, forged_shard, stderr};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Long steps that are counted, on a given pair and where pairs compete; a search; what is the first shard's alone; programs whose
/// outcomes are kept, one with an outcome that was not declared, one that ends.
const SPEC: &str = r#"
[defaults]
trials = 20_000
min_power = false

[[audit]]
name = "half-the-noise"
mechanism = { kind = "laplace", scale = 0.5 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
trials = 6_000_000
expect = "violated"

[[audit]]
name = "pairs"
mechanism = { kind = "laplace", scale = 1.0 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }, { d = [0.0], d_prime = [0.5] }, { d = [1.0], d_prime = [0.0] }]
claim = { epsilon = 1.0 }
trials = 6_000_000

[[audit]]
name = "in-turn"
mechanism = { kind = "laplace", scale = 1.0 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
stateful = true

[[audit]]
name = "searched"
mechanism = { kind = "sum", column = "income", lower = 0, upper = 1, noise = "laplace", scale = 0.5 }
relation = "add-remove"
domain = { columns = { income = { lower = 0, upper = 1 } }, size = [0, 4] }
claim = { epsilon = 1.0 }
expect = "violated"
trials = 60_000

[[audit]]
name = "program"
mechanism = { command = ["python3", "-E", "-S", "noise.py"], batch = 256 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }, { d = [0.0], d_prime = [0.25] }]
claim = { epsilon = 1.2 }

[[audit]]
name = "undeclared"
mechanism = { command = ["python3", "-E", "-S", "noise.py", "third"], batch = 256 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.2 }
outcomes = [0, 1]

[[audit]]
name = "ends"
mechanism = { command = ["python3", "-E", "-S", "noise.py", "ends"], batch = 256 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.2 }
"#;

/// Numbers, texts and lists that depend on the data; or a bit, and something else now and then; or an end on one answer in a
/// thousand.
const PROGRAM: &str = "
import json, random, sys
how = sys.argv[1] if len(sys.argv) > 1 else ''
for line in sys.stdin:
    asked = json.loads(line)
    rng = random.Random(asked['seed'])
    x = asked['dataset'][0]
    for _ in range(asked['runs']):
        if how == 'third':
            bit = int(x) if rng.random() < 0.75 else 1 - int(x)
            print(2 if rng.random() < 0.001 else bit)
            continue
        if how == 'ends' and rng.random() < 0.001:
            sys.exit(1)
        kind = rng.random()
        noisy = x + rng.choice([-1, 1]) * rng.expovariate(1)
        if kind < 0.8:
            print(repr(noisy))
        elif kind < 0.9:
            print(json.dumps('%.1f' % noisy))
        else:
            print(json.dumps([noisy, -0.0, float('inf')]).replace('Infinity', '\"inf\"'))
    sys.stdout.flush()
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.spec("audits.toml", SPEC);
    folder.spec("noise.py", PROGRAM);
    folder
}

fn play(folder: &Folder, number: usize, of: usize, more: &[&str]) -> Output {
    let (part, out) = (format!("{number}/{of}"), format!("shards-{of}"));
    let arguments = ["audit", "audits.toml", "--shard", &part, "--shard-explore", "--out", &out];
    folder.run(&[&arguments[..], more].concat())
}

fn file(folder: &Folder, number: usize, of: usize) -> PathBuf {
    folder.path().join(format!("shards-{of}/shard-{number}-of-{of}.json"))
}

/// Plays all shards until each ends with 0; how often.
fn play_all(folder: &Folder, of: usize, more: &[&str]) -> usize {
    for round in 1..40 {
        let mut codes: Vec<i32> = Vec::new();
        for number in 1..=of {
            let output = play(folder, number, of, more);
            let code = output.status.code().unwrap();
            assert!(code == 0 || code == 5, "{}", stderr(&output));
            assert!(file(folder, number, of).exists());
            codes.push(code);
        }
        if codes.iter().all(|code| *code == 0) {
            return round;
        }
    }
    panic!("explore never ends");
}

fn merge(folder: &Folder, of: usize, out: &str, more: &[&str]) -> Output {
    let files: Vec<String> =
        (1..=of).map(|number| file(folder, number, of).to_str().unwrap().to_owned()).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    folder.run(&[&["merge", "--no-provenance", "--out", out][..], more, &files[..]].concat())
}

/// A report but for how long it took, and at which request a program broke down: its processes answer several at once.
fn report(folder: &Folder, out: &str) -> Value {
    let mut report = folder.report(out);
    for audit in report["audits"].as_array_mut().unwrap() {
        let reason = audit["reason"].as_str().unwrap();
        if let Some((before, _)) = reason.split_once("it broke off (") {
            audit["reason"] = format!("{before}it broke off").into();
        }
    }
    report
}

fn first_line(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(text.lines().next().unwrap()).unwrap()
}

#[test]
#[cfg_attr(not(feature = "long"), ignore = "long tier: all audits on five shards")]
fn explore_that_is_dealt_out_gives_the_report_of_one_run() {
    let folder = folder();
    let arguments = ["audit", "audits.toml", "--no-regressions", "--no-provenance"];
    let whole = folder.run(&[&arguments[..], &["--out", "whole"]].concat());
    let code = whole.status.code();
    assert_ne!(code, Some(2), "{}", stderr(&whole));
    for of in [1, 5] {
        let rounds = play_all(&folder, of, &[]);
        assert!(rounds > 2, "{rounds}");
        let merged = merge(&folder, of, "merged", &[]);
        assert_eq!(merged.status.code(), code, "{}", stderr(&merged));
        assert_eq!(report(&folder, "merged"), report(&folder, "whole"), "{of} shards");
    }
    // Each has its part of what is long, and nothing of what is the first one's alone.
    let steps = |number| {
        let file = first_line(&file(&folder, number, 5));
        let audits = file["audits"].as_array().unwrap().iter();
        let steps = |audit: &Value| audit["steps"].as_object().map_or(0, |steps| steps.len());
        audits.map(steps).collect::<Vec<_>>()
    };
    for number in 1..=5 {
        let steps = steps(number);
        for audit in [0, 1, 3, 4, 5] {
            assert!(steps[audit] > 0, "shard {number}: {steps:?}");
        }
        assert_eq!(steps[2], 0, "{steps:?}");
    }
    // What is done is not played again.
    let before = std::fs::read(file(&folder, 2, 5)).unwrap();
    assert_eq!(play(&folder, 2, 5, &[]).status.code(), Some(0));
    assert_eq!(std::fs::read(file(&folder, 2, 5)).unwrap(), before);
}

#[test]
fn shards_that_have_not_explored_to_the_end_are_not_merged() {
    let folder = folder();
    let searched = ["--filter", "half-the-noise|searched"];
    for number in [1, 2] {
        let output = play(&folder, number, 2, &searched);
        assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains("play all shards again"), "{said}");
    }
    let refused = merge(&folder, 2, "out", &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("have explored to the end"), "{}", stderr(&refused));
    let refused = merge(&folder, 2, "out", &["--allow-missing"]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(!folder.path().join("out/report.json").exists());
    // Alone it gets no further, and says so again.
    let before = std::fs::read(file(&folder, 1, 2)).unwrap();
    let again: Vec<_> = (0..2).map(|_| play(&folder, 1, 2, &searched).status.code()).collect();
    assert_eq!(again[1], Some(5));
    std::fs::write(file(&folder, 1, 2), before).unwrap();
    // One that was lost when it had explored: the others count without it.
    let explored = loop {
        let before = std::fs::read(file(&folder, 2, 2)).unwrap();
        if play(&folder, 2, 2, &searched).status.code() == Some(0) {
            break before;
        }
        play(&folder, 1, 2, &searched);
    };
    play_all(&folder, 2, &searched);
    std::fs::write(file(&folder, 2, 2), explored).unwrap();
    let refused = merge(&folder, 2, "out", &[]);
    assert_eq!(refused.status.code(), Some(2));
    let merged = merge(&folder, 2, "out", &["--allow-missing"]);
    assert_eq!(merged.status.code(), Some(0), "{}", stderr(&merged));
    let report = report(&folder, "out");
    assert!(
        report["audits"][1]["notes"].to_string().contains("merged without shard 2"),
        "{report}"
    );
}

/// The first step of an audit whose name begins so.
fn step<'a>(audit: &'a mut Value, begins: &str) -> &'a mut Value {
    let steps = audit["steps"].as_object_mut().unwrap();
    steps.iter_mut().find(|(name, _)| name.starts_with(begins)).unwrap().1
}

/// The first tier's part of the next test: without programs.
#[test]
fn a_part_of_explore_that_was_changed_is_refused_even_under_the_right_hash() {
    let folder = folder();
    play_all(&folder, 2, &["--filter", "half-the-noise"]);
    assert_ne!(merge(&folder, 2, "right", &[]).status.code(), Some(2));
    let one_more = |it: &mut Value| {
        let bins = &mut step(&mut it["audits"][0], "count")["found"]["tallies"][0]["d"];
        bins[0] = (bins[0].as_u64().unwrap() + 1).into();
    };
    let forged = forged_shard(&folder, &file(&folder, 2, 2), one_more);
    std::fs::rename(forged, file(&folder, 2, 2)).unwrap();
    let output = merge(&folder, 2, "out", &[]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("is not what this run looks for"), "{}", stderr(&output));
    assert!(!folder.path().join("out/report.json").exists());
}

#[test]
#[cfg_attr(not(feature = "long"), ignore = "long tier: eleven merges with a program")]
fn parts_of_explore_that_no_trials_give_are_refused_even_under_the_right_hash() {
    let folder = folder();
    let some = ["--filter", "half-the-noise|searched|program"];
    play_all(&folder, 2, &some);
    assert_ne!(merge(&folder, 2, "right", &[]).status.code(), Some(2));
    let second = std::fs::read(file(&folder, 2, 2)).unwrap();
    let refused = |change: &dyn Fn(&mut Value), words: &str| {
        let forged = forged_shard(&folder, &file(&folder, 2, 2), change);
        std::fs::rename(forged, file(&folder, 2, 2)).unwrap();
        let output = merge(&folder, 2, "out", &[]);
        std::fs::write(file(&folder, 2, 2), &second).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{words}: {}", stderr(&output));
        assert!(!folder.path().join("out/report.json").exists());
    };
    let foreign = "what shard 2 found in explore is not what this run looks for";
    refused(
        &|it| {
            let bins = &mut step(&mut it["audits"][0], "count")["found"]["tallies"][0]["d"];
            bins[0] = (bins[0].as_u64().unwrap() + 1).into();
        },
        foreign,
    );
    refused(
        &|it| step(&mut it["audits"][0], "count")["found"]["tallies"] = Value::Array(vec![]),
        foreign,
    );
    refused(&|it| step(&mut it["audits"][0], "count")["found"] = "nothing".into(), foreign);
    refused(&|it| step(&mut it["audits"][0], "count")["block"] = 7.into(), "7 runs at once");
    refused(&|it| step(&mut it["audits"][1], "look")["found"] = "nothing".into(), foreign);
    let outcomes = |it: &mut Value, change: &dyn Fn(&mut Vec<Value>)| {
        let found = &mut step(&mut it["audits"][2], "sample")["found"];
        change(found["outcomes"].as_array_mut().unwrap());
    };
    let no_json = |all: &mut Vec<Value>| all[0][1][0][0][0] = "{".into();
    refused(&|it| outcomes(it, &no_json), foreign);
    let one_less = |all: &mut Vec<Value>| drop(all[0][1][0][0].as_array_mut().unwrap().pop());
    refused(&|it| outcomes(it, &one_less), foreign);
    let twice = |all: &mut Vec<Value>| all.push(all[0].clone());
    refused(&|it| outcomes(it, &twice), foreign);
    let beyond = |all: &mut Vec<Value>| all[0][0] = u64::MAX.into();
    refused(&|it| outcomes(it, &beyond), foreign);
    let gone = |all: &mut Vec<Value>| drop(all.pop());
    refused(&|it| outcomes(it, &gone), "is not all that was to be played");
    let all_gone = |it: &mut Value| it["audits"][0]["steps"].as_object_mut().unwrap().clear();
    refused(&all_gone, "not all shards have explored to the end");
}

#[test]
fn files_of_other_runs_are_no_part_of_explore() {
    let folder = folder();
    let one = ["--filter", "half-the-noise"];
    play_all(&folder, 2, &one);
    merge(&folder, 2, "first", &[]);
    // Shards whose explore is not dealt out.
    let arguments = ["audit", "audits.toml", "--shard", "2/2", "--out", "shards-2"];
    assert_eq!(folder.run(&[&arguments[..], &one].concat()).status.code(), Some(0));
    let refused = merge(&folder, 2, "mixed", &[]);
    assert!(stderr(&refused).contains("only one deals out explore"), "{}", stderr(&refused));
    // With another seed, in the same folder.
    let other = ["--filter", "half-the-noise", "--seed", "5"];
    let output = play(&folder, 1, 2, &other);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    std::fs::write(file(&folder, 2, 2), "{}").unwrap();
    play_all(&folder, 2, &other);
    let merged = merge(&folder, 2, "other", &[]);
    assert_eq!(merged.status.code(), Some(0), "{}", stderr(&merged));
    let arguments =
        ["audit", "audits.toml", "--no-regressions", "--no-provenance", "--out", "whole"];
    folder.run(&[&arguments[..], &other].concat());
    assert_eq!(report(&folder, "other"), report(&folder, "whole"));
    assert_ne!(report(&folder, "other"), report(&folder, "first"));
}

#[test]
fn what_a_program_answered_before_it_was_changed_does_not_count() {
    let folder = folder();
    let one = ["--filter", "undeclared"];
    play_all(&folder, 2, &one);
    // The truth nine times in ten: it is another mechanism under the same spec.
    folder.spec("noise.py", &PROGRAM.replace("0.75", "0.9"));
    let refused = merge(&folder, 2, "out", &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("programs or data"), "{}", stderr(&refused));
    let output = play(&folder, 1, 2, &one);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    play_all(&folder, 2, &one);
    let merged = merge(&folder, 2, "merged", &[]);
    let arguments =
        ["audit", "audits.toml", "--no-regressions", "--no-provenance", "--out", "whole"];
    let whole = folder.run(&[&arguments[..], &one].concat());
    assert_eq!(merged.status.code(), whole.status.code(), "{}", stderr(&merged));
    assert_eq!(report(&folder, "merged"), report(&folder, "whole"));
}

/// A program whose outcomes depend on a file that nobody named: numbers for one shard, lists for the other.
#[test]
fn shards_that_explore_different_things_do_not_wait_forever() {
    const PROGRAM: &str = "
import json, random, sys
with open('kind') as file:
    kind = file.read()
for line in sys.stdin:
    asked = json.loads(line)
    rng = random.Random(asked['seed'])
    for _ in range(asked['runs']):
        x = asked['dataset'][0] + rng.gauss(0, 1)
        print(x if kind == 'number' else [x, rng.random(), 'z' * 40])
    sys.stdout.flush()
";
    let folder = folder();
    folder.spec("noise.py", PROGRAM);
    let two_pairs = ["--filter", "program"];
    let mut codes = Vec::new();
    for _ in 0..20 {
        for (number, kind) in [(1, "number"), (2, "list")] {
            folder.spec("kind", kind);
            let output = play(&folder, number, 2, &two_pairs);
            codes.push(output.status.code());
            if output.status.code() == Some(2) {
                let words = stderr(&output);
                assert!(words.contains("explored different things"), "{words}");
                return;
            }
        }
    }
    panic!("they wait forever: {codes:?}");
}

#[test]
fn only_shards_deal_out_explore() {
    let folder = folder();
    let output = folder.run(&["audit", "audits.toml", "--shard-explore"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--shard"), "{}", stderr(&output));
}
