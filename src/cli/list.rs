//! `plaudit list`.

use super::args::{Format, ListArguments};
use super::{Failure, audit, exit, output};
use crate::audit::Settings;
use crate::finding::Expectation;
use crate::spec::{self, Loaded, Overrides};
use crate::visible::visible;
use serde::Serialize;
use std::fmt::Write;

/// One audit, for `--format json`.
#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    about: Option<&'a str>,
    file: String,
    mechanism: &'a str,
    parameters: &'a serde_json::Value,
    claim: String,
    relation: String,
    pairs: Vec<&'a str>,
    /// Where pairs are looked for, if none are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    domain: Option<String>,
    expected: Expectation,
    /// Left out where a time says how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    trials: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    alpha: f64,
    seed: u64,
}

/// Lists the audits of the specs.
pub(super) fn run(raw: &ListArguments) -> Result<u8, Failure> {
    let loaded = spec::load(&raw.paths, &Overrides::default())?;
    if loaded.is_empty() {
        return Err(audit::no_specs(&raw.paths));
    }
    match raw.format {
        Format::Human => output::print(&table(&loaded))?,
        Format::Json => output::print_json(&loaded.iter().map(entry).collect::<Vec<_>>())?,
    }
    Ok(exit::AS_EXPECTED)
}

fn entry(loaded: &Loaded) -> Entry<'_> {
    let audit = &loaded.audit;
    let Settings { trials, seconds, alpha, seed, expect, .. } = audit.settings;
    Entry {
        name: &audit.name,
        about: audit.about.as_deref(),
        file: loaded.file.display().to_string(),
        mechanism: &audit.summary.kind,
        parameters: &audit.summary.parameters,
        claim: audit.claim.to_string(),
        relation: audit.relation(),
        pairs: audit.pairs.iter().map(|pair| pair.name.as_str()).collect(),
        domain: audit.search.as_ref().map(|search| search.neighborhood.domain.to_string()),
        expected: expect,
        trials: seconds.is_none().then_some(trials),
        seconds,
        alpha,
        seed,
    }
}

fn table(loaded: &[Loaded]) -> String {
    let head = ["name", "mechanism", "claim", "relation", "pairs", "expected"].map(str::to_owned);
    let rows = loaded.iter().map(|Loaded { audit, .. }| {
        [
            audit.name.clone(),
            audit.summary.kind.clone(),
            audit.claim.to_string(),
            audit.relation(),
            match &audit.search {
                Some(_) => "search".to_owned(),
                None => audit.pairs.len().to_string(),
            },
            match audit.settings.expect {
                Expectation::NotViolated => "not violated".to_owned(),
                Expectation::Violated => "violated".to_owned(),
            },
        ]
    });
    let rows: Vec<_> =
        std::iter::once(head).chain(rows).map(|row| row.map(|cell| visible(&cell))).collect();
    let widths: Vec<usize> = (0..6)
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    let mut words = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths);
        let line = cells.fold(String::new(), |mut line, (cell, width)| {
            // Writing into a string cannot fail.
            let _ = write!(line, "{cell:width$}  ");
            line
        });
        words.push_str(line.trim_end());
        words.push('\n');
    }
    words
}
