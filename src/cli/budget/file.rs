//! The file of a ledger: one process at a time changes it, whole or not at all.

use crate::cli::{Failure, output};
use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time between two looks at the lock.
const PAUSE: Duration = Duration::from_millis(20);

/// Holds the lock of a ledger: on a file next to it, which stays, since the ledger itself is replaced. The system
/// releases it when the process ends.
pub(super) fn lock(path: &Path, wait: Duration) -> Result<File, Failure> {
    let place = beside(path);
    let failed = |error: &dyn std::fmt::Display| {
        Failure::of_file("cannot lock the ledger by", &place, error)
    };
    let file = File::options().create(true).truncate(false).write(true).open(&place);
    let file = file.map_err(|error| failed(&error))?;
    let end = Instant::now() + wait;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(failed(&error)),
            Err(TryLockError::WouldBlock) if Instant::now() < end => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                return Err(failed(&format!(
                    "another process held it for {} s: nothing was added; try again, or give a longer --wait",
                    wait.as_secs()
                )));
            }
        }
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    path.with_file_name(name)
}

/// Writes a file that is not there yet.
pub(super) fn create(path: &Path, text: &str) -> Result<(), Failure> {
    output::check_folder(path)?;
    let created = staged(path, text).and_then(|file| {
        file.persist_noclobber(path).map_err(|error| error.error)?;
        settle(path)
    });
    created.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            let why = "it is already there, and a budget is stated once: name another file";
            Failure::of_file("cannot begin the ledger", path, &why)
        }
        _ => Failure::of_file("cannot write the ledger", path, &error),
    })
}

/// Replaces a file; a reader meanwhile has the old one.
pub(super) fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let replaced = staged(path, text).and_then(|file| {
        file.as_file().set_permissions(std::fs::metadata(path)?.permissions())?;
        file.persist(path).map_err(|error| error.error)?;
        settle(path)
    });
    replaced.map_err(|error| Failure::of_file("cannot write the ledger", path, &error))
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file next to it with the text, on the disk.
fn staged(path: &Path, text: &str) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    // Like any other new file: readable for others where the umask allows it.
    #[cfg(unix)]
    let mode = <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(mode);
    let mut file = builder.prefix(".plaudit-").tempfile_in(folder(path))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Has the new name of a file on the disk: a release must not outlive its entry.
fn settle(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder(path))?.sync_all()?;
    }
    Ok(())
}
