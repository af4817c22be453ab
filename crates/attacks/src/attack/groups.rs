//! Comparison of members and others without any model.
//!
//! An attack on membership is measured on members and on others. If these are not from one population (other years,
//! another city), whatever tells them apart succeeds, with no release at all. So a classifier that sees only their rows,
//! never the model, is asked: it learns on one half of the rows and ranks the other half, and then the other way round
//! (Lopez-Paz, Oquab 2017, "Revisiting Classifier Two-Sample Tests"). Beside it, each feature alone is asked on all rows
//! how far its mean differs between the groups, and the farthest counts: a weak sign in one column, which learning on half
//! of the rows loses among the others. If rows are exchangeable between the groups, each relabeling is as likely as the
//! one seen, so both p-values are exact (Westfall, Young 1993, for the farthest of many), whatever was learned.

use super::coded::{CodedTable, Schema, cells};
use super::least_squares::minimise;
use super::people::names;
use plaudit_core::random::Stream;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::Serialize;
use std::path::Path;

/// Relabelings of all rows, and of each half.
const RELABELED: u32 = 1_999;
/// Features at most; products of columns are left out from there.
const MOST_FEATURES: usize = 300;
/// Values of a column of words that are features, the most frequent first.
const MOST_WORDS: usize = 16;
/// Cells of a column of numbers, of equal counts.
const CELLS: usize = 8;
/// The ranks, from −1 to 1, from which on a number is far out: one in fifty on each side.
const FAR: f64 = 0.96;
/// Weight of the squares of what is learned, for each row.
const RIDGE: f64 = 0.1;
/// Rows of each group that are compared, drawn at random if there are more; fewer of many columns, so that all features
/// take at most about 200 MB.
const MOST_ROWS: usize = 20_000;
const MOST_CELLS: usize = 400_000;
/// Rows of each group, at least.
pub const LEAST_ROWS: usize = 50;

/// People of both groups, members first, as one table.
#[derive(Clone, Debug)]
pub struct Groups {
    schema: Schema,
    table: CodedTable,
    members: usize,
}

impl Groups {
    /// Columns by name, each with a cell for every row, of which the first `members` are members. An empty cell is a missing
    /// value.
    ///
    /// # Errors
    /// If columns are of different lengths, or a group has fewer than [`LEAST_ROWS`] rows.
    pub fn of(columns: Vec<(String, Vec<String>)>, members: usize) -> Result<Self, String> {
        let (schema, table) = Schema::of(columns)?;
        let others = table.rows().saturating_sub(members);
        for (group, rows) in [("members", members), ("others", others)] {
            if rows < LEAST_ROWS {
                return Err(format!(
                    "there are {rows} rows of {group}, but at least {LEAST_ROWS} are needed"
                ));
            }
        }
        Ok(Self { schema, table, members })
    }

    /// Reads a CSV file of members, and one of others with the same columns in any order.
    ///
    /// # Errors
    /// As [`Groups::of`], and with file and line if a file cannot be read or lacks a column.
    pub fn read([members, others]: [&Path; 2]) -> Result<Self, String> {
        let columns = names(members)?;
        let inside = cells(members, &columns)?;
        let outside = cells(others, &columns)?;
        let count = inside.first().map_or(0, Vec::len);
        let both = inside.into_iter().zip(outside).map(|(a, b)| [a, b].concat());
        Self::of(columns.into_iter().zip(both).collect(), count)
    }
}

/// Comparison of the groups by a classifier that never saw the model, and by each feature alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupsCompared {
    pub members: u64,
    pub others: u64,
    /// Rows of both that were compared.
    pub compared: u64,
    /// p-value of rows that are exchangeable between the groups: that of the farthest feature or of the classifier (the
    /// smaller of both halves, doubled), whichever is less, doubled.
    pub p_value: f64,
    /// Chance that a member's row is ranked above another's, ½ for guessing: an estimate, the mean of both halves.
    pub auc: f64,
    /// `true` if the p-value is at most the level.
    pub differ: bool,
    /// The column whose features differ the most, or two of which a product does.
    pub most_by: Vec<String>,
}

