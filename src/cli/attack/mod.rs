//! `plaudit attack`.

mod average;
mod membership;
mod read;

use super::Failure;
use super::args::{Attack, AttackArguments};

/// Runs the attack that was chosen.
pub(super) fn run(raw: &AttackArguments) -> Result<u8, Failure> {
    match &raw.attack {
        Attack::Average(raw) => average::run(raw),
        Attack::Membership(raw) => membership::run(raw),
    }
}
