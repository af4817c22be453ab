//! The folder of a report: its report.json and certificates, with their digests.

use super::refusal::unreadable;
use crate::cli::Failure;
use crate::cli::previous::parse;
use crate::cli::running::bounded;
use plaudit_accountant::number::hex;
use plaudit_core::dataset::sha256_of;
use plaudit_core::finding::Report;
use plaudit_report::attestation::{Role, Subject};
use sha2::{Digest, Sha256};
use std::io;
use std::path::Path;

const REPORT: &str = "report.json";
const CERTIFICATES: &str = "certificates";

/// Bytes of a report.
const MOST_REPORT: u64 = 1 << 28;
/// Bytes of a certificate or a program file.
const MOST_FILE: u64 = 1 << 32;
/// Certificates of a report.
const MOST_CERTIFICATES: usize = 100_000;

/// A report and the digests of its files.
pub(super) struct ReportFolder {
    /// The text of report.json, which may not be a report.
    text: Vec<u8>,
    /// report.json and the certificates, by name.
    pub files: Vec<Subject>,
}

impl ReportFolder {
    /// Reads report.json, and hashes it and the certificates.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(REPORT);
        let remedy = "give the folder of a report that `plaudit audit` wrote";
        let text = bounded::read(&path, MOST_REPORT).map_err(|e| unreadable(&path, &e, remedy))?;
        let sha256 = hex(Sha256::digest(&text));
        let mut files = vec![Subject::new(REPORT.into(), sha256, Role::Report)];
        let certificates = folder.join(CERTIFICATES);
        let names = names(&certificates).map_err(|e| unreadable(&certificates, &e, remedy))?;
        for name in names {
            let path = certificates.join(&name);
            let sha256 = digest(&path).map_err(|e| unreadable(&path, &e, remedy))?;
            let name = format!("{CERTIFICATES}/{name}");
            files.push(Subject::new(name, sha256, Role::Certificate));
        }
        Ok(Self { text, files })
    }

    /// The report, or why it is not one.
    pub fn report(&self) -> Result<Report, String> {
        let text = std::str::from_utf8(&self.text).map_err(|_| "it is not UTF-8 text")?;
        parse(text)
    }
}

/// SHA-256 of a regular file.
pub(super) fn digest(path: &Path) -> io::Result<String> {
    bounded::check(path, MOST_FILE)?;
    sha256_of(path)
}

/// Names of the certificates, sorted; none if there is no such folder.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().into_string();
        let name = name.map_err(|_| io::Error::other("a name in it is not UTF-8 text"))?;
        if name.ends_with(".json") {
            names.push(name);
        }
        if names.len() > MOST_CERTIFICATES {
            return Err(io::Error::other("it has too many files"));
        }
    }
    names.sort();
    Ok(names)
}
