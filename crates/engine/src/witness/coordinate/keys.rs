//! Features of outcomes with keys: which keys are present, and their values.

use crate::mechanism::{Entry, Keyed, OutcomeRef, quoted};
use crate::witness::coordinate::facet::{Facet, held, numbers};
use crate::witness::coordinate::shape::{Shape, find_shape};
use crate::witness::coordinate::statistic::{KeyTerm, Statistic};
use crate::witness::coordinate::weighted::{term_words, words_of_sum};
use plaudit_accountant::number;
use serde::{Deserialize, Serialize};

/// Meaning of a bin of [`KeyBins`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Look {
    /// The facet is present, and no facet of an earlier bin is.
    Presence,
    /// The largest number is under this key, the first in the alphabet among equal ones.
    Largest,
}

/// A bin for each facet; then one for outcomes with keys that have none of them; then one for each
/// shape of outcomes without keys; then one for all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyBins {
    pub look: Look,
    pub facets: Vec<Facet>,
    /// The bin of each facet: each number below their count occurs once.
    pub places: Vec<usize>,
    pub shapes: Vec<Shape>,
}

/// The key of the largest number; among equal ones, the first.
pub(crate) fn largest(keyed: &Keyed) -> Option<&str> {
    let mut best: Option<(&str, f64)> = None;
    for (key, x) in numbers(keyed) {
        if best.is_none_or(|(_, most)| x > most) {
            best = Some((key, x));
        }
    }
    best.map(|(key, _)| key)
}

impl Statistic {
    /// A statistic of an outcome with keys.
    pub(crate) fn read_keyed(&self, keyed: &Keyed) -> Option<f64> {
        let values = || numbers(keyed).map(|(_, x)| x);
        let some = |x: f64| values().next().map(|_| x);
        match self {
            Self::Keys => Some(keyed.len() as f64),
            Self::Key(key) => match keyed.get(key)? {
                Entry::Number(x) => Some(*x),
                Entry::Member | Entry::Other(_) => None,
            },
            Self::NewKeys(known) => {
                let new = |(key, _): &&(String, Entry)| known.binary_search(key).is_err();
                Some(keyed.entries().iter().filter(new).count() as f64)
            }
            Self::KeyTerms(terms) => Some(weigh(terms, keyed)),
            Self::Present(facet) => Some(f64::from(u8::from(facet.is_in(keyed)))),
            Self::Missing => {
                let missing = |(_, entry): &&(String, Entry)| {
                    matches!(entry, Entry::Other(_))
                        || matches!(entry, Entry::Number(x) if x.is_nan())
                };
                Some(keyed.entries().iter().filter(missing).count() as f64)
            }
            Self::Sum => some(values().sum()),
            Self::NormL1 => some(values().map(f64::abs).sum()),
            Self::Max => values().reduce(f64::max),
            Self::Min => values().reduce(f64::min),
            _ => None,
        }
    }
}

impl KeyTerm {
    /// The sum in words, its largest terms first.
    pub(crate) fn sum_words(terms: &[Self]) -> String {
        let size = |term: &Self| term.present.abs().max(term.weight.abs());
        let mut order: Vec<&Self> = terms.iter().collect();
        order.sort_by(|a, b| size(b).total_cmp(&size(a)));
        let sign = |weight: f64| if weight < 0.0 { '-' } else { '+' };
        let words = |term: &&Self| {
            let key = quoted(&term.key);
            let size = number::words(term.present.abs()).into_owned();
            let present = (sign(term.present), format!("{size} if key {key} is present"));
            let value = format!("value under {key}");
            let value = term_words(term.weight, &value, term.center, term.scale);
            let both = [(term.present, present), (term.weight, value)];
            both.into_iter().filter(|(weight, _)| *weight != 0.0).map(|(_, words)| words)
        };
        words_of_sum("weighted sum over keys", order.iter().flat_map(words).collect())
    }
}

fn weigh(terms: &[KeyTerm], keyed: &Keyed) -> f64 {
    let worth = |term: &KeyTerm, entry: &Entry| match entry {
        Entry::Number(x) if !x.is_nan() => {
            term.present + term.weight * ((x - term.center) / term.scale).clamp(-1.0, 1.0)
        }
        _ => term.present,
    };
    let mut sum = 0.0;
    if fewer(terms.len(), keyed.len()) {
        for term in terms {
            sum += keyed.get(&term.key).map_or(0.0, |entry| worth(term, entry));
        }
    } else {
        for (key, entry) in keyed.entries() {
            let at = terms.binary_search_by(|term| term.key.as_str().cmp(key));
            sum += at.map_or(0.0, |at| worth(&terms[at], entry));
        }
    }
    sum
}

/// `true` if looking up each of `few` among the keys of an outcome is less work than looking up all
/// of these, which is done in their order: a search that jumps about in memory takes some eight
/// times as long a step.
fn fewer(few: usize, keys: usize) -> bool {
    let steps = |n: usize| (n + 1).ilog2() as usize + 1;
    few.saturating_mul(8 * steps(keys)) < keys.saturating_mul(steps(few))
}

