//! The reference of the spec says what the program does: its examples are read and run, its tables
//! compared with the code.
//!
//! The examples are audited at level 1e-10: some right one is refuted by chance with probability
//! below 1e-8 over the choice of the seed, and never by a rerun.

use plaudit::dataset::{Dataset, pattern};
use plaudit::game::Control;
use plaudit::mechanism::catalog::{KINDS, build};
use plaudit::spec::{
    DEFAULT_ALPHA, DEFAULT_SEED, DEFAULT_TRIALS, Loaded, Overrides, SpecErrors, load,
};
use std::collections::BTreeSet;
use std::path::Path;

/// The pages of the reference, one after another, and that on attacks, which has a table of their keys.
const PAGE: &str = concat!(
    include_str!("../../../docs/spec.md"),
    include_str!("../../../docs/spec-runs.md"),
    include_str!("../../../docs/spec-claims.md"),
    include_str!("../../../docs/spec-pairs.md"),
    include_str!("../../../docs/spec-mechanisms.md"),
    include_str!("../../../docs/spec-learning.md"),
    include_str!("../../../docs/attacks.md"),
);

/// A fenced block: its language and its text.
struct Fenced {
    language: &'static str,
    text: String,
}

fn blocks() -> Vec<Fenced> {
    let mut blocks: Vec<Fenced> = Vec::new();
    let mut open = false;
    for line in PAGE.lines() {
        match (line.strip_prefix("```"), open) {
            (Some(language), false) => {
                blocks.push(Fenced { language, text: String::new() });
                open = true;
            }
            (Some(_), true) => open = false,
            (None, true) => {
                let block = blocks.last_mut().unwrap();
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, false) => {}
        }
    }
    assert!(!open, "the last block of the page is not closed");
    blocks
}

/// Loads a spec beside the file that the page shows; errors name files as the page does.
fn load_beside_the_data(text: &str, overrides: &Overrides) -> Result<Vec<Loaded>, String> {
    let folder = tempfile::tempdir().unwrap();
    let data = blocks().into_iter().find(|block| block.language == "csv").unwrap();
    std::fs::write(folder.path().join("people.csv"), data.text).unwrap();
    let file = folder.path().join("spec.toml");
    std::fs::write(&file, text).unwrap();
    let here = |path: &Path| format!("{}/", path.display());
    load(&[file], overrides)
        .map_err(|errors: SpecErrors| errors.to_string().replace(&here(folder.path()), ""))
}

/// The cells of each row of a table of the page whose first cell is a word in backticks.
fn rows() -> Vec<(&'static str, Vec<&'static str>)> {
    let row = |line: &'static str| {
        let cells: Vec<_> = line.strip_prefix('|')?.strip_suffix('|')?.split('|').collect();
        let first = cells[0].trim().strip_prefix('`')?.strip_suffix('`')?;
        Some((first, cells[1..].iter().map(|cell| cell.trim()).collect()))
    };
    PAGE.lines().filter_map(row).collect()
}

/// Words in backticks that are names, not values in quotes.
fn names(cell: &str) -> BTreeSet<String> {
    let quoted = cell.split('`').skip(1).step_by(2);
    quoted.filter(|word| !word.contains(['"', '{'])).map(str::to_owned).collect()
}

#[test]
fn every_example_is_a_spec_and_ends_as_expected() {
    let settings = Overrides { trials: Some(20_000), alpha: Some(1e-10), ..Overrides::default() };
    let mut audits = 0;
    for block in blocks().iter().filter(|block| block.language == "toml") {
        load_beside_the_data(&block.text, &Overrides::default())
            .unwrap_or_else(|errors| panic!("{errors}\n{}", block.text));
        for loaded in load_beside_the_data(&block.text, &settings).unwrap() {
            let finding = loaded.audit.run(Control::unattended()).unwrap().finding;
            assert!(finding.as_expected, "{}: {}", finding.name, finding.reason());
            audits += 1;
        }
    }
    assert!(audits >= 10, "{audits}");
}

