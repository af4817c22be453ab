//! `plaudit audit --shard` and `plaudit merge`: the parts are the whole.

use crate::support::cli::{Folder, forged_shard, stderr};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// Right and broken mechanisms of each way to run them: in blocks, in turn, proved, searched, with declared outcomes, as a
/// program.
pub(super) const SPEC: &str = r#"
[defaults]
trials = 30_000
min_power = false

[[audit]]
name = "laplace"
mechanism = { kind = "laplace", scale = 1.0 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }, { d = [0.0], d_prime = [0.5] }]
claim = { epsilon = 1.0 }

[[audit]]
name = "half-the-noise"
mechanism = { kind = "laplace", scale = 0.5 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
expect = "violated"

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

[[audit]]
name = "program"
mechanism = { command = ["python3", "-E", "-S", "response.py"], batch = 512 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.2 }
outcomes = [0, 1]
"#;

/// Randomized response at ε = ln 3.
const PROGRAM: &str = "
import json, random, sys
for line in sys.stdin:
    asked = json.loads(line)
    rng = random.Random(asked['seed'])
    bit = int(asked['dataset'][0])
    for _ in range(asked['runs']):
        print(bit if rng.random() < 0.75 else 1 - bit)
    sys.stdout.flush()
";

pub(super) fn folder() -> Folder {
    let folder = Folder::new();
    folder.spec("audits.toml", SPEC);
    folder.spec("response.py", PROGRAM);
    folder
}

fn shard(folder: &Folder, number: usize, of: usize) -> PathBuf {
    let out = format!("shards-{of}");
    let part = format!("{number}/{of}");
    let output = folder.run(&["audit", "audits.toml", "--shard", &part, "--out", &out]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    folder.path().join(out).join(format!("shard-{number}-of-{of}.json"))
}

fn merge(folder: &Folder, shards: &[PathBuf], out: &str) -> Output {
    let shards = shards.iter().map(|path| path.to_str().unwrap());
    let arguments: Vec<&str> =
        ["merge"].into_iter().chain(shards).chain(["--no-provenance", "--out", out]).collect();
    folder.run(&arguments)
}

#[test]
fn shards_merged_are_the_run_on_one_machine() {
    let folder = folder();
    let whole = folder.run(&[
        "audit",
        "audits.toml",
        "--no-regressions",
        "--no-provenance",
        "--out",
        "whole",
    ]);
    assert_eq!(whole.status.code(), Some(0), "{}", stderr(&whole));
    for of in [1, 2, 3, 7] {
        // In any order.
        let shards: Vec<PathBuf> = (1..=of).rev().map(|it| shard(&folder, it, of)).collect();
        let sizes = shards.iter().map(|path| std::fs::metadata(path).unwrap().len());
        assert!(sizes.max() < Some(1 << 20));
        let out = format!("merged-{of}");
        let merged = merge(&folder, &shards, &out);
        assert_eq!(merged.status.code(), Some(0), "{}", stderr(&merged));
        assert_eq!(folder.report(&out), folder.report("whole"), "{of} shards");
    }
}

#[test]
fn shards_that_do_not_belong_together_are_refused_and_the_old_report_stays() {
    let folder = folder();
    let spec = SPEC.split("\n[[audit]]\nname = \"in-turn\"").next().unwrap();
    folder.spec("audits.toml", spec);
    let both = [shard(&folder, 1, 2), shard(&folder, 2, 2)];
    assert_eq!(merge(&folder, &both, "out").status.code(), Some(0));
    let before = folder.report("out");
    let refused = |shards: &[PathBuf], words: &str| {
        let output = merge(&folder, shards, "out");
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(stderr(&output).contains(words), "{words}: {}", stderr(&output));
        assert_eq!(folder.report("out"), before);
    };
    refused(&both[..1], "shard 2 of 2 is missing");
    refused(&[both[0].clone(), both[0].clone()], "shard 1 is also in");
    refused(&[both[0].clone(), shard(&folder, 2, 3)], "to another run");
    let text = std::fs::read_to_string(&both[1]).unwrap();
    let changed = folder.path().join("changed.json");
    // Cut anywhere, or with one digit changed anywhere.
    for at in (0..text.len()).step_by(text.len() / 40 + 1) {
        std::fs::write(&changed, &text.as_bytes()[..at]).unwrap();
        refused(&[both[0].clone(), changed.clone()], "cut short or was changed");
        let mut bytes = text.clone().into_bytes();
        bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
        std::fs::write(&changed, bytes).unwrap();
        refused(&[both[0].clone(), changed.clone()], "changed");
    }
    // The spec has changed since.
    folder.spec("audits.toml", &spec.replace("epsilon = 1.0 }", "epsilon = 1.5 }"));
    refused(&both, "the specs are not those of the shards");
}

/// The first tier's part of the next test: without programs.
#[test]
fn counts_that_were_changed_are_refused_even_under_the_right_hash() {
    let folder = folder();
    let spec = SPEC.split("\n[[audit]]\nname = \"in-turn\"").next().unwrap();
    folder.spec("audits.toml", spec);
    let both = [shard(&folder, 1, 2), shard(&folder, 2, 2)];
    let one_more = |it: &mut Value| {
        let count = &mut it["audits"][1]["counts"]["tallies"][0]["d"][0];
        *count = (count.as_u64().unwrap() + 1).into();
    };
    let another = |it: &mut Value| it["audits"][1]["counts"]["frozen"] = "0".repeat(64).into();
    type Change<'a> = &'a dyn Fn(&mut Value);
    let changes: [(Change<'_>, &str); 2] =
        [(&one_more, "not those of"), (&another, "froze another witness")];
    for (change, words) in changes {
        let forged = forged_shard(&folder, &both[1], change);
        let output = merge(&folder, &[both[0].clone(), forged], "out");
        assert_eq!(output.status.code(), Some(2), "{words}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{words}: {}", stderr(&output));
        assert!(!folder.path().join("out/report.json").exists());
    }
}

#[test]
#[ignore = "seventeen merges with a program"]
fn counts_that_no_trials_give_are_refused_even_under_the_right_hash() {
    let folder = folder();
    let both = [shard(&folder, 1, 2), shard(&folder, 2, 2)];
    let refused = |change: &dyn Fn(&mut Value), words: &str| {
        let forged = forged_shard(&folder, &both[1], change);
        let output = merge(&folder, &[both[0].clone(), forged], "out");
        assert_eq!(output.status.code(), Some(2), "{words}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{words}: {}", stderr(&output));
        assert!(!folder.path().join("out/report.json").exists());
    };
    let unchanged = forged_shard(&folder, &both[1], |_| ());
    assert_eq!(merge(&folder, &[both[0].clone(), unchanged], "right").status.code(), Some(0));
    let one_more = |count: &mut Value| *count = (count.as_u64().unwrap() + 1).into();
    let half_the_noise = |file: &mut Value| file["audits"][1]["counts"].take();
    // Bins and trials.
    refused(&|it| one_more(&mut it["audits"][1]["counts"]["tallies"][0]["d"][0]), "not those of");
    refused(
        &|it| it["audits"][1]["counts"]["tallies"][0]["d"][0] = u64::MAX.into(),
        "not those of",
    );
    let bins = "other bins than its witnesses";
    refused(
        &|it| {
            let bins = &mut it["audits"][1]["counts"]["tallies"][0];
            for side in ["d", "d_prime"] {
                bins[side].as_array_mut().unwrap().push(0.into());
            }
        },
        bins,
    );
    refused(&|it| it["audits"][1]["counts"]["tallies"].as_array_mut().unwrap().clear(), bins);
    // Of what is the first shard's alone.
    let in_turn = |it: &mut Value| {
        let counts = &mut it["audits"][2]["counts"]["tallies"][0]["d"][0];
        *counts = 1.into();
    };
    refused(&in_turn, "not those of 0 trials");
    // Requests to the program.
    let requests = |it: &mut Value, change: &dyn Fn(&mut Vec<Value>)| {
        change(it["audits"][4]["counts"]["requests"].as_array_mut().unwrap());
    };
    let gone = |all: &mut Vec<Value>| drop(all.pop());
    refused(&|it| requests(it, &gone), "requests, but its own come from");
    let twice = |all: &mut Vec<Value>| all.push(all[0].clone());
    refused(&|it| requests(it, &twice), "is not one of its own, or not whole");
    let other = |all: &mut Vec<Value>| one_more(&mut all[0][0]);
    refused(&|it| requests(it, &other), "is not one of its own, or not whole");
    let larger = |all: &mut Vec<Value>| one_more(&mut all[0][1][0][0]["runs"]);
    refused(&|it| requests(it, &larger), "is not one of its own, or not whole");
    let louder = |all: &mut Vec<Value>| all[0][1][0][0]["said"][0] = u64::MAX.into();
    refused(&|it| requests(it, &louder), "is not one of its own, or not whole");
    let fewer = |all: &mut Vec<Value>| drop(all[0][1].as_array_mut().unwrap().pop());
    refused(&|it| requests(it, &fewer), "is not one of its own, or not whole");
    // Where the run came from.
    refused(&|it| drop(half_the_noise(it)), "shard 2 ended before its trials");
    refused(
        &|it| it["audits"][1]["counts"]["frozen"] = "0".repeat(64).into(),
        "froze another witness",
    );
    refused(&|it| one_more(&mut it["audits"][1]["counts"]["block"]), "runs at once");
    refused(&|it| it["version"] = "0.0.0".into(), "to another run");
    // A file that says where to write, in both.
    let record = |it: &mut Value| {
        it["asked"].as_array_mut().unwrap().insert(0, "--record=recorded".into());
    };
    let [first, second] = ["first.json", "second.json"].map(|name| folder.path().join(name));
    for (from, to) in both.iter().zip([&first, &second]) {
        std::fs::rename(forged_shard(&folder, from, record), to).unwrap();
    }
    let output = merge(&folder, &[first, second], "out");
    assert!(
        stderr(&output).contains("the shard files have arguments that shards do not take"),
        "{}",
        stderr(&output)
    );
    assert!(!folder.path().join("recorded").exists());
}

#[test]
fn shards_that_are_missing_are_left_out_on_request_and_the_report_says_so() {
    let folder = folder();
    let shards = [1, 3].map(|it| shard(&folder, it, 3));
    let [first, third] = shards.each_ref().map(|path| path.to_str().unwrap());
    let merged = folder.run(&["merge", first, third, "--allow-missing", "--out", "some"]);
    assert_eq!(merged.status.code(), Some(0), "{}", stderr(&merged));
    let report = folder.report("some");
    for audit in report["audits"].as_array().unwrap() {
        let trials = |part: &str| audit["trials"][part].as_u64().unwrap();
        assert_eq!(trials("total"), trials("explore") + trials("confirm"));
        let notes = audit["notes"].to_string();
        let alone = audit["name"] == "in-turn";
        assert_eq!(!alone, trials("total") < 30_000, "{audit}");
        let said = format!("merged without shard 2: {} trials count instead of", trials("confirm"));
        assert_eq!(!alone, notes.contains(&said), "{notes}");
    }
    // So does a certificate, whose own seed does not give its counts again: those of the other shards are not in it.
    let certificate = folder.path().join("some/certificates/half-the-noise.json");
    let text = std::fs::read_to_string(&certificate).unwrap();
    assert!(text.contains("merged without shard 2"), "{text}");
    let replayed = folder.run(&["replay", certificate.to_str().unwrap(), "--seed", "0"]);
    assert_eq!(replayed.status.code(), Some(0), "{}", stderr(&replayed));
    let said = String::from_utf8_lossy(&replayed.stdout);
    assert!(said.contains("or it was merged without some shards"), "{said}");
    // The first shard alone plays runs in turn.
    let refused = folder.run(&["merge", third, "--allow-missing", "--out", "some"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("in-turn: the shards present"), "{}", stderr(&refused));
}

/// Whether folders can trade places in one step there; where they cannot, one is missing for a moment.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn can_trade_places(folder: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let both = ["one", "other"].map(|name| folder.join(name));
    both.iter().for_each(|path| std::fs::create_dir(path).unwrap());
    renameat_with(CWD, &both[0], CWD, &both[1], RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn can_trade_places(_: &Path) -> bool {
    false
}

#[test]
#[ignore = "takes several seconds"]
fn shards_and_merges_that_are_killed_leave_whole_files_old_or_new() {
    let folder = folder();
    let spec = SPEC.split("\n[[audit]]\nname = \"in-turn\"").next().unwrap();
    folder.spec("audits.toml", spec);
    let both = [shard(&folder, 1, 2), shard(&folder, 2, 2)];
    assert_eq!(merge(&folder, &both, "out").status.code(), Some(0));
    let report_before = folder.report("out");
    let shard_before = std::fs::read(&both[0]).unwrap();
    let [first, second] = both.each_ref().map(|path| path.to_str().unwrap());
    let playing = ["audit", "audits.toml", "--shard", "1/2", "--out", "shards-2"];
    let merging = ["merge", first, second, "--no-provenance", "--out", "out"];
    let trade_places = can_trade_places(folder.path());
    let mut killed = 0;
    for attempt in 0..50 {
        for command in [&playing[..], &merging[..]] {
            // From before anything is read on; where the machine is fast, to after all is written.
            let moment = Duration::from_millis(2 * attempt);
            let mut child = Command::new(assert_cmd::cargo::cargo_bin!("plaudit"))
                .current_dir(folder.path())
                .args(command)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            thread::sleep(moment);
            child.kill().unwrap();
            killed += u32::from(child.wait().unwrap().code().is_none());
        }
        // A second run writes the same, so a file is this or was cut short.
        assert_eq!(std::fs::read(&both[0]).unwrap(), shard_before, "killed after {attempt}");
        assert_eq!(folder.report("out"), report_before, "killed after {attempt}");
        for (file, end) in
            [("index.html", "</html>"), ("evaluation.json", "]"), ("evaluation.md", "")]
        {
            let text = std::fs::read_to_string(folder.path().join("out").join(file)).unwrap();
            assert!(text.trim_end().ends_with(end), "{file}: killed after {attempt}");
        }
        let plots = folder.path().join("out/plots");
        assert!(!trade_places || plots.is_dir(), "killed after {attempt}");
    }
    assert!(killed > 4, "{killed}");
    // What was killed is in nobody's way.
    assert_eq!(
        merge(&folder, &[shard(&folder, 1, 2), both[1].clone()], "out").status.code(),
        Some(0)
    );
    assert_eq!(folder.report("out"), report_before);
    let entries = std::fs::read_dir(folder.path().join("out")).unwrap();
    let hidden =
        |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(".plaudit-");
    let left: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(hidden).collect();
    // A folder that nobody had locked yet has no report in it.
    let holds_something = |path: &&PathBuf| {
        path.is_file()
            || path.read_dir().unwrap().any(|entry| entry.unwrap().file_name() != "unlocked")
    };
    assert_eq!(left.iter().find(holds_something), None, "of {left:?}");
}

#[test]
fn parts_of_a_partition_are_all_audits_once() {
    let folder = folder();
    let mut names: Vec<String> = Vec::new();
    for part in ["hash:1/3", "hash:2/3", "hash:3/3"] {
        let arguments =
            ["audit", "audits.toml", "--trials", "1000", "--partition", part, "--out", part];
        let output = folder.run(&arguments);
        assert_ne!(output.status.code(), Some(2), "{}", stderr(&output));
        if folder.path().join(part).join("report.json").exists() {
            let report = folder.report(part);
            let audits = report["audits"].as_array().unwrap().iter();
            names.extend(audits.map(|audit| audit["name"].as_str().unwrap().to_owned()));
        }
    }
    names.sort();
    assert_eq!(names, ["half-the-noise", "in-turn", "laplace", "program", "searched"]);
}
