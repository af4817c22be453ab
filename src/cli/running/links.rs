//! Symbolic links on the way to a file.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// Most links on the way, as systems allow.
const MOST: usize = 40;

/// Links on the way to a file, in order, and the file itself: without links in their folders. `None` if it does not
/// exist.
pub(super) fn trail(path: &Path) -> Option<Vec<PathBuf>> {
    let names = |path: &Path| path.components().map(|it| it.as_os_str().to_owned()).collect();
    let mut ahead: VecDeque<OsString> = names(&std::path::absolute(path).ok()?);
    let (mut reached, mut trail) = (PathBuf::new(), Vec::new());
    while let Some(name) = ahead.pop_front() {
        if Path::new(&name).components().eq([Component::ParentDir]) {
            reached.pop();
            continue;
        }
        let next = reached.join(&name);
        if next.symlink_metadata().ok()?.is_symlink() {
            if trail.len() == MOST {
                return None;
            }
            let mut target: VecDeque<OsString> = names(&next.read_link().ok()?);
            target.append(&mut ahead);
            ahead = target;
            trail.push(next);
        } else {
            // An absolute target begins at the root again.
            reached = next;
        }
    }
    trail.push(reached);
    Some(trail)
}
