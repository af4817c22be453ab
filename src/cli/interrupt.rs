//! Ctrl-C: the first one asks the run to stop, the second one stops the program.

use super::{Failure, exit, output};
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Listens to Ctrl-C and to requests to terminate; gives the flag that they set.
pub(super) fn listen() -> Result<&'static AtomicBool, Failure> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            #[cfg(unix)]
            crate::mechanism::process::kill_all();
            std::process::exit(i32::from(exit::INTERRUPTED));
        }
        output::note("interrupted: stopping; once more to stop at once");
    })
    .map_err(|error| Failure::Message(format!("cannot listen to Ctrl-C: {error}")))?;
    Ok(&INTERRUPTED)
}
