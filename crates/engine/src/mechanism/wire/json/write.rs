//! Writing outcomes as JSON lines.

use super::parse;
use super::value::{write_strict_number, write_text};
use crate::mechanism::{Entry, OutcomeRef};
use std::fmt::Write as _;

/// An outcome as a line, without its end: strict JSON, and read back bit for bit, except for the
/// bits of a NaN. Some outcomes of closures cannot be expressed: keys that start with `$`, sets
/// that are maps as well, structures that are not canonical JSON.
pub fn write_line(outcome: &OutcomeRef<'_>) -> String {
    let mut line = String::new();
    match outcome {
        OutcomeRef::Number(x) => write_double(*x, &mut line),
        OutcomeRef::Integer(i) => line = i.to_string(),
        OutcomeRef::Text(words) => write_text(words, &mut line),
        OutcomeRef::Structure(words) => write_structure(words, &mut line),
        OutcomeRef::Vector(values) => {
            separated('[', values.iter(), &mut line, |x, line| write_double(*x, line));
            line.push(']');
        }
        OutcomeRef::Failure(message) => {
            line.push_str("{\"$error\":");
            write_text(message, &mut line);
            line.push('}');
        }
        OutcomeRef::Keyed(keyed) => {
            let entries = keyed.entries();
            let set = entries.iter().all(|(_, entry)| *entry == Entry::Member);
            if set && !keyed.is_empty() {
                line.push_str("{\"$set\":");
                separated('[', entries.iter(), &mut line, |(key, _), line| write_text(key, line));
                line.push_str("]}");
            } else {
                separated('{', entries.iter(), &mut line, |(key, entry), line| {
                    write_text(key, line);
                    line.push(':');
                    match entry {
                        Entry::Number(x) => write_double(*x, line),
                        Entry::Other(words) => write_structure(words, line),
                        Entry::Member => line.push_str("null"),
                    }
                });
                line.push('}');
            }
        }
    }
    line
}

/// A double that no reader takes for an integer.
fn write_double(x: f64, line: &mut String) {
    if x.is_finite() {
        // Writing to a string does not fail.
        let _ = write!(line, "{x:?}");
    } else {
        write_strict_number(x, line);
    }
}

/// Canonical JSON, in which numbers that are not finite are bare words.
fn write_structure(words: &str, line: &mut String) {
    let may_be_bare = words.contains("NaN") || words.contains("Infinity");
    match may_be_bare.then(|| parse(words)).flatten() {
        Some(value) => value.write_strictly(line),
        None => line.push_str(words),
    }
}

fn separated<T>(
    open: char,
    values: impl Iterator<Item = T>,
    line: &mut String,
    write: impl Fn(T, &mut String),
) {
    line.push(open);
    for (place, value) in values.enumerate() {
        if place > 0 {
            line.push(',');
        }
        write(value, line);
    }
}