/// Compares the groups at a level, in (0, 1).
pub fn compare_groups(groups: &Groups, alpha: f64, random: &mut Stream) -> GroupsCompared {
    let Groups { schema, table, members } = groups;
    let most = (MOST_CELLS / table.width()).clamp(LEAST_ROWS, MOST_ROWS);
    let mut drawn = |from: usize, to: usize| {
        let mut rows: Vec<usize> = (from..to).collect();
        rows.shuffle(random);
        rows.truncate(most);
        rows
    };
    let mut rows = drawn(0, *members);
    let count = rows.len();
    rows.extend(drawn(*members, table.rows()));
    let features = Features::of(schema, table, &rows);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.shuffle(random);
    let is_member = |row: &usize| *row < count;
    let (one, other) = order.split_at(order.len() / 2);
    let halves = [(one, other), (other, one)].map(|(learned, ranked)| {
        let weights = features.learn(learned, is_member);
        let scores: Vec<f64> = ranked.iter().map(|row| features.score(*row, &weights)).collect();
        ranking(&scores, ranked.iter().map(is_member).collect(), random)
    });
    let classifier = 2.0 * halves[0].0.min(halves[1].0);
    let (farthest, feature) = features.farthest(count, random);
    let p_value = (2.0 * classifier.min(farthest)).min(1.0);
    let most_by = feature.map_or(&[][..], |feature| &features.columns[feature]);
    GroupsCompared {
        members: *members as u64,
        others: (table.rows() - members) as u64,
        compared: rows.len() as u64,
        p_value,
        auc: f64::midpoint(halves[0].1, halves[1].1),
        differ: p_value <= alpha,
        most_by: most_by.iter().map(|column| schema.names()[*column].clone()).collect(),
    }
}

/// Columns of numbers of mean 0 and variance 1, made without looking at the groups.
struct Features {
    values: Vec<Vec<f32>>,
    /// The columns of the table that each is of.
    columns: Vec<Vec<usize>>,
}

impl Features {
    fn of(schema: &Schema, table: &CodedTable, rows: &[usize]) -> Self {
        let mut found = Self { values: Vec::new(), columns: Vec::new() };
        let mut levels: Vec<(usize, Vec<f64>)> = Vec::new();
        for column in 0..table.width() {
            let all = table.column(column);
            let values: Vec<f64> = rows.iter().map(|row| all[*row]).collect();
            found.add(column, values.iter().map(|value| value.is_nan()));
            for word in most_frequent(&values) {
                found.add(column, values.iter().map(|value| *value == word));
            }
            let size = |value: f64| match schema.is_numbers(column) {
                true => value,
                false => schema.length(column, value) as f64,
            };
            let level = ranks(values.iter().map(|value| (!value.is_nan()).then(|| size(*value))));
            let cell = |level: &f64| ((level + 1.0) / 2.0 * CELLS as f64) as usize;
            for at in 0..CELLS {
                found.add(column, level.iter().map(|level| cell(level).min(CELLS - 1) == at));
            }
            for far in [-1.0, 1.0] {
                found.add(column, level.iter().map(|level| level * far > FAR));
            }
            found.add_of(vec![column], level.iter().copied());
            found.add_of(vec![column], level.iter().map(|level| level * level));
            levels.push((column, level));
        }
        for (at, (one, a)) in levels.iter().enumerate() {
            for (other, b) in &levels[at + 1..] {
                if found.values.len() < MOST_FEATURES {
                    found.add_of(vec![*one, *other], a.iter().zip(b).map(|(a, b)| a * b));
                }
            }
        }
        found
    }

    fn add(&mut self, column: usize, are: impl Iterator<Item = bool>) {
        self.add_of(vec![column], are.map(|is| f64::from(u8::from(is))));
    }

