//! The rows of two datasets side by side, with those in view that differ.

use super::difference::{same_cells, same_number};
use super::{Dataset, written};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Rows before and after one that differs, for the eye.
const AROUND: usize = 2;
/// Most rows that differ that are shown, and most rows of all.
const DIFFERING: usize = 8;
const MOST: usize = 24;
/// A row with longer JSON is shown by its beginning.
const LONGEST: usize = 400;

/// A row of D next to the corresponding row of D'. Rows that both have and that lie far from any
/// that differ are left out: then `at_d` jumps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PairRow {
    /// Place in D, from 0; left out if D has no such row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_d: Option<usize>,
    /// Place in D', likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_d_prime: Option<usize>,
    /// The row or entry of D, its beginning as a string if it is long.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub d: Value,
    /// The same of D'.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub d_prime: Value,
    /// `true` if they differ.
    pub differs: bool,
}

/// Rows of two datasets around those that differ; empty if they do not have rows of the same kind, or have
/// no rows.
pub fn pair_rows(d: &Dataset, d_prime: &Dataset) -> Vec<PairRow> {
    match (d, d_prime) {
        (Dataset::Numbers(a), Dataset::Numbers(b)) => {
            let number = |x: &f64| written(std::slice::from_ref(x))[0].clone();
            aligned(a, b, |a, b| same_number(*a, *b), number)
        }
        (Dataset::Table(a), Dataset::Table(b)) if a.columns == b.columns => {
            let cells = |row: &Vec<_>| serde_json::to_value(row).unwrap_or(Value::Null);
            aligned(&a.rows, &b.rows, |a, b| same_cells(a, b), cells)
        }
        (Dataset::Json(a), Dataset::Json(b)) => json_rows(a, b),
        _ => Vec::new(),
    }
}

/// Rows of two datasets as JSON: of lists.
pub fn json_rows(d: &Value, d_prime: &Value) -> Vec<PairRow> {
    match (d, d_prime) {
        (Value::Array(a), Value::Array(b)) => aligned(a, b, PartialEq::eq, Value::clone),
        _ => Vec::new(),
    }
}

/// Rows are paired from both ends as long as they are equal; the rest is paired in order if both sides are
/// equally long, else shown one after the other.
fn aligned<T>(
    a: &[T],
    b: &[T],
    same: impl Fn(&T, &T) -> bool,
    show: impl Fn(&T) -> Value,
) -> Vec<PairRow> {
    let before = a.iter().zip(b).take_while(|(a, b)| same(a, b)).count();
    let (a_rest, b_rest) = (&a[before..], &b[before..]);
    let ends = a_rest.iter().rev().zip(b_rest.iter().rev());
    let after = ends.take_while(|(a, b)| same(a, b)).count();
    let (a_end, b_end) = (a.len() - after, b.len() - after);
    let in_order = a_end == b_end;
    let middle: Vec<(Option<usize>, Option<usize>)> = match in_order {
        true => (before..a_end).map(|at| (Some(at), Some(at))).collect(),
        false => {
            let gone = (before..a_end).map(|at| (Some(at), None));
            gone.chain((before..b_end).map(|at| (None, Some(at)))).collect()
        }
    };
    let both = |(a, b): (usize, usize)| (Some(a), Some(b));
    let head = (0..before).map(|at| both((at, at)));
    let tail = (0..after).map(|at| both((a_end + at, b_end + at)));
    let all: Vec<_> = head.chain(middle).chain(tail).collect();
    let differs = |&(x, y): &(Option<usize>, Option<usize>)| match (x, y) {
        (Some(x), Some(y)) => !same(&a[x], &b[y]),
        _ => true,
    };
    let marks: Vec<bool> = all.iter().map(differs).collect();
    let first: Vec<usize> =
        marks.iter().enumerate().filter(|(_, m)| **m).map(|(at, _)| at).take(DIFFERING).collect();
    let near = |at: usize| first.iter().any(|differing| at.abs_diff(*differing) <= AROUND);
    let shown = (0..all.len()).filter(|&at| near(at)).take(MOST);
    shown
        .map(|at| {
            let (at_d, at_d_prime) = all[at];
            PairRow {
                at_d,
                at_d_prime,
                d: at_d.map_or(Value::Null, |at| brief(show(&a[at]))),
                d_prime: at_d_prime.map_or(Value::Null, |at| brief(show(&b[at]))),
                differs: marks[at],
            }
        })
        .collect()
}

fn brief(value: Value) -> Value {
    let words = value.to_string();
    if words.len() <= LONGEST {
        return value;
    }
    words.chars().take(LONGEST / 2).chain(['…']).collect::<String>().into()
}

#[cfg(test)]
#[path = "../../tests/unit/dataset/rows.rs"]
mod tests;
