//! Outcomes as JSON lines.
//!
//! | on the line | outcome |
//! |---|---|
//! | `0.5`, `1e-3`, `-0`, `NaN`, `Infinity`, `-Infinity`, `{"$number": "nan"}` | a number, bit for bit |
//! | `3`, `true`, `false` | an integer (`true` is 1, `false` is 0) |
//! | `"north"` | a text |
//! | `[0.5, 3, null, true]` | a vector (`null` is NaN) |
//! | `{"a": 1, "b": [2]}` | a map |
//! | `{"$set": ["a", "b"]}` | a set |
//! | `{"$error": "message"}` | a failure |
//! | `{"$ns": 1234, "value": 0.5}` | any of these, and the nanoseconds that it took |
//! | anything else, such as `null`, `[[1], [2]]` | a structure, compared as a whole and taken apart by witnesses |

mod reader;
mod value;
mod write;

use super::WireError;
use crate::mechanism::Outcomes;
use memchr::memchr;
use reader::Reader;

pub(crate) use reader::parse;
pub(crate) use value::{JsonValue, canonical_text};
pub use write::write_line;

/// Adds the outcome of a line (without its end); returns the nanoseconds of its release, if the
/// line has them.
///
/// # Errors
/// If the line is not JSON, or an object with an unknown `$` key. Nothing is added then.
#[inline]
pub fn push_line(line: &[u8], outcomes: &mut Outcomes) -> Result<Option<u64>, WireError> {
    let mut reader = Reader::new(line);
    if let Some(number) = reader.lone_number() {
        match number {
            JsonValue::Number(x) => outcomes.push_number(x),
            JsonValue::Integer(i) => outcomes.push_integer(i),
            other => outcomes.push(other.into_outcome()),
        }
        return Ok(None);
    }
    let timed = reader.timed().map_err(|why| WireError::line(why, line))?;
    outcomes.push(timed.outcome);
    Ok(timed.nanoseconds)
}

/// Adds the outcomes of the complete lines at the start of a buffer, at most `most`; returns the
/// bytes of these lines and their number.
///
/// # Errors
/// As [`push_line`]; the outcomes of the lines before are in the batch.
pub fn push_lines(
    buffer: &[u8],
    most: usize,
    outcomes: &mut Outcomes,
) -> Result<(usize, usize), WireError> {
    push_lines_timed(buffer, most, outcomes, |_| ())
}

/// As [`push_lines`]; calls `timed` for each line with its nanoseconds, if it has them.
///
/// # Errors
/// As [`push_lines`].
pub fn push_lines_timed(
    buffer: &[u8],
    most: usize,
    outcomes: &mut Outcomes,
    mut timed: impl FnMut(Option<u64>),
) -> Result<(usize, usize), WireError> {
    let (mut consumed, mut lines) = (0, 0);
    while lines < most {
        let Some(length) = memchr(b'\n', &buffer[consumed..]) else { break };
        timed(push_line(&buffer[consumed..consumed + length], outcomes)?);
        consumed += length + 1;
        lines += 1;
    }
    Ok((consumed, lines))
}
