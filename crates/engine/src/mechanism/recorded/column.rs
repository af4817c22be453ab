//! One column of a Parquet file, for those who read numbers and not outcomes of a mechanism.

use super::{CsvColumns, File};
use crate::mechanism::Outcomes;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Names of the flat and nested columns of a Parquet file, in its order.
///
/// # Errors
/// If it cannot be read; in a sentence with its name.
pub fn parquet_columns(path: &Path) -> Result<Vec<String>, String> {
    let file = File::new(path, &CsvColumns::Only)?;
    file.column_names().map_err(|trouble| trouble.to_string())
}

/// Reads a column of a Parquet file from front to end and passes on its values, in batches: floats as numbers, integers
/// and bools as integers, strings as words, a null as the structure `null`.
///
/// # Errors
/// If it cannot be read, or has no such column or one of another type; in a sentence with its name.
pub fn read_parquet(
    path: &Path,
    column: &str,
    take: impl FnMut(&mut Outcomes),
) -> Result<u64, String> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let file = File::new(path, &CsvColumns::One(column.to_owned()))?;
    file.pass(&NEVER, || true, take).map_err(|trouble| trouble.to_string())
}
