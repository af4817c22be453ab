//! Stand-ins for `dataset::pairs`, `dataset::pattern` and the CSV reader, until they are merged.

use crate::dataset::{Cell, Dataset, Pair, Relation, Table};
use std::path::Path;

pub(super) fn read_csv(path: &Path, columns: &[String]) -> Result<Table, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let find = |column: &String| {
        header.iter().position(|name| name == column).ok_or_else(|| {
            format!("{} has no column `{column}`; it has {}", path.display(), header.join(", "))
        })
    };
    let places = columns.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    let cell = |word: &str| word.parse().map_or_else(|_| Cell::Text(word.into()), Cell::Number);
    let rows = lines
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|words| places.iter().map(|&place| cell(words[place])).collect())
        .collect();
    Ok(Table { columns: columns.to_vec(), rows })
}

pub(super) fn remove(table: &Table, row: usize) -> Result<Pair<Dataset>, String> {
    check(table, row)?;
    let mut less = table.clone();
    less.rows.remove(row);
    Ok(pair(format!("without row {row}"), table, less))
}

pub(super) fn add(table: &Table, row: Vec<Cell>) -> Result<Pair<Dataset>, String> {
    let mut more = table.clone();
    more.rows.push(row);
    Ok(pair("with one more row".into(), table, more))
}

pub(super) fn replace(table: &Table, row: usize, with: Vec<Cell>) -> Result<Pair<Dataset>, String> {
    check(table, row)?;
    let mut other = table.clone();
    other.rows[row] = with;
    Ok(pair(format!("row {row} replaced"), table, other))
}

pub(super) fn extremes(
    table: &Table,
    column: &str,
    _relation: Relation,
) -> Result<Vec<Pair<Dataset>>, String> {
    if !table.columns.iter().any(|name| name == column) {
        return Err(format!("there is no column `{column}`"));
    }
    Ok(vec![remove(table, 0)?])
}

pub(super) fn random(
    table: &Table,
    n: usize,
    _relation: Relation,
    _seed: u64,
) -> Result<Vec<Pair<Dataset>>, String> {
    (0..n).map(|row| remove(table, row)).collect()
}

pub(super) fn pattern(name: &str, size: usize) -> Result<Vec<Pair<Dataset>>, String> {
    if name != "one-up-rest-down" {
        return Err(format!("there is no pattern `{name}`"));
    }
    let mut d_prime = vec![0.0; size];
    d_prime[0] = 2.0;
    let d = Dataset::Numbers(vec![1.0; size]);
    Ok(vec![Pair { name: name.into(), d, d_prime: Dataset::Numbers(d_prime) }])
}

fn check(table: &Table, row: usize) -> Result<(), String> {
    if row < table.rows.len() {
        return Ok(());
    }
    Err(format!("there is no row {row}: the rows are 0 to {}", table.rows.len() - 1))
}

fn pair(name: String, d: &Table, d_prime: Table) -> Pair<Dataset> {
    Pair { name, d: Dataset::Table(d.clone()), d_prime: Dataset::Table(d_prime) }
}
