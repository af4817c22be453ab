//! Named patterns of neighboring query vectors, each coordinate moved by at most 1 (Ding, Wang,
//! Wang, Zhang, Kifer 2018, "Detecting Violations of Differential Privacy", Table 1). Two are
//! added, in which the last entry is the odd one: a mechanism that stops at an answer reveals most
//! where that answer moves against all before it.

use super::{Dataset, Pair};

/// A way to move a vector of `size` ones (or, for the X shape, ones and zeros).
struct Pattern {
    name: &'static str,
    d: fn(usize, usize) -> f64,
    d_prime: fn(usize, usize) -> f64,
}

/// The first half of an odd number of entries is the shorter one.
fn first_half(at: usize, size: usize) -> bool {
    at < size / 2
}

fn ones(_: usize, _: usize) -> f64 {
    1.0
}

/// Entry `at` is `first` at the front and `rest` behind it.
fn headed(at: usize, first: f64, rest: f64) -> f64 {
    if at == 0 { first } else { rest }
}

/// Entry `at` of `size` is `last` at the end and `rest` before it.
fn tailed(at: usize, size: usize, rest: f64, last: f64) -> f64 {
    if at + 1 == size { last } else { rest }
}

/// In the order of the groups: ONE is the first two, ALL the first eight, as in the literature.
const PATTERNS: [Pattern; 10] = [
    Pattern { name: "one-down", d: ones, d_prime: |at, _| headed(at, 0.0, 1.0) },
    Pattern { name: "one-up", d: ones, d_prime: |at, _| headed(at, 2.0, 1.0) },
    Pattern { name: "one-up-rest-down", d: ones, d_prime: |at, _| headed(at, 2.0, 0.0) },
    Pattern { name: "one-down-rest-up", d: ones, d_prime: |at, _| headed(at, 0.0, 2.0) },
    Pattern {
        name: "half-half",
        d: ones,
        d_prime: |at, size| if first_half(at, size) { 2.0 } else { 0.0 },
    },
    Pattern { name: "all-up", d: ones, d_prime: |_, _| 2.0 },
    Pattern { name: "all-down", d: ones, d_prime: |_, _| 0.0 },
    Pattern {
        name: "x-shape",
        d: |at, size| if first_half(at, size) { 1.0 } else { 0.0 },
        d_prime: |at, size| if first_half(at, size) { 0.0 } else { 1.0 },
    },
    Pattern { name: "last-up-rest-down", d: ones, d_prime: |at, size| tailed(at, size, 0.0, 2.0) },
    Pattern { name: "last-down-rest-up", d: ones, d_prime: |at, size| tailed(at, size, 2.0, 0.0) },
];

/// Number of [`PATTERNS`] that move a single entry.
const ONE: usize = 2;
/// Number of patterns from the literature.
const ALL: usize = 8;

/// The names that [`named`] knows: two groups ("one": the patterns that move a single entry;
/// "all": those of the literature), then the patterns.
pub const NAMES: &[&str] = &[
    "all",
    "one",
    "one-down",
    "one-up",
    "one-up-rest-down",
    "one-down-rest-up",
    "half-half",
    "all-up",
    "all-down",
    "x-shape",
    "last-up-rest-down",
    "last-down-rest-up",
];

/// Reason why a pattern gives no pair.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownPattern {
    #[error("no pattern is called `{name}`; the patterns are {}", NAMES.join(", "))]
    Name { name: String },
    /// A vector of no entries cannot move.
    #[error("a pattern has at least 1 entry: give `size` >= 1")]
    Size,
}

/// The pairs of a pattern, or of a group of patterns, on vectors of `size` entries. The first
/// ⌊size/2⌋ entries are the first half.
///
/// # Errors
/// If the name is not in [`NAMES`], or `size` is 0.
pub fn named(name: &str, size: usize) -> Result<Vec<Pair<Dataset>>, UnknownPattern> {
    let chosen = match name {
        "all" => &PATTERNS[..ALL],
        "one" => &PATTERNS[..ONE],
        _ => match PATTERNS.iter().position(|pattern| pattern.name == name) {
            Some(at) => &PATTERNS[at..=at],
            None => return Err(UnknownPattern::Name { name: name.to_owned() }),
        },
    };
    if size == 0 {
        return Err(UnknownPattern::Size);
    }
    let vector = |entry: fn(usize, usize) -> f64| {
        Dataset::Numbers((0..size).map(|at| entry(at, size)).collect())
    };
    let pair = |pattern: &Pattern| Pair {
        name: format!("{} of {size}", pattern.name.replace('-', " ")),
        d: vector(pattern.d),
        d_prime: vector(pattern.d_prime),
    };
    Ok(chosen.iter().map(pair).collect())
}
