//! Plans: pairs of neighbors as a few numbers.

use super::block::{PersonRows, Persons};
use super::domain::{SearchDomain, Values};
use plaudit_core::dataset::{Pair, Relation};
use rand::{RngExt as _, SeedableRng as _};

/// A domain of datasets, and its relation of neighbors.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighborhood {
    pub domain: SearchDomain,
    pub relation: Relation,
    /// Largest distance of a pair's datasets in neighbors: 1, except for claims of groups.
    pub group: u64,
}

impl Neighborhood {
    fn persons(&self) -> Option<Persons<'_>> {
        Persons::of(&self.domain, &self.relation, self.group)
    }
}

/// Pattern of a column's entries, or of the moves of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    Constant(f64),
    /// The first entry, and all others.
    Head(f64, f64),
    /// All others, and the last entry.
    Tail(f64, f64),
    /// The first half (the shorter one), and the other half.
    Halves(f64, f64),
    Alternating(f64, f64),
    /// In even steps from one to the other.
    Ramp(f64, f64),
    /// Anywhere between the two, by a seed.
    Scattered(u64, f64, f64),
}

#[derive(Clone, Debug, PartialEq)]
pub enum PlanChange {
    /// Removes this row (and for groups the following ones).
    Remove(usize),
    /// Replaces this row by another (and for groups the following ones).
    Replace(usize, Vec<f64>),
    /// D has rows of one person from this row on, and all rows of this person are removed (and for
    /// groups those of the following people).
    RemoveAll(usize, PersonRows),
    /// D has rows of one person from this row on, and all rows of this person are replaced by
    /// others (and for groups those of the following people).
    ReplaceAll(usize, PersonRows, PersonRows),
    /// Each number moves, as far as the relation allows, in proportions that are given.
    Shift(Fill, Vec<(usize, f64)>),
    /// Moves this count up or down.
    Count(usize, f64),
}

/// Recipe of a pair of neighbors.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub rows: usize,
    /// Fill of each column of D.
    pub fills: Vec<Fill>,
    /// Entries of D with other values: row, column, value.
    pub edits: Vec<(usize, usize, f64)>,
    pub change: PlanChange,
}

impl Fill {
    /// The entries of a column with `rows` rows.
    fn entries(self, rows: usize) -> Box<dyn Iterator<Item = f64>> {
        match self {
            Self::Constant(x) => Box::new(std::iter::repeat_n(x, rows)),
            Self::Head(first, rest) => {
                Box::new((0..rows).map(move |row| if row == 0 { first } else { rest }))
            }
            Self::Tail(rest, last) => {
                Box::new((0..rows).map(move |row| if row + 1 == rows { last } else { rest }))
            }
            Self::Halves(a, b) => {
                Box::new((0..rows).map(move |row| if row < rows / 2 { a } else { b }))
            }
            Self::Alternating(a, b) => {
                Box::new((0..rows).map(move |row| if row % 2 == 0 { a } else { b }))
            }
            Self::Ramp(a, b) => {
                let last = rows.saturating_sub(1).max(1) as f64;
                Box::new((0..rows).map(move |row| {
                    let share = row as f64 / last;
                    a * (1.0 - share) + b * share
                }))
            }
            Self::Scattered(seed, a, b) => {
                let mut random = plaudit_core::random::Stream::seed_from_u64(seed);
                Box::new((0..rows).map(move |_| {
                    let share: f64 = random.random();
                    a * (1.0 - share) + b * share
                }))
            }
        }
    }

    pub(super) fn values(&mut self) -> [&mut f64; 2] {
        match self {
            // A constant has one; setting the other makes halves of it.
            Self::Constant(x) => {
                *self = Self::Halves(*x, *x);
                self.values()
            }
            Self::Head(a, b)
            | Self::Tail(a, b)
            | Self::Halves(a, b)
            | Self::Alternating(a, b)
            | Self::Ramp(a, b)
            | Self::Scattered(_, a, b) => [a, b],
        }
    }
}

impl Plan {
    /// Number of cells of both datasets: the cost of making the pair.
    pub fn cells(&self) -> usize {
        let more = match &self.change {
            PlanChange::ReplaceAll(_, _, to) => to.rows,
            _ => 0,
        };
        (2 * self.rows).saturating_add(more).saturating_mul(self.fills.len())
    }

    /// The pair, if its datasets are neighbors and belong to the domain.
    pub fn pair(
        &self,
        name: String,
        neighborhood: &Neighborhood,
    ) -> Option<Pair<plaudit_core::dataset::Dataset>> {
        let Neighborhood { domain, relation, group } = neighborhood;
        let size = domain.size();
        if !size.contains(&self.rows) {
            return None;
        }
        let d = self.entries(neighborhood);
        let d_prime = self.changed(&d, neighborhood)?;
        let width = domain.columns().len();
        if !size.contains(&(d_prime.len() / width)) {
            return None;
        }
        let [d, d_prime] = [d, d_prime].map(|entries| domain.dataset(entries));
        relation.check_group(&d, &d_prime, *group).ok()?;
        Some(Pair { name, d, d_prime })
    }

