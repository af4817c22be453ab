//! `plaudit schema`.

use super::{Failure, exit, output};
use crate::report;

/// Prints the JSON Schema of the report.
pub(super) fn run() -> Result<u8, Failure> {
    output::print_json(&report::schema())?;
    Ok(exit::AS_EXPECTED)
}
