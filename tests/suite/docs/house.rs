//! The rules of the house, read from the sources of all crates: no two files use each other, directly or through
//! others; each crate depends on those below it alone; the front door is what is listed; and the architecture page names
//! what is there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// Crates, and those of ours that each may depend on, tests apart.
const BELOW: [(&str, &[&str]); 7] = [
    ("accountant", &[]),
    ("core", &["accountant"]),
    ("aligned", &["accountant", "core"]),
    ("engine", &["accountant", "aligned", "core"]),
    ("catalog", &["accountant", "aligned", "core", "engine"]),
    ("attacks", &["accountant", "catalog", "core", "engine"]),
    ("report", &["accountant", "core"]),
];
/// Verdicts, chosen in one file only.
const VERDICTS: [&str; 5] = [
    "Verdict::Violated",
    "Verdict::Verified",
    "Verdict::Bounded",
    "Verdict::NotRefuted",
    "Verdict::Inconclusive",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `folder`, as paths from the root with `/`.
fn files(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().into_string().unwrap());
        match entry.file_type().unwrap().is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

/// Sources by module path: `["engine", "audit", "judge"]` for `crates/engine/src/audit/judge.rs`, `["plaudit"]` for
/// `src/lib.rs`.
fn modules() -> Modules {
    let mut modules = Modules::new();
    let crates = BELOW.map(|(name, _)| (name, format!("crates/{name}/src")));
    for (krate, folder) in crates.into_iter().chain([("plaudit", "src".to_owned())]) {
        for file in files(&folder).into_iter().filter(|file| file.ends_with(".rs")) {
            let name = file[folder.len() + 1..].trim_end_matches(".rs");
            let mut module: Vec<String> = vec![krate.to_owned()];
            module.extend(name.split('/').map(str::to_owned));
            match module.last().unwrap().as_str() {
                "main" => continue,
                "mod" | "lib" => drop(module.pop()),
                _ => {}
            }
            let text = fs::read_to_string(root().join(&file)).unwrap();
            modules.insert(module, (file, text));
        }
    }
    modules
}

/// One name that a `use` brings in: whether it is handed on (`pub use`), its path, and the name it gets.
#[derive(Debug, PartialEq)]
struct Import {
    public: bool,
    path: Vec<String>,
    name: String,
}

/// The imports of a file outside its tests. Comments and the inside of inline modules are not read.
fn imports(text: &str) -> Vec<Import> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line == "#[cfg(test)]" {
            lines.next();
            continue;
        }
        let words = line.trim_start_matches("pub(crate) ").trim_start_matches("pub(super) ");
        let (public, words) = match words.strip_prefix("pub ") {
            Some(words) => (true, words),
            None => (words.len() < line.len(), words),
        };
        let Some(tree) = words.strip_prefix("use ") else { continue };
        let mut tree = tree.to_owned();
        while !tree.contains(';') {
            tree += lines.next().expect("a use ends with a semicolon");
        }
        branches(tree.split(';').next().unwrap(), &[], public, &mut found);
    }
    found
}

/// Paths from `crate::` or `super::` that stand in the code itself, outside `use` lines, comments and tests.
fn inline_paths(text: &str) -> Vec<Vec<String>> {
    let code = text.split("\n#[cfg(test)]\n").next().unwrap();
    let mut found = Vec::new();
    for line in code.lines() {
        let line = line.split("//").next().unwrap_or_default();
        if line.trim_start().trim_start_matches("pub ").starts_with("use ") {
            continue;
        }
        let is_path = |c: char| c.is_alphanumeric() || "_:".contains(c);
        // `pub(in path)` uses nothing.
        let line =
            line.split_once("pub(in ").map_or(line, |(_, after)| after.split_once(')').unwrap().1);
        for word in line.split(|c| !is_path(c)) {
            let path: Vec<String> = word.split("::").map(str::to_owned).collect();
            let begins = matches!(path[0].as_str(), "crate" | "super");
            if begins && path.len() > 1 && path.iter().all(|part| !part.is_empty()) {
                found.push(path);
            }
        }
    }
    found
}

