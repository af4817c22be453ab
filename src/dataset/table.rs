//! Tables: rows of people, read from CSV.

use serde::{Deserialize, Serialize};

/// One entry of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
}

/// Rows with named columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Column names.
    pub columns: Vec<String>,
    /// Rows, each with one cell a column.
    pub rows: Vec<Vec<Cell>>,
}
