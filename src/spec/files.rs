//! Which files are specs, and which ones an audit depends on (`watch`).

use super::error::{Checked, Mistake, SpecError};
use super::read::{self, Place, Value};
use glob::Pattern;
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
                "no such file or folder".into(),
                "name a spec file (TOML) or a folder of them",
            ));
        }
    }
    // A file named twice, or by its folder too, is one file.
    let mut seen = HashSet::new();
    files.retain(|file| seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    files
}

/// The specs directly in a folder, by name: neither stored pairs nor settings.
fn folder(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let is_other = name.ends_with(".regressions.toml") || name == "plaudit.toml";
        if name.ends_with(".toml") && !is_other && !file.is_dir() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

const EXAMPLE: &str = "[\"src/noise/**\", \"Cargo.lock\"]";

/// The patterns of `watch` that are right; the others are mistakes.
pub(super) fn watch(value: &Value<'_>, mistakes: &mut Vec<Mistake>) -> Vec<Pattern> {
    let Some(list) = read::keep(mistakes, read::list(value, "`watch`", EXAMPLE)) else {
        return Vec::new();
    };
    list.iter().filter_map(|entry| read::keep(mistakes, pattern(entry))).collect()
}

/// One pattern. A pattern whose form matches nothing is refused: else the audit would silently never run.
fn pattern(value: &Value<'_>) -> Checked<Pattern> {
    let word = read::text(value, "a pattern of `watch`")?;
    let wrong = |message: &str, help: &str| value.refuse(message, help);
    let plain = word.strip_prefix("./").unwrap_or(word).trim_end_matches('/');
    if plain.is_empty() {
        return wrong("a pattern of `watch` is empty", &format!("name files: {EXAMPLE}"));
    }
    if plain.starts_with('/') || plain.split('/').any(|part| matches!(part, "" | "." | "..")) {
        let message =
            format!("`{word}` is not a pattern of files below the root of the repository");
        return wrong(&message, "write paths from that root, with `/`: \"src/noise/**\"");
    }
    if plain.starts_with('!') || plain.contains(['{', '}', '\\']) {
        let message =
            format!("`!`, braces and `\\` have no special meaning in the pattern `{word}`");
        return wrong(&message, "write one pattern for each, with `**`, `*`, `?` and `[..]`");
    }
    Pattern::new(plain).or_else(|error| {
        wrong(&format!("`{word}` is not a pattern: {}", error.msg), "use `**`, `*`, `?` and `[..]`")
    })
}
