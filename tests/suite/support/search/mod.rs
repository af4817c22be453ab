//! The catalog by domains: specs of broken and of right mechanisms that name no pair.

pub mod broken;
pub mod right;

use plaudit::spec::{Loaded, Overrides, load};

/// Audits of a spec that is written to a file of its own.
pub fn audits(spec: &str, overrides: &Overrides) -> Vec<Loaded> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("search.toml");
    std::fs::write(&file, spec).unwrap();
    load(&[file], overrides).unwrap_or_else(|error| panic!("{error}"))
}

/// Mechanism, relation, domain and claim of one audit a line.
pub fn spec(lines: &[(&str, &str, &str, &str, &str)], more: &str) -> String {
    let audit = |(name, mechanism, relation, domain, claim): &(&str, &str, &str, &str, &str)| {
        format!(
            "[[audit]]\nname = \"{name}\"\nmechanism = {{ {mechanism} }}\nrelation = {relation}\n\
             domain = {{ {domain} }}\nclaim = {{ {claim} }}\n{more}\n"
        )
    };
    lines.iter().map(audit).collect()
}

/// Answers of ten queries, each of which moves by at most 1.
const TEN: &str = "lower = -10, upper = 10, size = [1, 10]";
const WHOLE: &str = "lower = -5, upper = 5, integers = true, size = [1, 10]";
const ONE: &str = "lower = -10, upper = 10, size = 1";
const LINF: &str = "{ linf = 1.0 }";
const WORDS: &str = "columns = { word = { values = [\"a\", \"b\", \"c\"] } }, size = [0, 20]";
const AGES: &str = "columns = { age = { lower = -1000, upper = 1000 } }, size = [1, 20]";

/// Name, mechanism, relation, domain, claim.
pub type Line = (&'static str, &'static str, &'static str, &'static str, &'static str);
