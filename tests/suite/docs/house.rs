//! The rules of the house, read from `src`. What breaks one today stands in `tests/data/house-allowed.txt`,
//! one line each; a line that is no longer needed fails as well, so the list only shrinks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const LONGEST_FILE: usize = 500;
const LARGEST_FOLDER: usize = 15;
const LONGEST_RUN: usize = 40;
/// What files of a folder don't say, but for one: they know no renderings, choose no verdict, and decide nothing by words.
const KEPT_OUT: [(&str, &str, &str); 12] = [
    ("src/audit/", "crate::report", ""),
    ("src/verify/", "crate::report", ""),
    ("src/spec/", "crate::report", ""),
    ("src/benchmark/", "crate::report", ""),
    ("src/finding/", "crate::report", ""),
    ("src/dataset/", "crate::mechanism", ""),
    ("src/audit/", "Verdict::Violated", "src/audit/decide.rs"),
    ("src/audit/", "Verdict::Verified", "src/audit/decide.rs"),
    ("src/audit/", "Verdict::Bounded", "src/audit/decide.rs"),
    ("src/audit/", "Verdict::NotRefuted", "src/audit/decide.rs"),
    ("src/audit/", "Verdict::Inconclusive", "src/audit/decide.rs"),
    ("src/audit/prove/", ".describe)(", ""),
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

/// `src` by module path: `["audit", "judge"]` for `src/audit/judge.rs`, `[]` for `src/lib.rs`.
fn modules() -> BTreeMap<Vec<String>, (String, String)> {
    let sources = files("src").into_iter().filter(|file| file.ends_with(".rs"));
    sources
        .filter(|file| file != "src/main.rs")
        .map(|file| {
            let name = file.trim_start_matches("src/").trim_end_matches(".rs");
            let mut module: Vec<String> = name.split('/').map(str::to_owned).collect();
            if matches!(module.last().unwrap().as_str(), "mod" | "lib") {
                module.pop();
            }
            let text = fs::read_to_string(root().join(&file)).unwrap();
            (module, (file, text))
        })
        .collect()
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
        "crate" => Vec::new(),
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
        for import in imports(text).iter().filter(|import| used(import)) {
            if let Some(defining) = defines(modules, module, &import.path, 0) {
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

/// The lines of `Audit::run`, braces included.
fn lines_of_run(text: &str) -> usize {
    let from = text.lines().skip_while(|line| !line.starts_with("    pub fn run("));
    let lines = from.take_while(|line| *line != "    }").count();
    assert!(lines > 0, "Audit::run is not in src/audit/flow.rs");
    lines + 1
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

fn breaks() -> BTreeSet<String> {
    let modules = modules();
    let mut breaks = BTreeSet::new();
    for circle in circles(&uses(&modules)) {
        breaks.insert(format!("circle: {}", circle.join(" ")));
    }
    let mut folders: BTreeMap<&Path, usize> = BTreeMap::new();
    for (file, text) in modules.values() {
        if text.lines().count() > LONGEST_FILE {
            breaks.insert(format!("over {LONGEST_FILE} lines: {file}"));
        }
        *folders.entry(Path::new(file).parent().unwrap()).or_default() += 1;
    }
    for (folder, count) in folders {
        if count > LARGEST_FOLDER {
            breaks.insert(format!("over {LARGEST_FOLDER} files: {}", folder.display()));
        }
    }
    let flow = &modules[&["audit", "flow"].map(str::to_owned).to_vec()].1;
    if lines_of_run(flow) > LONGEST_RUN {
        breaks.insert(format!("over {LONGEST_RUN} lines: Audit::run"));
    }
    for (file, text) in modules.values() {
        for (folder, word, except) in KEPT_OUT {
            let code = |line: &str| line.split("//").next().is_some_and(|code| code.contains(word));
            let says = text.lines().any(code);
            if file.starts_with(folder) && file != except && says {
                breaks.insert(format!("not to be said in {folder}: {word}: {file}"));
            }
        }
    }
    let there: Vec<String> =
        ["src", "tests", "docs", "audits", "benches", "examples", "python", ".ci"]
            .into_iter()
            .flat_map(files)
            .chain(["README.md", "Cargo.toml"].map(str::to_owned))
            .map(|file| format!("/{file}/"))
            .collect();
    for name in named_files(&fs::read_to_string(root().join("docs/house.md")).unwrap()) {
        let part = format!("/{}", name.trim_end_matches('/'));
        let is_it = |file: &String| {
            file.contains(&format!("{part}/")) || file.contains(&format!("{part}.rs/"))
        };
        if !there.iter().any(is_it) {
            breaks.insert(format!("docs/house.md names what is not there: {name}"));
        }
    }
    breaks
}

#[test]
fn the_rules_of_the_house_are_kept() {
    let list = fs::read_to_string(root().join("tests/data/house-allowed.txt")).unwrap();
    let allowed: BTreeSet<String> =
        list.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    let breaks = breaks();
    let new: Vec<_> = breaks.difference(&allowed).collect();
    let unneeded: Vec<_> = allowed.difference(&breaks).collect();
    assert!(new.is_empty(), "new, and against the rules:\n{new:#?}");
    assert!(
        unneeded.is_empty(),
        "take these lines out of tests/data/house-allowed.txt:\n{unneeded:#?}"
    );
}

/// What the front door hands on: a change of it is a change for users, and goes into the changelog.
#[test]
fn the_public_names_are_those_that_are_listed() {
    let front = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let mut names: Vec<String> =
        imports(&front).into_iter().filter(|import| import.public).map(|one| one.name).collect();
    names.sort();
    let listed = fs::read_to_string(root().join("tests/data/public.txt")).unwrap();
    assert_eq!(names, listed.lines().collect::<Vec<_>>(), "tests/data/public.txt lists src/lib.rs");
    let rooms: Vec<&str> = front.lines().filter(|line| line.starts_with("pub mod ")).collect();
    let hidden = front.matches("#[doc(hidden)]\npub mod ").count();
    assert_eq!(hidden, rooms.len(), "rooms are no part of the front door");
}

/// The types that a file defines, without those of its tests and associated types.
fn types(text: &str) -> Vec<&str> {
    let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap().lines();
    code.filter_map(|line| {
        let mut words = line.trim_start().split([' ', '<', '(', ';', ':', '{']);
        let mut word = words.next()?;
        if word == "pub" {
            word = words.find(|word| ["struct", "enum", "trait", "type"].contains(word))?;
        }
        let defines =
            ["struct", "enum", "trait"].contains(&word) || word == "type" && !line.starts_with(' ');
        defines.then(|| words.next()).flatten()
    })
    .collect()
}

#[test]
fn a_type_name_stands_for_one_idea() {
    let modules = modules();
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (file, text) in modules.values() {
        types(text).into_iter().for_each(|name| places.entry(name).or_default().push(file));
    }
    places.retain(|_, files| files.len() > 1);
    let list = fs::read_to_string(root().join("tests/data/names-shared.txt")).unwrap();
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let listed: BTreeMap<&str, &str> =
        lines.map(|line| line.split_once(": ").expect("`Name: reason`")).collect();
    let new: Vec<_> = places.iter().filter(|(name, _)| !listed.contains_key(*name)).collect();
    let unneeded: Vec<_> = listed.keys().filter(|name| !places.contains_key(*name)).collect();
    assert!(new.is_empty(), "rename one, or say in tests/data/names-shared.txt why not:\n{new:#?}");
    assert!(unneeded.is_empty(), "take out of tests/data/names-shared.txt:\n{unneeded:#?}");
}

#[test]
fn types_are_read_as_the_compiler_reads_them() {
    let text = "pub struct A<T>(T);\n    enum B {\npub(in crate::a) trait C: D {}\npub(super) type E = A;\n    \
                    type F = A;\n// struct G;\npub fn h() {}\nuse I;\nstruct J;\n#[cfg(test)]\nmod tests {\n    struct K;\n";
    assert_eq!(types(text), ["A", "B", "C", "E", "J"]);
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
