//! `plaudit attest`: signed statements of what a report shows.

pub(super) mod arguments;
mod folder;
mod key;
mod make;
mod refusal;
mod verify;

use super::Failure;
use arguments::{AttestArguments, AttestCommand};

/// Makes or checks an attestation.
pub(super) fn run(raw: &AttestArguments) -> Result<u8, Failure> {
    match &raw.command {
        AttestCommand::Make(raw) => make::run(raw),
        AttestCommand::Verify(raw) => verify::run(raw),
    }
}
