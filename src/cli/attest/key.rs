//! Keys and signatures of minisign.

use super::refusal::{Refusal, unreadable};
use crate::cli::running::bounded;
use crate::cli::{Failure, output};
use ct_codecs::{Base64, Decoder};
use minisign::{SecretKey, SecretKeyBox};
use minisign_verify::{PublicKey, Signature};
use plaudit_core::visible::visible;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Variable with the password of the secret key.
const PASSWORD: &str = "PLAUDIT_KEY_PASSWORD";
/// Bytes of a key or a signature.
const MOST: u64 = 1 << 16;
/// Bytes of a secret key: algorithms, salt and limits of the key derivation, key and checksum.
const SECRET_KEY_BYTES: usize = 158;

/// The default place of a signature: that of minisign.
pub(super) fn signature_file(statement: &Path) -> PathBuf {
    let mut name = OsString::from(statement);
    name.push(".minisig");
    name.into()
}

/// Reads a secret key, decrypted with the password of the environment or of the terminal.
pub(super) fn secret(path: &Path) -> Result<SecretKey, Failure> {
    let remedy = "give the secret key that `minisign -G` made";
    let text = bounded::read_text(path, MOST).map_err(|e| unreadable(path, &e, remedy))?;
    let not_a_key = || unreadable(path, &"it is not a secret key of minisign", remedy);
    let stored = stored(&text).ok_or_else(not_a_key)?;
    if !stored.is_encrypted() {
        return Ok(stored);
    }
    let password = std::env::var(PASSWORD).ok();
    if password.is_none() && !std::io::stdin().is_terminal() {
        let remedy =
            format!("set {PASSWORD}, or run it in a terminal, which asks for the password");
        return Err(unreadable(path, &"it is encrypted", &remedy));
    }
    // Without a password minisign asks for it.
    let key = SecretKeyBox::from(text).into_secret_key(password);
    key.map_err(|error| unreadable(path, &error, "give the password of this key"))
}

/// A secret key as it is stored. `SecretKeyBox` also reads one, but rejects unencrypted keys of the program minisign
/// (`-G -W`), which have no checksum.
fn stored(text: &str) -> Option<SecretKey> {
    let bytes = Base64::decode_to_vec(text.lines().nth(1)?, None).ok()?;
    if bytes.len() != SECRET_KEY_BYTES || !bytes.starts_with(b"Ed") {
        return None;
    }
    SecretKey::from_bytes(&bytes).ok()
}

/// Signature of a statement, as the text of a `.minisig` file.
pub(super) fn sign(key: &SecretKey, statement: &[u8]) -> Result<String, Failure> {
    let tool = format!("plaudit {} attestation", env!("CARGO_PKG_VERSION"));
    let failed = |error: minisign::PError| {
        Failure::Message(format!("cannot sign: {error}; give another key, this one is damaged"))
    };
    // With the public key, the signature is checked: an unencrypted secret key may be damaged unnoticed.
    let public = minisign::PublicKey::from_secret_key(key).map_err(failed)?;
    let signature = minisign::sign(Some(&public), key, statement, Some(&tool), None);
    Ok(signature.map_err(failed)?.into_string())
}

/// Checks the signature of a statement.
pub(super) fn check(key: &Path, signature: &Path, statement: &[u8]) -> Result<(), Refusal> {
    let remedy = "give the public key of the signer, as `minisign -G` made it";
    let text = bounded::read_text(key, MOST).map_err(|e| unreadable(key, &e, remedy))?;
    let public = PublicKey::decode(&text).map_err(|e| unreadable(key, &e, remedy))?;
    let remedy = "give the .minisig file of the attestation with --signature";
    let text =
        bounded::read_text(signature, MOST).map_err(|e| unreadable(signature, &e, remedy))?;
    let decoded = Signature::decode(&text).map_err(|e| unreadable(signature, &e, remedy))?;
    public.verify(statement, &decoded, true).map_err(|error| {
        Refusal::Refused(format!(
            "the signature in `{}` is not one of this key for this attestation ({}): the attestation was changed, or \
             another key signed it; get it again from the signer",
            output::path(signature),
            visible(&error.to_string())
        ))
    })
}
