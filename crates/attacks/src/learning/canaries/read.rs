//! Files of canaries: a row each, with a score and whether it was in.

use super::canary::Canary;
use csv::ByteRecord;
use plaudit_core::blank::BlankLines;
use plaudit_core::visible::excerpt;
use plaudit_core::visible::visible;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

const MOST_BYTES: u64 = 1 << 20;
const COINS: &str = "write 1 or true if the canary was in, 0 or false if not";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanaryColumns {
    pub score: String,
    /// Column that holds whether a canary was in.
    pub included: String,
}

/// Canaries in a file, in its order; no score is NaN. A file that ends in `.csv` is a table whose first row names the
/// columns; any other file has one JSON object per line.
///
/// # Errors
/// A message with the file and the line.
pub fn read_canaries(path: &Path, columns: &CanaryColumns) -> Result<Vec<Canary>, String> {
    let place = visible(&path.display().to_string());
    let of_file =
        |error: &dyn std::fmt::Display| format!("cannot read the canaries in {place}: {error}");
    if path.is_dir() {
        return Err(of_file(&"it is a folder"));
    }
    let is_table = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    let file = File::open(path).map_err(|error| of_file(&error))?;
    let read = if is_table { in_table(file, columns) } else { in_lines(file, columns) };
    let canaries = read.map_err(|BadRow { line, why }| match line {
        Some(line) => format!("{place}:{line}: {why}"),
        None => of_file(&why),
    })?;
    if canaries.is_empty() {
        return Err(of_file(&"it holds no canary"));
    }
    Ok(canaries)
}

/// Mistake in a file, with its line.
struct BadRow {
    line: Option<u64>,
    why: String,
}

fn in_table(file: impl Read, columns: &CanaryColumns) -> Result<Vec<Canary>, BadRow> {
    let file = BlankLines::with_header(file);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(file);
    let (mut canaries, mut row) = (Vec::new(), ByteRecord::new());
    let mut places = None;
    while next(&mut reader, &mut row)? {
        let line = row.position().map_or(0, csv::Position::line);
        let bad = |why| BadRow { line: Some(line), why };
        let Some((score_at, included_at)) = places else {
            let score_at = column(&row, &columns.score, "--score-column").map_err(bad)?;
            let included_at = column(&row, &columns.included, "--in-column").map_err(bad)?;
            places = Some((score_at, included_at));
            continue;
        };
        let score = score(&String::from_utf8_lossy(&row[score_at])).map_err(bad)?;
        let included = coin(&String::from_utf8_lossy(&row[included_at])).map_err(bad)?;
        canaries.push(Canary { score, included, line });
    }
    Ok(canaries)
}

/// Reads the next row; whether there is one.
fn next(reader: &mut csv::Reader<impl Read>, row: &mut ByteRecord) -> Result<bool, BadRow> {
    reader.read_byte_record(row).map_err(|error| match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => BadRow {
            line: pos.as_ref().map(csv::Position::line),
            why: format!("this row has {len} entries, but the first row has {expected_len}"),
        },
        _ => BadRow { line: None, why: error.to_string() },
    })
}

fn column(first: &ByteRecord, name: &str, option: &str) -> Result<usize, String> {
    first.iter().position(|each| each.trim_ascii() == name.as_bytes()).ok_or_else(|| {
        let names: Vec<_> = first.iter().map(|name| format!("`{}`", excerpt(name))).collect();
        format!(
            "there is no column `{}` (there are {}): name it with {option}",
            excerpt(name.as_bytes()),
            names.join(", ")
        )
    })
}

/// One JSON object a line. Blank lines at the end are not canaries.
fn in_lines(file: impl Read, columns: &CanaryColumns) -> Result<Vec<Canary>, BadRow> {
    let mut reader = BufReader::new(file);
    let (mut canaries, mut text) = (Vec::new(), Vec::new());
    let mut blank = None;
    for line in 1.. {
        text.clear();
        let length = (&mut reader)
            .take(MOST_BYTES)
            .read_until(b'\n', &mut text)
            .map_err(|error| BadRow { line: None, why: error.to_string() })?;
        if length == 0 {
            break;
        }
        if text.trim_ascii().is_empty() {
            blank = blank.or(Some(line));
            continue;
        }
        if let Some(blank) = blank {
            return Err(BadRow { line: Some(blank), why: "this line is empty".into() });
        }
        let canary = object(&text, columns).map_err(|why| BadRow { line: Some(line), why })?;
        canaries.push(Canary { line, ..canary });
    }
    Ok(canaries)
}

/// The canary of one JSON object; its line is not known here.
fn object(text: &[u8], columns: &CanaryColumns) -> Result<Canary, String> {
    let value: Value = serde_json::from_slice(text).map_err(|_| {
        format!(
            "this line is not a JSON object: {} (a table must end in .csv)",
            excerpt(text.trim_ascii())
        )
    })?;
    let entry = |name: &str, option: &str| match value.get(name) {
        Some(Value::String(word)) => Ok(word.clone()),
        Some(other) => Ok(other.to_string()),
        None => Err(format!(
            "this line has no `{}`: {} (name it with {option})",
            excerpt(name.as_bytes()),
            excerpt(text.trim_ascii())
        )),
    };
    let score = score(&entry(&columns.score, "--score-column")?)?;
    let included = coin(&entry(&columns.included, "--in-column")?)?;
    Ok(Canary { score, included, line: 0 })
}

fn score(word: &str) -> Result<f64, String> {
    match word.trim().parse::<f64>() {
        Err(_) => Err(format!("`{}` is not a number", excerpt(word.trim().as_bytes()))),
        Ok(score) if score.is_nan() => Err(
            "this score is NaN, which is neither above nor below any other: leave this canary out only if its coin \
             did not influence that"
                .into(),
        ),
        Ok(score) => Ok(score),
    }
}

fn coin(word: &str) -> Result<bool, String> {
    match word.trim().to_ascii_lowercase().as_str() {
        "1" | "true" => Ok(true),
        "0" | "false" => Ok(false),
        _ => Err(format!(
            "`{}` does not state whether the canary was in: {COINS}",
            excerpt(word.trim().as_bytes())
        )),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/learning/canaries/read.rs"]
mod tests;
