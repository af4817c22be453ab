//! Classes of released rows, and the known rows that fall into them.

use super::class::Class;
use super::published::{PublishError, Published, publish};
use super::{ClassSize, Linkage, RightLinks};
use crate::attack::roc::Interval;
use plaudit_core::random::Stream;
use std::collections::{BTreeMap, HashMap};

/// The released table, class by class.
#[derive(Clone, Debug, Default)]
pub struct ReleasedRows {
    places: HashMap<Box<[u8]>, usize>,
    /// In the order in which they first appear.
    classes: Vec<Class>,
    ids: Vec<u8>,
    rows: u64,
    key: Vec<u8>,
}

impl ReleasedRows {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a row: its values, equally many in each row, and its identifier (empty without identifiers).
    pub fn add<'a>(&mut self, values: impl IntoIterator<Item = &'a [u8]>, id: &[u8]) {
        self.rows += 1;
        join_values(&mut self.key, values);
        if let Some(place) = self.places.get(&self.key[..]) {
            self.classes[*place].released += 1;
            return;
        }
        self.ids.extend_from_slice(id);
        self.places.insert(self.key[..].into(), self.classes.len());
        let id_end = self.ids.len();
        self.classes.push(Class { released: 1, known: 0, id_end, is_right: false });
    }

    /// Ready for known rows. `has_ids` is `true` if rows have identifiers.
    pub fn join(self, has_ids: bool) -> Join {
        Join { released: self, known: 0, has_ids }
    }
}

/// The released table, with the known rows that were added.
#[derive(Clone, Debug)]
pub struct Join {
    released: ReleasedRows,
    known: u64,
    has_ids: bool,
}

impl Join {
    /// Adds a known row: its values, in the order of the released ones, and its identifier.
    pub fn add<'a>(&mut self, values: impl IntoIterator<Item = &'a [u8]>, id: &[u8]) {
        self.known += 1;
        let ReleasedRows { places, classes, ids, key, .. } = &mut self.released;
        join_values(key, values);
        if let Some(&place) = places.get(&key[..]) {
            let start = place.checked_sub(1).map_or(0, |before| classes[before].id_end);
            let class = &mut classes[place];
            class.known += 1;
            if class.is_linked() {
                class.is_right = ids[start..class.id_end] == *id;
            }
        }
    }

    /// Result of the join. The interval of the share of right links misses with probability at most `alpha`, if the
    /// linked rows are a sample.
    pub fn linkage(&self, alpha: f64) -> Linkage {
        let classes = &self.released.classes;
        let mut sizes = BTreeMap::new();
        let (mut linked, mut right, mut none) = (0, 0, 0);
        for class in classes {
            *sizes.entry(class.released).or_insert(0) += 1;
            linked += u64::from(class.is_linked());
            right += u64::from(class.is_linked() && class.is_right);
            none += if class.known == 0 { class.released } else { 0 };
        }
        let truth = self.has_ids.then(|| RightLinks {
            right,
            share: (linked > 0).then(|| Interval::of(right, linked, alpha)),
            chance: if self.known == 0 { 0.0 } else { 1.0 / self.known as f64 },
        });
        Linkage {
            released: self.released.rows,
            known: self.known,
            classes: classes.len() as u64,
            smallest: sizes.keys().next().copied().unwrap_or(0),
            unique: sizes.get(&1).copied().unwrap_or(0),
            sizes: sizes.into_iter().map(|(size, classes)| ClassSize { size, classes }).collect(),
            linked,
            several: self.released.rows - linked - none,
            none,
            truth,
        }
    }

    /// Result of noisy counts of the classes, drawn once: a histogram that is (ε, δ)-differentially private where one
    /// person is one row.
    ///
    /// # Errors
    /// If ε or δ is impossible.
    pub fn publish(
        &self,
        epsilon: f64,
        delta: f64,
        random: &mut Stream,
    ) -> Result<Published, PublishError> {
        publish(&self.released.classes, epsilon, delta, random)
    }
}

/// Writes values one after the other, each behind its length, so that different rows have different keys.
fn join_values<'a>(key: &mut Vec<u8>, values: impl IntoIterator<Item = &'a [u8]>) {
    key.clear();
    for value in values {
        // Seven bits a byte, the lowest first; all but the last byte have the highest bit.
        let mut length = value.len();
        while length >= 0x80 {
            key.push(length as u8 | 0x80);
            length >>= 7;
        }
        key.push(length as u8);
        key.extend_from_slice(value);
    }
}
