//! Datasets that are files, for programs: arrays, frames, texts, or any other format.

use super::Dataset;
use plaudit_accountant::number::hex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io::{Read, Result};
use std::path::Path;

/// The keys of a dataset that is a file: its path, relative to the folder of the spec, and its hash.
const KEYS: [&str; 2] = ["file", "sha256"];

/// File that is a dataset, in the state that its hash identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileDataset<'a> {
    /// Its path as the spec has it.
    pub path: &'a str,
    pub sha256: &'a str,
}

impl Dataset {
    /// A file as a dataset: its path as the spec has it, and its hash.
    pub fn of_file(path: &str, sha256: &str) -> Self {
        Self::Json(json!({ "file": path, "sha256": sha256 }))
    }

    pub fn file(&self) -> Option<FileDataset<'_>> {
        let Self::Json(Value::Object(fields)) = self else { return None };
        let [path, sha256] = KEYS.map(|key| fields.get(key).and_then(Value::as_str));
        let (path, sha256) = (path?, sha256?);
        (fields.len() == KEYS.len()).then_some(FileDataset { path, sha256 })
    }
}

/// The SHA-256 of a file, in hexadecimal digits.
///
/// # Errors
/// If it cannot be read.
pub fn sha256_of(path: &Path) -> Result<String> {
    let mut file = std::fs::File::open(path)?;
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => hash.update(&buffer[..read]),
        }
    }
    Ok(hex(hash.finalize()))
}
