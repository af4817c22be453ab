//! `plaudit schema`.

use super::{Failure, exit, output, shim};

/// Prints the JSON Schema of the report.
pub(super) fn run() -> Result<u8, Failure> {
    output::print_json(&shim::schema())?;
    Ok(exit::AS_EXPECTED)
}
