//! Guesses: conditions that one released row satisfies.

use crate::attack::coded::{CodedTable, Schema, range};
use plaudit_core::random::Stream;
use plaudit_core::visible::excerpt;
use rand::RngExt;
use rand::seq::SliceRandom;
use std::collections::HashSet;

/// Draws for each guess that is wanted: some conditions are satisfied by several released rows.
const DRAWS: usize = 20;

/// A condition on the cell of one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Condition {
    /// The same number or word.
    Equals(f64),
    AtMost(f64),
    AtLeast(f64),
    /// The cell is empty.
    Missing,
}

/// Conditions on different columns that hold together.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// Places of the columns, ascending, with their conditions.
    pub conditions: Vec<(usize, Condition)>,
}

impl Condition {
    fn holds(self, value: f64) -> bool {
        match self {
            Self::Equals(wanted) => value == wanted,
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
            Self::Missing => value.is_nan(),
        }
    }
}

impl Guess {
    /// The first `most` rows of the table that satisfy it.
    pub(super) fn rows(&self, table: &CodedTable, most: usize) -> Vec<usize> {
        let holds = |row: &usize| {
            self.conditions
                .iter()
                .all(|(place, condition)| condition.holds(table.column(*place)[*row]))
        };
        (0..table.rows()).filter(holds).take(most).collect()
    }

    pub(super) fn is_of_one(&self, table: &CodedTable) -> bool {
        self.rows(table, 2).len() == 1
    }

    /// In words, such as `age >= 91 and sex = f`.
    pub fn words(&self, schema: &Schema) -> String {
        let word = |(place, condition): &(usize, Condition)| {
            let name = excerpt(schema.names()[*place].as_bytes());
            let told =
                |sign: &str, value: f64| format!("{name} {sign} {}", schema.shown(*place, value));
            match *condition {
                Condition::Equals(value) => told("=", value),
                Condition::AtMost(value) => told("<=", value),
                Condition::AtLeast(value) => told(">=", value),
                Condition::Missing => format!("{name} is empty"),
            }
        };
        self.conditions.iter().map(word).collect::<Vec<_>>().join(" and ")
    }
}

/// Up to `wanted` different guesses of `conditions` conditions, each satisfied by exactly one released row: from the
/// release alone.
///
/// With one condition: values that occur once, the least and the greatest number, an empty cell. With several: random
/// columns of a random released row. Numbers are at least its value where that is above the column's median, else at most
/// (Giomi et al. 2023, section 4.1).
pub fn guesses(
    schema: &Schema,
    released: &CodedTable,
    (wanted, conditions): (usize, usize),
    random: &mut Stream,
) -> Vec<Guess> {
    if conditions == 1 {
        let mut all: Vec<Guess> =
            (0..released.width()).flat_map(|place| of_column(schema, released, place)).collect();
        all.shuffle(random);
        all.truncate(wanted);
        return all;
    }
    let middles: Vec<f64> =
        (0..released.width()).map(|place| median(released.column(place))).collect();
    let mut rows: Vec<usize> = (0..released.rows()).collect();
    let mut places: Vec<usize> = (0..released.width()).collect();
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for draw in 0..wanted.saturating_mul(DRAWS) {
        // Each row is taken once before any is taken again.
        if draw % rows.len() == 0 {
            rows.shuffle(random);
        }
        let row = rows[draw % rows.len()];
        let chosen = places.partial_shuffle(random, conditions).0;
        chosen.sort_unstable();
        let chosen = chosen.to_vec();
        let of = |place: usize| {
            let value = released.column(place)[row];
            let condition = match (value.is_nan(), schema.is_numbers(place)) {
                (true, _) => Condition::Missing,
                (false, false) => Condition::Equals(value),
                (false, true) if value > middles[place] => Condition::AtLeast(value),
                (false, true) => Condition::AtMost(value),
            };
            (place, condition)
        };
        let guess = Guess { conditions: chosen.iter().map(|place| of(*place)).collect() };
        if seen.insert((row, chosen)) && guess.is_of_one(released) {
            found.push(guess);
            if found.len() == wanted {
                break;
            }
        }
    }
    found
}

/// As many conditions on random columns, whose values come from the range of each column alone: numbers between the least
/// and the greatest, any word.
pub fn blind(
    schema: &Schema,
    released: &CodedTable,
    (wanted, conditions): (usize, usize),
    random: &mut Stream,
) -> Vec<Guess> {
    let mut places: Vec<usize> = (0..released.width()).collect();
    let ranges: Vec<[f64; 2]> =
        (0..released.width()).map(|place| range(released.column(place))).collect();
    let mut one = |_| {
        let chosen = places.partial_shuffle(random, conditions).0;
        chosen.sort_unstable();
        let chosen = chosen.to_vec();
        let of = |place: usize| {
            let condition = match schema.words(place) {
                0 if schema.is_numbers(place) => {
                    let [least, most] = ranges[place];
                    let value = least + (most - least) * random.random::<f64>();
                    match random.random::<bool>() {
                        true => Condition::AtLeast(value),
                        false => Condition::AtMost(value),
                    }
                }
                0 => Condition::Missing,
                words => Condition::Equals(random.random_range(0..words) as f64),
            };
            (place, condition)
        };
        Guess { conditions: chosen.into_iter().map(of).collect() }
    };
    (0..wanted).map(&mut one).collect()
}

/// All guesses of one condition on a column.
fn of_column(schema: &Schema, released: &CodedTable, place: usize) -> Vec<Guess> {
    let mut values = released.column(place).to_vec();
    // Empty cells come last.
    values.sort_by(f64::total_cmp);
    let filled = values.iter().take_while(|value| !value.is_nan()).count();
    let missing = (values.len() - filled == 1).then_some(Condition::Missing);
    values.truncate(filled);
    let is_once = |at: usize| {
        (at == 0 || values[at - 1] != values[at]) && values.get(at + 1) != Some(&values[at])
    };
    let condition = |at: usize| match (schema.is_numbers(place), at) {
        (true, 0) => Condition::AtMost(values[at]),
        (true, at) if at + 1 == filled => Condition::AtLeast(values[at]),
        _ => Condition::Equals(values[at]),
    };
    let once = (0..filled).filter(|at| is_once(*at)).map(condition);
    once.chain(missing).map(|condition| Guess { conditions: vec![(place, condition)] }).collect()
}

fn median(values: &[f64]) -> f64 {
    let mut values: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let middle = values.len() / 2;
    if values.is_empty() {
        return 0.0;
    }
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}
