//! Recorded outcomes in the columns of a Parquet file, read page by page.
//!
//! A column of floats is numbers, of integers and bools integers, of strings words; a null is the
//! outcome `null`, in a vector a NaN. Nested columns, and dates and decimals, are refused.

use super::{BATCH, CsvColumns, File, Kept};
use crate::mechanism::{Outcome, Outcomes, Trouble, hush};
use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use std::panic::{AssertUnwindSafe, catch_unwind};

type ParquetReader = SerializedFileReader<std::fs::File>;

impl File {
    /// Number of rows, by the footer of the file.
    pub(super) fn rows(&self) -> Result<u64, Trouble> {
        self.guarded(|| {
            let rows = self.parquet()?.metadata().file_metadata().num_rows();
            u64::try_from(rows).map_err(|_| self.broken(format!("it claims to have {rows} rows")))
        })
    }

    /// Names of the columns, nested ones by their path.
    pub(super) fn column_names(&self) -> Result<Vec<String>, Trouble> {
        self.guarded(|| {
            let reader = self.parquet()?;
            let leaves = reader.metadata().file_metadata().schema_descr().columns();
            Ok(leaves.iter().map(|leaf| leaf.path().string()).collect())
        })
    }

    pub(super) fn pass_parquet<K: FnMut() -> bool, T: FnMut(&mut Outcomes)>(
        &self,
        columns: &CsvColumns,
        mut kept: Kept<'_, K, T>,
    ) -> Result<u64, Trouble> {
        self.guarded(|| {
            let reader = self.parquet()?;
            let places = self.leaves(&reader, columns)?;
            let vectors = matches!(columns, CsvColumns::Several(_));
            let mut rows = 0;
            for index in 0..reader.num_row_groups() {
                let group = reader.get_row_group(index).map_err(|error| self.broken(error))?;
                let open = |&place: &usize| {
                    let descriptor = group.metadata().column(place).column_descr();
                    let column = group.get_column_reader(place).map_err(|e| self.broken(e))?;
                    Ok(ParquetColumn::new(column, descriptor))
                };
                let mut columns = places.iter().map(open).collect::<Result<Vec<_>, Trouble>>()?;
                let in_group = u64::try_from(group.metadata().num_rows()).unwrap_or(0);
                let mut left = in_group.min(kept.most - rows);
                while left > 0 {
                    kept.check_interrupted()?;
                    let wanted = left.min(BATCH as u64) as usize;
                    for column in &mut columns {
                        let read = column.read(wanted).map_err(|error| self.broken(error))?;
                        if read < wanted {
                            return Err(self.broken("a column ends before its last row"));
                        }
                    }
                    self.hand_over(&mut columns, wanted, (rows, vectors), &mut kept)?;
                    rows += wanted as u64;
                    left -= wanted as u64;
                }
            }
            kept.finish();
            Ok(rows)
        })
    }

    /// Adds the kept outcomes of the rows that were read last; `before` preceded them.
    fn hand_over<K: FnMut() -> bool, T: FnMut(&mut Outcomes)>(
        &self,
        columns: &mut [ParquetColumn],
        rows: usize,
        (before, vectors): (u64, bool),
        kept: &mut Kept<'_, K, T>,
    ) -> Result<(), Trouble> {
        let mut vector = Vec::with_capacity(columns.len());
        for row in 0..rows {
            let keep = (kept.keep)();
            if vectors {
                vector.clear();
                for column in &mut *columns {
                    let x = column.next_number().map_err(|integer| {
                        let row = before + row as u64 + 1;
                        self.broken(format!(
                            "row {row}: {integer} does not fit in a double, and a vector contains \
                             doubles: choose only this column"
                        ))
                    })?;
                    vector.push(x);
                }
                if keep {
                    kept.outcomes.push_vector(&vector);
                }
            } else {
                let outcome = columns[0].next().ok_or_else(|| {
                    self.broken(format!("row {} is not UTF-8", before + row as u64 + 1))
                })?;
                if keep {
                    kept.outcomes.push(outcome);
                }
            }
            kept.hand_on();
        }
        Ok(())
    }

