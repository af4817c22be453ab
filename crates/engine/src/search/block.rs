//! Rows of one person in the plan of a pair.

use super::domain::{SearchDomain, Values};
use plaudit_core::dataset::Relation;
use std::collections::HashSet;

/// Rows of one person: alike, or spread over all values of some columns.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonRows {
    pub rows: usize,
    /// The first row, with the person's place in the column of people.
    pub with: Vec<f64>,
    /// Columns in which the rows differ, as far as there are values; empty: all rows are alike.
    pub spread: Vec<usize>,
}

impl PersonRows {
    pub fn alike(rows: usize, with: &[f64]) -> Self {
        Self { rows, with: with.to_vec(), spread: Vec::new() }
    }

    /// Writes the cells of one of the rows, by its number.
    fn write(&self, cells: &mut [f64], number: usize, columns: &[Values]) {
        for ((cell, &x), values) in cells.iter_mut().zip(&self.with).zip(columns) {
            *cell = values.nearest(x);
        }
        // Columns step together; where the first ones have restarted, the next steps once more.
        let mut period = 1;
        for (place, &column) in self.spread.iter().enumerate() {
            let Some((values, cell)) = columns.get(column).zip(cells.get_mut(column)) else {
                continue;
            };
            period = least_common_multiple(period, distinct(values, self.rows));
            let again = if place > 0 { number / period.max(1) } else { 0 };
            *cell = spread(values, *cell, number + again, self.rows);
        }
    }
}

/// Number of different values that `rows` rows can have.
pub(super) fn distinct(values: &Values, rows: usize) -> usize {
    let (lower, upper) = values.bounds();
    match values {
        Values::Numbers { .. } if lower < upper => rows.max(1),
        Values::Numbers { .. } => 1,
        Values::Integers { .. } | Values::Among(_) => {
            rows.max(1).min((upper - lower + 1.0) as usize)
        }
    }
}

/// The value `steps` steps after `first`; the rows' steps are spread over all values.
fn spread(values: &Values, first: f64, steps: usize, rows: usize) -> f64 {
    let (lower, upper) = values.bounds();
    let width = upper - lower;
    let (all, step) = match values {
        Values::Numbers { .. } => {
            let step = width / rows.saturating_sub(1).max(1) as f64;
            (width + step, step)
        }
        Values::Integers { .. } | Values::Among(_) => {
            let all = width + 1.0;
            (all, (all / rows.max(1) as f64).floor().max(1.0))
        }
    };
    if !(width > 0.0 && all.is_finite()) {
        return first;
    }
    values.nearest(lower + (first - lower + steps as f64 * step) % all)
}

fn least_common_multiple(a: usize, b: usize) -> usize {
    let (mut divisor, mut rest) = (a, b);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor.max(1)).saturating_mul(b)
}

const MOST_PEOPLE: u64 = 10_000;

/// People whose rows change in a pair of a domain.
pub(super) struct Persons<'a> {
    /// Column that identifies a row's person.
    id: usize,
    columns: &'a [Values],
    group: u64,
}

impl<'a> Persons<'a> {
    /// `None`: the relation is not about people, or the domain does not have such a column.
    pub fn of(domain: &'a SearchDomain, relation: &Relation, group: u64) -> Option<Self> {
        let id = domain.column(&relation.people()?.id)?;
        Some(Self { id, columns: domain.columns(), group })
    }

    /// Writes the rows of a person into D, and of the following people of the group.
    pub fn write(&self, entries: &mut [f64], at: usize, block: &PersonRows) {
        let each = block.rows.max(1);
        let all = usize::try_from(self.group).unwrap_or(usize::MAX).saturating_mul(each);
        let rows = entries.chunks_exact_mut(self.columns.len()).skip(at).take(all);
        for (row, cells) in rows.enumerate() {
            self.write_row(cells, block, row % each, row / each);
        }
    }

    fn write_row(&self, cells: &mut [f64], block: &PersonRows, number: usize, person: usize) {
        block.write(cells, number, self.columns);
        cells[self.id] = after(cells[self.id], person, &self.columns[self.id]);
    }

    /// The people of a block, as far as a group reaches.
    fn of_group(&self, block: &PersonRows) -> Vec<f64> {
        let values = &self.columns[self.id];
        let first = values.nearest(block.with[self.id]);
        let people = 0..self.group.min(MOST_PEOPLE) as usize;
        let mut seen = HashSet::new();
        people
            .map(|person| after(first, person, values))
            .filter(|x| seen.insert(x.to_bits()))
            .collect()
    }

    /// D without the rows of the block's people.
    pub fn removed(&self, d: &[f64], block: &PersonRows) -> Vec<f64> {
        let gone = self.of_group(block);
        let rows = d.chunks_exact(self.columns.len());
        rows.filter(|row| !gone.contains(&row[self.id])).flatten().copied().collect()
    }

    /// D with other rows at the first place of each of the block's people, without the old ones.
    pub fn replaced(&self, d: &[f64], block: &PersonRows, to: &PersonRows) -> Vec<f64> {
        let gone = self.of_group(block);
        let mut changed = Vec::with_capacity(d.len());
        let mut done = vec![false; gone.len()];
        for row in d.chunks_exact(self.columns.len()) {
            match gone.iter().position(|person| *person == row[self.id]) {
                None => changed.extend_from_slice(row),
                Some(person) if done[person] => {}
                Some(person) => {
                    done[person] = true;
                    let mut new = row.to_vec();
                    for number in 0..to.rows.max(1) {
                        self.write_row(&mut new, to, number, person);
                        changed.extend_from_slice(&new);
                    }
                }
            }
        }
        changed
    }
}

/// The person `places` places after another, restarting after the last.
fn after(x: f64, places: usize, values: &Values) -> f64 {
    let (lower, upper) = values.bounds();
    let all = (upper - lower).floor() + 1.0;
    values.nearest(lower + (x - lower + places as f64) % all)
}
