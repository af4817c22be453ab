//! Differences between two datasets, in words.

use super::{Cell, Dataset, Table};
use plaudit_accountant::number::words as number;
use serde_json::Value;

/// Maximum number of differences named.
const NAMED: usize = 8;

pub(super) enum RowsChange {
    None,
    Replaced(usize),
    /// The row at this position of the first list is removed.
    Removed(usize),
    /// A row comes, to this position of the second list.
    Added(usize),
    Many,
}

/// Compares two lists of rows, in order.
pub(super) fn change_of_one_row<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> RowsChange {
    let all_same = |a: &[T], b: &[T]| a.iter().zip(b).all(|(a, b)| same(a, b));
    let shorter = a.len().min(b.len());
    let first = a.iter().zip(b).position(|(a, b)| !same(a, b)).unwrap_or(shorter);
    match (a.len(), b.len()) {
        (n, m) if n == m && first == n => RowsChange::None,
        (n, m) if n == m && all_same(&a[first + 1..], &b[first + 1..]) => {
            RowsChange::Replaced(first)
        }
        (n, m) if n == m + 1 && all_same(&a[first + 1..], &b[first..]) => {
            RowsChange::Removed(first)
        }
        (n, m) if n + 1 == m && all_same(&a[first..], &b[first + 1..]) => RowsChange::Added(first),
        _ => RowsChange::Many,
    }
}

/// Most rows that may come and go: looking for them takes time with their square.
const MOST_MOVES: usize = 5_000;

/// Number of rows that must change to get from one list to the other, if at most `most`: replaced
/// in place, or removed and added (with the rest in order).
pub(super) fn moves<T>(
    a: &[T],
    b: &[T],
    same: impl Fn(&T, &T) -> bool,
    replaced: bool,
    most: usize,
) -> Option<usize> {
    if replaced {
        let differ = a.iter().zip(b).filter(|(a, b)| !same(a, b)).count();
        return (a.len() == b.len() && differ <= most).then_some(differ);
    }
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    // Myers 1986: the farthest row of `a` that is reached on each diagonal, with ever more moves.
    let (n, m) = (a.len() as isize, b.len() as isize);
    let most = most.min(a.len() + b.len()).min(MOST_MOVES);
    let at = |diagonal: isize| (diagonal + most as isize + 1) as usize;
    let mut reached = vec![0isize; 2 * most + 3];
    for moves in 0..=most as isize {
        for diagonal in (-moves..=moves).step_by(2) {
            let (above, below) = (reached[at(diagonal + 1)], reached[at(diagonal - 1)]);
            let down = diagonal == -moves || (diagonal != moves && below < above);
            let mut x = if down { above } else { below + 1 };
            while x < n && x - diagonal < m && same(&a[x as usize], &b[(x - diagonal) as usize]) {
                x += 1;
            }
            if x >= n && x - diagonal >= m {
                return Some(moves as usize);
            }
            reached[at(diagonal)] = x;
        }
    }
    None
}

/// `true` if two numbers are the same datum: equal bits, and any NaN is NaN. −0 and 0 are two data,
/// since a program can distinguish them.
pub(super) fn same_number(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// `true` if two rows hold the same data.
pub(super) fn same_cells(a: &[Cell], b: &[Cell]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(b))
}

pub(super) fn words(a: &Dataset, b: &Dataset) -> String {
    match (a, b) {
        (Dataset::Numbers(a), Dataset::Numbers(b)) => between_numbers(a, b),
        (Dataset::Table(a), Dataset::Table(b)) => between_tables(a, b),
        (Dataset::Json(Value::Array(a_list)), Dataset::Json(Value::Array(b_list))) => {
            match (a.as_numbers(), b.as_numbers()) {
                (Some(a), Some(b)) if a.len() == b.len() => between_numbers(&a, &b),
                _ => between_lists(a_list, b_list),
            }
        }
        (Dataset::Json(a), Dataset::Json(b)) => format!("{} → {}", short(a), short(b)),
        _ => "a table against a list of numbers".to_owned(),
    }
}

fn between_numbers(a: &[f64], b: &[f64]) -> String {
    match change_of_one_row(a, b, |a, b| same_number(*a, *b)) {
        RowsChange::None => "nothing".to_owned(),
        RowsChange::Removed(at) => format!("entry {at} removed: {}", number(a[at])),
        RowsChange::Added(at) => format!("entry {at} added: {}", number(b[at])),
        RowsChange::Replaced(_) | RowsChange::Many if a.len() == b.len() => moved_entries(a, b),
        _ => format!("{} entries against {}", a.len(), b.len()),
    }
}

