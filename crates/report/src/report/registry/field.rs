//! Fields of a record: known, or to be filled in.

use serde_json::{Map, Value};

/// A field of a record.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Field {
    /// Fields by name, in the order of the registry's template.
    Parts(Vec<(&'static str, Field)>),
    /// A value that the audit knows or that the spec states.
    Known(Value),
    /// A required field that only people know: the placeholder of the registry's template.
    Required(Value),
    /// Another field that only people know: left out.
    Optional,
}

impl Field {
    /// A known text, or an optional field without one.
    pub fn text(text: Option<String>) -> Self {
        text.filter(|text| !text.is_empty()).map_or(Self::Optional, |text| Self::Known(text.into()))
    }

    /// `true` if the record has this field; one that is left out is only a comment.
    pub fn is_written(&self) -> bool {
        match self {
            Self::Parts(parts) => parts.iter().any(|(_, part)| part.is_written()),
            Self::Known(_) | Self::Required(_) => true,
            Self::Optional => false,
        }
    }

    /// Its value in the record.
    pub fn value(&self) -> Value {
        match self {
            Self::Parts(parts) => {
                let written = parts.iter().filter(|(_, part)| part.is_written());
                let fields = written.map(|(name, part)| ((*name).to_owned(), part.value()));
                Value::Object(fields.collect::<Map<_, _>>())
            }
            Self::Known(value) | Self::Required(value) => value.clone(),
            Self::Optional => Value::Null,
        }
    }
}
