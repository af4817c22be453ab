//! One run at a time writes into a folder.

use crate::cli::Failure;
use crate::cli::output;
use std::fs::{File, TryLockError};
use std::path::Path;

/// Locks a folder that exists for this run, until the lock is dropped or the program ends in any way.
/// `None`: the system cannot lock it, which is tolerated.
pub(in crate::cli) fn hold(folder: &Path) -> Result<Option<File>, Failure> {
    let Ok(file) = open(folder) else { return Ok(None) };
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(Failure::Message(format!(
            "another plaudit is running that will write into `{}`: wait until it ends, or choose \
             another folder with --out; nothing was run",
            output::path(folder)
        ))),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// The folder itself, so that no file is left in it.
#[cfg(unix)]
fn open(folder: &Path) -> std::io::Result<File> {
    File::open(folder)
}

#[cfg(not(unix))]
fn open(folder: &Path) -> std::io::Result<File> {
    File::options().create(true).truncate(false).write(true).open(folder.join(".plaudit.lock"))
}
