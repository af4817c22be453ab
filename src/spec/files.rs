//! Which files are specs.

use super::error::SpecError;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The spec files that paths name, each once.
pub(super) fn collect(paths: &[PathBuf], errors: &mut Vec<SpecError>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            match folder(path) {
                Ok(found) => files.extend(found),
                Err(error) => errors.push(SpecError::of_file(
                    path,
                    format!("cannot read this folder: {error}"),
                    "check its permissions",
                )),
            }
        } else if path.exists() {
            files.push(path.clone());
        } else {
            errors.push(SpecError::of_file(
                path,
                "there is no such file or folder".into(),
                "name a spec file (TOML) or a folder of them",
            ));
        }
    }
    // A file named twice, or by its folder too, is one file.
    let mut seen = HashSet::new();
    files.retain(|file| seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    files
}

/// The specs directly in a folder, by name.
fn folder(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".toml") && !name.ends_with(".regressions.toml") && !file.is_dir() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
