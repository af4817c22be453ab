//! Functions of this process, where programs are not audited either: they are asked by the same code.

use super::built::{Built, FunctionSpec};
use crate::spec::error::Mistake;
use crate::spec::read::{Fields, SpannedValue};

pub(super) fn read(
    _: &Fields<'_, '_>,
    value: &SpannedValue<'_>,
    _: Option<&FunctionSpec>,
) -> Result<Built, Mistake> {
    const WHY: &str = "functions of other languages are only audited on Unix systems";
    Err(Mistake::new(value.span(), WHY, "record its outcomes, and audit the files"))
}