    fn parquet(&self) -> Result<ParquetReader, Trouble> {
        SerializedFileReader::new(self.open()?).map_err(|error| self.broken(error))
    }

    /// Indices of the columns, which must be of supported types.
    fn leaves(&self, reader: &ParquetReader, columns: &CsvColumns) -> Result<Vec<usize>, Trouble> {
        let leaves = reader.metadata().file_metadata().schema_descr().columns();
        let known = || {
            let names: Vec<_> =
                leaves.iter().map(|leaf| format!("`{}`", leaf.path().string())).collect();
            names.join(", ")
        };
        let find = |name: &String| {
            leaves.iter().position(|leaf| leaf.path().string() == *name).ok_or_else(|| {
                self.broken(format!("there is no column `{name}` (there are {})", known()))
            })
        };
        let places = match columns {
            CsvColumns::One(name) => vec![find(name)?],
            CsvColumns::Several(names) => names.iter().map(find).collect::<Result<Vec<_>, _>>()?,
            CsvColumns::Only if leaves.len() == 1 => vec![0],
            CsvColumns::Only => {
                return Err(self.broken(format!(
                    "it has {} columns ({}): choose one with column = \"…\", or several with \
                     columns = […]",
                    leaves.len(),
                    known(),
                )));
            }
        };
        for &place in &places {
            let leaf = &leaves[place];
            let what = if leaf.max_rep_level() > 0 || leaf.max_def_level() > 1 {
                "nested".to_owned()
            } else if !is_read(leaf) {
                of_type(leaf)
            } else if matches!(columns, CsvColumns::Several(_))
                && leaf.physical_type() == Type::BYTE_ARRAY
            {
                "of words, which no vector has".to_owned()
            } else {
                continue;
            };
            return Err(self.broken(format!(
                "the column `{}` is {what}: floats, integers of 64 bits with a sign or 32 without, bools and strings are read: \
                 convert it to one of these",
                leaf.path().string()
            )));
        }
        Ok(places)
    }

    /// Damaged files may make the reader panic.
    fn guarded<R>(&self, read: impl FnOnce() -> Result<R, Trouble>) -> Result<R, Trouble> {
        hush::quietly(|| catch_unwind(AssertUnwindSafe(read)))
            .unwrap_or_else(|_| Err(self.broken("it is damaged, and cannot be read")))
    }
}

/// An unsupported type, by its name in Parquet.
fn of_type(leaf: &ColumnDescriptor) -> String {
    let (physical, converted) = (leaf.physical_type(), leaf.converted_type());
    match leaf.logical_type_ref() {
        Some(LogicalType::Unknown) => "of nulls alone".to_owned(),
        Some(logical) => format!("of type {physical} {logical:?}"),
        None => format!("of type {physical} {converted}"),
    }
}

fn is_read(leaf: &ColumnDescriptor) -> bool {
    use ConvertedType as C;
    let converted = leaf.converted_type();
    // Times in nanoseconds, for example, have no converted type.
    let is_plain = match leaf.logical_type_ref() {
        None
        | Some(
            LogicalType::Integer { .. }
            | LogicalType::String
            | LogicalType::Enum
            | LogicalType::Json,
        ) => true,
        Some(_) => false,
    };
    if !is_plain {
        return false;
    }
    match leaf.physical_type() {
        Type::DOUBLE | Type::FLOAT | Type::BOOLEAN => converted == C::NONE,
        Type::INT32 => matches!(
            converted,
            C::NONE | C::INT_8 | C::INT_16 | C::INT_32 | C::UINT_8 | C::UINT_16 | C::UINT_32
        ),
        Type::INT64 => matches!(converted, C::NONE | C::INT_64),
        Type::BYTE_ARRAY => matches!(converted, C::UTF8 | C::ENUM | C::JSON),
        _ => false,
    }
}

/// A column of a row group, and its values that were read last.
struct ParquetColumn {
    reader: ColumnReader,
    nullable: bool,
    /// `true` if its 32 bits are unsigned.
    unsigned: bool,
    present: Vec<i16>,
    values: ColumnValues,
    /// Indices of the next row and of the next value.
    next: (usize, usize),
}