impl KeyBins {
    /// Number of bins, at least 2.
    pub(crate) fn bins(&self) -> usize {
        self.facets.len() + 1 + self.shapes.len() + 1
    }

    pub(crate) fn bin(&self, outcome: &OutcomeRef<'_>) -> usize {
        let OutcomeRef::Keyed(keyed) = outcome else {
            return self.facets.len() + 1 + find_shape(&self.shapes, outcome);
        };
        let place = match self.look {
            Look::Presence => self.first_present(keyed),
            Look::Largest => largest(keyed).and_then(|key| self.place(key, None, 0).0),
        };
        place.unwrap_or(self.facets.len())
    }

    fn first_present(&self, keyed: &Keyed) -> Option<usize> {
        if fewer(self.facets.len(), keyed.len()) {
            let present = self.facets.iter().zip(&self.places).filter(|(f, _)| f.is_in(keyed));
            return present.map(|(_, place)| *place).min();
        }
        let mut first = None;
        let mut note = |place: Option<usize>| {
            if let Some(place) = place {
                first = Some(first.map_or(place, |first: usize| first.min(place)));
            }
        };
        let mut at = 0;
        for (key, entry) in keyed.entries() {
            let place;
            (place, at) = self.place(key, None, at);
            note(place);
            if let Some(words) = held(entry) {
                note(self.place(key, Some(words), at).0);
            }
        }
        first
    }

    /// The bin of a facet, if it is one of these, and its index or insertion point, which is at
    /// least `from`. Takes steps of growing size: consecutive lookups are close together.
    fn place(&self, key: &str, holds: Option<&str>, from: usize) -> (Option<usize>, usize) {
        let order = |facet: &Facet| {
            facet.key.as_str().cmp(key).then_with(|| facet.holds.as_deref().cmp(&holds))
        };
        let (mut start, mut step) = (from, 1);
        while self.facets.get(start + step).is_some_and(|facet| order(facet).is_lt()) {
            start += step;
            step *= 2;
        }
        let end = self.facets.len().min(start + step + 1);
        match self.facets[start..end].binary_search_by(order) {
            Ok(at) => (Some(self.places[start + at]), start + at),
            Err(at) => (None, start + at),
        }
    }

    /// `true` if explore could have made it.
    pub(crate) fn is_sound(&self) -> bool {
        let mut places = self.places.clone();
        places.sort_unstable();
        places.into_iter().eq(0..self.facets.len())
            && self.facets.is_sorted_by(|a, b| a < b)
            && self.shapes.is_sorted()
    }

    /// The facets in the order of their bins.
    fn in_order(&self) -> Vec<&Facet> {
        let mut order: Vec<(usize, &Facet)> =
            self.places.iter().copied().zip(&self.facets).collect();
        order.sort_unstable_by_key(|(place, _)| *place);
        order.into_iter().map(|(_, facet)| facet).collect()
    }

    /// A label for each bin but those of shapes.
    pub(crate) fn labels(&self) -> Vec<String> {
        let label = |facet: &Facet| match self.look {
            Look::Presence => facet.words(),
            Look::Largest => format!("largest: {}", quoted(&facet.key)),
        };
        let mut labels: Vec<String> = self.in_order().into_iter().map(label).collect();
        labels.push(match (self.look, &labels[..]) {
            (Look::Largest, _) => "largest: no such key".into(),
            (Look::Presence, []) => "a set or map".into(),
            (Look::Presence, [one]) => format!("without {one}"),
            (Look::Presence, _) => "without these keys".into(),
        });
        labels
    }

    /// Conditions for the bins with keys that `says` selects.
    pub(crate) fn conditions(&self, says: impl Fn(usize) -> bool) -> Vec<String> {
        let order = self.in_order();
        let mut conditions = Vec::new();
        let mut unlike: Vec<&Facet> = Vec::new();
        for (place, facet) in order.iter().enumerate() {
            if !says(place) {
                unlike.push(facet);
                continue;
            }
            conditions.push(match (self.look, &unlike[..]) {
                (Look::Largest, _) => {
                    format!("the largest value is under key {}", quoted(&facet.key))
                }
                (Look::Presence, []) => format!("{} is present", facet.words()),
                (Look::Presence, [other]) => {
                    format!("{} is present and {} is not", facet.words(), other.words())
                }
                (Look::Presence, others) => {
                    let many = others.len();
                    format!("{} is present and none of {many} others is", facet.words())
                }
            });
        }
        if says(order.len()) {
            conditions.push(match (self.look, &order[..]) {
                (Look::Largest, _) => "the largest value is under no key listed".into(),
                (Look::Presence, []) => "the outcome is a set or map".into(),
                (Look::Presence, [only]) => format!("{} is not present", only.words()),
                (Look::Presence, keys) => format!("none of {} keys is present", keys.len()),
            });
        }
        conditions
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/coordinate/keys.rs"]
mod tests;
