//! Guesses of a secret by the nearest released rows.

use crate::attack::coded::{CodedTable, Schema, range};
use rayon::prelude::*;

/// Known columns of the release, ready for distances.
struct Known<'a> {
    place: usize,
    values: &'a [f64],
    /// For numbers whose range is above 0: one over the range.
    scale: Option<f64>,
}

/// A guess about one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Gower distance to the nearest released row: mean over the known columns, in [0, 1].
    pub distance: f64,
    /// Code of the guess: a value of the secret.
    pub guess: f64,
}

/// Guesses the secret of each row of `targets` by its `neighbors` nearest rows of the release, whose secret is not empty: the
/// most frequent secret of them, that of the nearer one if several are. Of rows at the same distance the first ones in the
/// release count. `None` if the release has no secret.
///
/// Distance (Gower 1971): in each of the `known` columns numbers differ by the absolute difference over the range in the
/// release, at most 1; words by 0 or 1, and so does an empty cell from a value.
pub fn nearest(
    schema: &Schema,
    [released, targets]: [&CodedTable; 2],
    (known, secret): (&[usize], usize),
    neighbors: usize,
) -> Option<Vec<Nearest>> {
    let secrets = released.column(secret);
    if neighbors == 0 || secrets.iter().all(|secret| secret.is_nan()) {
        return None;
    }
    let known: Vec<Known<'_>> =
        known.iter().map(|place| Known::of(schema, released, *place)).collect();
    let guess = |sums: &mut Vec<f64>, row: usize| {
        sums.clear();
        // A row without a secret is never the nearest.
        sums.extend(secrets.iter().map(|secret| if secret.is_nan() { f64::INFINITY } else { 0.0 }));
        known.iter().for_each(|column| column.add(targets.column(column.place)[row], sums));
        let nearest = first_of(sums, neighbors);
        let distance = sums[nearest[0]] / known.len().max(1) as f64;
        Nearest { distance, guess: most_frequent(nearest.iter().map(|row| secrets[*row])) }
    };
    Some((0..targets.rows()).into_par_iter().map_init(Vec::new, guess).collect())
}

impl<'a> Known<'a> {
    fn of(schema: &Schema, released: &'a CodedTable, place: usize) -> Self {
        let values = released.column(place);
        let [least, most] = range(values);
        let scale = (schema.is_numbers(place) && most > least).then(|| 1.0 / (most - least));
        Self { place, values, scale }
    }

    /// Adds the distances of a value to those of all released rows.
    fn add(&self, value: f64, sums: &mut [f64]) {
        let pairs = sums.iter_mut().zip(self.values);
        match self.scale {
            _ if value.is_nan() => {
                pairs.for_each(|(sum, other)| *sum += if other.is_nan() { 0.0 } else { 1.0 });
            }
            // The lesser of NaN and 1 is 1.
            Some(scale) => {
                pairs.for_each(|(sum, other)| *sum += ((other - value).abs() * scale).min(1.0));
            }
            None => pairs.for_each(|(sum, other)| *sum += if *other == value { 0.0 } else { 1.0 }),
        }
    }
}

/// Places of the `count` least sums that are finite, ascending; the first place where sums are equal.
fn first_of(sums: &[f64], count: usize) -> Vec<usize> {
    if count == 1 {
        let least = (1..sums.len())
            .fold(0, |best, place| if sums[place] < sums[best] { place } else { best });
        return vec![least];
    }
    let mut places: Vec<usize> = (0..sums.len()).filter(|place| sums[*place].is_finite()).collect();
    let order =
        |one: &usize, other: &usize| sums[*one].total_cmp(&sums[*other]).then(one.cmp(other));
    if count < places.len() {
        places.select_nth_unstable_by(count, order);
        places.truncate(count);
    }
    places.sort_unstable_by(order);
    places
}

/// The most frequent value; the first one of several.
fn most_frequent(values: impl Iterator<Item = f64>) -> f64 {
    let mut counts: Vec<(f64, usize)> = Vec::new();
    for value in values {
        match counts.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    let best =
        counts.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map_or(f64::NAN, |(value, _)| value)
}

/// The most frequent value that is not empty; the least one of several.
pub(super) fn constant(values: &[f64]) -> f64 {
    let mut values: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    values.sort_by(f64::total_cmp);
    let runs = values.chunk_by(|one, other| one == other);
    let longest = runs.reduce(|best, run| if run.len() > best.len() { run } else { best });
    longest.map_or(f64::NAN, |run| run[0])
}
