//! Which datasets are neighbors.

use super::difference::{RowsChange, change_of_one_row, moves, same_cells, same_number};
use super::people::{self, People};
use super::{Dataset, Table};
use plaudit_accountant::number::words;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::any::Any;
use std::fmt::Debug;

/// Relative excess allowed for a distance over the declared one: the rounding of a sum of doubles.
const ROUNDING: f64 = 1e-12;

/// Prefix of a relation that was stated in words and is unchecked.
pub const UNCHECKED: &str = "unchecked:";

/// Prefix of relations about people with many rows, in words.
const REMOVE_ALL: &str = "remove-all ";
const REPLACE_ALL: &str = "replace-all ";

/// A neighboring relation; part of every claim and every report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// Same number of rows, exactly one row differs ("bounded", "replace-one").
    Substitution,
    /// One dataset is the other with a single extra row ("unbounded").
    AddRemove,
    /// Counts that differ by one in one cell: the same thing as add/remove, on counts.
    Histogram,
    /// Vectors of exact answers at most this far apart in the sum of absolute differences.
    L1(f64),
    /// Vectors of exact answers at most this far apart in Euclidean norm.
    L2(f64),
    /// Vectors of exact answers, each coordinate at most this far apart.
    Linf(f64),
    /// One dataset is the other less all rows of one person, the rest in order (user-level privacy, "unbounded").
    RemoveAll(People),
    /// All rows of one person are replaced by one or more rows of one person, who has the same id or a new one;
    /// the rest in order (user-level privacy, "bounded").
    ReplaceAll(People),
}

/// Reason why two datasets are not neighbors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the datasets are not neighbors under {relation}: {why}")]
pub struct NotNeighbors {
    /// The relation in words.
    pub relation: String,
    pub why: String,
}

impl Relation {
    /// Checks that two datasets are (distinct) neighbors.
    ///
    /// Rows are in order: under substitution exactly one position differs, under add/remove one row is inserted
    /// anywhere, and all rows of a person may be anywhere among those of others. Distances may exceed the declared one
    /// by a relative 1e-12, the rounding of a sum.
    ///
    /// # Errors
    /// [`NotNeighbors`] with the reason. Identical datasets are refused: they can show no violation.
    pub fn check(&self, d: &Dataset, d_prime: &Dataset) -> Result<(), NotNeighbors> {
        d.check(d_prime, self, 1)
    }

    /// Checks that two datasets are distinct, and a chain of at most `size` neighbors apart: `size` rows or people
    /// differ, or `size` times the distance.
    ///
    /// # Errors
    /// Same as [`Relation::check`].
    pub fn check_group(
        &self,
        d: &Dataset,
        d_prime: &Dataset,
        size: u64,
    ) -> Result<(), NotNeighbors> {
        d.check(d_prime, self, size)
    }

    fn refuse(&self, why: impl Into<String>) -> NotNeighbors {
        NotNeighbors { relation: self.to_string(), why: why.into() }
    }

    /// A relation about people with many rows, as its display form has it.
    pub fn people_from_words(words: &str) -> Option<Self> {
        let of = |prefix| words.strip_prefix(prefix).and_then(People::from_words);
        of(REMOVE_ALL).map(Self::RemoveAll).or_else(|| of(REPLACE_ALL).map(Self::ReplaceAll))
    }

    /// Whose rows change, if it is about people with many rows.
    pub fn people(&self) -> Option<&People> {
        match self {
            Self::RemoveAll(people) | Self::ReplaceAll(people) => Some(people),
            _ => None,
        }
    }

    /// Change that turns a dataset into another one, as in [`Dataset::difference_words`]; for people with many rows
    /// `person id 2 removed: 3 rows`.
    pub fn difference_words(&self, d: &Dataset, d_prime: &Dataset) -> String {
        let words = self.people().and_then(|people| people::words(d, d_prime, people));
        words.unwrap_or_else(|| d.difference_words(d_prime))
    }

    /// Checks datasets under a relation about people with many rows.
    fn check_people(&self, d: &Dataset, d_prime: &Dataset, size: u64) -> Result<(), NotNeighbors> {
        let checked = match self {
            Self::RemoveAll(people) => people::removed(d, d_prime, people, size),
            Self::ReplaceAll(people) => people::replaced(d, d_prime, people, size),
            _ => Ok(()),
        };
        checked.map_err(|why| self.refuse(why))
    }

    /// `true` if the relation is about rows, so that it fits data of any type.
    pub fn is_of_rows(&self) -> bool {
        matches!(self, Self::Substitution | Self::AddRemove)
    }
}

