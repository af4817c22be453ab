//! The folder that a report is written into before it is moved into place, and what is left of it when
//! a run is killed.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// Prefix of the names of staging folders. A process that is killed before [`Staging::new`] has locked it leaves one
/// without a report in it.
const STAGING: &str = ".plaudit-";

/// Folder that a report is written into before it is moved into place. A file in it stays locked while the process
/// lives, so that a killed process differs from one that is still writing.
pub(super) struct Staging {
    /// The locked file. `None` where nothing can be locked: then no other process deletes the folder.
    lock: Option<File>,
    folder: TempDir,
}

impl Staging {
    pub(super) const LOCK: &str = "lock";
    /// Its name before it is locked.
    pub(super) const UNLOCKED: &str = "unlocked";

    pub(super) fn new(parent: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(STAGING).tempdir_in(parent)?;
        // Under another name until it is locked: no process finds it unlocked while this one lives.
        let unlocked = folder.path().join(Self::UNLOCKED);
        let lock = File::create_new(&unlocked)?;
        let locked = lock.try_lock().is_ok();
        if locked {
            fs::rename(&unlocked, folder.path().join(Self::LOCK))?;
        }
        Ok(Self { lock: locked.then_some(lock), folder })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn keep(mut self) -> PathBuf {
        self.folder.disable_cleanup(true);
        self.lock = None;
        // Without it no process takes the folder for abandoned.
        let _ = fs::remove_file(self.path().join(Self::LOCK));
        self.path().to_path_buf()
    }

    /// `true` if an unlocked folder was left by a process that is gone: locking takes less than an hour.
    fn is_stale(modified: SystemTime) -> bool {
        modified.elapsed().is_ok_and(|age| age > Duration::from_secs(3_600))
    }

    /// Deletes the contents of a staging folder except its lock, so that a process killed meanwhile leaves one that is
    /// known to be abandoned.
    fn empty(path: &Path) {
        for part in ["new", "old"] {
            let _ = fs::remove_dir_all(path.join(part));
        }
    }

    /// Deletes the staging folders that processes left that were killed: what they hold of earlier reports has been replaced
    /// by this one. Best effort.
    pub(super) fn remove_abandoned(&self, parent: &Path) {
        for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
            let is_staging = entry.file_name().to_string_lossy().starts_with(STAGING)
                && entry.file_type().is_ok_and(|kind| kind.is_dir());
            let path = entry.path();
            if !is_staging || path == self.path() {
                continue;
            }
            let lock = File::options().write(true).open(path.join(Self::LOCK));
            // Foreign files stay, and the folder with them.
            if let Ok(lock) = lock
                && lock.try_lock().is_ok()
            {
                Self::empty(&path);
                drop(lock);
                let _ = fs::remove_file(path.join(Self::LOCK));
                let _ = fs::remove_dir(&path);
            } else if entry.metadata().and_then(|m| m.modified()).is_ok_and(Self::is_stale) {
                // No report is in it, or it stays.
                let _ = fs::remove_file(path.join(Self::UNLOCKED));
                let _ = fs::remove_dir(&path);
            }
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if let Some(lock) = self.lock.take() {
            Self::empty(self.path());
            // Before the folder is deleted, as some systems require.
            drop(lock);
        }
    }
}