fn branches(tree: &str, before: &[String], public: bool, found: &mut Vec<Import>) {
    let tree = tree.trim();
    if let Some(open) = tree.find('{') {
        let mut before = before.to_vec();
        before.extend(
            tree[..open].split("::").map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned),
        );
        let inside = &tree[open + 1..tree.rfind('}').unwrap()];
        let (mut depth, mut start) = (0, 0);
        for (i, c) in inside.char_indices().chain([(inside.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    if !inside[start..i].trim().is_empty() {
                        branches(&inside[start..i], &before, public, found);
                    }
                    start = i + 1;
                }
                _ => {}
            }
        }
        return;
    }
    let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
    let mut path: Vec<String> =
        before.iter().cloned().chain(path.split("::").map(|s| s.trim().to_owned())).collect();
    if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
        path.pop();
    }
    let name = match name.trim() {
        "" => path.last().unwrap().clone(),
        name => name.to_owned(),
    };
    found.push(Import { public, path, name });
}

type Modules = BTreeMap<Vec<String>, (String, String)>;

/// The module that defines what `path` names in `module`; re-exports are followed. None for other crates.
fn defines(
    modules: &Modules,
    module: &[String],
    path: &[String],
    depth: usize,
) -> Option<Vec<String>> {
    let mut at = match path[0].as_str() {
        "crate" => module[..1].to_vec(),
        "self" => module.to_vec(),
        "super" => module[..module.len().checked_sub(1)?].to_vec(),
        first => {
            let mut child = module.to_vec();
            child.push(first.to_owned());
            modules.contains_key(&child).then_some(child)?
        }
    };
    let mut rest = &path[1..];
    while let Some(next) = rest.first() {
        let mut child = at.clone();
        match next.as_str() {
            "super" => {
                child.pop();
                child.pop();
            }
            next => child.push(next.to_owned()),
        }
        if next == "super" {
            at.pop();
        } else if modules.contains_key(&child) {
            at = child;
        } else {
            break;
        }
        rest = &rest[1..];
    }
    if let (Some(name), true) = (rest.first(), depth < 8) {
        let handed_on = imports(&modules[&at].1).into_iter().find(|i| i.public && i.name == *name);
        if let Some(import) = handed_on {
            return defines(modules, &at, &import.path, depth + 1).or(Some(at));
        }
    }
    Some(at)
}

/// How often a file says a name, outside comments.
fn mentions(text: &str, name: &str) -> usize {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let words = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| *word == name).count()
}

/// Which file uses which.
fn uses(modules: &Modules) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (module, (file, text)) in modules {
        let of_file = uses.entry(file).or_default();
        // What is only handed on is used by whoever asks for it.
        let used = |import: &Import| !import.public || mentions(text, &import.name) > 1;
        let imported = imports(text).into_iter().filter(used).map(|import| import.path);
        for path in imported.chain(inline_paths(text)) {
            if let Some(defining) = defines(modules, module, &path, 0) {
                let other = modules[&defining].0.as_str();
                if other != file {
                    of_file.insert(other);
                }
            }
        }
    }
    uses
}

fn reached<'a>(uses: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from];
    while let Some(file) = next.pop() {
        for &other in &uses[file] {
            if reached.insert(other) {
                next.push(other);
            }
        }
    }
    reached
}

/// Sets of files each of which uses, in the end, each of the others.
fn circles<'a>(uses: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<Vec<&'a str>> {
    let reached: BTreeMap<_, _> = uses.keys().map(|&file| (file, reached(uses, file))).collect();
    let with = |file: &'a str| {
        let others = reached[file].iter().copied();
        others.filter(|other| reached[other].contains(file)).collect::<Vec<_>>()
    };
    uses.keys().map(|&file| with(file)).filter(|circle| circle.len() > 1).collect()
}

/// Whatever looks like a file or a folder in code font.
fn named_files(text: &str) -> Vec<&str> {
    let prose: Vec<&str> = text.split("```").step_by(2).collect();
    let code = prose.iter().flat_map(|prose| prose.split('`').skip(1).step_by(2));
    let is_path = |word: &&str| {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-./".contains(c);
        let known = [".rs", ".toml", ".md", ".py", ".json", ".csv", ".txt", "/"];
        word.chars().all(plain)
            && (word.contains('/') || known.iter().any(|end| word.ends_with(end)))
    };
    code.filter(is_path).collect()
}