enum ColumnValues {
    Numbers(Vec<f64>),
    Integers(Vec<i64>),
    Words(Vec<ByteArray>),
}

impl ParquetColumn {
    fn new(reader: ColumnReader, descriptor: &ColumnDescriptor) -> Self {
        use ConvertedType as C;
        let converted = descriptor.converted_type();
        Self {
            reader,
            nullable: descriptor.max_def_level() > 0,
            unsigned: matches!(converted, C::UINT_8 | C::UINT_16 | C::UINT_32),
            present: Vec::new(),
            values: ColumnValues::Integers(Vec::new()),
            next: (0, 0),
        }
    }

    /// Reads the next rows; returns their number.
    fn read(&mut self, rows: usize) -> Result<usize, ParquetError> {
        let unsigned = self.unsigned;
        let integer = |i: i32| if unsigned { i64::from(i.cast_unsigned()) } else { i64::from(i) };
        let present = &mut self.present;
        present.clear();
        self.next = (0, 0);
        let (read, values) = match &mut self.reader {
            ColumnReader::DoubleColumnReader(reader) => {
                let (read, values) = records(reader, rows, present)?;
                (read, ColumnValues::Numbers(values))
            }
            ColumnReader::FloatColumnReader(reader) => {
                let (read, values) = records(reader, rows, present)?;
                (read, ColumnValues::Numbers(values.into_iter().map(f64::from).collect()))
            }
            ColumnReader::Int64ColumnReader(reader) => {
                let (read, values) = records(reader, rows, present)?;
                (read, ColumnValues::Integers(values))
            }
            ColumnReader::Int32ColumnReader(reader) => {
                let (read, values) = records(reader, rows, present)?;
                (read, ColumnValues::Integers(values.into_iter().map(integer).collect()))
            }
            ColumnReader::BoolColumnReader(reader) => {
                let (read, values) = records(reader, rows, present)?;
                (read, ColumnValues::Integers(values.into_iter().map(i64::from).collect()))
            }
            ColumnReader::ByteArrayColumnReader(reader) => {
                let (read, values) = records(reader, rows, present)?;
                (read, ColumnValues::Words(values))
            }
            _ => return Err(ParquetError::General("of a type that is not read".into())),
        };
        self.values = values;
        Ok(read)
    }

    /// Index of the next value, unless it is null.
    fn advance(&mut self) -> Option<usize> {
        let (row, value) = self.next;
        let there = !self.nullable || self.present[row] > 0;
        self.next = (row + 1, value + usize::from(there));
        there.then_some(value)
    }

    /// The next number; an integer that no double holds is an error.
    fn next_number(&mut self) -> Result<f64, i64> {
        let Some(place) = self.advance() else { return Ok(f64::NAN) };
        Ok(match &self.values {
            ColumnValues::Numbers(numbers) => numbers[place],
            ColumnValues::Integers(integers) => {
                let integer = integers[place];
                let x = integer as f64;
                if x as i128 != i128::from(integer) {
                    return Err(integer);
                }
                x
            }
            ColumnValues::Words(_) => f64::NAN,
        })
    }

    /// The next outcome; `None` if it is not UTF-8.
    fn next(&mut self) -> Option<Outcome> {
        let Some(place) = self.advance() else { return Some(Outcome::Structure("null".into())) };
        Some(match &self.values {
            ColumnValues::Numbers(numbers) => numbers[place].into(),
            ColumnValues::Integers(integers) => integers[place].into(),
            ColumnValues::Words(words) => std::str::from_utf8(words[place].data()).ok()?.into(),
        })
    }
}

/// Reads rows; returns their number, and their values that are not null.
fn records<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    present: &mut Vec<i16>,
) -> Result<(usize, Vec<T::T>), ParquetError> {
    let mut values = Vec::new();
    let (records, _, _) = reader.read_records(rows, Some(present), None, &mut values)?;
    Ok((records, values))
}
