//! Recorded outcomes in the columns of a CSV file.

use super::{CsvColumns, File, Kept};
use crate::mechanism::wire::excerpt;
use crate::mechanism::{Outcomes, Trouble};
use csv::ByteRecord;

/// Rows between two looks at whether somebody interrupted.
const LOOK: u64 = 1 << 14;

impl File {
    pub(super) fn pass_table<K: FnMut() -> bool, T: FnMut(&mut Outcomes)>(
        &self,
        columns: &CsvColumns,
        mut kept: Kept<'_, K, T>,
    ) -> Result<u64, Trouble> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .buffer_capacity(1 << 18)
            .from_reader(self.open()?);
        let mut first = ByteRecord::new();
        let mut record = ByteRecord::new();
        if !read(self, &mut reader, &mut first)? {
            return Ok(0);
        }
        let more = read(self, &mut reader, &mut record)?;
        let places = self.places(columns, &first)?;
        let vectors = matches!(columns, CsvColumns::Several(_));
        // Without a name given, the first line may be a name or an outcome.
        let named = match columns {
            CsvColumns::Only => more && !is_number(&first[0]) && is_number(&record[0]),
            _ => true,
        };
        let mut vector = Vec::with_capacity(places.len());
        let mut rows = 0;
        let mut row = |record: &ByteRecord, kept: &mut Kept<'_, K, T>| {
            if rows >= kept.most {
                return Ok(());
            }
            rows += 1;
            if rows % LOOK == 0 {
                kept.check_interrupted()?;
            }
            if !(kept.keep)() {
                return Ok::<_, Trouble>(());
            }
            let line = || record.position().map_or(0, csv::Position::line);
            if vectors {
                vector.clear();
                for &place in &places {
                    let x = number(&record[place]).ok_or_else(|| {
                        let why = format!("`{}` is not a number", excerpt(&record[place]));
                        self.broken_line(line(), why)
                    })?;
                    vector.push(x);
                }
                kept.outcomes.push_vector(&vector);
            } else {
                scalar(&record[places[0]], &mut kept.outcomes)
                    .map_err(|why| self.broken_line(line(), why))?;
            }
            kept.hand_on();
            Ok(())
        };
        if !named {
            row(&first, &mut kept)?;
        }
        if more {
            row(&record, &mut kept)?;
            while kept.most == u64::MAX && read(self, &mut reader, &mut record)? {
                row(&record, &mut kept)?;
            }
        }
        kept.finish();
        Ok(rows)
    }

    /// The places of the columns in a row, by the names in the first line.
    fn places(&self, columns: &CsvColumns, first: &ByteRecord) -> Result<Vec<usize>, Trouble> {
        let find = |name: &String| {
            first.iter().position(|cell| cell == name.as_bytes()).ok_or_else(|| {
                let known: Vec<_> =
                    first.iter().map(|cell| format!("`{}`", excerpt(cell))).collect();
                let known = known.join(", ");
                self.broken_line(1, format!("there is no column `{name}` (there are {known})"))
            })
        };
        match columns {
            CsvColumns::One(name) => Ok(vec![find(name)?]),
            CsvColumns::Several(names) => names.iter().map(find).collect(),
            CsvColumns::Only if first.len() == 1 => Ok(vec![0]),
            CsvColumns::Only => {
                let why = format!(
                    "it has {} columns: choose one with column = \"…\", or several with \
                     columns = […]",
                    first.len()
                );
                Err(self.broken_line(1, why))
            }
        }
    }
}

/// Reads the next row; whether there is one.
fn read(
    file: &File,
    reader: &mut csv::Reader<std::fs::File>,
    record: &mut ByteRecord,
) -> Result<bool, Trouble> {
    reader.read_byte_record(record).map_err(|error| match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            let why = format!("this row has {len} entries, and the first row has {expected_len}");
            file.broken_line(line, why)
        }
        _ => file.broken(error),
    })
}

/// A cell as a number; an empty one is NaN.
fn number(cell: &[u8]) -> Option<f64> {
    match cell.trim_ascii() {
        [] => Some(f64::NAN),
        cell => std::str::from_utf8(cell).ok()?.parse().ok(),
    }
}

fn is_number(cell: &[u8]) -> bool {
    !cell.trim_ascii().is_empty() && number(cell).is_some()
}

/// Adds what a cell says: a number, an integer or a word.
fn scalar(cell: &[u8], outcomes: &mut Outcomes) -> Result<(), &'static str> {
    let words = std::str::from_utf8(cell).map_err(|_| "this row is not UTF-8")?;
    let trimmed = words.trim();
    let digits = trimmed.strip_prefix('-').unwrap_or(trimmed);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) && trimmed != "-0" {
        // Beyond 64 bits it is a word, so that no two are confused.
        match trimmed.parse() {
            Ok(integer) => outcomes.push_integer(integer),
            Err(_) => outcomes.push_text(trimmed),
        }
    } else if let Ok(x) = trimmed.parse() {
        outcomes.push_number(x);
    } else {
        outcomes.push_text(words);
    }
    Ok(())
}
