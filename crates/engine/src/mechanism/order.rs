//! A total order of outcomes.

use super::{Entry, Keyed, OutcomeRef};
use std::cmp::Ordering;

/// A total order of outcomes in which equal means equal bit by bit.
pub fn order(a: &OutcomeRef<'_>, b: &OutcomeRef<'_>) -> Ordering {
    fn rank(outcome: &OutcomeRef<'_>) -> u8 {
        match outcome {
            OutcomeRef::Number(_) => 0,
            OutcomeRef::Integer(_) => 1,
            OutcomeRef::Text(_) => 2,
            OutcomeRef::Vector(_) => 3,
            OutcomeRef::Failure(_) => 4,
            OutcomeRef::Keyed(_) => 5,
            OutcomeRef::Structure(_) => 6,
        }
    }
    match (a, b) {
        (OutcomeRef::Number(a), OutcomeRef::Number(b)) => order_numbers(*a, *b),
        (OutcomeRef::Integer(a), OutcomeRef::Integer(b)) => a.cmp(b),
        (OutcomeRef::Text(a), OutcomeRef::Text(b))
        | (OutcomeRef::Structure(a), OutcomeRef::Structure(b))
        | (OutcomeRef::Failure(a), OutcomeRef::Failure(b)) => a.cmp(b),
        (OutcomeRef::Keyed(a), OutcomeRef::Keyed(b)) => order_keyed(a, b),
        (OutcomeRef::Vector(a), OutcomeRef::Vector(b)) => {
            let mut entries = a.iter().zip(*b).map(|(a, b)| order_numbers(*a, *b));
            a.len()
                .cmp(&b.len())
                .then_with(|| entries.find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
        }
        _ => rank(a).cmp(&rank(b)),
    }
}

/// By number of keys, then key by key.
fn order_keyed(a: &Keyed, b: &Keyed) -> Ordering {
    fn order_entries(a: &Entry, b: &Entry) -> Ordering {
        match (a, b) {
            (Entry::Number(a), Entry::Number(b)) => order_numbers(*a, *b),
            (Entry::Other(a), Entry::Other(b)) => a.cmp(b),
            _ => rank(a).cmp(&rank(b)),
        }
    }
    fn rank(entry: &Entry) -> u8 {
        match entry {
            Entry::Member => 0,
            Entry::Number(_) => 1,
            Entry::Other(_) => 2,
        }
    }
    let mut pairs = a.entries().iter().zip(b.entries());
    a.len().cmp(&b.len()).then_with(|| {
        let differs = |((key, a), (other, b)): (&(String, Entry), &(String, Entry))| {
            Some(key.cmp(other).then_with(|| order_entries(a, b))).filter(|order| order.is_ne())
        };
        pairs.find_map(differs).unwrap_or(Ordering::Equal)
    })
}

/// The order of doubles bit by bit, with all NaNs equal.
fn order_numbers(a: f64, b: f64) -> Ordering {
    match (a.is_nan(), b.is_nan()) {
        (false, false) => a.total_cmp(&b),
        (a, b) => a.cmp(&b),
    }
}
