//! `plaudit audit --explore-only FILE`, and shards and merges that take what it froze: the report is that of one run.

use super::shards::{SPEC, folder};
use crate::support::cli::{Folder, forged_shard, stderr};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Output;

fn explore(folder: &Folder, place: &str, more: &[&str]) -> Output {
    folder.run(&[&["audit", "audits.toml", "--explore-only", place], more].concat())
}

fn shard(folder: &Folder, (number, of): (usize, usize), frozen: &str, more: &[&str]) -> Output {
    let part = format!("{number}/{of}");
    let arguments = ["audit", "audits.toml", "--shard", &part, "--frozen", frozen, "--out", "out"];
    folder.run(&[&arguments[..], more].concat())
}

fn merge(folder: &Folder, of: usize, more: &[&str]) -> Output {
    let files: Vec<String> = (1..=of).map(|it| format!("out/shard-{it}-of-{of}.json")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let arguments = ["merge", "--no-provenance", "--out", "merged"];
    folder.run(&[&arguments[..], &files, more].concat())
}

fn ends_with(code: i32, output: &Output) {
    assert_eq!(output.status.code(), Some(code), "{}", stderr(output));
}

/// One error with these words, and no other.
fn is_refused(output: &Output, words: &str) {
    ends_with(2, output);
    let said = stderr(output);
    assert!(said.contains(words), "{words}: {said}");
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

fn first_line(folder: &Folder, file: &str) -> Value {
    let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
    serde_json::from_str(text.lines().next().unwrap()).unwrap()
}

#[test]
#[ignore = "takes several seconds"]
fn shards_of_what_one_run_froze_are_the_run_on_one_machine() {
    let folder = folder();
    let arguments = ["audit", "audits.toml", "--no-regressions", "--no-provenance"];
    ends_with(0, &folder.run(&[&arguments[..], &["--out", "whole"]].concat()));
    let explored = explore(&folder, "in/a/folder/frozen.json", &[]);
    ends_with(0, &explored);
    // A run in the order of the coins needs the runs before it.
    let said = String::from_utf8_lossy(&explored.stdout).into_owned();
    assert!(said.ends_with("by themselves, as far as they have to: in-turn\n"), "{said}");
    let frozen = "in/a/folder/frozen.json";
    let is_frozen: Vec<bool> = first_line(&folder, frozen)["audits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|audit| audit["frozen"].is_object())
        .collect();
    assert_eq!(is_frozen, [true, true, false, true, true]);
    for of in 1..=3 {
        (1..=of).for_each(|number| ends_with(0, &shard(&folder, (number, of), frozen, &[])));
        let merged = merge(&folder, of, &["--frozen", frozen]);
        ends_with(0, &merged);
        assert_eq!(folder.report("merged"), folder.report("whole"), "{of} shards");
    }
    // Who explores again writes the same file, and shards without it freeze the same.
    ends_with(0, &explore(&folder, "again.json", &["--jobs", "1"]));
    let bytes = |file: &str| std::fs::read(folder.path().join(file)).unwrap();
    assert_eq!(bytes("again.json"), bytes(frozen));
    let with = first_line(&folder, "out/shard-2-of-3.json");
    ends_with(0, &folder.run(&["audit", "audits.toml", "--shard", "2/3", "--out", "out"]));
    let without = first_line(&folder, "out/shard-2-of-3.json");
    assert_eq!(with["audits"], without["audits"]);
    is_refused(&merge(&folder, 3, &["--frozen", frozen]), "or --frozen file");
}

#[test]
fn files_of_other_runs_and_altered_ones_are_refused() {
    let folder = folder();
    ends_with(0, &explore(&folder, "frozen.json", &[]));
    ends_with(0, &shard(&folder, (1, 1), "frozen.json", &[]));
    is_refused(&merge(&folder, 1, &[]), "merge them with the same file");
    let bytes = std::fs::read(folder.path().join("frozen.json")).unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let mut altered = bytes.clone();
    let at = altered.windows(9).position(|part| part == b"explored\"").unwrap() + 10;
    altered[at] = if altered[at] == b'4' { b'5' } else { b'4' };
    put("altered.json", &altered);
    put("short.json", &bytes[..bytes.len() / 2]);
    put("empty.json", b"");
    put("not-text.json", &[0xff, 0xfe, b'\n', 0]);
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    ends_with(0, &explore(&folder, "seed.json", &["--seed", "5"]));
    ends_with(0, &explore(&folder, "trials.json", &["--trials", "40000"]));
    ends_with(0, &explore(&folder, "fewer.json", &["--filter", "program"]));
    for (file, words) in [
        ("altered.json", "it is cut short or was changed"),
        ("short.json", "it is cut short or was changed"),
        ("empty.json", "it is cut short or was changed"),
        ("not-text.json", "it is cut short or was changed"),
        ("out/shard-1-of-1.json", "it is not a file of this kind"),
        ("folder", "it is not a file"),
        ("none.json", "none.json"),
        ("seed.json", "explore with the same arguments"),
        ("trials.json", "explore with the same arguments"),
        ("fewer.json", "explore with the same arguments"),
    ] {
        is_refused(&shard(&folder, (1, 2), file, &[]), words);
        is_refused(&merge(&folder, 1, &["--frozen", file]), words);
    }
    assert!(!folder.path().join("out/shard-1-of-2.json").exists());
    assert!(!folder.path().join("merged/report.json").exists());
    ends_with(0, &folder.run(&["audit", "audits.toml", "--shard", "1/1", "--out", "out"]));
    is_refused(&merge(&folder, 1, &["--frozen", "frozen.json"]), "were run without --frozen");
    // Another claim in the spec; another program of the same name.
    folder.spec("audits.toml", &SPEC.replace("epsilon = 1.2", "epsilon = 1.3"));
    is_refused(&shard(&folder, (1, 2), "frozen.json", &[]), "it belongs to other specs");
    folder.spec("audits.toml", SPEC);
    folder.spec("response.py", "raise SystemExit(1)\n");
    is_refused(&shard(&folder, (1, 2), "frozen.json", &[]), "it belongs to other specs");
}

#[test]
fn what_explore_cannot_have_frozen_is_refused_even_under_the_right_hash() {
    let folder = folder();
    ends_with(0, &explore(&folder, "frozen.json", &[]));
    let whole: PathBuf = folder.path().join("frozen.json");
    let refused = |change: &dyn Fn(&mut Value), words: &str| {
        forged_shard(&folder, &whole, change);
        is_refused(&shard(&folder, (1, 2), "forged.json", &[]), words);
        assert!(!folder.path().join("out/shard-1-of-2.json").exists());
    };
    let of = |at: usize, key: &'static str, value: Value| {
        move |file: &mut Value| file["audits"][at]["frozen"][key] = value.clone()
    };
    let other = "its hash belongs to another pair, witness or number of trials";
    let no_pair = "its pair is not a pair of neighbors of the audit";
    let own = |at: usize, key: &str| {
        first_line(&folder, "frozen.json")["audits"][at]["frozen"][key].clone()
    };
    refused(&of(0, "explored", json!(30_000)), "it leaves no trials for confirm");
    refused(&of(0, "explored", json!(u64::MAX)), "it leaves no trials for confirm");
    refused(&of(0, "explored", json!(1)), other);
    refused(&of(0, "pair_index", json!(7)), no_pair);
    refused(&of(0, "made", own(3, "made")), no_pair);
    refused(&of(0, "test", json!("betting")), "its test is not a test for independent runs");
    refused(&of(0, "test", json!("none")), "its test is not a test for independent runs");
    refused(&of(0, "hash", json!("")), other);
    refused(&of(0, "bits", json!([own(0, "witness"), own(0, "test")])), "digits of numbers");
    refused(&of(0, "witness", json!({})), "it is not a file of this kind");
    refused(&of(0, "more", json!(1)), "it is not a file of this kind");
    refused(&of(3, "made", Value::Null), no_pair);
    let says = |file: &mut Value| {
        let says = &mut file["audits"][1]["frozen"]["witness"]["says"];
        drop(says.as_array_mut().unwrap().pop());
    };
    refused(&says, "the bins, guesses and order of its witness do not match");
    // Two datasets of the domain that are no neighbors.
    let far = |file: &mut Value| {
        let made = &mut file["audits"][3]["frozen"]["made"];
        let both = ["d", "d_prime"].map(|side| made[side]["table"]["rows"].clone());
        let row = both.iter().find_map(|rows| rows.get(0)).unwrap().clone();
        made["d"]["table"]["rows"] = json!([]);
        made["d_prime"]["table"]["rows"] = json!([row, row, row]);
    };
    refused(&far, no_pair);
    let outside = |file: &mut Value| {
        let made = &mut file["audits"][3]["frozen"]["made"];
        for side in ["d", "d_prime"] {
            made[side] = json!({ "numbers": [1e300] });
        }
    };
    refused(&outside, no_pair);
    // A file that freezes something of what cannot be dealt out.
    refused(
        &of(3, "undeclared", json!({ "times": 1, "examples": ["{"] })),
        "not a file of this kind",
    );
    let in_turn = |file: &mut Value| {
        file["audits"][2]["frozen"] = file["audits"][0]["frozen"].clone();
    };
    refused(&in_turn, "its runs depend on one another here");
}

#[test]
fn only_shards_take_what_is_frozen_and_only_numbers_of_trials() {
    let folder = folder();
    is_refused(&folder.run(&["audit", "audits.toml", "--frozen", "f.json"]), "--shard");
    let both = explore(&folder, "f.json", &["--shard", "1/2"]);
    is_refused(&both, "cannot be used with");
    is_refused(&explore(&folder, "f.json", &["--trials", "5s"]), "a number of --trials");
    is_refused(&explore(&folder, "f.json", &["--seed", "fresh"]), "the same --seed");
    is_refused(&explore(&folder, ".", &[]), "it is a folder: name a file");
    assert!(!folder.path().join("f.json").exists());
}
