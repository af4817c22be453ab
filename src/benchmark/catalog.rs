//! The mechanisms of the benchmark, and what is known of them.

use crate::spec::{self, Overrides, SpecErrors};
use plaudit_core::dataset::Dataset;
use plaudit_engine::audit::Audit;
use serde::{Deserialize, Serialize, Serializer};
use std::path::Path;

const CATALOG: &str = include_str!("catalog.toml");

pub struct Case {
    /// The audit; its budget, seed and level are set for each run.
    pub audit: Audit<Dataset>,
    pub truth: Truth,
    /// The ε that DP-Sniper certifies at 90 % confidence, if it was tried on it.
    pub reference: Option<f64>,
    /// Pairs of runs a side and the mean ε that an observer who knows both laws certifies with them
    /// at 95 % confidence; ascending, with at least two entries unless empty.
    pub oracle: Vec<(f64, f64)>,
    pub most_trials: Option<u64>,
}

/// True ε at the claim's δ; `None` if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Truth {
    /// On the worst of the audit's pairs.
    #[serde(default, serialize_with = "known")]
    pub pair: Option<f64>,
    /// On the worst pair that is known.
    #[serde(default, serialize_with = "known")]
    pub best: Option<f64>,
}

fn known<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => plaudit_accountant::number::one::serialize(number, serializer),
        None => serializer.serialize_none(),
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Beside {
    truth: Truth,
    reference: Option<f64>,
    oracle: Vec<(f64, f64)>,
    most_trials: Option<u64>,
}

impl Beside {
    const KEYS: [&str; 4] = ["truth", "reference", "oracle", "most_trials"];

    /// Takes its keys out of an audit.
    fn take(audit: &mut toml::Table) -> Result<Self, toml::de::Error> {
        let keys = Self::KEYS.into_iter();
        let own = keys.filter_map(|key| Some((key.to_owned(), audit.remove(key)?)));
        own.collect::<toml::Table>().try_into()
    }
}

/// A mistake in the catalog of the benchmark.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// The TOML has another structure.
    #[error("the benchmark's catalog: {0}")]
    Toml(String),
    /// One of its audits has mistakes.
    #[error("the benchmark's catalog: {0}")]
    Spec(SpecErrors),
}

/// The mechanisms of the benchmark.
///
/// # Errors
/// If the catalog that was compiled in has a mistake.
pub fn cases() -> Result<Vec<Case>, CatalogError> {
    read(CATALOG)
}

fn read(text: &str) -> Result<Vec<Case>, CatalogError> {
    let wrong = |error: &dyn std::fmt::Display| CatalogError::Toml(error.to_string());
    let mut table: toml::Table = toml::from_str(text).map_err(|error| wrong(&error))?;
    let Some(toml::Value::Array(audits)) = table.get_mut("audit") else {
        return Err(wrong(&"it has no [[audit]]"));
    };
    let mut beside = Vec::with_capacity(audits.len());
    for audit in audits {
        let audit = audit.as_table_mut().ok_or_else(|| wrong(&"an audit is not a table"))?;
        beside.push(Beside::take(audit).map_err(|error| wrong(&error))?);
    }
    let text = toml::to_string(&table).map_err(|error| wrong(&error))?;
    let loaded = spec::parse(&text, Path::new("benchmark/catalog.toml"), &Overrides::default())
        .map_err(CatalogError::Spec)?;
    let case = |(loaded, beside): (spec::Loaded, Beside)| Case {
        // What is found, not what is proved.
        audit: loaded.audit.only_measured(),
        truth: beside.truth,
        reference: beside.reference,
        oracle: beside.oracle,
        most_trials: beside.most_trials,
    };
    Ok(loaded.into_iter().zip(beside).map(case).collect())
}

impl Case {
    /// The oracle's ε with `trials` runs in all. Between the numbers of runs that are known, and
    /// below and above them, ln(ε − oracle) is taken to be linear in ln(runs).
    pub fn oracle_at(&self, trials: u64) -> Option<f64> {
        let side = trials as f64 / 2.0;
        let truth = self.truth.pair?;
        let above = self.oracle.iter().position(|(runs, _)| *runs >= side);
        let high = above.unwrap_or(self.oracle.len().checked_sub(1)?).max(1);
        let (from, to) = (self.oracle.get(high - 1)?, self.oracle.get(high)?);
        let gap = |epsilon: f64| (truth - epsilon).ln();
        let place = (side / from.0).ln() / (to.0 / from.0).ln();
        Some(truth - (gap(from.1) + place * (gap(to.1) - gap(from.1))).exp())
    }
}

#[cfg(test)]
#[path = "../../tests/unit/benchmark/catalog.rs"]
mod tests;
