//! Facets: keys of sets and maps, and their values.

use crate::mechanism::{Entry, Keyed, beginning, quoted};
use serde::{Deserialize, Serialize};

/// A key, or a key with a value that is not a finite number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facet {
    pub key: String,
    /// The value, where it matters: canonical JSON, or "NaN", "+infinity", "-infinity".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<String>,
}

/// A value that is not a finite number, in the words of [`Facet::holds`].
pub(crate) fn held(entry: &Entry) -> Option<&str> {
    match entry {
        Entry::Other(words) => Some(words),
        Entry::Number(x) if x.is_nan() => Some("NaN"),
        Entry::Number(x) if *x == f64::INFINITY => Some("+infinity"),
        Entry::Number(x) if *x == f64::NEG_INFINITY => Some("-infinity"),
        Entry::Member | Entry::Number(_) => None,
    }
}

/// Keys with their numbers, without NaNs.
pub(crate) fn numbers(keyed: &Keyed) -> impl Iterator<Item = (&str, f64)> {
    keyed.entries().iter().filter_map(|(key, entry)| match entry {
        Entry::Number(x) if !x.is_nan() => Some((key.as_str(), *x)),
        _ => None,
    })
}

impl Facet {
    pub(crate) fn is_in(&self, keyed: &Keyed) -> bool {
        keyed.get(&self.key).is_some_and(|entry| match &self.holds {
            None => true,
            Some(words) => held(entry) == Some(words),
        })
    }

    pub(crate) fn words(&self) -> String {
        match &self.holds {
            None => format!("key {}", quoted(&self.key)),
            Some(words) => format!("{} under key {}", beginning(words), quoted(&self.key)),
        }
    }
}
