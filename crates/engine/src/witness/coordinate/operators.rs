//! The small operators of the grammar: from list to list, from list to number, from two numbers to one.

use plaudit_accountant::number;
use serde::{Deserialize, Serialize};

/// A list from a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operator {
    /// Ascending, without NaNs.
    Sorted,
    /// Each entry but the first, minus the one before.
    Differences,
    Absolute,
    /// Sums of the first 1, 2, … entries.
    Cumulated,
    /// Less the mean of the entries that are not NaN.
    Centered,
    Reversed,
    /// For each entry the number of smaller ones.
    Ranks,
    /// Each entry but the last, times the next one.
    Products,
}

impl Operator {
    pub const ALL: [Self; 8] = [
        Self::Sorted,
        Self::Differences,
        Self::Absolute,
        Self::Cumulated,
        Self::Centered,
        Self::Reversed,
        Self::Ranks,
        Self::Products,
    ];

    /// Replaces a list by the result; `spare` is overwritten.
    pub fn apply(self, list: &mut Vec<f64>, spare: &mut Vec<f64>) {
        match self {
            Self::Sorted => {
                list.retain(|x| !x.is_nan());
                list.sort_unstable_by(f64::total_cmp);
            }
            Self::Differences => neighbors(list, |a, b| b - a),
            Self::Products => neighbors(list, |a, b| a * b),
            Self::Absolute => list.iter_mut().for_each(|x| *x = x.abs()),
            Self::Cumulated => {
                let mut sum = 0.0;
                for x in list {
                    sum += *x;
                    *x = sum;
                }
            }
            Self::Centered => {
                let (sum, count) = list
                    .iter()
                    .filter(|x| !x.is_nan())
                    .fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
                list.iter_mut().for_each(|x| *x -= sum / count);
            }
            Self::Reversed => list.reverse(),
            Self::Ranks => {
                spare.clear();
                spare.extend(list.iter().map(|x| list.iter().filter(|y| *y < x).count() as f64));
                std::mem::swap(list, spare);
            }
        }
    }

    /// The list that these make, in order, of a source.
    pub fn list_words(all: &[Self], source: String) -> String {
        match all {
            [] => source,
            [before @ .., Self::Differences, Self::Differences] => {
                format!("second differences of the {}", Self::list_words(before, source))
            }
            [before @ .., Self::Differences, Self::Cumulated] => {
                format!("differences from the first of the {}", Self::list_words(before, source))
            }
            [before @ .., last] => {
                format!("{} {}", last.words(), Self::list_words(before, source))
            }
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Sorted => "sorted",
            Self::Differences => "differences of neighbors of the",
            Self::Absolute => "absolute",
            Self::Cumulated => "running sums of the",
            Self::Centered => "centered",
            Self::Reversed => "reversed",
            Self::Ranks => "ranks of the",
            Self::Products => "products of neighbors of the",
        }
    }
}

/// Replaces a list by a number for each two neighbors.
fn neighbors(list: &mut Vec<f64>, of: impl Fn(f64, f64) -> f64) {
    for at in 1..list.len() {
        list[at - 1] = of(list[at - 1], list[at]);
    }
    list.pop();
}

/// A statistic of those entries of a list that are in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Within {
    /// Number of entries.
    Count,
    /// Length of the longest run.
    LongestRun,
    /// Position of the first one.
    First,
}

/// A number from two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    Sum,
    Difference,
    Product,
    Ratio,
}

impl Pairing {
    pub const ALL: [Self; 4] = [Self::Sum, Self::Difference, Self::Product, Self::Ratio];

    pub fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Sum => a + b,
            Self::Difference => a - b,
            Self::Product => a * b,
            Self::Ratio => a / b,
        }
    }

    pub fn words(self, a: &str, b: &str) -> String {
        match self {
            Self::Sum => format!("({a}) plus ({b})"),
            Self::Difference => format!("({a}) minus ({b})"),
            Self::Product => format!("({a}) times ({b})"),
            Self::Ratio => format!("({a}) divided by ({b})"),
        }
    }
}

impl Within {
    pub const ALL: [Self; 3] = [Self::Count, Self::LongestRun, Self::First];

    pub fn read(self, vector: &[f64], from: f64, below: f64) -> Option<f64> {
        let is_in = |x: &f64| *x >= from && (*x < below || below == f64::INFINITY);
        match self {
            Self::Count => Some(vector.iter().filter(|x| is_in(x)).count() as f64),
            Self::First => vector.iter().position(is_in).map(|at| at as f64),
            Self::LongestRun => {
                let (mut longest, mut run) = (0usize, 0);
                for x in vector {
                    run = if is_in(x) { run + 1 } else { 0 };
                    longest = longest.max(run);
                }
                Some(longest as f64)
            }
        }
    }

    pub fn words(self, from: f64, below: f64) -> String {
        let number = number::words;
        let entries = match (from == f64::NEG_INFINITY, below == f64::INFINITY) {
            _ if below == from.next_up() => format!("equal to {}", number(from)),
            (true, _) => format!("below {}", number(below)),
            (false, true) => format!("of at least {}", number(from)),
            (false, false) => format!("from {} to below {}", number(from), number(below)),
        };
        match self {
            Self::Count => format!("number of entries {entries}"),
            Self::LongestRun => format!("longest run of entries {entries}"),
            Self::First => format!("index of the first entry {entries}"),
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/coordinate/operators.rs"]
mod tests;
