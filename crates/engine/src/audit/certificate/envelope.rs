//! The common part of all certificates: author, subject and digest. In a file the keys of the
//! envelope and of its content are side by side.

use crate::audit::certificate::digest;
use crate::audit::certificate::disagreement::Disagreement;
use crate::audit::settings::Audit;
use plaudit_core::dataset::{Pair, Relation};
use plaudit_core::finding::{MechanismSummary, Tool};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::ops::{Deref, DerefMut};

/// Version of the form of certificates.
pub const VERSION: &str = "3";

/// A certificate of any kind; derefs to its content.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope<C> {
    pub schema_version: String,
    pub tool: Tool,
    pub audit: String,
    /// The mechanism: its kind and parameters rebuild it.
    pub mechanism: MechanismSummary,
    pub relation: String,
    /// The relation as data, if the datasets can be checked under it.
    pub neighbors: Option<Relation>,
    pub pair: Pair<Value>,
    pub content: C,
    /// SHA-256 of all fields above: [`Envelope::sealed`] adds it, and [`Seal::of`] checks it.
    ///
    /// [`Seal::of`]: crate::audit::Seal::of
    pub digest: Option<String>,
}

/// Content of a certificate. In the file it has its own keys; others are refused.
pub trait Content: Clone + Serialize + DeserializeOwned {
    /// Another pair for which it certifies the same.
    fn smallest(&self) -> Option<&Pair<Value>> {
        None
    }

    /// Adds all fields that differ from what follows from the others.
    ///
    /// # Errors
    /// An impossible field; or, if no field differs, that it certifies nothing.
    fn compare(&self, found: &mut Vec<Disagreement>) -> Result<(), String>;
}

/// A pair in a form that others can read.
pub(in crate::audit) fn whole<D: Serialize>(pair: &Pair<D>) -> Pair<Value> {
    let json = |dataset: &D| serde_json::to_value(dataset).unwrap_or(Value::Null);
    Pair { name: pair.name.clone(), d: json(&pair.d), d_prime: json(&pair.d_prime) }
}

impl<C: Content> Envelope<C> {
    pub(in crate::audit) fn of_audit<D: Serialize>(
        audit: &Audit<D>,
        pair: &Pair<D>,
        content: C,
    ) -> Self {
        Self {
            schema_version: VERSION.to_owned(),
            tool: Tool::this(),
            audit: audit.name.clone(),
            mechanism: audit.summary.clone(),
            relation: audit.relation.to_string(),
            neighbors: audit.relation.checked().cloned(),
            pair: whole(pair),
            content,
            digest: None,
        }
    }

    /// The certificate in its file form, with its digest.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub fn sealed(self) -> serde_json::Result<Value> {
        self.into_json().map(digest::sealed)
    }

    /// All fields that differ from what follows from the others.
    ///
    /// # Errors
    /// An impossible field, or that it certifies nothing.
    pub fn disagreements(&self) -> Result<Vec<Disagreement>, String> {
        let neighbors = self.neighbors.as_ref().map(Relation::to_string);
        let relation = |follows: String| {
            Disagreement::of_words("relation", &self.relation, &follows, "`neighbors`")
        };
        let mut found = neighbors.and_then(relation).into_iter().collect();
        self.content.compare(&mut found)?;
        Ok(found)
    }

    /// Moves the datasets, which may be large, instead of copying them.
    fn into_json(self) -> serde_json::Result<Value> {
        let mut json = serde_json::to_value(self.content)?;
        json["schema_version"] = Value::from(self.schema_version);
        json["tool"] = serde_json::to_value(self.tool)?;
        json["audit"] = Value::from(self.audit);
        json["mechanism"] = serde_json::to_value(self.mechanism)?;
        json["relation"] = Value::from(self.relation);
        if let Some(neighbors) = self.neighbors {
            json["neighbors"] = serde_json::to_value(neighbors)?;
        }
        let Pair { name, d, d_prime } = self.pair;
        json["pair"] = serde_json::to_value(Pair { name, d: Value::Null, d_prime: Value::Null })?;
        json["pair"]["d"] = d;
        json["pair"]["d_prime"] = d_prime;
        if let Some(digest) = self.digest {
            json[digest::KEY] = Value::from(digest);
        }
        Ok(json)
    }

    /// Takes the keys of the envelope; the rest must be the keys of the content.
    fn of_json(mut fields: Map<String, Value>) -> serde_json::Result<Self> {
        let neighbors = fields.remove("neighbors").map(serde_json::from_value).transpose()?;
        let digest = fields.remove(digest::KEY).map(serde_json::from_value).transpose()?;
        Ok(Self {
            schema_version: take(&mut fields, "schema_version")?,
            tool: take(&mut fields, "tool")?,
            audit: take(&mut fields, "audit")?,
            mechanism: take(&mut fields, "mechanism")?,
            relation: take(&mut fields, "relation")?,
            neighbors: neighbors.flatten(),
            pair: take(&mut fields, "pair")?,
            content: serde_json::from_value(Value::Object(fields))?,
            digest: digest.flatten(),
        })
    }
}

fn take<T: DeserializeOwned>(
    fields: &mut Map<String, Value>,
    key: &'static str,
) -> serde_json::Result<T> {
    let value = fields.remove(key).ok_or_else(|| serde_json::Error::missing_field(key))?;
    serde_json::from_value(value)
}

impl<C> Deref for Envelope<C> {
    type Target = C;

    fn deref(&self) -> &C {
        &self.content
    }
}

impl<C> DerefMut for Envelope<C> {
    fn deref_mut(&mut self) -> &mut C {
        &mut self.content
    }
}

impl<C: Content> Serialize for Envelope<C> {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        self.clone().into_json().map_err(serde::ser::Error::custom)?.serialize(writer)
    }
}

impl<'de, C: Content> Deserialize<'de> for Envelope<C> {
    fn deserialize<R: Deserializer<'de>>(reader: R) -> Result<Self, R::Error> {
        Self::of_json(Map::deserialize(reader)?).map_err(R::Error::custom)
    }
}
