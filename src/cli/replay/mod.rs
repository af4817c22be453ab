//! `plaudit replay`.

mod counterexample;
mod evidence;
mod refutation;

use super::Failure;
use super::args::ReplayArguments;
use crate::audit::{AnyCertificate, Envelope, Seal};
use evidence::Replayable;

/// Plays a certificate again and says whether it holds.
pub(super) fn run(raw: &ReplayArguments) -> Result<u8, Failure> {
    let read = evidence::read(&raw.certificate).map_err(|why| evidence::refused(raw, &why))?;
    match read {
        (AnyCertificate::Refutation(certificate), seal) => replay(raw, *certificate, &seal),
        (AnyCertificate::Counterexample(certificate), seal) => replay(raw, *certificate, &seal),
    }
}

fn replay<C: Replayable>(
    raw: &ReplayArguments,
    certificate: Envelope<C>,
    seal: &Seal,
) -> Result<u8, Failure> {
    let refused = |why: String| evidence::refused(raw, &why);
    evidence::consented(raw, &certificate.mechanism).map_err(refused)?;
    let playable = evidence::check(certificate, seal).map_err(refused)?;
    evidence::remark(seal);
    C::run(raw, playable)
}
