//! Formats in which programs pass on outcomes: JSON lines and the arrays of `numpy.save`.
//!
//! Pure readers: they take bytes, add outcomes to a batch, and start nothing. On any input they end
//! with outcomes or with one clear error, and allocate in proportion to the input, never to the
//! size in a header.

pub(super) mod json;
pub mod npy;

pub use json::{push_line, push_lines, push_lines_timed, write_line};

use plaudit_core::visible::excerpt;
use std::io::ErrorKind;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// A line without a valid outcome.
    #[error("{why}: {excerpt}")]
    Line {
        why: String,
        /// Its start, escaped, at most 80 characters.
        excerpt: String,
    },
    /// An array that is not one of outcomes, or was not requested.
    #[error("{0}")]
    Array(String),
    #[error("{0}")]
    NoArray(String),
    /// The stream ended within an array.
    #[error("the array breaks off: {missing} more {} should follow", if *missing == 1 { "byte" } else { "bytes" })]
    Truncated {
        /// Missing bytes, as far as known from the input.
        missing: u64,
    },
    #[error("cannot read: {message}")]
    Read {
        /// The kind of error: interrupted, timed out, …
        kind: ErrorKind,
        message: String,
    },
}

impl WireError {
    /// An error in a line: its problem, and the start of the line.
    fn line(why: impl Into<String>, line: &[u8]) -> Self {
        Self::Line { why: why.into(), excerpt: excerpt(line) }
    }
}
