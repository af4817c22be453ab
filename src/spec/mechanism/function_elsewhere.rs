//! Functions of this process, where programs are not audited either: they are asked by the same code.

use super::built::{Built, FunctionSpec};
use crate::spec::error::Checked;
use crate::spec::read::{Fields, Place as _, Value};

pub(super) fn read(_: &Fields<'_>, value: &Value<'_>, _: Option<&FunctionSpec>) -> Checked<Built> {
    const WHY: &str = "functions in other languages can be audited only on Unix systems";
    value.refuse(WHY, "record its outcomes, and audit the files")
}
