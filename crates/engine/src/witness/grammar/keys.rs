//! Coordinates of numbers, texts, sets and maps, and the lists in outcomes.

use crate::mechanism::{Entry, OutcomeRef};
use crate::witness::coordinate::facet::{Facet, held};
use crate::witness::coordinate::list::{Source, index};
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::grammar::pool::Rows;
use std::collections::BTreeMap;

/// Most keys with a coordinate for their number, and most facets: the most frequent.
const MOST_KEYS: usize = 24;
const MOST_FACETS: usize = 48;
/// Most lists that are examined: under keys, or letters under keys.
const MOST_LISTS: usize = 6;
/// Fewest outcomes, of all, with a key that is examined: one in this number.
const RARE: usize = 500;
/// Most bytes of a key that is examined.
const LONGEST: usize = 256;

/// Number of outcomes with each facet.
fn counts<'a>(rows: &Rows<'a>) -> BTreeMap<(&'a str, Option<&'a str>), usize> {
    let mut counts = BTreeMap::new();
    for outcome in &rows.outcomes {
        let OutcomeRef::Keyed(keyed) = outcome else { continue };
        for (key, entry) in keyed.entries().iter().filter(|(key, _)| key.len() <= LONGEST) {
            *counts.entry((key.as_str(), None)).or_default() += 1;
            if let Some(words) = held(entry).filter(|words| words.len() <= LONGEST) {
                *counts.entry((key.as_str(), Some(words))).or_default() += 1;
            }
        }
    }
    counts
}

/// Numbers that outcomes have without a list.
pub fn of_keys(rows: &Rows<'_>) -> Vec<Statistic> {
    let mut all = Vec::new();
    let any = |is: fn(&OutcomeRef<'_>) -> bool| rows.outcomes.iter().any(is);
    if any(|o| matches!(o, OutcomeRef::Number(_) | OutcomeRef::Integer(_))) {
        all.push(Statistic::Value);
    }
    if any(|o| matches!(o, OutcomeRef::Text(_))) {
        all.push(Statistic::Length);
    }
    let counts = counts(rows);
    if counts.is_empty() {
        return all;
    }
    all.extend([Statistic::Keys, Statistic::Missing]);
    let least = (rows.outcomes.len() / RARE).max(2);
    let mut frequent: Vec<_> = counts.into_iter().filter(|(_, count)| *count >= least).collect();
    // Those that are as often absent as present first: they can tell most.
    frequent.sort_by_key(|(_, count)| rows.outcomes.len().abs_diff(2 * count));
    let varies = frequent.iter().filter(|(_, count)| *count < rows.outcomes.len());
    all.extend(varies.take(MOST_FACETS).map(|((key, holds), _)| {
        let facet = Facet { key: (*key).to_owned(), holds: holds.map(str::to_owned) };
        Statistic::Present(facet)
    }));
    frequent.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let keys = frequent.iter().filter(|((_, holds), _)| holds.is_none());
    all.extend(keys.take(MOST_KEYS).map(|((key, _), _)| Statistic::Key((*key).to_owned())));
    all
}

/// The lists that some of the outcomes have.
pub fn sources(rows: &Rows<'_>) -> Vec<Source> {
    let mut all = Vec::new();
    if rows.outcomes.iter().any(|o| matches!(o, OutcomeRef::Vector(vector) if vector.len() > 1)) {
        all.push(Source::Entries);
    }
    let (mut lists, mut texts) = (BTreeMap::new(), BTreeMap::new());
    let mut values = false;
    for outcome in &rows.outcomes {
        let OutcomeRef::Keyed(keyed) = outcome else { continue };
        let mut numbers = 0;
        for (key, entry) in keyed.entries().iter().filter(|(key, _)| key.len() <= LONGEST) {
            let list = key.rfind('[').filter(|at| index(&key[*at..]).is_some());
            match (entry, list) {
                (Entry::Number(_), Some(at)) => *lists.entry(&key[..at]).or_insert(0) += 1,
                (Entry::Number(_), None) => numbers += 1,
                (Entry::Other(json), _) if json.len() > 3 && json.starts_with('"') => {
                    *texts.entry(key.as_str()).or_insert(0) += 1;
                }
                _ => {}
            }
        }
        values |= numbers > 1;
    }
    all.extend(values.then_some(Source::Values));
    let most = |counts: BTreeMap<&str, usize>| {
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts.into_iter().take(MOST_LISTS / 2).map(|(key, _)| key.to_owned()).collect::<Vec<_>>()
    };
    all.extend(most(lists).into_iter().map(Source::Under));
    all.extend(most(texts).into_iter().map(Source::Letters));
    all
}