    fn add_of(&mut self, columns: Vec<usize>, values: impl Iterator<Item = f64>) {
        let values: Vec<f64> = values.collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let deviation = (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
        if deviation > 1e-9 {
            self.values.push(values.iter().map(|x| ((x - mean) / deviation) as f32).collect());
            self.columns.push(columns);
        }
    }

    fn score(&self, row: usize, weights: &[f64]) -> f64 {
        self.values
            .iter()
            .zip(weights)
            .map(|(values, weight)| f64::from(values[row]) * weight)
            .sum()
    }

    /// The feature whose mean differs the farthest between the first `members` rows and the others, and the share of
    /// relabelings in which one differs as far.
    fn farthest(&self, members: usize, random: &mut Stream) -> (f64, Option<usize>) {
        let Some(rows) = self.values.first().map(Vec::len) else {
            return (1.0, None);
        };
        let farthest = |chosen: &[u32]| {
            let sum = |values: &Vec<f32>| -> f64 {
                chosen.iter().map(|row| f64::from(values[*row as usize])).sum::<f64>().abs()
            };
            let sums: Vec<f64> = self.values.par_iter().map(sum).collect();
            sums.into_iter()
                .enumerate()
                .fold((0, 0.0), |best, (at, sum)| if sum > best.1 { (at, sum) } else { best })
        };
        let mut order: Vec<u32> = (0..rows as u32).collect();
        let (feature, seen) = farthest(&order[..members]);
        let mut as_far = 1;
        for _ in 0..RELABELED {
            let (chosen, _) = order.partial_shuffle(random, members);
            as_far += u32::from(farthest(chosen).1 >= seen * (1.0 - 1e-9));
        }
        (f64::from(as_far) / f64::from(RELABELED + 1), Some(feature))
    }

    /// Weights of a least-squares fit of the groups, ±1 less their mean.
    fn learn(&self, rows: &[usize], is_member: impl Fn(&usize) -> bool) -> Vec<f64> {
        let share = rows.iter().filter(|row| is_member(row)).count() as f64 / rows.len() as f64;
        let targets: Vec<f64> =
            rows.iter().map(|row| f64::from(u8::from(is_member(row))) - share).collect();
        let back = |of_rows: &[f64]| -> Vec<f64> {
            let sum = |values: &Vec<f32>| {
                rows.iter().zip(of_rows).map(|(row, x)| f64::from(values[*row]) * x).sum()
            };
            self.values.iter().map(sum).collect()
        };
        let ridge = RIDGE * rows.len() as f64;
        minimise(vec![0.0; self.values.len()], back(&targets), |weights| {
            let fitted: Vec<f64> = rows.iter().map(|row| self.score(*row, weights)).collect();
            let mut image = back(&fitted);
            image.iter_mut().zip(weights).for_each(|(image, weight)| *image += ridge * weight);
            image
        })
    }
}

/// Values that occur more than once, the most frequent first.
fn most_frequent(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let equal = sorted.chunk_by(|a, b| a == b).filter(|equal| equal.len() > 1);
    let mut counts: Vec<(usize, f64)> = equal.map(|equal| (equal.len(), equal[0])).collect();
    counts.sort_by(|(m, _), (n, _)| n.cmp(m));
    counts.into_iter().take(MOST_WORDS).map(|(_, value)| value).collect()
}

/// Mid-ranks from −1 to 1; missing ones are 0.
fn ranks(numbers: impl ExactSizeIterator<Item = Option<f64>>) -> Vec<f64> {
    let mut found = vec![0.0; numbers.len()];
    let mut order: Vec<(f64, usize)> =
        numbers.enumerate().filter_map(|(at, x)| Some((x?, at))).collect();
    order.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
    let (mut below, count) = (0, order.len() as f64);
    for equal in order.chunk_by(|(a, _), (b, _)| a == b) {
        let middle = below as f64 + equal.len() as f64 / 2.0;
        equal.iter().for_each(|(_, at)| found[*at] = 2.0 * middle / count - 1.0);
        below += equal.len();
    }
    found
}

/// p-value of the members' rank sum under relabeling, of high ranks; and the share of pairs in which a member is ranked
/// higher.
fn ranking(scores: &[f64], mut labels: Vec<bool>, random: &mut Stream) -> (f64, f64) {
    let found = ranks(scores.iter().map(|score| Some(*score)));
    let sum = |labels: &[bool]| -> f64 {
        found.iter().zip(labels).filter(|(_, is_member)| **is_member).map(|(rank, _)| rank).sum()
    };
    let members = labels.iter().filter(|is_member| **is_member).count() as f64;
    let others = labels.len() as f64 - members;
    let seen = sum(&labels);
    // Sums in another order differ in their last bits.
    let close = 1e-9 * labels.len() as f64;
    let mut as_high = 1;
    for _ in 0..RELABELED {
        labels.shuffle(random);
        as_high += u32::from(sum(&labels) >= seen - close);
    }
    let p_value = f64::from(as_high) / f64::from(RELABELED + 1);
    // From a sum of ranks between −1 and 1 to the share of pairs.
    let auc = if members * others > 0.0 {
        0.5 + seen * (members + others) / (2.0 * members * others)
    } else {
        0.5
    };
    (p_value, auc)
}

#[cfg(test)]
#[path = "../../tests/unit/attack/groups.rs"]
mod tests;
