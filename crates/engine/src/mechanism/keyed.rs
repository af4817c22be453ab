//! Outcomes with keys: sets and maps.

use plaudit_accountant::number;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A set of keys, or a map from keys to values. Each key occurs once; their order is insignificant,
/// and alphabetic here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Keyed(Vec<(String, Entry)>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// Nothing: the key is a member of a set.
    Member,
    /// A number; integers beyond 2⁵³ are [`Entry::Other`].
    Number(#[serde(with = "number::one")] f64),
    /// Anything else, as canonical JSON, compared as a whole.
    Other(String),
}

impl Keyed {
    /// From keys in any order; for a duplicate key the last entry counts.
    pub fn new(entries: impl IntoIterator<Item = (String, Entry)>) -> Self {
        let mut entries: Vec<(String, Entry)> = entries.into_iter().collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        entries.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                std::mem::swap(later, kept);
            }
            same
        });
        Self(entries)
    }

    /// Keys and entries, ascending by key.
    pub fn entries(&self) -> &[(String, Entry)] {
        &self.0
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, key: &str) -> Option<&Entry> {
        let at = self.0.binary_search_by(|(other, _)| other.as_str().cmp(key)).ok()?;
        Some(&self.0[at].1)
    }

    /// `true` if keys are ascending and distinct, which those of a file may not be.
    pub(crate) fn is_sound(&self) -> bool {
        self.0.windows(2).all(|pair| pair[0].0 < pair[1].0)
    }

    pub(crate) fn bytes(&self) -> usize {
        let entry = |(key, entry): &(String, Entry)| {
            key.len() + 56 + if let Entry::Other(words) = entry { words.len() } else { 0 }
        };
        self.0.iter().map(entry).sum()
    }

    /// The words `{"a", "b"}` or `{"a": 1, "b": 2}`; of many keys only the first.
    pub fn words(&self) -> String {
        let entry = |(key, entry): &(String, Entry)| match entry {
            Entry::Member => quoted(key),
            Entry::Number(x) => format!("{}: {}", quoted(key), number::released(*x)),
            Entry::Other(words) => format!("{}: {}", quoted(key), beginning(words)),
        };
        let mut words = self.0.iter().take(NAMED).map(entry).collect::<Vec<_>>().join(", ");
        if self.0.len() > NAMED {
            words += &format!(" and {} more keys", self.0.len() - NAMED);
        }
        format!("{{{words}}}")
    }
}

const NAMED: usize = 8;
/// Most characters of a key that are shown.
const SHOWN: usize = 40;

/// A key in quotes, control characters escaped; for a long one, its beginning and length.
pub(crate) fn quoted(key: &str) -> String {
    shortened(key, |beginning| format!("{beginning:?}"))
}

/// The beginning of JSON, which is already escaped, and its length if that is not all.
pub(crate) fn beginning(words: &str) -> String {
    shortened(words, str::to_owned)
}

fn shortened(text: &str, write: impl Fn(&str) -> String) -> String {
    match text.char_indices().nth(SHOWN) {
        None => write(text),
        Some((end, _)) => format!("{}… ({} bytes)", write(&text[..end]), text.len()),
    }
}

impl<K: Into<String>> FromIterator<K> for Keyed {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        Self::new(keys.into_iter().map(|key| (key.into(), Entry::Member)))
    }
}

impl From<BTreeSet<String>> for Keyed {
    fn from(keys: BTreeSet<String>) -> Self {
        keys.into_iter().collect()
    }
}

impl From<BTreeMap<String, f64>> for Keyed {
    fn from(map: BTreeMap<String, f64>) -> Self {
        Self::new(map.into_iter().map(|(key, value)| (key, Entry::Number(value))))
    }
}
