//! Lists told apart coarsely: entries that come again and again as they are, all other numbers
//! alike. Of a list that holds answers beside noisy numbers, that leaves the answers.

use plaudit_accountant::number;
use serde::{Deserialize, Serialize};

/// The lists of which this part reads alike share a bin: one bin for each word listed, and one for
/// all others. A word has a letter for each entry: `-` for one that is missing (NaN), `a` for the
/// first of `values`, `b` for the second and so on, `*` for any other number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coarse {
    pub part: Part,
    /// Entries that are told apart, ascending; at most 6.
    #[serde(with = "number::list")]
    pub values: Vec<f64>,
    /// Ascending; at most 64 letters each.
    pub words: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    All,
    /// So many entries from the start; of a shorter list all.
    First(usize),
    /// So many entries before the end; of a shorter list all.
    Last(usize),
    Before,
    /// What stands after the last entry that is none of the values.
    After,
}

/// Most values that are told apart: a letter each. Not tuned: the more, the more words, and the fewer lists of each.
pub(crate) const MOST_VALUES: usize = 6;
/// Most entries of a list that are read: a byte each, in an array on the stack. Bounds what a certificate may ask for.
pub(crate) const LONGEST: usize = 64;

/// The letter of an entry that is missing: none of those of values, which begin with `a`.
const MISSING: u8 = b'-';
/// The letter of any other number.
const OTHER: u8 = b'*';

impl Part {
    pub(crate) fn of<'v>(&self, vector: &'v [f64], values: &[f64]) -> &'v [f64] {
        let recurs = |x: &f64| values.contains(x);
        match *self {
            Self::All => vector,
            Self::Before => {
                let first = vector.iter().position(recurs);
                &vector[..first.unwrap_or(vector.len())]
            }
            Self::After => {
                let last = vector.iter().rposition(|x| !recurs(x));
                &vector[last.map_or(0, |last| last + 1)..]
            }
            Self::First(most) => &vector[..most.min(vector.len())],
            Self::Last(most) => &vector[vector.len().saturating_sub(most)..],
        }
    }
}

pub(crate) fn letter(values: &[f64], x: f64) -> u8 {
    match values.iter().position(|value| *value == x) {
        Some(at) => b'a' + at as u8,
        None if x.is_nan() => MISSING,
        None => OTHER,
    }
}

impl Coarse {
    /// Number of bins, at least 1.
    pub(crate) fn bins(&self) -> usize {
        self.words.len() + 1
    }

    pub(crate) fn bin(&self, vector: &[f64]) -> usize {
        let part = self.part.of(vector, &self.values);
        let mut letters = [0; LONGEST];
        let Some(word) = letters.get_mut(..part.len()) else { return self.words.len() };
        word.iter_mut().zip(part).for_each(|(l, &x)| *l = letter(&self.values, x));
        let found = self.words.binary_search_by(|other| other.as_bytes().cmp(word));
        found.unwrap_or(self.words.len())
    }

    /// Whether it is one that exploring could have made.
    pub(crate) fn is_sound(&self) -> bool {
        let last = b'a' + self.values.len().min(MOST_VALUES) as u8;
        let is_letter = |l: u8| l == MISSING || l == OTHER || (b'a'..last).contains(&l);
        self.values.len() <= MOST_VALUES
            && self.values.iter().all(|value| !value.is_nan())
            && self.values.is_sorted_by(|a, b| a < b)
            && self.words.is_sorted_by(|a, b| a < b)
            && self.words.iter().all(|word| word.len() <= LONGEST && word.bytes().all(is_letter))
    }

    /// Each bin but the last in words.
    pub(crate) fn labels(&self) -> Vec<String> {
        self.words.iter().map(|word| self.label(word)).collect()
    }

    fn label(&self, word: &str) -> String {
        let entry = |letter: u8| match letter {
            MISSING => "missing".into(),
            OTHER => "a varying number".into(),
            letter => {
                let at = usize::from(letter - b'a');
                self.values
                    .get(at)
                    .map_or_else(String::new, |value| number::released(*value).into_owned())
            }
        };
        let entries: Vec<String> = word.bytes().map(entry).collect();
        let place = match self.part {
            Part::First(most) if most == word.len() => "a list that begins with",
            Part::Last(most) if most == word.len() => "a list that ends with",
            Part::Before => "a list whose entries before any recurring value are",
            Part::After => "a list whose recurring values at the end are",
            _ => "the list",
        };
        format!("{place} [{}]", entries.join(", "))
    }
}
