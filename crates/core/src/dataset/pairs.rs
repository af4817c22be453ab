//! Pairs of neighboring tables made from a base table: its row removed, added or replaced.
//! D is always the base. Rows are counted from 0.

use super::difference::same_cells;
use super::people::{first_rows, rows_of};
use super::{Cell, Dataset, Pair, People, Relation, Table};
use crate::random::Stream;
use rand::seq::{IteratorRandom, index};
use rand::{RngExt, SeedableRng};

/// Reason why a base table does not give the requested pairs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairError {
    #[error("there is no row {row}: rows are counted from 0 and the table has {rows}")]
    NoSuchRow { row: usize, rows: usize },
    #[error("no column `{column}`; the table has {has}")]
    NoSuchColumn { column: String, has: String },
    /// A new row must have a value in every column.
    #[error("the new row has no `{column}`: give a value for every column")]
    NoValue { column: String },
    #[error("column `{column}`, row {row}: {cell} is not a number")]
    NotANumber { column: String, row: usize, cell: String },
    /// More rows than the table has, or zero rows.
    #[error("cannot choose {asked} different rows: the table has {rows}")]
    TooFewRows { asked: usize, rows: usize },
    /// More people asked for than there are.
    #[error("cannot choose {asked} different people: the table has {people}")]
    TooFewPeople { asked: usize, people: usize },
    /// Every row is the same, so that one for another changes nothing.
    #[error("all rows are identical: replacing one by another changes nothing")]
    AllAlike,
    /// The relation is not about rows.
    #[error(
        "rows are removed under add-remove and remove_all, and replaced under substitution and replace_all, not \
         under {0}"
    )]
    Relation(String),
}

/// The base, and the base without a row.
///
/// # Errors
/// If the row does not exist.
pub fn remove(base: &Table, row: usize) -> Result<Pair<Dataset>, PairError> {
    known_row(base, row)?;
    Ok(without(base, row, format!("row {row} removed")))
}

/// The base, and the base without all rows of the person of a row.
///
/// # Errors
/// If the row does not exist, or no column identifies its person.
pub fn remove_person(
    base: &Table,
    row: usize,
    people: &People,
) -> Result<Pair<Dataset>, PairError> {
    known_row(base, row)?;
    let id = known_column(base, &people.id)?;
    Ok(without_person(base, (id, row), ""))
}

/// The base, and the base with a new last row, given as cells by column name.
///
/// # Errors
/// If a column is unknown or has no value.
pub fn add<'a>(
    base: &Table,
    cells: impl IntoIterator<Item = (&'a str, Cell)>,
) -> Result<Pair<Dataset>, PairError> {
    let mut row = vec![None; base.columns.len()];
    for (column, cell) in cells {
        row[known_column(base, column)?] = Some(cell);
    }
    let given = row
        .into_iter()
        .zip(&base.columns)
        .map(|(cell, column)| cell.ok_or_else(|| PairError::NoValue { column: column.clone() }));
    let given = given.collect::<Result<Vec<_>, _>>()?;
    let mut longer = base.clone();
    longer.rows.push(given);
    Ok(pair(format!("row {} added", base.rows.len()), base, longer))
}

/// The base, and the base with other values in a row, given as cells by column name; columns left
/// out keep their value.
///
/// # Errors
/// If the row does not exist, or a column is unknown.
pub fn replace<'a>(
    base: &Table,
    row: usize,
    cells: impl IntoIterator<Item = (&'a str, Cell)>,
) -> Result<Pair<Dataset>, PairError> {
    known_row(base, row)?;
    let mut with = base.rows[row].clone();
    for (column, cell) in cells {
        with[known_column(base, column)?] = cell;
    }
    Ok(with_row(base, row, with, format!("row {row} replaced")))
}

