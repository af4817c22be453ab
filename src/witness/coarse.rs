//! Lists told apart coarsely: entries that come again and again as they are, all other numbers
//! alike. Of a list that holds answers beside noisy numbers, that leaves the answers.

use super::classify::vectors;
use super::propose::Proposal;
use super::sample::Sample;
use super::scorer::Scorer;
use crate::number;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// The lists of which this part reads alike share a bin: one bin for each word listed, and one for
/// all others. A word has a letter for each entry: `-` for one that is missing (NaN), `a` for the
/// first of `values`, `b` for the second and so on, `*` for any other number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coarse {
    /// What is read.
    pub part: Part,
    /// Entries that are told apart, ascending; at most 6.
    #[serde(with = "number::list")]
    pub values: Vec<f64>,
    /// Ascending; at most 64 letters each.
    pub words: Vec<String>,
}

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// All of it.
    All,
    /// So many entries from the start; of a shorter list all.
    First(usize),
    /// So many entries before the end; of a shorter list all.
    Last(usize),
    /// What stands before the first of the values.
    Before,
    /// What stands after the last entry that is none of the values.
    After,
}

/// Most values that are told apart.
const MOST_VALUES: usize = 6;
/// Most entries of a list that are read.
const LONGEST: usize = 64;
/// Most words that get a bin of their own.
const MOST_WORDS: usize = 1024;
/// One in so many entries is a value that comes again and again.
const RECURS: usize = 64;
/// Lists a side from which values are learnt.
const MOST_FOR_VALUES: usize = 1024;
/// Different lists from which on their ends are looked at though all entries recur: so many are rare.
const MANY: usize = 64;
/// Entries that are read at either end.
const ENDS: usize = 8;

const MISSING: u8 = b'-';
const OTHER: u8 = b'*';

impl Part {
    fn of<'v>(&self, vector: &'v [f64], values: &[f64]) -> &'v [f64] {
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

fn letter(values: &[f64], x: f64) -> u8 {
    match values.iter().position(|value| *value == x) {
        Some(at) => b'a' + at as u8,
        None if x.is_nan() => MISSING,
        None => OTHER,
    }
}

impl Coarse {
    /// Number of bins, at least 1.
    pub(super) fn bins(&self) -> usize {
        self.words.len() + 1
    }

    /// The bin of a list.
    pub(super) fn bin(&self, vector: &[f64]) -> usize {
        let part = self.part.of(vector, &self.values);
        let mut letters = [0; LONGEST];
        let Some(word) = letters.get_mut(..part.len()) else { return self.words.len() };
        word.iter_mut().zip(part).for_each(|(l, &x)| *l = letter(&self.values, x));
        let found = self.words.binary_search_by(|other| other.as_bytes().cmp(word));
        found.unwrap_or(self.words.len())
    }

    /// Whether it is one that exploring could have made.
    pub(super) fn is_sound(&self) -> bool {
        let last = b'a' + self.values.len().min(MOST_VALUES) as u8;
        let is_letter = |l: u8| l == MISSING || l == OTHER || (b'a'..last).contains(&l);
        self.values.len() <= MOST_VALUES
            && self.values.iter().all(|value| !value.is_nan())
            && self.values.is_sorted_by(|a, b| a < b)
            && self.words.is_sorted_by(|a, b| a < b)
            && self.words.iter().all(|word| word.len() <= LONGEST && word.bytes().all(is_letter))
    }

