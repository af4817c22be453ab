//! `plaudit schema`.

use super::{Failure, exit, output};
use plaudit_core::finding;

/// Prints the JSON Schema of the report.
pub(super) fn run() -> Result<u8, Failure> {
    output::print_json(&finding::schema())?;
    Ok(exit::AS_EXPECTED)
}
