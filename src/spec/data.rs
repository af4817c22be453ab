//! Data for pairs: a CSV file, inline rows, or numbers.

use super::error::Mistake;
use super::mechanism;
use super::read::{self, Fields, SpannedValue};
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
    audit: &Fields<'_, '_>,
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
pub(super) fn csv_of(audit: &Fields<'_, '_>, file: &Path) -> Option<PathBuf> {
    let csv = audit.get("data")?.get_ref().as_table()?.get("csv")?;
    Some(beside(file, csv.get_ref().as_str()?))
}

/// A path relative to the folder of a spec.
fn beside(file: &Path, path: &str) -> PathBuf {
    file.parent().unwrap_or_else(|| Path::new("")).join(path)
}

fn form(fields: &Fields<'_, '_>, file: &Path, is_program: bool) -> Result<Dataset, Mistake> {
    let ways = [fields.get("csv"), fields.get("rows"), fields.get("numbers")];
    if ways.iter().flatten().count() != 1 {
        let message = "`data` needs one of `csv`, `rows` and `numbers`";
        return Err(Mistake::new(fields.span(), message, format!("write {EXAMPLE}")));
    }
    let [csv, rows, numbers] = ways;
    match (csv, rows, numbers) {
        (Some(csv), _, _) => from_csv(csv, fields, file).map(Dataset::Table),
        (_, Some(rows), _) => inline(rows, fields).map(Dataset::Table),
        (_, _, Some(numbers)) => {
            if let Some(columns) = fields.get("columns") {
                let message = "`numbers` have no columns";
                return Err(Mistake::new(columns.span(), message, "leave `columns` out"));
            }
            if is_program {
                let entry = |value| written(value, "an entry of `numbers`");
                let list = read::list(numbers, "`numbers`", "[0.0, 1.0]")?.iter().map(entry);
                return list.collect::<Result<_, _>>().map(Dataset::Json);
            }
            self::numbers(numbers, "`numbers`").map(Dataset::Numbers)
        }
        (None, None, None) => unreachable!("exactly one of the three is there"),
    }
}

pub(super) fn numbers(value: &SpannedValue<'_>, what: &str) -> Result<Vec<f64>, Mistake> {
    let entry = format!("an entry of {what}");
    read::list(value, what, "[0.0, 1.0]")?.iter().map(|value| read::finite(value, &entry)).collect()
}

/// A finite number as it is written, for programs.
pub(super) fn written(value: &SpannedValue<'_>, what: &str) -> Result<Json, Mistake> {
    read::finite(value, what)?;
    Ok(mechanism::dataset(value.get_ref()))
}

pub(super) fn cell(value: &SpannedValue<'_>, what: &str) -> Result<Cell, Mistake> {
    match value.get_ref() {
        DeValue::String(text) => Ok(Cell::Text(text.to_string())),
        DeValue::Boolean(yes) => Ok(Cell::Bool(*yes)),
        DeValue::Integer(_) | DeValue::Float(_) => {
            let whole = read::integer(value).and_then(|x| i64::try_from(x).ok());
            whole
                .map_or_else(|| read::finite(value, what).map(Cell::Number), |x| Ok(Cell::Whole(x)))
        }
        _ => {
            let message = format!("{what} must be a number, a string, true or false");
            Err(Mistake::new(value.span(), message, "write for example 3 or \"north\""))
        }
    }
}

fn from_csv(
    csv: &SpannedValue<'_>,
    fields: &Fields<'_, '_>,
    file: &Path,
) -> Result<Table, Mistake> {
    let path = read::text(csv, "`csv`")?;
    let columns = columns(fields)?;
    Table::read_csv(&beside(file, path), &columns).map_err(|error| {
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

fn place_of(column: &str, fields: &Fields<'_, '_>) -> Range<usize> {
    let named = fields.get("columns").and_then(|value| value.get_ref().as_array());
    let is_it = |value: &&SpannedValue<'_>| value.get_ref().as_str() == Some(column);
    named
        .and_then(|columns| columns.iter().find(is_it))
        .map_or_else(|| fields.span(), |value| value.span())
}

fn inline(rows: &SpannedValue<'_>, fields: &Fields<'_, '_>) -> Result<Table, Mistake> {
    let columns = columns(fields)?;
    let mut table = Table { columns, rows: Vec::new() };
    for row in read::list(rows, "`rows`", "[[31, 0], [57, 1]]")? {
        let cells = read::list(row, "a row", "[31, 0]")?;
        if cells.len() != table.columns.len() {
            let message = format!(
                "this row has {} and there are {}",
                count(cells.len(), "entry", "entries"),
                count(table.columns.len(), "column", "columns"),
            );
            return Err(Mistake::new(row.span(), message, "give each row one entry a column"));
        }
        let cells = cells.iter().map(|value| cell(value, "an entry of a row"));
        table.rows.push(cells.collect::<Result<_, _>>()?);
    }
    Ok(table)
}

fn columns(fields: &Fields<'_, '_>) -> Result<Vec<String>, Mistake> {
    let value = fields.require("columns", "name the columns to use: columns = [\"age\"]")?;
    let mut columns: Vec<String> = Vec::new();
    for value in read::list(value, "`columns`", "[\"age\", \"vote\"]")? {
        let column = read::text(value, "a column")?;
        if columns.iter().any(|known| known == column) {
            let message = format!("the column `{column}` is named twice");
            return Err(Mistake::new(value.span(), message, "name each column once"));
        }
        columns.push(column.to_owned());
    }
    if columns.is_empty() {
        let help = "name the columns to use: columns = [\"age\"]";
        return Err(Mistake::new(value.span(), "there is no column", help));
    }
    Ok(columns)
}

pub(super) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
