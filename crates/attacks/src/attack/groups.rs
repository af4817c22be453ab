//! Whether members and others differ without any model.
//!
//! An attack on membership is measured on members and on others. If these are not from one population (other years,
//! another city), whatever tells them apart succeeds, with no release at all. So a classifier that sees only their rows,
//! never the model, is asked: it learns on one half of the rows and ranks the other half, and then the other way round
//! (Lopez-Paz, Oquab 2017, "Revisiting Classifier Two-Sample Tests"). Beside it, each feature alone is asked on all rows
//! how far its mean differs between the groups, and the farthest counts: a weak sign in one column, which learning on half
//! of the rows loses among the others. If rows are exchangeable between the groups, each relabeling is as likely as the
//! one seen, so both p-values are exact (Westfall, Young 1993, for the farthest of many), whatever was learned.

use super::least_squares::minimise;
use plaudit_core::random::Stream;
use rand::seq::SliceRandom;
use serde::Serialize;
use std::collections::HashMap;

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
/// Rows of each group that are compared, drawn at random if there are more.
const MOST_ROWS: usize = 20_000;
/// Rows of each group, at least.
pub const LEAST_ROWS: usize = 50;

/// Rows of one group: names of its columns, and its cells as text, row by row.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub columns: Vec<String>,
    pub cells: Vec<Vec<String>>,
}

/// What a classifier that never saw the model says of the two groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupsCompared {
    pub members: u64,
    pub others: u64,
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

/// Rows that allow no comparison.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GroupsError {
    #[error("there are {count} rows of {group}, but at least {LEAST_ROWS} are needed")]
    TooFew { group: &'static str, count: usize },
    #[error("the rows of members have the columns {members}, those of others {others}")]
    OtherColumns { members: String, others: String },
}

/// Compares the groups at a level.
///
/// # Errors
/// If a group has few rows, or the columns differ.
pub fn compare_groups(
    [members, others]: [&Rows; 2],
    alpha: f64,
    random: &mut Stream,
) -> Result<GroupsCompared, GroupsError> {
    for (group, rows) in [("members", members), ("others", others)] {
        if rows.cells.len() < LEAST_ROWS {
            return Err(GroupsError::TooFew { group, count: rows.cells.len() });
        }
    }
    if members.columns != others.columns {
        let list = |rows: &Rows| rows.columns.join(", ");
        return Err(GroupsError::OtherColumns { members: list(members), others: list(others) });
    }
    let [inside, outside] = [members, others].map(|rows| {
        let mut all: Vec<&Vec<String>> = rows.cells.iter().collect();
        let _ = all.partial_shuffle(random, MOST_ROWS);
        // What is drawn is at the end.
        all.split_off(all.len().saturating_sub(MOST_ROWS))
    });
    let count = inside.len();
    let rows: Vec<&Vec<String>> = inside.into_iter().chain(outside).collect();
    let features = Features::of(&rows, members.columns.len());
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
    Ok(GroupsCompared {
        members: members.cells.len() as u64,
        others: others.cells.len() as u64,
        p_value,
        auc: f64::midpoint(halves[0].1, halves[1].1),
        differ: p_value <= alpha,
        most_by: most_by.iter().map(|column| members.columns[*column].clone()).collect(),
    })
}

/// Columns of numbers of mean 0 and variance 1, made without looking at the groups.
struct Features {
    values: Vec<Vec<f32>>,
    /// The columns of the table that each is of.
    columns: Vec<Vec<usize>>,
}

impl Features {
    fn of(rows: &[&Vec<String>], columns: usize) -> Self {
        let mut found = Self { values: Vec::new(), columns: Vec::new() };
        let mut levels: Vec<(usize, Vec<f64>)> = Vec::new();
        for column in 0..columns {
            let cells: Vec<&str> =
                rows.iter().map(|row| row.get(column).map_or("", |cell| cell.trim())).collect();
            let number = |cell: &&str| cell.parse::<f64>().ok().filter(|x| !x.is_nan());
            let numbers: Vec<Option<f64>> = cells.iter().map(number).collect();
            let is_numeric =
                numbers.iter().zip(&cells).all(|(x, cell)| x.is_some() || cell.is_empty());
            found.add(column, cells.iter().map(|cell| f64::from(u8::from(cell.is_empty()))));
            found.add_words(column, &cells);
            let numbers = match is_numeric {
                true => numbers,
                false => cells.iter().map(|cell| Some(cell.chars().count() as f64)).collect(),
            };
            let level = ranks(&numbers);
            for cell in 0..CELLS {
                let place = |level: &f64| ((level + 1.0) / 2.0 * CELLS as f64) as usize;
                let is_in = level.iter().map(|level| place(level).min(CELLS - 1) == cell);
                found.add(column, is_in.map(|is_in| f64::from(u8::from(is_in))));
            }
            for far in [-1.0, 1.0] {
                found.add(column, level.iter().map(|x| f64::from(u8::from(x * far > FAR))));
            }
            found.add(column, level.iter().copied());
            found.add(column, level.iter().map(|level| level * level));
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

    fn add(&mut self, column: usize, values: impl Iterator<Item = f64>) {
        self.add_of(vec![column], values);
    }

    fn add_words(&mut self, column: usize, cells: &[&str]) {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        cells.iter().for_each(|cell| *counts.entry(cell).or_default() += 1);
        let mut words: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 1).collect();
        words.sort_unstable_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
        for (word, _) in words.into_iter().take(MOST_WORDS) {
            self.add(column, cells.iter().map(|cell| f64::from(u8::from(*cell == word))));
        }
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
            let sums = self.values.iter().map(sum).enumerate();
            sums.fold((0, 0.0), |best, (at, sum)| if sum > best.1 { (at, sum) } else { best })
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

/// Mid-ranks from −1 to 1; missing ones are 0.
fn ranks(numbers: &[Option<f64>]) -> Vec<f64> {
    let mut order: Vec<(f64, usize)> =
        numbers.iter().enumerate().filter_map(|(at, x)| Some(((*x)? + 0.0, at))).collect();
    order.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut found = vec![0.0; numbers.len()];
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
    let found = ranks(&scores.iter().map(|score| Some(*score)).collect::<Vec<_>>());
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
    // The mean rank of members is AUC·others/n·2 − … : from ranks of −1 to 1 to the share of pairs.
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
