//! The digest of a certificate: SHA-256 of its content in a canonical form.
//!
//! The canonical form is JSON without blanks and without the digest itself, with the keys of each
//! object in byte order and whole numbers without a point, so that reformatting changes nothing. A
//! digest reveals accidents and careless edits. A forger can recompute it: trust in a certificate
//! rests on what follows from its counts, and on fresh trials.

use plaudit_accountant::number::hex;
use serde_json::{Map, Number, Value};
use sha2::{Digest, Sha256};

pub(in crate::audit) const KEY: &str = "digest";
/// Whole doubles below this are written as integers, all of which are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// State of a certificate's digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seal {
    Whole,
    /// No digest: an earlier version of the program wrote it, or it was removed.
    Missing,
    /// Content that does not match the digest.
    Broken {
        says: String,
        /// Digest of the content.
        holds: String,
    },
}

impl Seal {
    pub fn of(certificate: &Value) -> Self {
        let Some(says) = certificate.get(KEY) else { return Self::Missing };
        let holds = digest(certificate);
        match says.as_str() {
            Some(says) if says == holds => Self::Whole,
            Some(says) => Self::Broken { says: says.to_owned(), holds },
            None => Self::Broken { says: says.to_string(), holds },
        }
    }
}

pub(in crate::audit) fn sealed(mut certificate: Value) -> Value {
    certificate[KEY] = Value::from(digest(&certificate));
    certificate
}

fn digest(certificate: &Value) -> String {
    let mut hash = Sha256::new();
    match certificate {
        Value::Object(fields) => object(&mut hash, fields, |key| key != KEY),
        other => write(&mut hash, other),
    }
    format!("sha256:{}", hex(hash.finalize()))
}

fn write(hash: &mut Sha256, value: &Value) {
    match value {
        Value::Object(fields) => object(hash, fields, |_| true),
        Value::Array(entries) => {
            hash.update(b"[");
            for (at, entry) in entries.iter().enumerate() {
                hash.update(if at > 0 { b"," as &[u8] } else { b"" });
                write(hash, entry);
            }
            hash.update(b"]");
        }
        Value::Number(number) => hash.update(canonical(number)),
        // Strings with JSON's own escapes, and the three words.
        other => hash.update(other.to_string()),
    }
}

fn object(hash: &mut Sha256, fields: &Map<String, Value>, counts: impl Fn(&str) -> bool) {
    let mut fields: Vec<_> = fields.iter().filter(|(key, _)| counts(key)).collect();
    fields.sort_unstable_by_key(|(key, _)| key.as_bytes());
    hash.update(b"{");
    for (at, (key, value)) in fields.into_iter().enumerate() {
        hash.update(if at > 0 { b"," as &[u8] } else { b"" });
        hash.update(Value::from(key.as_str()).to_string());
        hash.update(b":");
        write(hash, value);
    }
    hash.update(b"}");
}

/// 1.0 is 1; -0.0 stays what it is.
fn canonical(number: &Number) -> String {
    match number.as_f64() {
        Some(x) if number.is_f64() && x.fract() == 0.0 && x.abs() < EXACT && !is_minus_zero(x) => {
            format!("{x:.0}")
        }
        _ => number.to_string(),
    }
}

fn is_minus_zero(x: f64) -> bool {
    x == 0.0 && x.is_sign_negative()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_canonical_form_is_that_of_the_docs() {
        let certificate =
            json!({ "b": [1.0, -0.0, 0.5, "\u{1b}\""], "a": { "d": null, "c": true } });
        let canonical = r#"{"a":{"c":true,"d":null},"b":[1,-0.0,0.5,"\u001b\""]}"#;
        let expected = format!("sha256:{}", hex(Sha256::digest(canonical)));
        assert_eq!(sealed(certificate)["digest"], expected);
    }

    #[test]
    fn layout_changes_nothing_and_every_edit_is_seen() {
        let certificate = sealed(json!({ "a": [1.0, 2.5], "b": { "c": "x", "n": u64::MAX } }));
        let text = serde_json::to_string_pretty(&certificate).unwrap().replace("1.0", "1");
        assert_eq!(Seal::of(&serde_json::from_str(&text).unwrap()), Seal::Whole);
        for (place, value) in [
            ("/a/0", json!(1.5)),
            ("/a", json!([1.0, 2.5, null])),
            ("/b/c", json!("y")),
            ("/b/n", json!(u64::MAX - 1)),
            ("/digest", json!("sha256:")),
            ("/digest", json!(7)),
        ] {
            let mut edited = certificate.clone();
            *edited.pointer_mut(place).unwrap() = value;
            assert!(matches!(Seal::of(&edited), Seal::Broken { .. }), "{place}");
        }
        assert_eq!(Seal::of(&json!({})), Seal::Missing);
        assert_eq!(Seal::of(&json!(7)), Seal::Missing);
    }
}
