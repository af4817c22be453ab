//! Lists made from an outcome: the part of the grammar from an outcome to a list, and from a list to a list.

use crate::mechanism::{Entry, Keyed, OutcomeRef, quoted};
use crate::witness::coordinate::facet::numbers;
use serde::{Deserialize, Serialize};

/// A list of numbers in an outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The entries of a vector.
    Entries,
    /// The numbers of a map, in the order of its keys.
    Values,
    /// The numbers under `key[0]`, `key[1]`, … of a map, in the order of the indices.
    Under(String),
    /// The code points of the text under a key.
    Letters(String),
}

/// A list from a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operator {
    /// Ascending, without NaNs.
    Sorted,
    /// Each entry but the first, minus the one before.
    Differences,
    Absolute,
    /// Sums of the first 1, 2, … entries.
    Cumulated,
    /// Less the mean of the entries that are not NaN.
    Centered,
    Reversed,
    /// For each entry the number of smaller ones.
    Ranks,
    /// Each entry but the last, times the next one.
    Products,
}

impl Operator {
    pub const ALL: [Self; 8] = [
        Self::Sorted,
        Self::Differences,
        Self::Absolute,
        Self::Cumulated,
        Self::Centered,
        Self::Reversed,
        Self::Ranks,
        Self::Products,
    ];

    /// Replaces a list by the result; `spare` is overwritten.
    pub fn apply(self, list: &mut Vec<f64>, spare: &mut Vec<f64>) {
        match self {
            Self::Sorted => {
                list.retain(|x| !x.is_nan());
                list.sort_unstable_by(f64::total_cmp);
            }
            Self::Differences => neighbors(list, |a, b| b - a),
            Self::Products => neighbors(list, |a, b| a * b),
            Self::Absolute => list.iter_mut().for_each(|x| *x = x.abs()),
            Self::Cumulated => {
                let mut sum = 0.0;
                for x in list {
                    sum += *x;
                    *x = sum;
                }
            }
            Self::Centered => {
                let (sum, count) = list
                    .iter()
                    .filter(|x| !x.is_nan())
                    .fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
                list.iter_mut().for_each(|x| *x -= sum / count);
            }
            Self::Reversed => list.reverse(),
            Self::Ranks => {
                spare.clear();
                spare.extend(list.iter().map(|x| list.iter().filter(|y| *y < x).count() as f64));
                std::mem::swap(list, spare);
            }
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::Sorted => "sorted",
            Self::Differences => "differences of neighbors of the",
            Self::Absolute => "absolute",
            Self::Cumulated => "running sums of the",
            Self::Centered => "centered",
            Self::Reversed => "reversed",
            Self::Ranks => "ranks of the",
            Self::Products => "products of neighbors of the",
        }
    }
}

/// Replaces a list by a number for each two neighbors.
fn neighbors(list: &mut Vec<f64>, of: impl Fn(f64, f64) -> f64) {
    for at in 1..list.len() {
        list[at - 1] = of(list[at - 1], list[at]);
    }
    list.pop();
}

impl Source {
    pub fn words(&self) -> String {
        match self {
            Source::Entries => "entries".to_owned(),
            Source::Values => "values".to_owned(),
            Source::Under(key) => format!("entries of {}", quoted(key)),
            Source::Letters(key) => format!("letters of {}", quoted(key)),
        }
    }

    /// Fills in the list of an outcome; `None` if it does not have one.
    pub fn list(&self, outcome: &OutcomeRef<'_>, list: &mut Vec<f64>) -> Option<()> {
        list.clear();
        match (self, outcome) {
            (Self::Entries, OutcomeRef::Vector(vector)) => list.extend_from_slice(vector),
            (Self::Values, OutcomeRef::Keyed(keyed)) => list.extend(numbers(keyed).map(|(_, x)| x)),
            (Self::Under(key), OutcomeRef::Keyed(keyed)) => under(keyed, key, list)?,
            (Self::Letters(key), OutcomeRef::Keyed(keyed)) => {
                let Entry::Other(json) = keyed.get(key)? else { return None };
                let text: String = serde_json::from_str(json).ok()?;
                list.extend(text.chars().map(|letter| f64::from(u32::from(letter))));
            }
            _ => return None,
        }
        Some(())
    }
}

/// The numbers under `key[0]`, `key[1]`, …: these keys are next to one another, in the order of their texts.
fn under(keyed: &Keyed, key: &str, list: &mut Vec<f64>) -> Option<()> {
    let entries = keyed.entries();
    let first = entries.partition_point(|(other, _)| other.as_str() < key);
    let mut any = false;
    for (other, entry) in &entries[first..] {
        let Some(rest) = other.strip_prefix(key) else { break };
        let Some(at) = index(rest) else { continue };
        any = true;
        let x = if let Entry::Number(x) = entry { *x } else { f64::NAN };
        if at >= list.len() {
            list.resize(at + 1, f64::NAN);
        }
        list[at] = x;
    }
    any.then_some(())
}

/// The index of `[3]`.
pub(crate) fn index(path: &str) -> Option<usize> {
    let digits = path.strip_prefix('[')?.strip_suffix(']')?;
    // Unfolding makes at most 256 of them.
    digits.parse().ok().filter(|at| *at < 1 << 10)
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/coordinate/list.rs"]
mod tests;
