//! `plaudit replay`.

mod counterexample;
mod evidence;
mod refutation;
pub(super) mod regression;

use super::Failure;
use super::args::ReplayArguments;
use evidence::Replayable;
use plaudit_engine::audit::{AnyCertificate, Envelope, Seal};

/// Replays a certificate and prints whether it holds.
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
    let certificate = evidence::located(certificate, &raw.certificate);
    let playable = evidence::check(certificate, seal).map_err(refused)?;
    evidence::remark(seal);
    C::run(raw, playable)
}

/// Entry for a fuzzer with the JSON of a certificate: reads and checks it as [`run`] does, and plays `trials` of it
/// unless that takes a program. `None` if there was nothing to play.
///
/// # Errors
/// The reason for refusing it.
#[cfg(fuzzing)]
pub fn try_certificate(json: serde_json::Value, trials: u64) -> Result<Option<bool>, String> {
    let (read, seal) = AnyCertificate::read(json).map_err(|error| error.to_string())?;
    let interrupted = &std::sync::atomic::AtomicBool::new(false);
    match read {
        AnyCertificate::Counterexample(certificate) => {
            let playable = evidence::check(*certificate, &seal)?;
            let evidence::Playable { certificate, mechanism, pair, .. } = playable;
            if crate::rebuild::is_program(&certificate.mechanism) {
                return Ok(None);
            }
            let pair = [&pair.d, &pair.d_prime];
            let again = certificate.recheck::<plaudit_core::dataset::Dataset>(
                &*mechanism,
                pair,
                interrupted,
            );
            again.map(|again| Some(again.holds)).map_err(|error| error.to_string())
        }
        AnyCertificate::Refutation(certificate) => {
            let mut playable = evidence::check(*certificate, &seal)?;
            if crate::rebuild::is_program(&playable.certificate.mechanism) {
                return Ok(None);
            }
            playable.certificate.confirm = trials;
            let evidence::Playable { certificate, mechanism, pair, smallest } = playable;
            let control = plaudit_engine::game::Control {
                interrupted,
                ..plaudit_engine::game::Control::unattended()
            };
            let alpha = certificate.reader_alpha();
            let replay = certificate
                .replay_at::<plaudit_core::dataset::Dataset>(
                    alpha,
                    (&*mechanism, &pair),
                    1,
                    control,
                )
                .map_err(|error| error.to_string())?;
            if let Some(pair) = &smallest {
                certificate
                    .replay_smallest(alpha, (&*mechanism, pair), 1, control)
                    .map_err(|error| error.to_string())?;
            }
            Ok(Some(replay.holds))
        }
    }
}
