//! Files of numbers, attack scores or draws: one per line, or a column of a CSV file.

use csv::ByteRecord;
use plaudit_core::blank::{BlankLines, is_missing};
use plaudit_core::visible::excerpt;
use plaudit_core::visible::visible;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Most bytes of a line: of a number there are fewer.
const MOST_BYTES: u64 = 4096;
const REMEDY: &str = "write one number per line, or name a column of a CSV file with --column";

/// Kind of the numbers in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberKind {
    /// Its noun in the plural, and in the singular.
    nouns: [&'static str; 2],
    /// Reason to reject NaN.
    nan: Option<&'static str>,
}

impl NumberKind {
    pub const SCORES: Self = Self {
        nouns: ["scores", "score"],
        nan: Some(
            "this score is NaN, which is neither above nor below any threshold: leave such people out of both files, or \
             give them a score that does not depend on their membership",
        ),
    };
    /// Outcomes of a sampler, which can be NaN.
    pub const DRAWS: Self = Self { nouns: ["draws", "draw"], nan: None };
}

/// Numbers in a file, in its order; no score is NaN. A file that ends in `.csv` is a table in which `column` names the
/// column; any other has one number per line, as text or as JSON. `-` is standard input.
///
/// # Errors
/// A message with the file and the line.
pub fn read_numbers(
    path: &Path,
    column: Option<&str>,
    kind: NumberKind,
) -> Result<Vec<f64>, String> {
    let is_table = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    let place = visible(&path.display().to_string());
    let [many, one] = kind.nouns;
    let of_file =
        |error: &dyn std::fmt::Display| format!("cannot read the {many} in {place}: {error}");
    if column.is_some() && !is_table {
        return Err(of_file(&"--column is for files that end in .csv"));
    }
    if path.is_dir() {
        return Err(of_file(&"it is a folder"));
    }
    let file: Box<dyn Read> = match path.to_str() {
        Some("-") if kind == NumberKind::DRAWS => Box::new(std::io::stdin()),
        _ => Box::new(File::open(path).map_err(|error| of_file(&error))?),
    };
    let broken = |BadLine { line, why }: BadLine| match line {
        Some(line) => format!("{place}:{line}: {why}"),
        None => of_file(&why),
    };
    let read = if is_table { in_column(file, column, kind) } else { in_lines(file, kind) };
    let numbers = read.map_err(broken)?;
    if numbers.is_empty() {
        return Err(of_file(&format!("it holds no {one}: {REMEDY}")));
    }
    Ok(numbers)
}

/// `true` if both are names of the same file.
pub fn is_one_file([one, other]: [&PathBuf; 2]) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    real(one).is_some_and(|one| real(other) == Some(one))
}

/// Mistake in a file, with its line.
struct BadLine {
    line: Option<u64>,
    why: String,
}

impl BadLine {
    fn line(line: u64, why: impl Into<String>) -> Self {
        Self { line: Some(line), why: why.into() }
    }
}

/// One number a line. Blank lines at the end are not scores.
fn in_lines(file: impl Read, kind: NumberKind) -> Result<Vec<f64>, BadLine> {
    let mut reader = BufReader::new(file);
    let (mut scores, mut line) = (Vec::new(), Vec::new());
    let mut blank = None;
    for number in 1.. {
        line.clear();
        let length = (&mut reader)
            .take(MOST_BYTES)
            .read_until(b'\n', &mut line)
            .map_err(|error| BadLine { line: None, why: error.to_string() })?;
        if length == 0 {
            break;
        }
        if length as u64 == MOST_BYTES && line.last() != Some(&b'\n') {
            return Err(BadLine::line(
                number,
                format!("this line is not a number: {}", excerpt(&line)),
            ));
        }
        if line.trim_ascii().is_empty() {
            blank = blank.or(Some(number));
            continue;
        }
        if let Some(blank) = blank {
            return Err(BadLine::line(blank, format!("this line is empty: {REMEDY}")));
        }
        scores.push(number_of(&line, kind).map_err(|why| BadLine::line(number, why))?);
    }
    Ok(scores)
}

/// The column of this name, or the only one there is: then the first line may be a name or a score.
fn in_column(file: impl Read, column: Option<&str>, kind: NumberKind) -> Result<Vec<f64>, BadLine> {
    let file = BlankLines::new(file);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(file);
    let (mut scores, mut row) = (Vec::new(), ByteRecord::new());
    let mut place = None;
    while read(&mut reader, &mut row)? {
        let line = row.position().map_or(0, csv::Position::line);
        let place = match place {
            Some(place) => place,
            None => {
                let (found, is_header) =
                    header(&row, column).map_err(|why| BadLine::line(line, why))?;
                place = Some(found);
                if is_header {
                    continue;
                }
                found
            }
        };
        scores.push(number_of(&row[place], kind).map_err(|why| BadLine::line(line, why))?);
    }
    Ok(scores)
}

/// Reads the next row; whether there is one.
fn read(reader: &mut csv::Reader<impl Read>, row: &mut ByteRecord) -> Result<bool, BadLine> {
    reader.read_byte_record(row).map_err(|error| match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => BadLine {
            line: pos.as_ref().map(csv::Position::line),
            why: format!("this row has {len} entries, but the first row has {expected_len}"),
        },
        _ => BadLine { line: None, why: error.to_string() },
    })
}

/// Index of the scores by the first row, and whether that row has names.
fn header(first: &ByteRecord, column: Option<&str>) -> Result<(usize, bool), String> {
    let names = || {
        let names: Vec<_> = first.iter().map(|name| format!("`{}`", excerpt(name))).collect();
        names.join(", ")
    };
    match column {
        Some(column) => first
            .iter()
            .position(|name| name == column.as_bytes())
            .map(|place| (place, true))
            .ok_or_else(|| format!("there is no column `{column}` (there are {})", names())),
        None if first.len() == 1 => {
            let name = std::str::from_utf8(&first[0]);
            // A missing score is refused as such.
            let is_name = name.is_ok_and(|word| parsed(word).is_none() && !is_missing(word));
            Ok((0, is_name))
        }
        None => Err(format!(
            "there are {} columns ({}): choose one with --column",
            first.len(),
            names()
        )),
    }
}

fn number_of(word: &[u8], kind: NumberKind) -> Result<f64, String> {
    let text = std::str::from_utf8(word)
        .map_err(|_| format!("this line is not UTF-8: {}", excerpt(word.trim_ascii())))?;
    let read = parsed(text);
    let number =
        read.ok_or_else(|| format!("`{}` is not a number: {REMEDY}", excerpt(word.trim_ascii())))?;
    match kind.nan {
        Some(why) if number.is_nan() => Err(why.to_owned()),
        _ => Ok(number),
    }
}

/// A number as text or as JSON, where what is not finite is a text in quotes.
fn parsed(word: &str) -> Option<f64> {
    let word = word.trim();
    let inner = word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or(word).parse().ok()
}

#[cfg(test)]
#[path = "../../tests/unit/attack/read.rs"]
mod tests;
