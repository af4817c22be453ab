//! `--changed-since`: only audits that a change touches are run, and the others are not taken for gone.
#![cfg(all(feature = "cli", unix))]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use serde_json::Value;
use std::process::Output;

const AUDIT: &str = r#"[[audit]]
name = "NAME"
mechanism = { kind = "laplace", epsilon = 1.0, sensitivity = 1.0 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
trials = 2_000
min_power = false
"#;

/// Two audits that watch different folders, on the branch `work` of a repository whose `main` has the same.
fn repository() -> Folder {
    let folder = Folder::new();
    for (name, watch) in [("one", "src/one/**"), ("two", "src/two")] {
        for below in ["audits".to_owned(), format!("src/{name}")] {
            std::fs::create_dir_all(folder.path().join(below)).unwrap();
        }
        let spec = AUDIT.replace("NAME", name) + &format!("watch = [{watch:?}]\n");
        folder.spec(&format!("audits/{name}.toml"), &spec);
        folder.spec(&format!("src/{name}/code.txt"), "1");
    }
    folder.spec(".gitignore", "reports\n*.json\n");
    folder.git(&["init", "-q", "-b", "main"]);
    folder.commit();
    folder.git(&["checkout", "-qb", "work"]);
    folder
}

fn gate(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = plaudit();
    command.current_dir(folder.path()).env_remove("GITHUB_STEP_SUMMARY");
    command.arg("gate").args(arguments).output().unwrap()
}

fn since_main(folder: &Folder) -> Output {
    gate(folder, &["--changed-since", "main"])
}

/// The names of the audits of the last report, and of those that were left out.
fn ran(folder: &Folder) -> (Vec<String>, Vec<String>) {
    let text = std::fs::read_to_string(folder.path().join("reports/report.json")).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let of = |value: &Value| value["name"].as_str().unwrap().to_owned();
    let ran = list(&report["audits"]).iter().map(of).collect();
    let left_out = list(&report["left_out"]);
    (ran, left_out.iter().map(|it| it["audit"].as_str().unwrap().to_owned()).collect())
}

fn named(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn nothing_changed_is_green_and_nothing_is_gone() {
    let folder = repository();
    assert_eq!(gate(&folder, &[]).status.code(), Some(0));
    std::fs::copy(folder.path().join("reports/report.json"), folder.path().join("main.json"))
        .unwrap();
    let output = gate(&folder, &["--changed-since", "main", "--baseline", "main.json"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let expected =
        "left out 2 of 2 audits: no file that they watch has changed since main: one, two\n";
    assert!(said.contains(expected) && said.contains("gate: green: 0 failed"), "{said}");
    assert_eq!(ran(&folder), (vec![], named(&["one", "two"])));
    let previous =
        ["audit", "--changed-since", "main", "--previous", "main.json", "--format", "json"];
    let output = plaudit().current_dir(folder.path()).args(previous).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(report["changes"]["removed"].as_array().map_or(0, Vec::len), 0, "{report}");
    // A spec that is gone is gone.
    std::fs::remove_file(folder.path().join("audits/two.toml")).unwrap();
    let output = gate(&folder, &["--changed-since", "main", "--baseline", "main.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("removed-audit: two"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("removed-audit: one"), "{}", stderr(&output));
}

#[test]
fn what_is_committed_uncommitted_or_untracked_touches_what_watches_it() {
    let folder = repository();
    folder.spec("src/two/new file.txt", "1");
    assert_eq!(since_main(&folder).status.code(), Some(0));
    assert_eq!(ran(&folder), (named(&["two"]), named(&["one"])), "untracked");
    folder.git(&["add", "-A"]);
    since_main(&folder);
    assert_eq!(ran(&folder), (named(&["two"]), named(&["one"])), "staged");
    folder.commit();
    since_main(&folder);
    assert_eq!(ran(&folder), (named(&["two"]), named(&["one"])), "committed");
    // What others did on main meanwhile is no part of this change.
    folder.git(&["checkout", "-q", "main"]);
    folder.spec("src/one/code.txt", "2");
    folder.commit();
    folder.git(&["checkout", "-q", "work"]);
    since_main(&folder);
    assert_eq!(ran(&folder), (named(&["two"]), named(&["one"])), "main moved");
    folder.git(&["mv", "src/one/code.txt", "moved.txt"]);
    since_main(&folder);
    assert_eq!(ran(&folder), (named(&["one", "two"]), vec![]), "moved away");
}

#[test]
fn a_spec_that_changed_or_watches_nothing_is_run() {
    let folder = repository();
    let spec = AUDIT.replace("NAME", "one") + "about = \"new\"\nwatch = [\"src/one/**\"]\n";
    folder.spec("audits/one.toml", &spec);
    since_main(&folder);
    assert_eq!(ran(&folder), (named(&["one"]), named(&["two"])));
    folder.git(&["checkout", "-q", "."]);
    folder.spec("audits/three.toml", &AUDIT.replace("NAME", "three"));
    folder.commit();
    folder.git(&["branch", "-qf", "main"]);
    since_main(&folder);
    assert_eq!(ran(&folder), (named(&["three"]), named(&["one", "two"])), "no watch");
    let typo = AUDIT.replace("NAME", "four") + "watch = [\"scr/**\"]\n";
    folder.spec("audits/four.toml", &typo);
    folder.commit();
    folder.git(&["branch", "-qf", "main"]);
    let output = since_main(&folder);
    assert_eq!(ran(&folder).0, named(&["four", "three"]), "a pattern without files");
    assert!(
        stderr(&output).contains("`scr/**`, which matches no tracked file"),
        "{}",
        stderr(&output)
    );
    let below = plaudit()
        .current_dir(folder.path().join("audits"))
        .args(["audit", "two.toml", "--changed-since=main", "--out=../reports"])
        .output()
        .unwrap();
    assert_eq!(below.status.code(), Some(0), "{}", stderr(&below));
    assert_eq!(ran(&folder), (vec![], named(&["two"])), "from a folder below the root");
}

#[test]
fn what_git_cannot_answer_is_said_before_anything_runs() {
    let folder = repository();
    for (revision, words) in [
        ("--changed-since=nowhere", "git knows no revision `nowhere`"),
        ("--changed-since=--output=x", "no revision of git starts with `-`"),
        ("--changed-since=", "name a branch, a tag or a commit"),
    ] {
        let output = gate(&folder, &[revision]);
        assert_eq!(output.status.code(), Some(2), "{revision}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{revision}: {}", stderr(&output));
    }
    folder.git(&["checkout", "-q", "--orphan", "other"]);
    // Without it this would be the very commit of `main`, if it is made in the same second.
    folder.spec("src/one/code.txt", "2");
    folder.commit();
    assert!(stderr(&since_main(&folder)).contains("no common ancestor"));
    let missing = plaudit()
        .current_dir(folder.path())
        .env("PATH", "/no-such-folder")
        .args(["gate", "--changed-since", "main"])
        .output()
        .unwrap();
    assert!(stderr(&missing).contains("needs git"), "{}", stderr(&missing));
    assert!(!folder.path().join("reports").exists());
    std::fs::remove_dir_all(folder.path().join(".git")).unwrap();
    assert!(stderr(&since_main(&folder)).contains("is not in a git repository"));
}

#[test]
fn data_programs_and_targets_of_links_touch_what_names_them() {
    let folder = repository();
    let table = "[[audit]]\nname = \"table\"\nmechanism = { kind = \"count\", where = { column = \"v\", equals = 1 }, noise = \"laplace\", \
                 scale = 1.0 }\nrelation = \"add-remove\"\ndata = { csv = \"x.csv\", columns = [\"v\"] }\npairs = [{ remove = 1 }]\n\
                 claim = { epsilon = 1.0 }\ntrials = 2_000\nmin_power = false\nwatch = []\n";
    folder.spec("audits/table.toml", table);
    std::fs::create_dir(folder.path().join("lib")).unwrap();
    folder.spec("lib/real.txt", "1");
    folder.spec("audits/x.csv", "v\n0\n1\n1\n");
    folder.spec("lib/d.csv", "x\n0\n1\n0\n1\n");
    folder.spec("lib/e.csv", "x\n1\n1\n0\n1\n");
    let link = |to: &str, from: &str| {
        std::os::unix::fs::symlink(to, folder.path().join(from)).unwrap();
    };
    link("../lib/real.txt", "audits/near.txt");
    link("near.txt", "audits/link.txt");
    link("../lib", "audits/data");
    let linked = AUDIT.replace("NAME", "linked") + "watch = [\"audits/link.txt\"]\n";
    folder.spec("audits/linked.toml", &linked);
    let recorded = "[[audit]]\nname = \"recorded\"\nrecorded = { d = \"data/d.csv\", d_prime = \"data/e.csv\", column = \"x\" }\n\
                    relation = { linf = 1.0 }\nclaim = { epsilon = 1.0 }\nmin_power = false\nwatch = []\n";
    folder.spec("audits/recorded.toml", recorded);
    folder.commit();
    folder.git(&["branch", "-qf", "main"]);
    since_main(&folder);
    assert_eq!(ran(&folder).0, named(&[]), "nothing changed");
    for (file, text, name) in [
        ("audits/x.csv", "v\n0\n0\n0\n", "table"),
        ("lib/real.txt", "2", "linked"),
        ("lib/e.csv", "x\n1\n1\n1\n1\n", "recorded"),
    ] {
        folder.spec(file, text);
        since_main(&folder);
        assert_eq!(ran(&folder).0, named(&[name]), "{file}");
        folder.git(&["checkout", "-q", "."]);
    }
    std::fs::remove_file(folder.path().join("audits/near.txt")).unwrap();
    link("../.gitignore", "audits/near.txt");
    since_main(&folder);
    assert_eq!(ran(&folder).0, named(&["linked"]), "a link on the way");
}

#[test]
fn a_part_of_a_report_is_told_in_every_output_and_is_no_baseline() {
    let folder = repository();
    let run = ["--filter", "one", "--markdown", "m.md", "--summary", "s.json", "--junit", "j.xml"];
    assert_eq!(gate(&folder, &run).status.code(), Some(0));
    let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap();
    let why = "--filter: its name does not match `one`";
    for file in ["s.json", "j.xml", "reports/report.json", "reports/index.html"] {
        assert!(read(file).contains(why), "{file}: {}", read(file));
    }
    assert!(read("m.md").contains("**Left out**") && read("m.md").contains("| two |"));
    for (more, count) in [(&[][..], "1 audit was left out"), (&["--no-provenance"], "1 audit was")]
    {
        let partial = [&["--filter", "one", "--out", "part"][..], more].concat();
        assert_eq!(gate(&folder, &partial).status.code(), Some(0));
        let output = gate(&folder, &["--baseline", "part/report.json", "--out", "new"]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("is a part of a report: ") && said.contains(count), "{said}");
        assert!(
            said.contains("two (--filter") && said.contains("keep the report of a run"),
            "{said}"
        );
        assert!(!folder.path().join("new").exists(), "before anything runs");
    }
}
