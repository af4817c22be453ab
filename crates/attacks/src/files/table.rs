//! CSV files.

use super::{BadLine, Columns, Named, Wanted, cell, choose_one, no_column};
use csv::ByteRecord;
use plaudit_core::blank::{BlankLines, is_missing};
use plaudit_core::visible::excerpt;
use std::io::Read;

/// Places of the columns in a row.
struct Places {
    numbers: Vec<usize>,
    label: Option<usize>,
    /// `true` if the first row has names.
    is_header: bool,
}

/// The columns of these names, or the only one there is: then the first line may be a name or a number.
pub fn read(file: impl Read, wanted: &Wanted<'_>) -> Result<Columns, BadLine> {
    let plain = wanted.is_plain();
    let file = if plain { BlankLines::new(file) } else { BlankLines::with_header(file) };
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(file);
    let (mut columns, mut row) = (Columns::default(), ByteRecord::new());
    let mut places = None;
    while next(&mut reader, &mut row)? {
        let line = row.position().map_or(0, csv::Position::line);
        let bad = |why| BadLine::line(line, why);
        let places = match &places {
            Some(places) => places,
            None => {
                let found = header(&row, wanted).map_err(bad)?;
                columns.numbers = vec![Vec::new(); found.numbers.len()];
                let is_header = found.is_header;
                let found = places.insert(found);
                if is_header {
                    continue;
                }
                found
            }
        };
        for (&place, numbers) in places.numbers.iter().zip(&mut columns.numbers) {
            let word = text(&row[place]).map_err(bad)?;
            numbers.push(cell::number(word, wanted.kind).map_err(bad)?);
        }
        if let Some(place) = places.label {
            let word = text(&row[place]).map_err(bad)?;
            columns.add_label(word, wanted.kind).map_err(bad)?;
        }
        if wanted.keeps_lines() {
            columns.lines.push(line);
        }
    }
    Ok(columns)
}

/// Reads the next row; whether there is one.
fn next(reader: &mut csv::Reader<impl Read>, row: &mut ByteRecord) -> Result<bool, BadLine> {
    reader.read_byte_record(row).map_err(|error| match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => BadLine {
            line: pos.as_ref().map(csv::Position::line),
            why: format!("this row has {len} entries, but the first row has {expected_len}"),
        },
        _ => BadLine::of_file(error),
    })
}

/// Places of the columns by the first row.
fn header(first: &ByteRecord, wanted: &Wanted<'_>) -> Result<Places, String> {
    let names = || -> Vec<String> {
        first.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect()
    };
    let find = |named: Named<'_>| {
        let place = first.iter().position(|each| each.trim_ascii() == named.name.as_bytes());
        place.ok_or_else(|| no_column(named, &names()))
    };
    if !wanted.is_plain() {
        let named = wanted.numbers.iter().copied().map(find).collect::<Result<Vec<_>, _>>()?;
        let label = wanted.label.map(find).transpose()?;
        let numbers = match (&named[..], label) {
            // The only other column.
            ([], Some(label)) if first.len() == 2 => vec![1 - label],
            ([], _) => return Err(choose_one(&names())),
            _ => named,
        };
        return Ok(Places { numbers, label, is_header: true });
    }
    if first.len() != 1 {
        return Err(choose_one(&names()));
    }
    let name = std::str::from_utf8(&first[0]);
    // A missing number is refused as such, and one with separators.
    let is_name = name.is_ok_and(|word| {
        let separated = plaudit_engine::mechanism::recorded::separated(word).is_some();
        cell::parsed(word).is_none() && !is_missing(word) && !separated
    });
    Ok(Places { numbers: vec![0], label: None, is_header: is_name })
}

fn text(word: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(word)
        .map_err(|_| format!("this line is not UTF-8: {}", excerpt(word.trim_ascii())))
}