impl std::fmt::Display for Relation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Substitution => f.write_str("substitution"),
            Self::AddRemove => f.write_str("add-remove"),
            Self::Histogram => f.write_str("histogram"),
            Self::L1(distance) => write!(f, "l1 distance {distance}"),
            Self::L2(distance) => write!(f, "l2 distance {distance}"),
            Self::Linf(distance) => write!(f, "linf distance {distance}"),
            Self::RemoveAll(people) => write!(f, "{REMOVE_ALL}{people}"),
            Self::ReplaceAll(people) => write!(f, "{REPLACE_ALL}{people}"),
        }
    }
}

/// Neighboring relation of an audit's pairs, as stated.
#[derive(Clone, Debug)]
pub enum Stated {
    /// One that all pairs were checked under.
    Checked(Relation),
    /// One in words, for datasets that only programs know.
    Words(String),
    /// No single one: the pairs are neighbors as they are given.
    AsGiven,
}

impl Stated {
    /// The relation, if all pairs were checked under it.
    pub fn checked(&self) -> Option<&Relation> {
        match self {
            Self::Checked(relation) => Some(relation),
            Self::Words(_) | Self::AsGiven => None,
        }
    }
}

impl std::fmt::Display for Stated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Checked(relation) => write!(f, "{relation}"),
            Self::Words(words) => write!(f, "{UNCHECKED} {words}"),
            Self::AsGiven => f.write_str("as given, not checked"),
        }
    }
}

/// Data on which neighboring relations make sense.
pub trait Neighboring {
    /// Checks that two datasets are distinct and at most `size` neighbors apart; see
    /// [`Relation::check`] and [`Relation::check_group`].
    ///
    /// # Errors
    /// [`NotNeighbors`] with the reason; also when the relation makes no sense on such data.
    fn check(&self, other: &Self, relation: &Relation, size: u64) -> Result<(), NotNeighbors>;
}

impl Neighboring for Dataset {
    fn check(&self, other: &Self, relation: &Relation, size: u64) -> Result<(), NotNeighbors> {
        if relation.people().is_some()
            && std::mem::discriminant(self) == std::mem::discriminant(other)
        {
            let same_columns = |a: &Table, b: &Table| a.columns == b.columns;
            if !matches!((self, other), (Self::Table(a), Self::Table(b)) if !same_columns(a, b)) {
                return relation.check_people(self, other, size);
            }
        }
        match (self, other) {
            (Self::Numbers(a), Self::Numbers(b)) => numbers(a, b, relation, size),
            (Self::Table(a), Self::Table(b)) => a.check(b, relation, size),
            (Self::Json(a), Self::Json(b)) => values(a, b, relation, size),
            _ => Err(relation.refuse("one is a table, the other is a list of numbers")),
        }
    }
}

impl Neighboring for Table {
    fn check(&self, other: &Self, relation: &Relation, size: u64) -> Result<(), NotNeighbors> {
        if self.columns != other.columns {
            let (a, b) = (self.columns.join(", "), other.columns.join(", "));
            return Err(
                relation.refuse(format!("the tables have different columns ({a} against {b})"))
            );
        }
        if relation.people().is_some() {
            let [d, d_prime] = [self, other].map(|table| Dataset::Table(table.clone()));
            return relation.check_people(&d, &d_prime, size);
        }
        rows(&self.rows, &other.rows, |a, b| same_cells(a, b), relation, size)
    }
}

/// Lists of any type are rows, for substitution and add/remove. A `Vec<f64>` takes every relation, as
/// [`Dataset::Numbers`] does.
impl<T: PartialEq + Debug + 'static> Neighboring for Vec<T> {
    fn check(&self, other: &Self, relation: &Relation, size: u64) -> Result<(), NotNeighbors> {
        let as_numbers = |list: &'_ Self| (list as &dyn Any).downcast_ref::<Vec<f64>>().cloned();
        match (as_numbers(self), as_numbers(other)) {
            (Some(a), Some(b)) => numbers(&a, &b, relation, size),
            _ => rows(self, other, PartialEq::eq, relation, size),
        }
    }
}

/// A single exact answer, like a list of one number.
impl Neighboring for f64 {
    fn check(&self, other: &Self, relation: &Relation, size: u64) -> Result<(), NotNeighbors> {
        numbers(&[*self], &[*other], relation, size)
    }
}

/// Values of any kind: lists are rows, or numbers if all of both are; a number is a list of one.
fn values(a: &Value, b: &Value, relation: &Relation, size: u64) -> Result<(), NotNeighbors> {
    let as_numbers = |value: &Value| match value {
        Value::Array(list) => list.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>(),
        other => other.as_f64().map(|x| vec![x]),
    };
    match (as_numbers(a), as_numbers(b), a, b) {
        (Some(a), Some(b), ..) => numbers(&a, &b, relation, size),
        (_, _, Value::Array(a), Value::Array(b)) => rows(a, b, PartialEq::eq, relation, size),
        _ => Err(relation.refuse(
            "it does not cover such values; state what makes them neighbors, which is then not checked: \
             relation = \"unchecked: one purchase more\"",
        )),
    }
}

