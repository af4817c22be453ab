//! Files from outside: regular ones, up to a size.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Content of a regular file of at most `most` bytes.
///
/// # Errors
/// If it cannot be read, is larger, or is not a regular file: a pipe or a device might never end.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    check(path, most)?;
    let mut content = Vec::new();
    // It may have grown since.
    File::open(path)?.take(most + 1).read_to_end(&mut content)?;
    if content.len() as u64 > most {
        return Err(too_large(most));
    }
    Ok(content)
}

/// The same as text.
///
/// # Errors
/// As for [`read`], and if it is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let not_text = |_| io::Error::other("it is not UTF-8 text");
    String::from_utf8(read(path, most)?).map_err(not_text)
}

/// Checks that it is a regular file of at most `most` bytes.
///
/// # Errors
/// If it is not, or cannot be found.
pub fn check(path: &Path, most: u64) -> io::Result<()> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if metadata.len() > most {
        return Err(too_large(most));
    }
    Ok(())
}

fn too_large(most: u64) -> io::Error {
    io::Error::other(format!("it has more than {most} bytes, which is not expected of it"))
}
