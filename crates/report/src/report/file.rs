//! Names and contents of the files of a report.

use plaudit_core::finding::LeakKind;
#[cfg(feature = "html")]
use sha2::{Digest, Sha256};

/// The file of the certificate of a leak that is not the finding's own.
pub(super) fn other_leak_file(slug: &str, leak: LeakKind) -> String {
    // A slug has no point.
    format!("{slug}.{}.json", leak.word())
}

/// A value as the files of a report hold it.
pub(super) fn json(value: &impl serde::Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value)
        .expect("reports and certificates have string keys only, and memory does not fail");
    text.push(b'\n');
    text
}

/// The SHA-256 of a file's content, in hexadecimal digits.
#[cfg(feature = "html")]
pub(super) fn sha256_of(content: &[u8]) -> String {
    plaudit_accountant::number::hex(Sha256::digest(content))
}
