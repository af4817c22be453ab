//! A program gets numbers, texts and booleans as the spec writes them: 0 as 0, and 0.0 as 0.0.
#![cfg(feature = "cli")]

use crate::support::cli::Folder;
use plaudit::Dataset;
use plaudit::dataset::{Pair, Table};
use plaudit::regressions::{keep, recall};
use plaudit::search::{candidates, simpler};
use plaudit::spec::{Loaded, Overrides, load};

/// An audit of a program, whose other keys these are.
fn audit(folder: &Folder, keys: &str) -> Loaded {
    let spec = format!(
        "[[audit]]\nname = \"a\"\nmechanism = {{ command = [\"true\"] }}\nclaim = {{ epsilon = 1 }}\n{keys}\n"
    );
    let file = folder.spec("spec.toml", &spec);
    load(&[file], &Overrides::default()).unwrap_or_else(|errors| panic!("{errors}")).remove(0)
}

/// Pairs that a search looks at first.
fn searched(loaded: &Loaded) -> Vec<Pair<Dataset>> {
    let neighborhood = &loaded.audit.searches().unwrap().neighborhood;
    let (named, scattered) = candidates(neighborhood, 50).all();
    let plans = named.into_iter().chain(scattered).take(60);
    plans.filter_map(|plan| plan.pair(String::new(), neighborhood)).collect()
}

/// The entries that a program gets in some datasets, each once.
fn entries<'a>(datasets: impl IntoIterator<Item = &'a Dataset>) -> Vec<String> {
    let mut all: Vec<String> = datasets
        .into_iter()
        .flat_map(|dataset| {
            let wire: serde_json::Value = serde_json::from_str(&dataset.to_wire()).unwrap();
            let rows = wire.get("rows").unwrap_or(&wire).as_array().unwrap().clone();
            rows.iter().map(ToString::to_string).collect::<Vec<_>>()
        })
        .collect();
    all.sort();
    all.dedup();
    all
}

#[test]
fn a_domain_gives_a_program_entries_as_they_are_written() {
    let cases: [(&str, &[&str]); 10] = [
        ("values = [0, 1]", &["0", "1"]),
        ("values = [0.0, 1.0]", &["0.0", "1.0"]),
        ("values = [0, 0.5]", &["0", "0.5"]),
        ("values = [\"1\", \"2\"]", &["\"1\"", "\"2\""]),
        ("values = [true, false]", &["false", "true"]),
        ("lower = 0, upper = 1, integers = true", &["0", "1"]),
        ("lower = 0.0, upper = 1.0, integers = true", &["0", "1"]),
        ("columns = { x = { values = [0, 1] } }", &["[0]", "[1]"]),
        ("columns = { x = { values = [\"1\", true] } }", &["[\"1\"]", "[true]"]),
        ("columns = { x = { lower = 0, upper = 1, integers = true } }", &["[0]", "[1]"]),
    ];
    for (domain, expected) in cases {
        let folder = Folder::new();
        let keys = format!("relation = \"substitution\"\ndomain = {{ {domain}, size = 2 }}");
        let loaded = audit(&folder, &keys);
        let neighborhood = loaded.audit.searches().unwrap().neighborhood.clone();
        let pairs = searched(&loaded);
        let smaller: Vec<_> = pairs.iter().flat_map(|pair| simpler(pair, &neighborhood)).collect();
        let pairs = || pairs.iter().chain(&smaller).flat_map(|pair| [&pair.d, &pair.d_prime]);
        assert_eq!(entries(pairs()), expected, "{domain}");
        for dataset in pairs() {
            assert!(neighborhood.domain.contains(dataset));
            // Reports and certificates have it as JSON.
            let written = serde_json::to_string(dataset).unwrap();
            let read: Dataset = serde_json::from_str(&written).unwrap();
            assert_eq!(read.to_wire(), dataset.to_wire(), "{written}");
        }
    }
}

#[test]
fn numbers_between_bounds_are_doubles() {
    for domain in ["lower = 0, upper = 1", "columns = { x = { lower = 0, upper = 1 } }"] {
        let folder = Folder::new();
        let keys = format!("relation = \"substitution\"\ndomain = {{ {domain}, size = 2 }}");
        let pairs = searched(&audit(&folder, &keys));
        let all = entries(pairs.iter().flat_map(|pair| [&pair.d, &pair.d_prime]));
        assert!(all.iter().all(|entry| entry.contains(['.', 'e'])), "{all:?}");
    }
}

