//! The pages of `docs/` are a book: each is in its contents and short, links lead somewhere, and every spec and every
//! command of `plaudit` is read by the program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Lines of the longest page.
const LONGEST: usize = 300;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Files in docs/ that are written in Markdown.
fn book() -> BTreeSet<String> {
    let names = fs::read_dir(root().join("docs")).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".md")).collect()
}

/// Pages whose links, specs and commands are read.
fn pages() -> Vec<String> {
    let others = [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "python/README.md",
        "benches/README.md",
        "fuzz/README.md",
        "audits/real/README.md",
        "examples/scale/README.md",
    ];
    let book = book().into_iter().map(|name| format!("docs/{name}"));
    book.chain(others.map(str::to_owned)).collect()
}

/// The lines of a page outside of its fenced blocks, and the blocks: their language and their text.
fn parts(page: &str) -> (Vec<&str>, Vec<(&str, String)>) {
    let (mut prose, mut blocks): (Vec<&str>, Vec<(&str, String)>) = (Vec::new(), Vec::new());
    let mut indent = None;
    for line in page.lines() {
        let bare = line.trim_start();
        match (bare.strip_prefix("```"), indent) {
            (Some(language), None) => {
                blocks.push((language, String::new()));
                indent = Some(line.len() - bare.len());
            }
            (Some(_), Some(_)) => indent = None,
            (None, Some(indent)) => {
                let text = &mut blocks.last_mut().unwrap().1;
                text.push_str(line.get(indent..).unwrap_or_default());
                text.push('\n');
            }
            (None, None) => prose.push(line),
        }
    }
    assert_eq!(indent, None, "the last block is not closed");
    (prose, blocks)
}

/// The names of a page's headings in links, as GitHub makes them.
fn anchors(page: &str) -> BTreeSet<String> {
    let (prose, _) = parts(page);
    let headings = prose.into_iter().filter(|line| line.starts_with('#'));
    let name = |line: &str| -> String {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(name).collect()
}

/// Targets of links, without those in code.
fn links(page: &str) -> Vec<String> {
    let prose = parts(page).0.join("\n");
    let outside = prose.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let targets = outside.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_owned()).collect()
}

#[test]
fn every_page_is_once_in_the_contents() {
    let summary = read("docs/SUMMARY.md");
    let mut listed = links(&summary);
    listed.sort();
    let mut there = book();
    there.remove("SUMMARY.md");
    assert_eq!(listed, there.into_iter().collect::<Vec<_>>());
}

#[test]
fn no_page_is_long() {
    for name in book() {
        let lines = read(&format!("docs/{name}")).lines().count();
        assert!(lines <= LONGEST, "{name} has {lines} lines: split it by topic");
    }
}

#[test]
fn links_lead_somewhere() {
    let mut links_seen = 0;
    for name in pages() {
        let page = read(&name);
        for link in links(&page).iter().filter(|link| !link.contains("://")) {
            links_seen += 1;
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = Path::new(&name).parent().unwrap();
            let file = if target.is_empty() {
                root().join(&name)
            } else {
                root().join(folder).join(target)
            };
            assert!(file.exists(), "{name} links to {link}, which is not there");
            if !anchor.is_empty() {
                let anchors = anchors(&fs::read_to_string(file).unwrap());
                assert!(
                    anchors.contains(anchor),
                    "{name} links to {link}: there is no such heading"
                );
            }
        }
    }
    assert!(links_seen > 100, "{links_seen}");
}

/// Pages that sources, messages and tests name are there.
#[test]
fn pages_that_the_sources_name_are_there() {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let read = ["rs", "py", "toml", "json", "md", "c", "js"];
            match path.is_dir() {
                true if !["target", "node_modules"].contains(&&*name) && !name.starts_with('.') => {
                    walk(&path, found)
                }
                false if path.extension().is_some_and(|end| read.iter().any(|it| *end == **it)) => {
                    found.push(path);
                }
                _ => {}
            }
        }
    }
    let mut files = Vec::new();
    for folder in ["src", "crates", "tests", "python", "examples", "audits", "docs", "fuzz/targets"]
    {
        walk(&root().join(folder), &mut files);
    }
    let mut named = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap_or_default();
        for rest in text.split("docs/").skip(1) {
            let page =
                rest.split(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c))).next();
            let Some(name) =
                page.and_then(|page| page.strip_suffix(".md").or(page.strip_suffix(".md.")))
            else {
                continue;
            };
            named += 1;
            let there = root().join(format!("docs/{name}.md")).exists();
            assert!(there, "{} names docs/{name}.md, which is not there", file.display());
        }
    }
    assert!(named > 50, "{named}");
}

