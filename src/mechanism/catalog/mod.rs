//! Mechanisms with known truth: right ones and known-broken ones, one file a family.

use super::Mechanism;
use crate::dataset::Dataset;
use serde::de::{Deserializer, Error as _};

/// A mechanism of the catalog: it knows what datasets it takes and how to say what it does.
pub trait CatalogMechanism: Mechanism<Dataset> + Send {
    /// Whether it can run on a dataset.
    ///
    /// # Errors
    /// What is wrong with the dataset and what is wanted, in a sentence.
    fn accepts(&self, dataset: &Dataset) -> Result<(), String>;

    /// What it does, in a sentence with its parameters' values.
    fn describe(&self) -> String;
}

/// The kinds that [`build`] knows, in alphabetical order.
pub const KINDS: &[&str] = &[];

/// Builds a mechanism from its kind and its parameters (a map without `kind`).
///
/// # Errors
/// If the kind is unknown, a parameter is missing, unknown, of a wrong type or impossible.
pub fn build<'de, D: Deserializer<'de>>(
    kind: &str,
    _parameters: D,
) -> Result<Box<dyn CatalogMechanism>, D::Error> {
    Err(D::Error::unknown_variant(kind, KINDS))
}
