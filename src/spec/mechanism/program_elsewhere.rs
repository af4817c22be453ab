//! Programs as mechanisms, on systems without process groups to run them in.

use super::built::Built;
use crate::spec::error::Checked;
use crate::spec::read::{Fields, Place as _, Value};
use std::path::Path;

const WHY: &str =
    "programs can be audited only on Unix systems, where all their child processes can be stopped";

pub(super) fn read(_: &Fields<'_>, value: &Value<'_>, _: &Path) -> Checked<Built> {
    value.refuse(WHY, "record its outcomes, and audit the files")
}