#[test]
fn every_bad_example_is_refused_in_the_words_of_the_page() {
    let blocks = blocks();
    let bad: Vec<usize> =
        (0..blocks.len()).filter(|&at| blocks[at].language == "toml,bad").collect();
    assert!(bad.len() >= 2, "{}", bad.len());
    for at in bad {
        let answer = &blocks[at + 1];
        assert_eq!(answer.language, "text", "what is said of a bad example stands below it");
        let errors = load_beside_the_data(&blocks[at].text, &Overrides::default()).err();
        assert_eq!(errors.unwrap_or_default() + "\n", answer.text);
    }
    // What is a part needs files that the page does not show; `docs::examples` runs it.
    let known = ["toml", "toml,bad", "toml,part", "text", "text,output", "csv"];
    assert!(blocks.iter().all(|block| known.contains(&block.language)));
}

/// What a mechanism says when it gets a parameter that nobody knows lists those that it knows.
#[test]
fn every_kind_stands_in_a_table_with_exactly_its_parameters() {
    let unknown = "no_such_parameter";
    for kind in KINDS {
        let found: Vec<_> = rows().into_iter().filter(|(name, _)| name == kind).collect();
        let [(_, cells)] = &found[..] else { panic!("{kind} stands in {} rows", found.len()) };
        let mut documented = names(cells[0]);
        if cells[0].contains("noise parameters") {
            let noise =
                ["noise", "scale", "sigma", "epsilon", "delta", "sensitivity", "calibration"];
            documented.extend(noise.map(str::to_owned));
        }
        let parameters = serde_json::json!({ unknown: 1 });
        let said = build(kind, parameters).err().unwrap().to_string();
        let mut known = names(&said);
        assert!(known.remove(unknown), "{said}");
        assert_eq!(documented, known, "{kind}");
    }
}

#[test]
fn every_pattern_looks_as_the_page_shows_it() {
    let written = |dataset: &Dataset| {
        let numbers = dataset.numbers().unwrap();
        numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
    };
    for name in pattern::NAMES.iter().filter(|name| !["one", "all"].contains(name)) {
        let pair = &pattern::named(name, 4).unwrap()[0];
        let shown = vec![written(&pair.d), written(&pair.d_prime)];
        assert!(
            rows().iter().any(|(first, cells)| first == name && *cells == shown),
            "{name}: {shown:?}"
        );
    }
    let members = |group| pattern::named(group, 4).unwrap().len();
    assert_eq!((members("one"), members("all")), (2, 8));
}

#[test]
fn defaults_are_those_of_the_page() {
    let default = |key: &str| {
        let rows = rows();
        let (_, cells) = rows.iter().find(|(first, _)| *first == key).unwrap();
        cells.last().unwrap().replace('_', "").parse::<f64>().unwrap()
    };
    assert_eq!(default("trials"), DEFAULT_TRIALS as f64);
    assert_eq!(default("alpha"), DEFAULT_ALPHA);
    assert_eq!(default("seed"), DEFAULT_SEED as f64);
}

/// The ends of the ranges that the page gives are in them.
#[test]
fn settings_reach_from_end_to_end_of_their_ranges() {
    let spec = |settings: &str| {
        format!(
            "[[audit]]\nname = \"a\"\nmechanism = {{ kind = \"laplace\", scale = 1 }}\n\
             relation = {{ linf = 1 }}\npairs = [{{ d = [0], d_prime = [1] }}]\n\
             claim = {{ epsilon = 0, delta = 1 }}\n{settings}"
        )
    };
    let reads = |settings: &str| load_beside_the_data(&spec(settings), &Overrides::default());
    for settings in [
        "trials = 100\nalpha = 0.5\nseed = 0",
        "trials = 1e12\nalpha = 1e-12\nseed = 18446744073709551615",
    ] {
        if let Err(errors) = reads(settings) {
            panic!("{errors}");
        }
    }
    for settings in ["trials = 99", "trials = 1e12\nalpha = 0.51", "alpha = 9e-13", "seed = -1"] {
        assert!(reads(settings).is_err(), "{settings}");
    }
}
