//! Coarse scorers of lists that hold answers and noisy numbers.

use crate::witness::coordinate::coarse::{Coarse, LONGEST, MOST_VALUES, Part, letter};
use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::vectors::vectors;
use crate::witness::propose::proposal::Proposal;
use crate::witness::scorer::Scorer;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// Most words with a bin of their own: limits a certificate, at 64 letters each 64 KiB.
const MOST_WORDS: usize = 1024;
/// Divisor for the share of entries that makes a value recurring: of the [`LONGEST`] entries read
/// of a list, one.
const RECURS: usize = 64;
/// Lists per side that determine values: of both sides at most 2^17 entries, 64 for each list.
const MOST_FOR_VALUES: usize = 1024;
/// Different lists from which their ends are also examined if all entries recur: this many are
/// rare. Not tuned: of fewer each has a bin that is seen often enough.
const MANY: usize = 64;
/// Entries that are read at either end: of two values there are 2^8 such words, of six 1.7 million.
/// Not tuned: the more entries, the more words, and the fewer lists of each.
const ENDS: usize = 8;

/// Coarse scorers of lists in which some entries recur and others do not; for lists of only
/// recurring entries, but of different lengths, the ends. (The whole lists are atoms.)
pub fn propose(sample: &Sample<'_>) -> Vec<Proposal> {
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

/// The recurring values, ascending, and `true` if there are also other numbers.
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
#[path = "../../../tests/unit/witness/propose/coarse.rs"]
mod tests;