/// The rows with the smallest and the largest value of a column (the first of each): both removed
/// in turn under add/remove; under substitution, each replaced by the other. If people have several rows, all rows of
/// their people go, or are replaced by those of the other one.
///
/// # Errors
/// If the column is unknown or has a cell that is not a number, the table is empty or its rows are
/// alike, or the relation is not about rows.
pub fn extremes(
    base: &Table,
    column: &str,
    relation: &Relation,
) -> Result<Vec<Pair<Dataset>>, PairError> {
    let (smallest, largest) = extreme_rows(base, column)?;
    match relation {
        Relation::AddRemove => Ok(vec![
            without(base, smallest, format!("row {smallest} removed (smallest {column})")),
            without(base, largest, format!("row {largest} removed (largest {column})")),
        ]),
        Relation::Substitution => {
            if same_cells(&base.rows[smallest], &base.rows[largest]) {
                return Err(PairError::AllAlike);
            }
            let swap = |row: usize, by: usize, which: &str| {
                let name = format!("row {row} ({which} {column}) replaced by row {by}");
                with_row(base, row, base.rows[by].clone(), name)
            };
            Ok(vec![swap(smallest, largest, "smallest"), swap(largest, smallest, "largest")])
        }
        Relation::RemoveAll(people) => {
            let id = known_column(base, &people.id)?;
            Ok(vec![
                without_person(base, (id, smallest), &format!(" (smallest {column})")),
                without_person(base, (id, largest), &format!(" (largest {column})")),
            ])
        }
        Relation::ReplaceAll(people) => {
            let id = known_column(base, &people.id)?;
            let swap = |row: usize, by: usize, which: &str| {
                with_person(base, id, (row, by), &format!(" ({which} {column})"))
            };
            let both = [swap(smallest, largest, "smallest"), swap(largest, smallest, "largest")];
            both.into_iter().collect::<Option<Vec<_>>>().ok_or(PairError::AllAlike)
        }
        other => Err(PairError::Relation(other.to_string())),
    }
}

/// `n` different random rows: each removed under add/remove; under substitution, each replaced by
/// another random row that differs from it. If people have several rows, `n` different random people, whose rows are
/// removed, or replaced by those of another random person. The same seed gives the same pairs.
///
/// # Errors
/// If the table has fewer than `n` rows or its rows are all alike, or the relation is not about
/// rows.
pub fn random(
    base: &Table,
    relation: &Relation,
    n: usize,
    seed: u64,
) -> Result<Vec<Pair<Dataset>>, PairError> {
    let rows = base.rows.len();
    if let (Some(people), true) = (relation.people(), n > 0) {
        return random_people(base, (relation, people), n, seed);
    }
    if n > rows || n == 0 {
        return Err(PairError::TooFewRows { asked: n, rows });
    }
    let mut stream = Stream::seed_from_u64(seed);
    let chosen = index::sample(&mut stream, rows, n);
    match relation {
        Relation::AddRemove => Ok(chosen
            .iter()
            .map(|row| without(base, row, format!("row {row} removed (random)")))
            .collect()),
        Relation::Substitution => chosen
            .iter()
            .map(|row| {
                let differs = |by: &usize| !same_cells(&base.rows[*by], &base.rows[row]);
                // A few blind draws nearly always do; a table of near-copies needs the search.
                let by = (0..16)
                    .map(|_| stream.random_range(0..rows))
                    .find(differs)
                    .or_else(|| (0..rows).filter(differs).choose(&mut stream))
                    .ok_or(PairError::AllAlike)?;
                let name = format!("row {row} replaced by row {by} (random)");
                Ok(with_row(base, row, base.rows[by].clone(), name))
            })
            .collect(),
        other => Err(PairError::Relation(other.to_string())),
    }
}

fn random_people(
    base: &Table,
    (relation, people): (&Relation, &People),
    n: usize,
    seed: u64,
) -> Result<Vec<Pair<Dataset>>, PairError> {
    let id = known_column(base, &people.id)?;
    let first = first_rows(base, id);
    if n > first.len() {
        return Err(PairError::TooFewPeople { asked: n, people: first.len() });
    }
    let mut stream = Stream::seed_from_u64(seed);
    let chosen = index::sample(&mut stream, first.len(), n);
    let change = |at: usize| {
        let row = first[at];
        if matches!(relation, Relation::RemoveAll(_)) {
            return Some(without_person(base, (id, row), " (random)"));
        }
        // From a random one on, the first whose rows are others.
        let from = stream.random_range(0..first.len());
        let others = first[from..].iter().chain(&first[..from]);
        others.copied().find_map(|by| with_person(base, id, (row, by), " (random)"))
    };
    chosen.iter().map(change).collect::<Option<Vec<_>>>().ok_or(PairError::AllAlike)
}