#[test]
fn no_two_files_use_each_other() {
    let modules = modules();
    let circles = circles(&uses(&modules));
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn a_verdict_is_chosen_in_one_place() {
    for (file, text) in modules().values() {
        let is_there = file == "crates/engine/src/audit/decide.rs";
        if file.starts_with("crates/engine/src/audit/") && !is_there {
            let code: Vec<&str> = text.lines().filter_map(|line| line.split("//").next()).collect();
            for verdict in VERDICTS {
                assert!(!code.iter().any(|line| line.contains(verdict)), "{verdict} in {file}");
            }
        }
    }
}

#[test]
fn crates_depend_on_those_below_them_alone() {
    for (krate, below) in BELOW {
        let path = root().join(format!("crates/{krate}/Cargo.toml"));
        let text = fs::read_to_string(&path).unwrap();
        let table: toml::Table = toml::from_str(&text).unwrap();
        let named = table["dependencies"].as_table().unwrap().keys();
        let ours: Vec<&str> = named.filter_map(|name| name.strip_prefix("plaudit-")).collect();
        assert_eq!(ours, below, "{}", path.display());
    }
}

#[test]
fn the_architecture_page_names_what_is_there() {
    let folders =
        ["src", "crates", "tests", "docs", "audits", "benches", "examples", "python", ".ci"];
    let there: Vec<String> = folders
        .into_iter()
        .flat_map(files)
        .chain(["README.md", "Cargo.toml"].map(str::to_owned))
        .map(|file| format!("/{file}/"))
        .collect();
    for name in named_files(&fs::read_to_string(root().join("docs/architecture.md")).unwrap()) {
        let part = format!("/{}", name.trim_end_matches('/'));
        let is_it = |file: &String| {
            file.contains(&format!("{part}/")) || file.contains(&format!("{part}.rs/"))
        };
        assert!(there.iter().any(is_it), "docs/architecture.md names what is not there: {name}");
    }
}

/// What the front door hands on: a change of it is a change for users, and goes into the changelog.
#[test]
fn the_public_names_are_those_that_are_listed() {
    let front = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    // The rooms, which only the project's own tests and benchmarks see.
    let rooms = front.match_indices("#[doc(hidden)]\n").map(|(at, _)| &front[at..]);
    let rooms = rooms.map(|room| &room[..room.find(";\n").unwrap() + 2]).collect::<Vec<_>>();
    let front = rooms.into_iter().fold(front.clone(), |front, room| front.replace(room, ""));
    let mut names: Vec<String> =
        imports(&front).into_iter().filter(|import| import.public).map(|one| one.name).collect();
    names.sort();
    let listed = fs::read_to_string(root().join("tests/data/public.txt")).unwrap();
    assert_eq!(names, listed.lines().collect::<Vec<_>>(), "tests/data/public.txt lists src/lib.rs");
}

#[test]
fn imports_are_read_as_the_compiler_reads_them() {
    let text = "use super::{a, b::{self, C as D}};\npub(crate) use x::Y;\n#[cfg(test)]\nuse no::no;\n\
                // use no::no;\nmod inline {\n    use no::no;\n}\n";
    let import = |public, path: &str, name: &str| Import {
        public,
        path: path.split("::").map(str::to_owned).collect(),
        name: name.to_owned(),
    };
    let expected = [
        import(false, "super::a", "a"),
        import(false, "super::b", "b"),
        import(false, "super::b::C", "D"),
        import(true, "x::Y", "Y"),
    ];
    assert_eq!(imports(text), expected);
}

#[test]
fn circles_are_found() {
    let uses = BTreeMap::from([
        ("a", BTreeSet::from(["b"])),
        ("b", BTreeSet::from(["c"])),
        ("c", BTreeSet::from(["b", "d"])),
        ("d", BTreeSet::new()),
    ]);
    assert_eq!(circles(&uses), BTreeSet::from([vec!["b", "c"]]));
}

#[test]
fn paths_in_the_code_are_read() {
    let text = "use super::no;\nlet a = crate::b::c(1); // crate::no\nsuper::d();\n#[cfg(test)]\nmod tests {\n    super::no();\n";
    assert_eq!(inline_paths(text), [vec!["crate", "b", "c"], vec!["super", "d"]]);
}
