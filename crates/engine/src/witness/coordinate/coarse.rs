//! Coarse classes of lists: recurring entries are kept, and all other numbers are alike. For a list
//! of answers and noisy numbers, that leaves the answers.

use plaudit_accountant::number;
use serde::{Deserialize, Serialize};

/// Lists with the same word for this part share a bin: one bin for each word listed, and one for
/// all others. A word has a letter for each entry: `-` for a missing one (NaN), `a` for the first
/// of `values`, `b` for the second and so on, `*` for any other number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coarse {
    pub part: Part,
    /// Entries with a letter of their own, ascending; at most 6.
    #[serde(with = "number::list")]
    pub values: Vec<f64>,
    /// Ascending; at most 64 letters each.
    pub words: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    All,
    /// This number of entries from the start; all of a shorter list.
    First(usize),
    /// This number of entries before the end; all of a shorter list.
    Last(usize),
    Before,
    /// Entries after the last one that is not among the values.
    After,
}

/// Most values with a letter of their own. Not tuned: more words would have fewer lists each.
pub(crate) const MOST_VALUES: usize = 6;
/// Most entries of a list that are read: a byte each, on the stack. Limits a certificate's cost.
pub(crate) const LONGEST: usize = 64;

/// Letter of a missing entry; those of values begin with `a`.
const MISSING: u8 = b'-';
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

    /// `true` if explore could have made it.
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