/// "entry 0: 1 → 2, entries 1 to 4: 1 → 0": neighbors that move alike are listed together.
fn moved_entries(a: &[f64], b: &[f64]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in (0..a.len()).filter(|&at| !same_number(a[at], b[at])) {
        match runs.last_mut() {
            Some((_, end))
                if *end == at && same_number(a[at - 1], a[at]) && same_number(b[at - 1], b[at]) =>
            {
                *end = at + 1;
            }
            _ => runs.push((at, at + 1)),
        }
    }
    let say = |&(from, to): &(usize, usize)| {
        let change = format!("{} → {}", number(a[from]), number(b[from]));
        if to == from + 1 {
            format!("entry {from}: {change}")
        } else {
            format!("entries {from} to {}: {change}", to - 1)
        }
    };
    listed(&runs.iter().map(say).collect::<Vec<_>>())
}

fn between_tables(a: &Table, b: &Table) -> String {
    if a.columns != b.columns {
        return "tables of different columns".to_owned();
    }
    match change_of_one_row(&a.rows, &b.rows, |a, b| same_cells(a, b)) {
        RowsChange::None => "nothing".to_owned(),
        RowsChange::Removed(row) => format!("row {row} removed: {}", row_words(a, row)),
        RowsChange::Added(row) => format!("row {row} added: {}", row_words(b, row)),
        RowsChange::Replaced(row) => {
            let cells = a.columns.iter().zip(a.rows[row].iter().zip(&b.rows[row]));
            let changes = cells
                .filter(|(_, (before, after))| !before.is_same(after))
                .map(|(column, (before, after))| format!("{column} {before} → {after}"));
            format!("row {row}: {}", listed(&changes.collect::<Vec<_>>()))
        }
        RowsChange::Many if a.rows.len() == b.rows.len() => {
            let differ = a.rows.iter().zip(&b.rows).filter(|(a, b)| !same_cells(a, b)).count();
            format!("{differ} rows differ")
        }
        RowsChange::Many => format!("{} rows against {}", a.rows.len(), b.rows.len()),
    }
}

fn between_lists(a: &[Value], b: &[Value]) -> String {
    match change_of_one_row(a, b, PartialEq::eq) {
        RowsChange::None => "nothing".to_owned(),
        RowsChange::Removed(at) => format!("entry {at} removed: {}", short(&a[at])),
        RowsChange::Added(at) => format!("entry {at} added: {}", short(&b[at])),
        RowsChange::Replaced(at) => format!("entry {at}: {} → {}", short(&a[at]), short(&b[at])),
        RowsChange::Many if a.len() == b.len() => {
            let differ = a.iter().zip(b).filter(|(a, b)| a != b).count();
            format!("{differ} entries differ")
        }
        RowsChange::Many => format!("{} entries against {}", a.len(), b.len()),
    }
}

/// A value in a few words.
fn short(value: &Value) -> String {
    const MOST: usize = 60;
    shortened(&json_words(value), MOST)
}

/// A value as people read it: JSON, in which numbers that are not finite are words.
pub fn json_words(value: &Value) -> String {
    // In a text the quotes would have a backslash each.
    let numbers = [("nan", "NaN"), ("inf", "∞"), ("-inf", "−∞")];
    numbers.into_iter().fold(value.to_string(), |words, (word, shown)| {
        words.replace(&format!("{{\"$number\":\"{word}\"}}"), shown)
    })
}

/// Beginning of a text of at most `most` characters, with an ellipsis where it is cut.
pub fn shortened(words: &str, most: usize) -> String {
    if words.chars().count() <= most {
        return words.to_owned();
    }
    words.chars().take(most - 1).chain(['…']).collect()
}

fn row_words(table: &Table, row: usize) -> String {
    let cells = table.columns.iter().zip(&table.rows[row]);
    listed(&cells.map(|(column, cell)| format!("{column} {cell}")).collect::<Vec<_>>())
}

fn listed(items: &[String]) -> String {
    let mut list = items[..items.len().min(NAMED)].join(", ");
    if items.len() > NAMED {
        list.push_str(&format!(" and {} more", items.len() - NAMED));
    }
    list
}

#[cfg(test)]
#[path = "../../tests/unit/dataset/difference.rs"]
mod tests;