    /// Each bin but the last in words.
    pub(super) fn labels(&self) -> Vec<String> {
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
                    .map_or_else(String::new, |value| number::words(*value).into_owned())
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

/// Coarse scorers of lists in which some entries come again and again and others do not; of lists
/// that only hold such entries, but of different lengths, the ends. (The whole lists are atoms.)
pub(super) fn propose(sample: &Sample<'_>) -> Vec<Proposal> {
    let Some((values, noisy)) = recurring(sample) else { return vec![] };
    let all = || vectors(&sample.d).chain(vectors(&sample.d_prime));
    let words = |part: Part| {
        let mut counts: HashMap<Vec<u8>, usize> = HashMap::new();
        for vector in all() {
            let read = part.of(vector, &values);
            if read.len() <= LONGEST {
                let word: Vec<u8> = read.iter().map(|x| letter(&values, *x)).collect();
                *counts.entry(word).or_default() += 1;
            }
        }
        counts
    };
    let lengths: BTreeSet<usize> = all().map(<[f64]>::len).collect();
    let longest = lengths.last().copied().unwrap_or(0);
    let mut parts = vec![];
    if noisy {
        parts.push(Part::All);
    } else if lengths.len() == 1 || words(Part::All).len() <= MANY {
        return vec![];
    }
    if longest > ENDS {
        parts.extend([Part::First(ENDS), Part::Last(ENDS)]);
    }
    if noisy {
        parts.extend([Part::Before, Part::After]);
    }
    let scorer = |part: Part| {
        let counts = words(part);
        let read: usize = counts.values().sum();
        let mut often: Vec<(Vec<u8>, usize)> =
            counts.into_iter().filter(|(_, count)| *count > 1).collect();
        often.sort_unstable_by(|a, b| (Reverse(a.1), &a.0).cmp(&(Reverse(b.1), &b.0)));
        let repeated: usize = often.iter().map(|(_, count)| count).sum();
        often.truncate(MOST_WORDS);
        let word = |(word, _): (Vec<u8>, usize)| String::from_utf8(word).ok();
        let mut words: Vec<String> = often.into_iter().filter_map(word).collect();
        words.sort_unstable();
        let coarse = Coarse { part, values: values.clone(), words };
        (coarse.words.len() > 2 && repeated * 20 >= read).then(|| Scorer::Coarse(coarse).into())
    };
    parts.into_iter().filter_map(scorer).collect()
}

/// The values that come again and again, ascending, and whether there are other numbers, too.
fn recurring(sample: &Sample<'_>) -> Option<(Vec<f64>, bool)> {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    let mut entries = 0;
    for batches in [&sample.d, &sample.d_prime] {
        for vector in vectors(batches).take(MOST_FOR_VALUES) {
            let (start, end) = vector.split_at(vector.len().min(LONGEST / 2));
            let end = &end[end.len().saturating_sub(LONGEST / 2)..];
            for x in start.iter().chain(end).filter(|x| !x.is_nan()) {
                // Of the two zeros the usual one.
                *counts.entry((x + 0.0).to_bits()).or_default() += 1;
                entries += 1;
            }
        }
    }
    let mut often: Vec<(usize, f64)> = counts
        .iter()
        .filter(|(_, count)| **count > 1 && **count * RECURS >= entries)
        .map(|(bits, count)| (*count, f64::from_bits(*bits)))
        .collect();
    often.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)));
    often.truncate(MOST_VALUES);
    let known: usize = often.iter().map(|(count, _)| count).sum();
    let mut values: Vec<f64> = often.into_iter().map(|(_, value)| value).collect();
    values.sort_by(f64::total_cmp);
    (!values.is_empty()).then_some((values, known < entries))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Outcomes;
    use crate::witness::Counter;

    const LISTS: [&[f64]; 6] = [
        &[f64::NAN, 3.25, 0.0, 0.0, 1.0],
        &[f64::NAN, f64::NAN, -7.5, 0.0, 1.0],
        &[f64::INFINITY, -0.0, 1.0],
        &[f64::NAN, 1.0],
        &[1.0, 1.0],
        &[],
    ];

    fn coarse(part: Part, words: &[&str]) -> Coarse {
        let words = words.iter().map(|&word| word.to_owned()).collect();
        Coarse { part, values: vec![0.0, 1.0], words }
    }

    #[test]
    fn entries_that_recur_are_told_apart_and_others_are_not() {
        let all = coarse(Part::All, &["", "*ab", "-*aab", "-b"]);
        assert_eq!(LISTS.map(|list| all.bin(list)), [2, 4, 1, 3, 4, 0]);
        let last = coarse(Part::Last(2), &["", "-b", "ab", "bb"]);
        assert_eq!(LISTS.map(|list| last.bin(list)), [2, 2, 2, 1, 3, 0]);
        let first = coarse(Part::First(1), &["-", "b"]);
        assert_eq!(LISTS.map(|list| first.bin(list)), [0, 0, 2, 0, 1, 2]);
        let before = coarse(Part::Before, &["", "*", "-", "-*", "--*"]);
        assert_eq!(LISTS.map(|list| before.bin(list)), [3, 4, 1, 2, 0, 0]);
        let after = coarse(Part::After, &["aab", "ab", "b", "bb"]);
        assert_eq!(LISTS.map(|list| after.bin(list)), [0, 1, 1, 2, 3, 4]);
        assert_eq!(all.bin(&[0.0; LONGEST + 1]), 4);
        assert!([all, last, first, before, after].iter().all(Coarse::is_sound));
    }

    #[test]
    fn a_scorer_that_nobody_could_have_made_is_not_sound() {
        assert!(!coarse(Part::All, &["b", "a"]).is_sound());
        assert!(!coarse(Part::All, &["c"]).is_sound());
        assert!(!coarse(Part::All, &["a".repeat(LONGEST + 1).as_str()]).is_sound());
        assert!(!Coarse { values: vec![1.0, 0.0], ..coarse(Part::All, &[]) }.is_sound());
        assert!(!Coarse { values: vec![f64::NAN], ..coarse(Part::All, &[]) }.is_sound());
    }

    #[test]
    fn it_is_the_same_when_read_from_a_certificate() {
        let values = vec![f64::NEG_INFINITY, 0.5];
        for part in [Part::All, Part::First(3), Part::Last(8), Part::Before, Part::After] {
            let coarse = Coarse { values: values.clone(), ..coarse(part, &["", "*-a", "b"]) };
            let scorer = Scorer::Coarse(coarse);
            let read: Scorer =
                serde_json::from_str(&serde_json::to_string(&scorer).unwrap()).unwrap();
            assert_eq!(read, scorer);
        }
    }

    #[test]
    fn its_words_say_what_was_read() {
        let words = |part| coarse(part, &["-*ab"]).labels().concat();
        let list = "[missing, a varying number, 0, 1]";
        assert_eq!(words(Part::All), format!("the list {list}"));
        assert_eq!(words(Part::First(4)), format!("a list that begins with {list}"));
        assert_eq!(words(Part::Last(4)), format!("a list that ends with {list}"));
        // It is shorter than that.
        assert_eq!(words(Part::Last(5)), format!("the list {list}"));
    }

    #[test]
    fn lists_of_answers_and_numbers_are_read_at_both_ends() {
        let mut batch = Outcomes::new();
        for i in 0..600 {
            let noisy = f64::from(i).sin();
            let zeros = i % 7;
            let mut list = vec![f64::NAN, noisy];
            list.extend(vec![0.0; zeros as usize]);
            list.extend([1.0, 1.0]);
            batch.push_vector(&list);
        }
        let sample = Sample { d: vec![&batch], d_prime: vec![&batch] };
        let proposals = propose(&sample);
        let parts: Vec<Part> = proposals
            .iter()
            .map(|proposal| match &proposal.scorer {
                Scorer::Coarse(coarse) => coarse.part,
                other => panic!("{}", other.kind()),
            })
            .collect();
        // There is only one way in which they begin.
        assert_eq!(parts, [Part::All, Part::First(8), Part::Last(8), Part::After]);
        for Proposal { scorer, .. } in &proposals {
            assert!(scorer.is_sound());
            let [mut together, mut single] = [(); 2].map(|()| vec![0u64; scorer.bins()]);
            Counter::new(scorer).count(&batch, &mut together);
            batch.iter().for_each(|outcome| single[scorer.bin(outcome)] += 1);
            assert_eq!(together, single);
            assert_eq!(together.last(), Some(&0));
        }
    }

    #[test]
    fn lists_without_answers_or_without_noise_are_left_to_others() {
        let mut noise = Outcomes::new();
        let mut answers = Outcomes::new();
        for i in 0..500 {
            noise.push_vector(&[f64::from(i).sin(), f64::from(i).cos()]);
            answers.push_vector(&[f64::from(i % 2), f64::from(i % 3)]);
        }
        for batch in [noise, answers] {
            let sample = Sample { d: vec![&batch], d_prime: vec![&batch] };
            assert!(propose(&sample).is_empty());
        }
    }
}
