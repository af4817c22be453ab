//! Lists in an outcome: the part of the grammar from an outcome to a list.

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
    /// The code points of the text under a key, if it has no digits: those of a number would show its lowest bits.
    Letters(String),
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
                if text.bytes().any(|byte| byte.is_ascii_digit()) {
                    return None;
                }
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
