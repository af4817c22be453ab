//! Data for pairs: a CSV file, inline rows, or numbers.

use super::error::{Checked, Mistake};
use super::mechanism;
use super::read::{self, Fields, Place, Value};
use plaudit_core::dataset::{Cell, Dataset, Table, TableError};
use serde_json::Value as Json;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::de::DeValue;

pub(super) enum Data {
    Absent,
    /// It is given, but invalid: reported already.
    Wrong,
    /// It is present, at this place.
    Given(Dataset, Range<usize>),
}

const EXAMPLE: &str = "data = { csv = \"people.csv\", columns = [\"age\"] }, data = { columns = \
                       [\"age\"], rows = [[31], [57]] } or data = { numbers = [1.0, 2.0] }";

/// Reads the data; a path is relative to the folder of `file`. A program gets numbers as they are written.
pub(super) fn read(
    audit: &Fields<'_>,
    file: &Path,
    is_program: bool,
    mistakes: &mut Vec<Mistake>,
) -> Data {
    let Some(value) = audit.get("data") else { return Data::Absent };
    let before = mistakes.len();
    let data = read::keep(mistakes, Fields::of("`data`", value, EXAMPLE)).and_then(|fields| {
        mistakes.extend(fields.unknown_keys(&["csv", "columns", "rows", "numbers"]));
        read::keep(mistakes, form(&fields, file, is_program))
    });
    match data {
        Some(data) if mistakes.len() == before => Data::Given(data, value.span()),
        _ => Data::Wrong,
    }
}

/// The CSV file that the data of an audit names.
pub(super) fn csv_of(audit: &Fields<'_>, file: &Path) -> Option<PathBuf> {
    let csv = audit.get("data")?.get_ref().as_table()?.get("csv")?;
    Some(read::beside(file, csv.get_ref().as_str()?))
}

fn form(fields: &Fields<'_>, file: &Path, is_program: bool) -> Checked<Dataset> {
    let [way] = fields.given(&["csv", "rows", "numbers"])[..] else {
        let message = "`data` needs one of `csv`, `rows` and `numbers`";
        return fields.refuse(message, format!("write {EXAMPLE}"));
    };
    fields.needed(way, EXAMPLE, |value, what| match (way, fields.get("columns")) {
        ("csv", _) => from_csv(value, fields, file).map(Dataset::Table),
        ("rows", _) => inline(value, fields).map(Dataset::Table),
        (_, Some(columns)) => columns.refuse("`numbers` have no columns", "leave `columns` out"),
        (_, None) if is_program => {
            let list = read::list_of(value, (what, "an entry of `numbers`", "[0.0, 1.0]"), written);
            list.map(|list| Dataset::Json(list.into()))
        }
        (_, None) => numbers(value, what).map(Dataset::Numbers),
    })
}

pub(super) fn numbers(value: &Value<'_>, what: &str) -> Checked<Vec<f64>> {
    read::list_of(value, (what, &format!("an entry of {what}"), "[0.0, 1.0]"), read::finite)
}

/// A finite number as it is written, for programs.
pub(super) fn written(value: &Value<'_>, what: &str) -> Checked<Json> {
    read::finite(value, what)?;
    Ok(mechanism::dataset(value.get_ref()))
}

pub(super) fn cell(value: &Value<'_>, what: &str) -> Checked<Cell> {
    match value.get_ref() {
        DeValue::String(text) => Ok(Cell::Text(text.to_string())),
        DeValue::Boolean(yes) => Ok(Cell::Bool(*yes)),
        DeValue::Integer(_) | DeValue::Float(_) => {
            match read::integer(value).and_then(|x| i64::try_from(x).ok()) {
                Some(whole) => Ok(Cell::Whole(whole)),
                None => read::finite(value, what).map(Cell::Number),
            }
        }
        _ => {
            let message = format!("{what} must be a number, a string, true or false");
            value.refuse(message, "write for example 3 or \"north\"")
        }
    }
}

fn from_csv(csv: &Value<'_>, fields: &Fields<'_>, file: &Path) -> Checked<Table> {
    let path = read::text(csv, "`csv`")?;
    let columns = columns(fields)?;
    Table::read_csv(&read::beside(file, path), &columns).map_err(|error| {
        let (span, help) = match &error {
            TableError::MissingColumn { column, .. } => {
                (place_of(column, fields), "name columns as the first line of the file does")
            }
            TableError::Read { .. } => {
                (csv.span(), "the path is relative to the folder of this spec")
            }
            _ => (csv.span(), "correct the file"),
        };
        Mistake::new(span, error.to_string(), help)
    })
}

fn place_of(column: &str, fields: &Fields<'_>) -> Range<usize> {
    let named = fields.get("columns").and_then(|value| value.get_ref().as_array());
    let named = named.and_then(|all| all.iter().find(|it| it.get_ref().as_str() == Some(column)));
    named.map_or_else(|| fields.place(), Value::span)
}

fn inline(rows: &Value<'_>, fields: &Fields<'_>) -> Checked<Table> {
    let columns = columns(fields)?;
    let mut table = Table { columns, rows: Vec::new() };
    for row in read::list(rows, "`rows`", "[[31, 0], [57, 1]]")? {
        let cells = read::list(row, "a row", "[31, 0]")?;
        if cells.len() != table.columns.len() {
            let message = format!(
                "this row has {}, but there are {}",
                count(cells.len(), "entry", "entries"),
                count(table.columns.len(), "column", "columns"),
            );
            return row.refuse(message, "give each row one entry per column");
        }
        table.rows.push(read::list_of(row, ("a row", "an entry of a row", "[31, 0]"), cell)?);
    }
    Ok(table)
}

fn columns(fields: &Fields<'_>) -> Checked<Vec<String>> {
    const HELP: &str = "name the columns to use: columns = [\"age\"]";
    let value = fields.require("columns", HELP)?;
    let names = ("`columns`", "a column", "[\"age\", \"vote\"]");
    let columns =
        read::list_of(value, names, |value, what| Ok((value, read::owned(value, what)?)))?;
    if columns.is_empty() {
        return value.refuse("there is no column", HELP);
    }
    let mut known: Vec<String> = Vec::new();
    for (value, column) in columns {
        if known.contains(&column) {
            let message = format!("the column `{column}` is named twice");
            return value.refuse(message, "name each column once");
        }
        known.push(column);
    }
    Ok(known)
}

pub(super) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