    /// The entries of D, row after row.
    fn entries(&self, neighborhood: &Neighborhood) -> Vec<f64> {
        let domain = &neighborhood.domain;
        let width = domain.columns().len();
        let mut entries = vec![0.0; self.rows * width];
        for (column, (fill, values)) in self.fills.iter().zip(domain.columns()).enumerate() {
            let places = entries.iter_mut().skip(column).step_by(width);
            for (place, x) in places.zip(fill.entries(self.rows)) {
                *place = values.nearest(x);
            }
        }
        for &(row, column, x) in &self.edits {
            if let Some(place) = entries.get_mut(row * width + column) {
                *place = domain.columns()[column].nearest(x);
            }
        }
        if let PlanChange::RemoveAll(at, block) | PlanChange::ReplaceAll(at, block, _) =
            &self.change
            && let Some(persons) = neighborhood.persons()
        {
            persons.write(&mut entries, *at, block);
        }
        entries
    }

    fn changed(&self, d: &[f64], neighborhood: &Neighborhood) -> Option<Vec<f64>> {
        let width = neighborhood.domain.columns().len();
        let group = usize::try_from(neighborhood.group).unwrap_or(usize::MAX);
        let rows = |row: usize| {
            let end = row.saturating_add(group).min(self.rows);
            (row < end).then_some(row * width..end * width)
        };
        match &self.change {
            PlanChange::Remove(row) => {
                let removed = rows(*row)?;
                // For a group, no more than the domain can spare.
                let spare = (self.rows - neighborhood.domain.size().start()) * width;
                let removed = removed.start..removed.end.min(removed.start + spare);
                Some([&d[..removed.start], &d[removed.end..]].concat())
            }
            PlanChange::Replace(row, with) => {
                let replaced = rows(*row)?;
                let mut changed = d.to_vec();
                for cells in changed[replaced].chunks_exact_mut(width) {
                    for ((cell, &x), values) in
                        cells.iter_mut().zip(with).zip(neighborhood.domain.columns())
                    {
                        *cell = values.nearest(x);
                    }
                }
                Some(changed)
            }
            PlanChange::RemoveAll(_, block) => Some(neighborhood.persons()?.removed(d, block)),
            PlanChange::ReplaceAll(_, block, to) => {
                let most = neighborhood.domain.size().end().saturating_mul(2);
                let persons = neighborhood.persons().filter(|_| to.rows <= most)?;
                Some(persons.replaced(d, block, to))
            }
            PlanChange::Shift(fill, edits) => self.shifted(d, (*fill, edits), neighborhood),
            PlanChange::Count(entry, by) => {
                let mut changed = d.to_vec();
                let count = changed.get_mut(*entry)?;
                *count = neighborhood.domain.columns()[0]
                    .nearest(*count + by * neighborhood.group as f64);
                Some(changed)
            }
        }
    }

    fn shifted(
        &self,
        d: &[f64],
        (fill, edits): (Fill, &[(usize, f64)]),
        neighborhood: &Neighborhood,
    ) -> Option<Vec<f64>> {
        let mut moves: Vec<f64> = fill.entries(self.rows).map(|x| x.clamp(-1.0, 1.0)).collect();
        for &(entry, x) in edits {
            *moves.get_mut(entry)? = x.clamp(-1.0, 1.0);
        }
        let (distance, norm) = match neighborhood.relation {
            Relation::L1(most) => (most, moves.iter().map(|x| x.abs()).sum::<f64>()),
            Relation::L2(most) => (most, moves.iter().map(|x| x * x).sum::<f64>().sqrt()),
            Relation::Linf(most) => {
                (most, moves.iter().fold(0.0, |most: f64, x| most.max(x.abs())))
            }
            Relation::Substitution
            | Relation::AddRemove
            | Relation::Histogram
            | Relation::RemoveAll(_)
            | Relation::ReplaceAll(_) => return None,
        };
        let scale = distance * neighborhood.group as f64 / norm;
        let values = &neighborhood.domain.columns()[0];
        let moved = d.iter().zip(moves).map(|(&from, by)| toward(from, by * scale, values));
        Some(moved.collect())
    }
}

/// A number moved by at most `by`, to a value.
fn toward(from: f64, by: f64, values: &Values) -> f64 {
    let to = match values {
        Values::Numbers { .. } => from + by,
        // Never further than allowed.
        Values::Integers { .. } => from + by.trunc(),
        // To the next value of the list; the relation is checked afterwards.
        Values::Among(_) if by == 0.0 => from,
        Values::Among(_) => from + by.signum(),
    };
    values.nearest(to)
}
