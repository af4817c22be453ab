//! Proposals to match outcomes one by one.

use crate::mechanism::{OutcomeRef, order};
use crate::witness::coordinate::sample::Sample;
use crate::witness::scorer::{Atom, Scorer};

/// Most outcomes with a bin of their own. Not tuned: of the 2^15 kept outcomes the 1024 most
/// frequent have at most 32 each if equally frequent, and rarer ones hardly tell.
const MOST_ATOMS: usize = 1024;
/// Most different integers that are matched one by one. Not tuned: with more a threshold, which
/// orders them, learns each bin from its neighbors.
const FEW_INTEGERS: usize = 12;
/// Most different outcomes, lists among them, that are matched one by one and examined in no other
/// way: the sample has at least as many of each on average. Not tuned.
pub const FEW_OUTCOMES: usize = 16;
/// Bytes of all atoms, 4 MiB: they are part of certificates.
const MOST_ATOM_BYTES: usize = 4 << 20;

/// The recurring outcomes, most frequent first, if they are a good part of all.
pub fn atoms(sample: &Sample<'_>) -> Option<Scorer> {
    let mut pooled: Vec<OutcomeRef<'_>> = sample.pooled().collect();
    pooled.sort_unstable_by(order);
    let mut runs: Vec<_> =
        pooled.chunk_by(|a, b| order(a, b).is_eq()).filter(|run| run.len() > 1).collect();
    let repeated: usize = runs.iter().map(|run| run.len()).sum();
    if repeated * 20 < pooled.len() {
        return None;
    }
    runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
    runs.truncate(MOST_ATOMS);
    let mut bytes = 0;
    runs.retain(|run| {
        bytes += 8 + run[0].bytes();
        bytes <= MOST_ATOM_BYTES
    });
    runs.sort_by(|a, b| order(&a[0], &b[0]));
    Some(Scorer::Atoms { atoms: runs.iter().map(|run| Atom::of(&run[0])).collect() })
}

/// Integers, if there are few different ones: winners, answers. They are matched exactly, not put
/// on a line.
pub fn few_integers(sample: &Sample<'_>) -> Option<Scorer> {
    let mut values = std::collections::BTreeSet::new();
    for outcome in sample.pooled() {
        values.insert(match outcome {
            OutcomeRef::Integer(i) => i,
            _ => return None,
        });
        if values.len() > FEW_INTEGERS {
            return None;
        }
    }
    Some(Scorer::Atoms { atoms: values.into_iter().map(Atom::Integer).collect() })
}

/// All outcomes, if there are few: the answers of a mechanism that stops after the first yes.
pub fn few_outcomes(sample: &Sample<'_>) -> Option<Scorer> {
    let mut values: Vec<OutcomeRef<'_>> = Vec::new();
    for outcome in sample.pooled() {
        if let Err(at) = values.binary_search_by(|known| order(known, &outcome)) {
            if values.len() == FEW_OUTCOMES {
                return None;
            }
            values.insert(at, outcome);
        }
    }
    let bytes: usize = values.iter().map(OutcomeRef::bytes).sum();
    // In a sample that is hardly larger there may be many more.
    let all = FEW_OUTCOMES * values.len() <= sample.len() && bytes <= MOST_ATOM_BYTES;
    all.then(|| Scorer::Atoms { atoms: values.iter().map(Atom::of).collect() })
}
