//! Ctrl-C and requests to terminate: the first one asks the run to stop, the second one stops the program.

use crate::cli::{Failure, exit, output};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Exit code that identifies the signal.
static CODE: AtomicU8 = AtomicU8::new(exit::INTERRUPTED);

/// Listens to Ctrl-C and to requests to terminate; gives the flag that they set.
pub(in crate::cli) fn listen() -> Result<&'static AtomicBool, Failure> {
    on_signal().map_err(|error| Failure::Message(format!("cannot handle Ctrl-C: {error}")))?;
    Ok(&INTERRUPTED)
}

/// The exit code of what was interrupted: 128 and the number of the signal.
pub(in crate::cli) fn code() -> u8 {
    CODE.load(Ordering::SeqCst)
}

fn heard(code: u8) {
    if INTERRUPTED.swap(true, Ordering::SeqCst) {
        #[cfg(unix)]
        plaudit_engine::mechanism::program::kill_all();
        std::process::exit(i32::from(code));
    }
    CODE.store(code, Ordering::SeqCst);
    output::note("interrupted: stopping; press Ctrl-C again to stop at once");
}

#[cfg(unix)]
fn on_signal() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            // The three are small numbers.
            heard(u8::try_from(128 + signal).unwrap_or(exit::INTERRUPTED));
        }
    })?;
    Ok(())
}

#[cfg(not(unix))]
fn on_signal() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| heard(exit::INTERRUPTED))
}