fn rows<T>(
    a: &[T],
    b: &[T],
    same: impl Fn(&T, &T) -> bool,
    relation: &Relation,
    size: u64,
) -> Result<(), NotNeighbors> {
    if relation.people().is_some() {
        return Err(
            relation.refuse("it concerns people with several rows, and needs rows with columns")
        );
    }
    if !relation.is_of_rows() {
        return Err(relation.refuse(
            "the relation is defined on numbers, but these are rows; use substitution or add-remove",
        ));
    }
    if size > 1 {
        let most = usize::try_from(size).unwrap_or(usize::MAX);
        return match moves(a, b, same, *relation == Relation::Substitution, most) {
            Some(0) => Err(relation.refuse("identical datasets can show no violation")),
            Some(_) => Ok(()),
            None => Err(relation.refuse(format!("they are more than {size} neighbors apart"))),
        };
    }
    match (change_of_one_row(a, b, same), relation) {
        (RowsChange::None, _) => Err(relation.refuse("identical datasets can show no violation")),
        (RowsChange::Replaced(_), Relation::Substitution)
        | (RowsChange::Removed(_) | RowsChange::Added(_), Relation::AddRemove) => Ok(()),
        (RowsChange::Removed(_) | RowsChange::Added(_), _) => {
            Err(relation.refuse(format!("one has {} rows, the other {}", a.len(), b.len())))
        }
        (RowsChange::Replaced(row), _) => Err(relation.refuse(format!(
            "both have {} rows (and row {row} differs); one must have exactly one more row",
            a.len()
        ))),
        (RowsChange::Many, _) if a.len() == b.len() => {
            Err(relation.refuse("more than one row differs (rows are compared in order)"))
        }
        (RowsChange::Many, _) if a.len().abs_diff(b.len()) == 1 => Err(relation.refuse(
            "the shorter one is not the longer one with a row removed (rows keep their order)",
        )),
        (RowsChange::Many, _) => {
            Err(relation.refuse(format!("one has {} rows, the other {}", a.len(), b.len())))
        }
    }
}

fn numbers(a: &[f64], b: &[f64], relation: &Relation, size: u64) -> Result<(), NotNeighbors> {
    if relation.is_of_rows() || relation.people().is_some() {
        return rows(a, b, |a, b| same_number(*a, *b), relation, size);
    }
    if a.len() != b.len() {
        let why = format!("one has {} entries, the other {}", a.len(), b.len());
        return Err(relation.refuse(why));
    }
    for (at, &entry) in a.iter().enumerate().chain(b.iter().enumerate()) {
        if !entry.is_finite() {
            return Err(relation.refuse(format!("entry {at} is {}, not finite", words(entry))));
        }
    }
    if a.iter().zip(b).all(|(&a, &b)| same_number(a, b)) {
        return Err(relation.refuse("identical datasets can show no violation"));
    }
    let moved = || a.iter().zip(b).map(|(a, b)| (a - b).abs());
    let (distance, allowed) = match *relation {
        Relation::Histogram => {
            for (at, &count) in a.iter().enumerate().chain(b.iter().enumerate()) {
                if count < 0.0 || count.fract() != 0.0 {
                    let why = format!("entry {at} is {}, not a count", words(count));
                    return Err(relation.refuse(why));
                }
            }
            let distance = moved().sum::<f64>();
            return if distance <= size as f64 {
                Ok(())
            } else {
                let why = format!("the counts are {} apart, not {size}", words(distance));
                Err(relation.refuse(why))
            };
        }
        Relation::L1(allowed) => (moved().sum(), allowed),
        Relation::L2(allowed) => (moved().map(|x| x * x).sum::<f64>().sqrt(), allowed),
        Relation::Linf(allowed) => (moved().fold(0.0, f64::max), allowed),
        Relation::Substitution
        | Relation::AddRemove
        | Relation::RemoveAll(_)
        | Relation::ReplaceAll(_) => unreachable!("relations of rows returned"),
    };
    if !(allowed.is_finite() && allowed > 0.0) {
        return Err(relation.refuse("the distance of a relation must be finite and above 0"));
    }
    if distance <= allowed * size as f64 * (1.0 + ROUNDING) {
        Ok(())
    } else {
        Err(relation.refuse(format!("they are {} apart", words(distance))))
    }
}
