//! Tables: rows of people, read from CSV.

use super::cell::Cell;
use crate::blank::BlankLines;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Rows with named columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    pub columns: Vec<String>,
    /// Rows, each with one cell a column.
    pub rows: Vec<Vec<Cell>>,
}

/// Reason why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error("{file}: cannot read it: {source}", file = file.display())]
    Read { file: PathBuf, source: std::io::Error },
    /// The header line is missing.
    #[error("{file}: the file is empty; its first line must name the columns", file = file.display())]
    Empty { file: PathBuf },
    /// Bytes that are not text.
    #[error("{file}, line {line}: not UTF-8; save the file as UTF-8", file = file.display())]
    NotUtf8 {
        file: PathBuf,
        /// Line of the file, from 1.
        line: u64,
    },
    /// A row of another length than the header.
    #[error("{file}, line {line}: {found} cells, but the header names {columns} columns", file = file.display())]
    RaggedLine {
        file: PathBuf,
        /// Line of the file, from 1.
        line: u64,
        found: u64,
        columns: u64,
    },
    /// A whole number beyond 64 bits, which a double would round.
    #[error(
        "{file}, line {line}: {cell} is beyond 64 bits, and a double would lose its last digits; write it as a text (such \
         as id-{cell}), or as the double that is meant (such as 1e19)",
        file = file.display()
    )]
    LargeInteger {
        file: PathBuf,
        /// Line of the file, from 1.
        line: u64,
        cell: String,
    },
    /// The header names a column twice, so that its name means nothing.
    #[error("{file}, line 1: two columns are called `{column}`; rename one", file = file.display())]
    DuplicateHeader { file: PathBuf, column: String },
    #[error("{file}: no column `{column}`; the file has {has}", file = file.display())]
    MissingColumn { file: PathBuf, column: String, has: String },
    #[error("no columns are named: list the columns to use")]
    NoColumns,
    #[error("column `{column}` is named twice: name it once")]
    ColumnTwice { column: String },
    /// A row of another length than the list of columns.
    #[error("row {row} has {found} cells, but there are {columns} columns ({names})")]
    RaggedRow { row: usize, found: usize, columns: usize, names: String },
}

impl Table {
    /// A table of these columns and rows.
    ///
    /// # Errors
    /// If there are no columns, a column is named twice, or a row does not have one cell for each column.
    pub fn new(columns: Vec<String>, rows: Vec<Vec<Cell>>) -> Result<Self, TableError> {
        named_once(&columns)?;
        if let Some((row, cells)) =
            rows.iter().enumerate().find(|(_, cells)| cells.len() != columns.len())
        {
            return Err(TableError::RaggedRow {
                row,
                found: cells.len(),
                columns: columns.len(),
                names: columns.join(", "),
            });
        }
        Ok(Self { columns, rows })
    }

    /// Reads the named columns of a CSV file whose first line names all of its columns. Cells are
    /// trimmed; a cell that reads as a finite number is one, anything else is text. In a file of
    /// one column a blank line is an empty cell; in others blank lines are skipped. The numbers of a column are whole numbers if all of them are written as such,
    /// and doubles otherwise.
    ///
    /// # Errors
    /// If the file cannot be read, is empty, not UTF-8 or ragged, names a column twice, or has not
    /// the columns asked for; with file and line.
    pub fn read_csv(path: &Path, columns: &[String]) -> Result<Self, TableError> {
        let file = || path.to_owned();
        named_once(columns)?;
        let bytes = read(path).map_err(|source| TableError::Read { file: file(), source })?;
        let file_of_rows = BlankLines::with_header(&bytes[..]);
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(file_of_rows);
        let header = reader.headers().map_err(|error| located(error, path))?.clone();
        if header.iter().all(str::is_empty) {
            return Err(TableError::Empty { file: file() });
        }
        let position = |column: &str| header.iter().position(|name| name == column);
        if let Some((_, column)) =
            header.iter().enumerate().find(|&(at, name)| position(name) != Some(at))
        {
            let column = column.to_owned();
            return Err(TableError::DuplicateHeader { file: file(), column });
        }
        let chosen = columns
            .iter()
            .map(|column| {
                position(column).ok_or_else(|| TableError::MissingColumn {
                    file: file(),
                    column: column.clone(),
                    has: header.iter().collect::<Vec<_>>().join(", "),
                })
            })
            .collect::<Result<Vec<_>, _>>()?;
        let mut rows = reader
            .records()
            .map(|record| {
                let record = record.map_err(|error| located(error, path))?;
                let cell = |&at: &usize| {
                    let (cell, line) =
                        (&record[at], record.position().map_or(1, csv::Position::line));
                    let large =
                        || TableError::LargeInteger { file: file(), line, cell: cell.to_owned() };
                    if Cell::is_too_large(cell) { Err(large()) } else { Ok(Cell::read(cell)) }
                };
                chosen.iter().map(cell).collect()
            })
            .collect::<Result<Vec<Vec<Cell>>, TableError>>()?;
        for column in 0..columns.len() {
            if rows.iter().any(|row| matches!(row[column], Cell::Number(_))) {
                rows.iter_mut().for_each(|row| row[column].make_double());
            }
        }
        Ok(Self { columns: columns.to_vec(), rows })
    }

    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }
}

/// Through [`Table::new`], so that no ragged table exists.
impl<'de> Deserialize<'de> for Table {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct WrittenTable {
            columns: Vec<String>,
            rows: Vec<Vec<Cell>>,
        }
        let WrittenTable { columns, rows } = WrittenTable::deserialize(deserializer)?;
        Self::new(columns, rows).map_err(D::Error::custom)
    }
}

/// All bytes of a file. A pipe or a device might give its bytes for ever.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let kind = std::fs::metadata(path)?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        return Err(std::io::Error::other("it is not a regular file"));
    }
    std::fs::read(path)
}

fn named_once(columns: &[String]) -> Result<(), TableError> {
    if columns.is_empty() {
        return Err(TableError::NoColumns);
    }
    match columns.iter().enumerate().find(|(at, column)| columns[..*at].contains(column)) {
        Some((_, column)) => Err(TableError::ColumnTwice { column: column.clone() }),
        None => Ok(()),
    }
}

/// Adds the place in the file to a CSV error.
fn located(error: csv::Error, path: &Path) -> TableError {
    let file = path.to_owned();
    let line = error.position().map_or(1, csv::Position::line);
    match error.into_kind() {
        csv::ErrorKind::Utf8 { .. } => TableError::NotUtf8 { file, line },
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            TableError::RaggedLine { file, line, found: len, columns: expected_len }
        }
        csv::ErrorKind::Io(source) => TableError::Read { file, source },
        other => TableError::Read { file, source: std::io::Error::other(format!("{other:?}")) },
    }
}
