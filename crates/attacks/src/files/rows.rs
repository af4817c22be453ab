//! Rows of a table as text.

use crate::attack::Rows;
use csv::ReaderBuilder;
use plaudit_core::visible::visible;
use std::path::Path;

/// Reads a CSV file whose first row names the columns.
///
/// # Errors
/// With file and line, if the file cannot be read, a row has another number of entries than the first, or is not UTF-8.
pub fn read_rows(path: &Path) -> Result<Rows, String> {
    let shown = visible(&path.display().to_string());
    let wrong = |error: csv::Error| match error.position().map(csv::Position::line) {
        Some(line) => format!("{shown}:{line}: {error}"),
        None => format!("{shown}: {error}"),
    };
    if path.is_dir() {
        return Err(format!("{shown}: it is a folder; name a CSV file"));
    }
    let mut reader = ReaderBuilder::new().from_path(path).map_err(wrong)?;
    let columns: Vec<String> = reader.headers().map_err(wrong)?.iter().map(str::to_owned).collect();
    if columns.is_empty() {
        return Err(format!("{shown}: it is empty: its first row must name the columns"));
    }
    let mut cells = Vec::new();
    for row in reader.records() {
        cells.push(row.map_err(wrong)?.iter().map(str::to_owned).collect());
    }
    Ok(Rows { columns, cells })
}