/// The base without the rows of the person of a row.
fn without_person(base: &Table, (id, row): (usize, usize), why: &str) -> Pair<Dataset> {
    let gone = rows_of(base, id, row);
    let mut rest = base.clone();
    let mut gone_next = gone.iter().peekable();
    rest.rows = base
        .rows
        .iter()
        .enumerate()
        .filter(|(at, _)| gone_next.next_if_eq(&at).is_none())
        .map(|(_, cells)| cells.clone())
        .collect();
    let name = format!("person {} {} removed{why}", base.columns[id], base.rows[row][id]);
    pair(name, base, rest)
}

/// The base with copies of another person's rows in place of the first row of a person; `None` if nothing changes.
fn with_person(
    base: &Table,
    id: usize,
    (row, by): (usize, usize),
    why: &str,
) -> Option<Pair<Dataset>> {
    let (gone, copied) = (rows_of(base, id, row), rows_of(base, id, by));
    let person = &base.rows[row][id];
    let copies = copied.iter().map(|at| {
        let mut cells = base.rows[*at].clone();
        cells[id] = person.clone();
        cells
    });
    let copies: Vec<_> = copies.collect();
    let alike = gone.len() == copies.len()
        && gone.iter().zip(&copies).all(|(at, copy)| same_cells(&base.rows[*at], copy));
    if alike {
        return None;
    }
    let mut changed = base.clone();
    changed.rows.clear();
    for (at, cells) in base.rows.iter().enumerate() {
        match gone.binary_search(&at) {
            Ok(0) => changed.rows.extend(copies.iter().cloned()),
            Ok(_) => {}
            Err(_) => changed.rows.push(cells.clone()),
        }
    }
    let (column, other) = (&base.columns[id], &base.rows[by][id]);
    let name = format!("rows of person {column} {person} replaced by those of {other}{why}");
    Some(pair(name, base, changed))
}

fn extreme_rows(base: &Table, column: &str) -> Result<(usize, usize), PairError> {
    let at = known_column(base, column)?;
    let (mut smallest, mut largest) = ((f64::INFINITY, 0), (f64::NEG_INFINITY, 0));
    for (row, cells) in base.rows.iter().enumerate() {
        let value = cells[at].number().ok_or_else(|| PairError::NotANumber {
            column: column.to_owned(),
            row,
            cell: cells[at].to_string(),
        })?;
        if value < smallest.0 {
            smallest = (value, row);
        }
        if value > largest.0 {
            largest = (value, row);
        }
    }
    if base.rows.is_empty() {
        return Err(PairError::TooFewRows { asked: 1, rows: 0 });
    }
    Ok((smallest.1, largest.1))
}

fn known_row(base: &Table, row: usize) -> Result<(), PairError> {
    let rows = base.rows.len();
    if row < rows { Ok(()) } else { Err(PairError::NoSuchRow { row, rows }) }
}

fn known_column(base: &Table, column: &str) -> Result<usize, PairError> {
    base.column(column).ok_or_else(|| PairError::NoSuchColumn {
        column: column.to_owned(),
        has: base.columns.join(", "),
    })
}

fn without(base: &Table, row: usize, name: String) -> Pair<Dataset> {
    let mut shorter = base.clone();
    shorter.rows.remove(row);
    pair(name, base, shorter)
}

fn with_row(base: &Table, row: usize, cells: Vec<Cell>, name: String) -> Pair<Dataset> {
    let mut changed = base.clone();
    changed.rows[row] = cells;
    pair(name, base, changed)
}

fn pair(name: String, base: &Table, other: Table) -> Pair<Dataset> {
    Pair { name, d: Dataset::Table(base.clone()), d_prime: Dataset::Table(other) }
}
