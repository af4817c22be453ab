//! Lists of different lengths: their last entry for each length, which is what a mechanism that stops
//! releases last.

use super::edges::{edges, sort};
use super::sample::Sample;
use super::scorer::{Case, Scorer};
use super::statistic::Statistic;
use crate::mechanism::OutcomeRef;
use std::collections::BTreeMap;

/// Most lengths that are told apart: the most frequent ones.
const MOST_CASES: usize = 24;
/// Edges in the middle of one length's last entries, and of all lengths' together.
const OWN: usize = 8;
/// See [`OWN`].
const SHARED: usize = 16;

/// The last entry for each length, where outcomes are lists of which only these vary, as those of a
/// mechanism that stops at the first answer: every event is a union of its bins, but for finer
/// intervals. `None` where there is more to see: where entries before the last are not all the same
/// value, and where there are more lengths than are told apart.
pub(super) fn last_tells(sample: &Sample<'_>) -> Option<(Scorer, Vec<usize>)> {
    let mut lengths = Vec::new();
    let mut before: Option<u64> = None;
    let same = sample.pooled().all(|outcome| match outcome {
        OutcomeRef::Vector([entries @ .., _]) => {
            if lengths.len() <= MOST_CASES && !lengths.contains(&entries.len()) {
                lengths.push(entries.len());
            }
            entries.iter().all(|x| *before.get_or_insert(x.to_bits()) == x.to_bits())
        }
        _ => false,
    });
    if !same || lengths.len() > MOST_CASES {
        return None;
    }
    joint(sample)
}

/// The last entry for each length, where lengths vary; with the lengths, ascending.
pub(super) fn joint(sample: &Sample<'_>) -> Option<(Scorer, Vec<usize>)> {
    let (by, of) = (Statistic::Length, Statistic::Last);
    let mut by_length: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for outcome in sample.pooled() {
        if let (Some(length), Some(last)) = (by.read(outcome.clone()), of.read(outcome)) {
            by_length.entry(length as u64).or_default().push(last);
        }
    }
    let mut cases: Vec<_> = by_length.into_iter().filter(|(_, values)| values.len() > 1).collect();
    cases.sort_by_key(|(_, values)| std::cmp::Reverse(values.len()));
    cases.truncate(MOST_CASES);
    cases.sort_by_key(|(length, _)| *length);
    let lengths = cases.iter().map(|(length, _)| *length as usize).collect();
    let mut all: Vec<f64> = cases.iter().flat_map(|(_, values)| values).copied().collect();
    sort(&mut all);
    let shared = edges(all, SHARED);
    let mut varied = false;
    let cases: Vec<Case> = cases
        .into_iter()
        .map(|(length, mut values)| {
            sort(&mut values);
            let (least, most) = (values[0], values[values.len() - 1]);
            let different = values.chunk_by(|a, b| a == b).count();
            // Of few values that come again and again each has its own edge.
            let few = different <= 2 * OWN && values.len() >= 4 * different;
            let own = edges(values, OWN);
            varied |= own.len() > 2;
            // Else the edges of all lengths are finer where this one is rare, and as good if its
            // entries are like the others'.
            let within = shared.iter().filter(|edge| (least..=most).contains(*edge)).count();
            let edges = if !few && 2 * within >= own.len() { shared.clone() } else { own };
            Case { value: length as f64, edges }
        })
        .collect();
    (cases.len() > 1 && varied).then_some((Scorer::Joint { by, of, cases }, lengths))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Outcomes;

    /// Lists with so many entries before the last, each NaN but for the first of the first list.
    fn lists(lengths: usize, first: f64, last: impl Fn(usize) -> f64) -> Outcomes {
        let mut batch = Outcomes::new();
        batch.push_vector(&[first, 1.0]);
        for i in 0..2000 {
            let before = vec![f64::NAN; i % lengths];
            batch.push_vector(&[&before[..], &[last(i)]].concat());
        }
        batch
    }

    fn cases(batch: &Outcomes) -> Option<Vec<Case>> {
        let sample = Sample { d: vec![batch], d_prime: vec![] };
        match last_tells(&sample)?.0 {
            Scorer::Joint { cases, .. } => Some(cases),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn of_lists_that_only_differ_at_their_ends_the_end_tells() {
        let many = |i: usize| (i * 7919 % 2000) as f64;
        assert_eq!(cases(&lists(5, f64::NAN, many)).map(|cases| cases.len()), Some(5));
        assert_eq!(cases(&lists(MOST_CASES, f64::NAN, many)).map(|c| c.len()), Some(MOST_CASES));
        // More lengths than are told apart, another first entry, and ends that are all alike.
        assert!(cases(&lists(MOST_CASES + 1, f64::NAN, many)).is_none());
        assert!(cases(&lists(5, 0.0, many)).is_none());
        assert!(cases(&lists(5, f64::NAN, |_| 1.0)).is_none());
    }

    #[test]
    fn a_rare_length_has_the_edges_of_all_and_few_values_have_their_own() {
        // The third length ends in one of three values, the others in any.
        let last = |i: usize| match i % 3 {
            2 => (i / 3 % 3) as f64 * 500.0,
            _ => (i * 7919 % 2000) as f64 + 0.5,
        };
        let mut batch = lists(3, f64::NAN, last);
        (0..20)
            .for_each(|i| batch.push_vector(&[f64::NAN, f64::NAN, f64::NAN, f64::from(i) * 99.0]));
        let cases = cases(&batch).unwrap();
        assert_eq!(cases[2].edges, [0.0, 500.0, 1000.0]);
        assert!(cases[3].edges.len() > 2 * OWN);
        assert_eq!(cases[3].edges, cases[0].edges);
    }
}
