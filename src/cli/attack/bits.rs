//! Files of bits: 0 or 1, one per line.

use crate::cli::{Failure, output};
use plaudit_attacks::attack::MOST_DECODED;
use plaudit_core::visible::excerpt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Most bytes that are read: more than any table that can be attacked has.
const MOST_BYTES: u64 = 16 * MOST_DECODED as u64;

/// Bits in a file, in its order. Blank lines at the end are not bits.
pub(super) fn bits(path: &Path) -> Result<Vec<bool>, Failure> {
    let of_file =
        |error: &dyn std::fmt::Display| Failure::of_file("cannot read the bits in", path, error);
    if path.is_dir() {
        return Err(of_file(&"it is a folder"));
    }
    let mut text = Vec::new();
    let file = File::open(path).map_err(|error| of_file(&error))?;
    file.take(MOST_BYTES + 1).read_to_end(&mut text).map_err(|error| of_file(&error))?;
    // A mistake among the bits read has a place, which is more helpful.
    let is_whole = text.len() as u64 <= MOST_BYTES;
    let found = parsed(&text)
        .map_err(|(line, why)| Failure::Message(format!("{}:{line}: {why}", output::path(path))))?;
    if !is_whole || found.len() > MOST_DECODED {
        return Err(of_file(&format!(
            "it holds more than {MOST_DECODED} bits, the most that can be decoded"
        )));
    }
    if found.is_empty() {
        return Err(of_file(&"it holds no bit: write 0 or 1, one per line"));
    }
    Ok(found)
}

/// The bits, or the line of the first mistake and what it is.
fn parsed(text: &[u8]) -> Result<Vec<bool>, (usize, String)> {
    let mut found = Vec::new();
    for (line, word) in text.trim_ascii_end().split(|byte| *byte == b'\n').enumerate() {
        match word.trim_ascii() {
            b"0" => found.push(false),
            b"1" => found.push(true),
            b"" if text.trim_ascii().is_empty() => break,
            word => {
                let why = format!("`{}` is not a bit: write 0 or 1, one per line", excerpt(word));
                return Err((line + 1, why));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/attack/bits.rs"]
mod tests;
