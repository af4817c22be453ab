//! `plaudit list`.

use super::args::{ListArguments, OutputFormat};
use super::{Failure, audit, exit, output};
use crate::spec::{self, Loaded, Overrides};
use plaudit_core::finding::Expectation;
use plaudit_core::finding::MechanismKind;
use plaudit_core::visible::visible;
use plaudit_engine::audit::Settings;
use plaudit_report::report::{columns, cut};
use serde::Serialize;

#[derive(Serialize)]
struct ListedAudit<'a> {
    name: &'a str,
    about: Option<&'a str>,
    file: String,
    mechanism: &'a MechanismKind,
    parameters: &'a serde_json::Value,
    claim: String,
    relation: String,
    pairs: Vec<&'a str>,
    /// Domain searched for pairs, if there are no given ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    domain: Option<String>,
    expected: Expectation,
    /// Left out where a time decides it.
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
        OutputFormat::Human => output::print(&table(&loaded, output::width()))?,
        OutputFormat::Json => output::print_json(&loaded.iter().map(entry).collect::<Vec<_>>())?,
    }
    Ok(exit::AS_EXPECTED)
}

fn entry(loaded: &Loaded) -> ListedAudit<'_> {
    let audit = &loaded.audit;
    let Settings { trials, seconds, alpha, seed, expect, .. } = audit.settings;
    ListedAudit {
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

/// A table at most so wide, where that is possible.
fn table(loaded: &[Loaded], width: usize) -> String {
    let head = ["name", "mechanism", "claim", "relation", "pairs", "expected"].map(str::to_owned);
    let rows = loaded.iter().map(|Loaded { audit, .. }| {
        [
            audit.name.clone(),
            audit.summary.kind.to_string(),
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
    fitted(&rows, width)
}

/// Least width of a cell that is cut.
const LEAST: usize = 8;
/// Columns whose cells are cut when space is short, in this order: claim, relation, mechanism.
const CUT: [usize; 3] = [2, 3, 1];
/// Columns that are left out if that is not enough: pairs, mechanism, relation, claim.
const LEFT_OUT: [usize; 4] = [4, 1, 3, 2];

/// Rows in columns that are together at most `width` wide, where that is possible: names are always whole.
fn fitted<const N: usize>(rows: &[[String; N]], width: usize) -> String {
    let mut widths: [usize; N] = std::array::from_fn(|column| {
        rows.iter().map(|row| columns(&row[column])).max().unwrap_or(0)
    });
    let over = |widths: &[usize; N]| {
        let shown = widths.iter().filter(|width| **width > 0).count();
        (widths.iter().sum::<usize>() + 2 * (shown - 1)).saturating_sub(width)
    };
    for column in CUT {
        let least = LEAST.min(widths[column]);
        widths[column] = widths[column].saturating_sub(over(&widths)).max(least);
    }
    for column in LEFT_OUT {
        if over(&widths) > 0 {
            widths[column] = 0;
        }
    }
    let mut words = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths).filter(|(_, width)| *width > 0) {
            let cell = cut(cell, width);
            line.push_str(&cell);
            line.push_str(&" ".repeat(width - columns(&cell) + 2));
        }
        words.push_str(line.trim_end());
        words.push('\n');
    }
    words
}
