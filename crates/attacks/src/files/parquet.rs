//! Columns of a Parquet file, each read by itself.

use super::array::Column;
use super::{BadLine, Columns, Wanted, found};
use plaudit_engine::mechanism::recorded::{parquet_columns, read_parquet};
use std::path::Path;

pub fn read(path: &Path, wanted: &Wanted<'_>) -> Result<Columns, BadLine> {
    let names = parquet_columns(path).map_err(BadLine::of_file)?;
    let column = |name: &str, mut column: Column| {
        let mut bad = None;
        read_parquet(path, name, |batch| {
            if bad.is_none() {
                bad = column.extend(batch, wanted.kind).err();
            }
        })
        .map_err(BadLine::of_file)?;
        bad.map_or(Ok(column), Err)
    };
    Columns::by_name(found(wanted, &names)?, wanted.kind, column)
}