/// For specs of attacks alone, which are not listed.
#[cfg(all(feature = "cli", unix))]
const AUDIT: &str = "[[audit]]\nname = \"one\"\nmechanism = { kind = \"laplace\", scale = 1 }\nrelation = { linf = 1 }\n\
                     pairs = [{ d = [0], d_prime = [1] }]\nclaim = { epsilon = 1 }\n";

/// Parts of specs, settings and events are marked (`toml,part`), and run by `docs::examples` or read here.
#[test]
#[cfg(all(feature = "cli", unix))]
fn every_spec_is_read() {
    use crate::support::cli::{Folder, plaudit, stderr};
    let mut specs = 0;
    for name in pages() {
        let page = read(&name);
        let (_, blocks) = parts(&page);
        let toml = blocks.iter().filter(|(language, _)| language.starts_with("toml"));
        for (language, text) in toml {
            let folder = Folder::new();
            match *language {
                "toml" => {
                    specs += 1;
                    // What specs of the pages name, with as little in it as they need.
                    let csv = blocks.iter().find(|(language, _)| *language == "csv");
                    folder.spec("people.csv", csv.map_or("age\n1\n", |(_, text)| text));
                    folder.spec("with-alice.csv", "total\n1.5\n");
                    folder.spec("without-alice.csv", "total\n2.5\n");
                    for dataset in ["people.parquet", "people-without-ada.parquet"] {
                        folder.spec(dataset, dataset);
                    }
                    fs::create_dir(folder.path().join("data")).unwrap();
                    let votes = read("audits/data/anes96.csv");
                    fs::write(folder.path().join("data/anes96.csv"), votes).unwrap();
                    let audit = if text.contains("[[audit]]") { "" } else { AUDIT };
                    folder.spec("spec.toml", &format!("{text}{audit}"));
                    let output = plaudit()
                        .current_dir(folder.path())
                        .args(["list", "spec.toml"])
                        .output()
                        .unwrap();
                    assert!(output.status.success(), "{name}: {}\n{text}", stderr(&output));
                }
                "toml,settings" => {
                    folder.spec("plaudit.toml", text);
                    let output =
                        plaudit().current_dir(folder.path()).arg("config").output().unwrap();
                    assert!(output.status.success(), "{name}: {}\n{text}", stderr(&output));
                }
                "toml,ledger" => {
                    let file = folder.spec("ledger.toml", text);
                    let output = plaudit().arg("budget").arg(file).arg("check").output().unwrap();
                    assert!(output.status.success(), "{name}: {}\n{text}", stderr(&output));
                }
                "toml,part" | "toml,events" | "toml,bad" => {
                    assert!(text.parse::<toml::Table>().is_ok(), "{name}:\n{text}");
                }
                other => panic!("{name}: nobody reads a block in {other}"),
            }
        }
    }
    assert!(specs > 20, "{specs}");
}

/// Whether flags, values and subcommands exist. That a command does what its page says is for `docs::examples`.
#[test]
#[cfg(all(feature = "cli", unix))]
fn every_command_is_one() {
    use crate::support::cli::{Folder, stderr};
    use std::process::Command;
    let program = assert_cmd::cargo::cargo_bin!("plaudit");
    let read_by_the_program = |line: &str| {
        let folder = Folder::new();
        fs::create_dir(folder.path().join("audits")).unwrap();
        // The program reads all arguments before it comes to the last, and prints its help.
        let script = format!("plaudit() {{ '{}' \"$@\" --help; }}\n{line}", program.display());
        Command::new("sh").arg("-c").arg(script).current_dir(folder.path()).output().unwrap()
    };
    let mut commands = 0;
    for name in pages() {
        let page = read(&name);
        let (_, blocks) = parts(&page);
        let blocks =
            blocks.iter().filter(|(language, _)| ["sh", "text", "console"].contains(language));
        for line in
            blocks.flat_map(|(_, text)| text.lines()).filter(|line| line.starts_with("plaudit "))
        {
            commands += 1;
            let output = read_by_the_program(line);
            assert!(output.status.success(), "{name}: {line}: {}", stderr(&output));
        }
    }
    assert!(commands > 30, "{commands}");
    assert!(!read_by_the_program("plaudit audit audits --no-such-flag").status.success());
    assert!(!read_by_the_program("plaudit audit audits --shard four").status.success());
}
