//! Programs as mechanisms, on systems without process groups to run them in.

use super::built::Built;
use crate::spec::error::Checked;
use crate::spec::read::{Fields, Place as _, Value};
use std::path::Path;

const WHY: &str =
    "programs are only audited on Unix systems, where all that they start can be ended";

pub(super) fn read(_: &Fields<'_>, value: &Value<'_>, _: &Path) -> Checked<Built> {
    value.refuse(WHY, "record its outcomes, and audit the files")
}
