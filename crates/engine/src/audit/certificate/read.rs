//! Reading certificates of any kind from JSON: their kind, the state of their digest, and whether
//! this version reads them.

use crate::audit::certificate::Certificate;
use crate::audit::certificate::counterexample::Counterexample;
use crate::audit::certificate::digest::Seal;
use crate::audit::certificate::envelope::VERSION;
use serde_json::Value;

/// Earlier forms: the same except for the words of witnesses, which are generated again.
const OTHER_WORDS: [&str; 2] = ["1", "2"];

/// Kinds of scorers in certificates of earlier versions.
const GONE: [&str; 1] = ["joint"];

/// A certificate of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyCertificate {
    Refutation(Box<Certificate>),
    Counterexample(Box<Counterexample>),
}

/// Reason why JSON is not read as a certificate.
#[derive(Debug, thiserror::Error)]
pub enum UnreadCertificate {
    #[error("not a certificate: {0}")]
    None(#[from] serde_json::Error),
    /// A certificate of an unknown version.
    #[error("it was written by {by}: {why}; replay it with {writer}, or audit the claim again")]
    OtherVersion {
        /// "an older version" or "a newer one".
        by: &'static str,
        why: String,
        writer: String,
    },
}

impl AnyCertificate {
    /// Reads a certificate and the state of its digest.
    ///
    /// # Errors
    /// If it is not a certificate, or another version made it.
    pub fn read(json: Value) -> Result<(Self, Seal), UnreadCertificate> {
        let writer = || match (json["tool"]["name"].as_str(), json["tool"]["version"].as_str()) {
            (Some(name), Some(version)) => format!("the version that wrote it ({name} {version})"),
            _ => "the version that wrote it".to_owned(),
        };
        let other = |by, why| UnreadCertificate::OtherVersion { by, why, writer: writer() };
        let version = json["schema_version"].as_str();
        let retold = version.is_some_and(|it| OTHER_WORDS.contains(&it));
        if let Some(version) = version.filter(|it| *it != VERSION && !OTHER_WORDS.contains(it)) {
            let number = |version: &str| version.parse::<u64>().ok();
            let by = match number(version) < number(VERSION) {
                true => "an older version",
                false => "a newer version",
            };
            let why =
                format!("it has schema version {version:?}, but this plaudit reads {VERSION:?}");
            return Err(other(by, why));
        }
        if let Some(kind) = GONE.into_iter().find(|kind| has_kind(&json["witness"], kind)) {
            let why = format!("this one has no witnesses of kind `{kind}` any more");
            return Err(other("an older version", why));
        }
        let seal = Seal::of(&json);
        let writer = writer();
        // Only a counterexample has a sensitivity.
        let read = match json.get("sensitivity") {
            Some(_) => serde_json::from_value(json).map(Box::new).map(Self::Counterexample),
            None => serde_json::from_value::<Certificate>(json).map(|mut certificate| {
                if retold {
                    certificate.content.tell_anew();
                }
                Self::Refutation(Box::new(certificate))
            }),
        };
        match read {
            Ok(certificate) => Ok((certificate, seal)),
            Err(error) if seal == Seal::Whole => Err(UnreadCertificate::OtherVersion {
                by: "an older version, or a newer one",
                why: format!("its digest is correct, but this version cannot read it ({error})"),
                writer,
            }),
            Err(error) => Err(error.into()),
        }
    }
}

/// `true` if any object of a document is of this kind.
fn has_kind(json: &Value, kind: &str) -> bool {
    match json {
        Value::Object(fields) => {
            fields.get("kind").and_then(Value::as_str) == Some(kind)
                || fields.values().any(|value| has_kind(value, kind))
        }
        Value::Array(values) => values.iter().any(|value| has_kind(value, kind)),
        _ => false,
    }
}