#[test]
fn distances_and_groups_hold_for_whole_numbers_too() {
    for relation in ["{ l1 = 2 }", "\"histogram\"", "\"add-remove\""] {
        let folder = Folder::new();
        let keys = format!(
            "relation = {relation}\ndomain = {{ lower = 0, upper = 9, integers = true, size = [1, 3] }}"
        );
        let loaded = audit(&folder, &keys);
        let pairs = searched(&loaded);
        assert!(pairs.len() > 5, "{relation}");
        let neighborhood = &loaded.audit.searches().unwrap().neighborhood;
        for pair in &pairs {
            neighborhood.relation.check(&pair.d, &pair.d_prime).unwrap();
            assert!(!pair.d.to_wire().contains('.'), "{}", pair.d.to_wire());
            assert!(pair.d.difference_words(&pair.d_prime).starts_with("entr"));
        }
    }
}

#[test]
fn kept_pairs_are_tried_again_as_the_domain_writes_them() {
    let folder = Folder::new();
    let keys = "relation = \"substitution\"\ndomain = { values = [0, 1], size = 2 }";
    let loaded = audit(&folder, keys);
    let pair = searched(&loaded).remove(0);
    keep(&loaded.file, "a", &pair, None).unwrap();
    // A file of an earlier version has doubles.
    let old = Pair {
        name: String::new(),
        d: Dataset::Numbers(vec![1.0, 1.0]),
        d_prime: Dataset::Numbers(vec![1.0, 0.0]),
    };
    keep(&loaded.file, "a", &old, None).unwrap();
    let mut audits = [loaded];
    recall(&mut audits).unwrap();
    let first = &audits[0].audit.searches().unwrap().first;
    let wires: Vec<_> =
        first.iter().map(|pair| (pair.d.to_wire(), pair.d_prime.to_wire())).collect();
    let found = (pair.d.to_wire(), pair.d_prime.to_wire());
    assert_eq!(wires, [("[1,1]".to_owned(), "[1,0]".to_owned()), found]);
}

#[test]
fn data_reach_a_program_as_they_are_written() {
    let cases = [
        (
            "{ columns = [\"x\", \"y\"], rows = [[1, true], [2.0, \"3\"]] }",
            r#"[[1,true],[2.0,"3"]]"#,
        ),
        ("{ csv = \"data.csv\", columns = [\"whole\", \"some\"] }", r#"[[1,1.0],[2,2.5]]"#),
        ("{ csv = \"data.csv\", columns = [\"mixed\"] }", r#"[[1],["x2"]]"#),
        ("{ numbers = [1, 2.0] }", "[1,2.0]"),
    ];
    for (data, expected) in cases {
        let folder = Folder::new();
        folder.spec("data.csv", "whole,some,mixed\n1,1,1\n2,2.5,x2\n");
        let keys = format!("relation = \"add-remove\"\ndata = {data}\npairs = [{{ remove = 1 }}]");
        let wire = audit(&folder, &keys).audit.pairs()[0].d.to_wire();
        assert!(wire.contains(expected), "{wire}");
    }
}

#[test]
fn whole_numbers_and_doubles_are_compared_by_their_values() {
    let folder = Folder::new();
    for domain in
        ["values = [0, 0.0], size = 1", "columns = { x = { values = [1.0, 1] } }, size = 1"]
    {
        let spec = format!(
            "[[audit]]\nname = \"a\"\nmechanism = {{ command = [\"true\"] }}\nclaim = {{ epsilon = 1 }}\n\
             relation = \"substitution\"\ndomain = {{ {domain} }}\n"
        );
        let error = load(&[folder.spec("spec.toml", &spec)], &Overrides::default()).err().unwrap();
        assert!(error.to_string().contains("is listed twice"), "{error}");
    }
    let table = |row: &str| -> Table {
        serde_json::from_str(&format!("{{\"columns\": [\"x\"], \"rows\": [[{row}]]}}")).unwrap()
    };
    assert_eq!(table("1"), table("1.0"));
    assert_ne!(table("1"), table("true"));
    assert_ne!(table("9007199254740993"), table("9007199254740992.0"));
    assert_eq!(table("9007199254740993").rows[0][0].to_string(), "9007199254740993");
}
