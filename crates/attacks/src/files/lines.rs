//! Lines: a number each, or a JSON object each.

use super::{BadLine, Columns, Named, NumberKind, Wanted, cell};
use plaudit_core::visible::excerpt;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};

/// Most bytes of a line: of a number there are fewer.
const MOST_BYTES: u64 = 4096;
const MOST_BYTES_OF_OBJECT: u64 = 1 << 20;

/// One number a line. Blank lines at the end are not numbers.
pub fn read(file: impl Read, kind: NumberKind) -> Result<Columns, BadLine> {
    let mut numbers = Vec::new();
    each_line(file, MOST_BYTES, kind.remedy, |line, text, is_whole| {
        if !is_whole {
            return Err(BadLine::line(
                line,
                format!("this line is not a number: {}", excerpt(text)),
            ));
        }
        let number = std::str::from_utf8(text)
            .map_err(|_| format!("this line is not UTF-8: {}", excerpt(text.trim_ascii())))
            .and_then(|word| cell::number(word, kind));
        numbers.push(number.map_err(|why| BadLine::line(line, why))?);
        Ok(())
    })?;
    Ok(Columns { numbers: vec![numbers], ..Columns::default() })
}

/// One JSON object a line. Blank lines at the end are not rows.
pub fn read_objects(file: impl Read, wanted: &Wanted<'_>) -> Result<Columns, BadLine> {
    let Some(_) = wanted.numbers.first() else {
        return Err(BadLine::of_file("name the entry of the scores with --column"));
    };
    let mut columns =
        Columns { numbers: vec![Vec::new(); wanted.numbers.len()], ..Columns::default() };
    each_line(file, MOST_BYTES_OF_OBJECT, "remove it", |line, text, _| {
        let bad = |why| BadLine::line(line, why);
        let value = object(text).map_err(bad)?;
        for (named, numbers) in wanted.numbers.iter().zip(&mut columns.numbers) {
            let word = entry(&value, *named, text).map_err(bad)?;
            numbers.push(cell::number(&word, wanted.kind).map_err(bad)?);
        }
        if let Some(named) = wanted.label {
            let word = entry(&value, named, text).map_err(bad)?;
            columns.add_label(&word, wanted.kind).map_err(bad)?;
        }
        if wanted.keeps_lines() {
            columns.lines.push(line);
        }
        Ok(())
    })?;
    Ok(columns)
}

/// Calls `take` for each line that is not blank, with its number, its text and whether that is all of it.
fn each_line(
    file: impl Read,
    most: u64,
    remedy: &str,
    mut take: impl FnMut(u64, &[u8], bool) -> Result<(), BadLine>,
) -> Result<(), BadLine> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let (mut text, mut blank) = (Vec::new(), None);
    for line in 1.. {
        text.clear();
        let length =
            (&mut reader).take(most).read_until(b'\n', &mut text).map_err(BadLine::of_file)?;
        if length == 0 {
            break;
        }
        if text.trim_ascii().is_empty() {
            blank = blank.or(Some(line));
            continue;
        }
        if let Some(blank) = blank {
            return Err(BadLine::line(blank, format!("this line is empty: {remedy}")));
        }
        let is_whole = (length as u64) < most || text.last() == Some(&b'\n');
        take(line, &text, is_whole)?;
    }
    Ok(())
}

fn object(text: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(text).map_err(|_| {
        format!(
            "this line is not a JSON object: {} (a table must end in .csv)",
            excerpt(text.trim_ascii())
        )
    })
}

/// The text of an entry.
fn entry(value: &Value, Named { name, option }: Named<'_>, text: &[u8]) -> Result<String, String> {
    match value.get(name) {
        Some(Value::String(word)) => Ok(word.clone()),
        Some(other) => Ok(other.to_string()),
        None => Err(format!(
            "this line has no `{}`: {} (name it with {option})",
            excerpt(name.as_bytes()),
            excerpt(text.trim_ascii())
        )),
    }
}
