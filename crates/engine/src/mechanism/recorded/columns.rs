//! Recorded outcomes in the columns of a CSV file.

use super::{CsvColumns, File, Kept};
use crate::mechanism::{Outcomes, Trouble};
use csv::ByteRecord;
use plaudit_core::blank::{BlankLines, is_missing};
use plaudit_core::visible::excerpt;

/// Rows between two checks for an interruption.
const LOOK: u64 = 1 << 14;
/// Rows with missing values that are read after a first row that may be a header.
const LOOK_AHEAD: usize = 1 << 10;

impl File {
    pub(super) fn pass_table<K: FnMut() -> bool, T: FnMut(&mut Outcomes)>(
        &self,
        columns: &CsvColumns,
        mut kept: Kept<'_, K, T>,
    ) -> Result<u64, Trouble> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .buffer_capacity(1 << 18)
            .from_reader(BlankLines::new(self.open()?));
        let mut first = ByteRecord::new();
        let mut record = ByteRecord::new();
        if !read(self, &mut reader, &mut first)? {
            return Ok(0);
        }
        let places = self.places(columns, &first)?;
        let vectors = matches!(columns, CsvColumns::Several(_));
        // Rows that were read to decide whether the first is a header.
        let mut ahead = Vec::new();
        let named = match columns {
            CsvColumns::Only if is_value(&first[0]) => false,
            CsvColumns::Only => {
                while ahead.len() < LOOK_AHEAD && read(self, &mut reader, &mut record)? {
                    ahead.push(record.clone());
                    if !is_absent(&record[0]) {
                        break;
                    }
                }
                ahead.iter().any(|row| is_number(&row[0]))
                    || !ahead.is_empty() && ahead.iter().all(|row| is_absent(&row[0]))
            }
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
                    let x = entry(&record[place]).map_err(|why| self.broken_line(line(), why))?;
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
        for record in &ahead {
            row(record, &mut kept)?;
        }
        let mut rows_left = kept.most;
        while rows_left > 0 && read(self, &mut reader, &mut record)? {
            row(&record, &mut kept)?;
            rows_left -= 1;
        }
        kept.finish();
        Ok(rows)
    }

    /// Indices of the columns in a row, by the names in the first line.
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

/// Reads the next row; `true` if there is one.
fn read(
    file: &File,
    reader: &mut csv::Reader<BlankLines<std::fs::File>>,
    record: &mut ByteRecord,
) -> Result<bool, Trouble> {
    reader.read_byte_record(record).map_err(|error| match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            let why = format!("this row has {len} entries, but the first row has {expected_len}");
            file.broken_line(line, why)
        }
        _ => file.broken(error),
    })
}

/// A cell as a number; a missing one is NaN.
fn number(cell: &[u8]) -> Option<f64> {
    match std::str::from_utf8(cell.trim_ascii()).ok()? {
        cell if is_missing(cell) => Some(f64::NAN),
        cell => cell.parse().ok(),
    }
}

fn is_number(cell: &[u8]) -> bool {
    !is_absent(cell) && number(cell).is_some()
}

fn is_absent(cell: &[u8]) -> bool {
    std::str::from_utf8(cell).is_ok_and(is_missing)
}

/// `true` if a cell cannot be the name of a column.
fn is_value(cell: &[u8]) -> bool {
    is_number(cell) || is_absent(cell) || separated(&String::from_utf8_lossy(cell)).is_some()
}

/// An entry of a vector, which is a double.
fn entry(cell: &[u8]) -> Result<f64, String> {
    let Some(x) = number(cell) else {
        return Err(match separated(&String::from_utf8_lossy(cell)) {
            Some(why) => why,
            None => format!("`{}` is not a number", excerpt(cell)),
        });
    };
    let digits = cell.trim_ascii();
    if x.abs() >= EXACT && is_whole(&String::from_utf8_lossy(digits)) && !is_exact(digits, x) {
        return Err(format!(
            "{} does not fit in a double, and a vector contains doubles: choose only this column, or write JSON lines",
            excerpt(digits)
        ));
    }
    Ok(x)
}

/// Magnitude up to which each integer is a distinct double.
const EXACT: f64 = (1u64 << 53) as f64;

/// `true` if digits spell a double exactly.
fn is_exact(digits: &[u8], x: f64) -> bool {
    let words = String::from_utf8_lossy(digits);
    let bare =
        |words: &str| words.trim_start_matches(['+', '-']).trim_start_matches('0').to_owned();
    bare(&words) == bare(&format!("{x:.0}"))
}

fn is_whole(cell: &str) -> bool {
    let digits = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The error for a number with separators of thousands or a decimal comma; `None` for any other cell.
pub fn separated(cell: &str) -> Option<String> {
    let cell = cell.trim();
    let bare = cell.strip_prefix(['-', '+', '\u{2212}']).unwrap_or(cell);
    let starts = bare.starts_with(|c: char| c.is_ascii_digit() || c == ',');
    let separators = [',', '.', '\'', '\u{2019}', '_', ' ', '\u{a0}', '\u{202f}'];
    let parts: Vec<&str> = bare.split(separators).collect();
    let mantissa = parts.last().map_or("", |last| last.split(['e', 'E']).next().unwrap_or(""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (Some((last, others)), true) = (parts.split_last(), starts) else { return None };
    if others.is_empty()
        || !others.iter().all(|part| digits(part))
        || !digits(mantissa)
        || mantissa.is_empty()
    {
        return None;
    }
    let has_exponent = mantissa.len() < last.len();
    if has_exponent
        && !last[mantissa.len() + 1..]
            .trim_start_matches(['-', '+'])
            .bytes()
            .all(|b| b.is_ascii_digit())
    {
        return None;
    }
    let is_address = others.len() == 3 && bare.matches('.').count() == 3;
    let commas = bare.matches(',').count();
    let thousands = |parts: &[&str]| parts.iter().skip(1).all(|part| part.len() == 3);
    let grouped =
        (1..=3).contains(&others[0].len()) && thousands(others) && others.len() + 1 == parts.len();
    let decimal = commas == 1 && (parts.len() == 2 || grouped);
    let in_groups =
        grouped && (mantissa.len() == 3 || parts.len() > 2 && bare.contains(['.', ',']));
    (decimal || in_groups && !is_address).then(|| {
        format!(
            "`{}` is a number with a separator of thousands or a decimal comma: write digits and a decimal \
             point, such as 1234.5",
            excerpt(cell.as_bytes())
        )
    })
}

/// Adds the value of a cell: a number, an integer or a word.
fn scalar(cell: &[u8], outcomes: &mut Outcomes) -> Result<(), String> {
    let words = std::str::from_utf8(cell).map_err(|_| "this row is not UTF-8")?;
    let trimmed = words.trim();
    let is_negative_zero =
        || trimmed.strip_prefix('-').is_some_and(|digits| digits.bytes().all(|byte| byte == b'0'));
    if is_whole(trimmed) && !is_negative_zero() {
        // Beyond 64 bits it is a word, so that they stay distinct.
        match trimmed.parse() {
            Ok(integer) => outcomes.push_integer(integer),
            Err(_) => outcomes.push_text(trimmed.trim_start_matches('+')),
        }
    } else if let Ok(x) = trimmed.parse() {
        outcomes.push_number(x);
    } else if let Some(why) = separated(trimmed) {
        return Err(why);
    } else {
        outcomes.push_text(words);
    }
    Ok(())
}

#[cfg(test)]
#[path = "../../../tests/unit/mechanism/recorded/columns.rs"]
mod tests;
